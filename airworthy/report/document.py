"""Read and write results.json, and check the project's own documents against the schemas in ``schemas/report``."""

import types
from dataclasses import is_dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import orjson
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import best_match

from airworthy.errors import UsageError, reading
from airworthy.report.decision import decide
from airworthy.report.results import FORMAT, Results
from airworthy.resources import resource

_LONGEST_MESSAGE: Final = 200
# Without further packages jsonschema does not check "date-time".
_FORMATS: Final = FormatChecker(["date"])


@_FORMATS.checks("date-time", ValueError)
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


def to_json(results: Results) -> bytes:
    """Return results.json. The decision and the counts are included for readers other than Airworthy."""
    document = {"format": FORMAT, "decision": decide(results), "counts": results.counts, "results": results}
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)


def from_json(text: bytes, name: str = "results.json") -> Results:
    """Return the results in a results.json. The decision in it is ignored; `decide` computes it again.

    Raises `UsageError` if the text is not a results.json; the message contains ``name``, the location and the reason.
    """
    results: Results = build(Results, read_document(text, name, "results.json")["results"])
    return results


def load_results(path: Path) -> Results:
    """Read a results.json; raises `UsageError` as `from_json` does, and if the file cannot be read."""
    with reading(path):
        text = path.read_bytes()
    return from_json(text, str(path))


def read_document(text: bytes, name: str, schema: str) -> Any:  # noqa: ANN401 - the schema says what it is
    """Return a document that conforms to a schema, a file in ``schemas/report``.

    Raises `UsageError` if the text is not such a document; the message contains ``name``, the location and the reason.
    """
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UsageError(f"{name}: not JSON: {error}") from None
    invalid = best_match(_validator(schema).iter_errors(document))
    if invalid is not None:
        pointer = "/".join(str(part) for part in invalid.absolute_path)
        raise UsageError(f"{name}: /{pointer}: {invalid.message[:_LONGEST_MESSAGE]}")
    return document


@cache
def _validator(name: str) -> Draft202012Validator:
    schema = orjson.loads((resource("schemas") / "report" / name).read_bytes())
    return Draft202012Validator(schema, format_checker=_FORMATS)


_hints = cache(get_type_hints)


def build(kind: Any, value: Any) -> Any:  # noqa: ANN401 - the type is only known at run time
    """Convert a valid JSON value to a type, for instance a dataclass."""
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
