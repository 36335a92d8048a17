"""results.json: the results of a run as a document with a published schema (``schemas/report/results.json``)."""

import types
from dataclasses import is_dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import jsonschema_rs
import orjson

from airworthy.errors import UsageError
from airworthy.report.decision import decide
from airworthy.report.results import FORMAT, Results
from airworthy.resources import resource


def to_json(results: Results) -> bytes:
    """Return results.json. The decision and the counts stand in it for readers that are not Airworthy."""
    document = {"format": FORMAT, "decision": decide(results), "counts": results.counts, "results": results}
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)


def from_json(text: bytes, name: str = "results.json") -> Results:
    """Read what `to_json` wrote; the decision in it is not believed, `decide` takes it anew.

    Raises:
        UsageError: the text is not such a document; names ``name``, the place and what is wrong there.
    """
    results: Results = build(Results, read_document(text, name, "results.json")["results"])
    return results


def load_results(path: Path) -> Results:
    """Read a results.json; raises `UsageError` as `from_json` does, and where the file cannot be read."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    return from_json(text, str(path))


def read_document(text: bytes, name: str, schema: str) -> Any:  # noqa: ANN401 - the schema says what it is
    """Return a document that fits its schema, a file in ``schemas/report``.

    Raises:
        UsageError: the text is not such a document; names ``name``, the place and what is wrong there.
    """
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UsageError(f"{name}: not JSON: {error}") from None
    for breach in _validator(schema).iter_errors(document):
        place = "/".join(str(part) for part in breach.instance_path)
        raise UsageError(f"{name}: /{place}: {breach.message[:200]}")
    return document


@cache
def _validator(name: str) -> jsonschema_rs.Draft202012Validator:
    schema = orjson.loads((resource("schemas") / "report" / name).read_bytes())
    return jsonschema_rs.Draft202012Validator(schema, validate_formats=True)


_hints = cache(get_type_hints)


def build(kind: Any, value: Any) -> Any:  # noqa: ANN401 - the kind is only known when it runs
    """Make a value of a type, a dataclass for instance, from what JSON holds of it. It is known to fit."""
    arguments = get_args(kind)
    match get_origin(kind):
        case origin if origin is tuple:
            return tuple(build(arguments[0], item) for item in value)
        case origin if origin in (Union, types.UnionType) and value is not None:
            return build(next(each for each in arguments if each is not types.NoneType), value)
        case None if isinstance(kind, type) and is_dataclass(kind):
            return kind(**{name: build(_hints(kind)[name], item) for name, item in value.items()})
        case None if kind is datetime or kind is date:
            return kind.fromisoformat(value)
        case _:
            return value
