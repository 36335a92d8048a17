"""Tables of faults: a heading names a rule, and each row below it describes one service that violates it.

The key of a row begins with the name of the fault and goes on with the rest of the sentence, unless that follows from
the row: from a rejection, an edit, or the docstring of a function. The functions for rows are named after what the
service does; those in `changes` and `export` change what it does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import reduce
from typing import Any, Final, Literal

from airworthy.sandbox.faults.changes import ERRORS, Edit, Json, before, edited, having, lacks, replaced, with_success
from airworthy.sandbox.faults.fault import Condition, Fault, Row, Wrapper, deed, described, with_status
from airworthy.sandbox.faults.updates import know_by_beginning
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.exchange import SandboxRequest
from airworthy.sandbox.http.rejections import REJECTIONS
from airworthy.sandbox.service.service import SandboxService

Verdict = Literal["failed", "warning", "passed"]
FAILS: Final[Verdict] = "failed"
WARNS: Final[Verdict] = "warning"
PASSES: Final[Verdict] = "passed"


# Two headings are never equal, so that a table may name a rule twice.
@dataclass(frozen=True, slots=True, eq=False)
class Heading:
    """The rule of the rows below it, and why the documents leave room if their verdict is not a failure."""

    rule: str
    reason: str = ""


rule = Heading
"""The heading of faults of a rule; the table has their verdict beside it."""

Table = Mapping[Heading | str, Verdict | Row | Edit | tuple[Edit, ...]]
"""Edits are a row of a service that edits its responses."""


def listed(table: Table) -> Iterator[Fault]:
    """Yield the faults of a table; each violates the rule of the last heading above it."""
    heading, verdict = Heading(""), FAILS
    for key, value in table.items():
        if isinstance(key, Heading) and isinstance(value, str):
            heading, verdict = key, value
        elif isinstance(key, str) and not isinstance(value, str):
            edits = (value,) if isinstance(value, Edit) else value
            row = responds(*edits) if isinstance(edits, tuple) else edits
            yield replace(row(key), rule=heading.rule, verdict=verdict, reason=heading.reason)


does = described
"""Return a row of a service that changes in any way (see `Fault`)."""


def responds(*edits: Edit, to: Condition | None = None) -> Row:
    """Return a row of a service that edits its responses; the edits say what it responds with."""
    patterns = dict.fromkeys(edit.operations for edit in edits)
    operations = [each for each in schemas.operations() if any(fnmatchcase(each, pattern) for pattern in patterns)]
    requests = "wrong requests" if ERRORS in patterns else _listed(operations)
    some = "some requests of " if to else ""
    what = f"responds to {some}{requests} with {_listed([edit.wording for edit in edits])}"
    return described(otherwise=what, rewrite=edited(edits, to))


def reads(*edits: Edit, of: Condition = lambda _: True) -> Row:
    """Return a row of a service that edits the bodies of requests, or of those that fit, before it handles them."""

    def prepare(_: SandboxService, request: SandboxRequest) -> None:
        if of(request):
            request.body = reduce(lambda body, edit: edit(body), edits, request.body)

    return before(edits[0].operations, prepare)


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def accepts(*rejections: str) -> Row:
    """Return a row of a service that accepts invalid requests: the named rejections do not happen."""
    return described("accepts ", "", f"never rejects {_wrong_requests(rejections[0])}", tolerates=rejections)


def tolerates(*rejections: str) -> Row:
    """Return a row of a service for which the named rejections do not happen."""
    return described("", "", f"never rejects {_wrong_requests(rejections[0])}", tolerates=rejections)


def rejects(request: Condition, status: int = 400) -> Row:
    """Return a row of a service that rejects valid requests."""
    otherwise = f"responds with {status} to {request}"
    return described("rejects ", f" with {status}", otherwise, rejects=request, rejects_with=status)


def rejects_with(status: int, rejection: str) -> Row:
    """Return a row of a service whose rejection has another status than documented."""
    otherwise = f"responds with {status} to {_wrong_requests(rejection)}"
    return described("rejects ", f" with {status}", otherwise, rewords={rejection: with_status(status)})


def crashes(at: str | Condition) -> Row:
    """Return a row of a service that responds with status 500 to some requests, or instead of a rejection."""
    return rejects_with(500, at) if isinstance(at, str) else rejects(at, 500)


def serves(rejection: str, body: dict[str, Json]) -> Row:
    """Return a row of a service that responds with status 200 instead of rejecting a request."""
    otherwise = f"responds with 200 to {_wrong_requests(rejection)}"
    return described("", "", otherwise, rewords={rejection: with_success(body)})


def serves_empty(rejection: str, *lists: str) -> Row:
    """Return a row of a service that responds with an empty object or empty lists instead of rejecting a request."""
    otherwise = f"responds with nothing to {_wrong_requests(rejection)}"
    empty = with_success({name: [] for name in lists})
    return described("responds to ", " with 200 and nothing", otherwise, rewords={rejection: empty})


def _wrong_requests(rejection: str) -> str:
    """Return the requests that are rejected under a name."""
    name, _, operation = rejection.partition("@")
    if ":" in rejection:
        operation, place, keyword = rejection.split(":")
        return f"requests of {operation} with a wrong {place or 'body'} ({keyword})"
    of_operation = f" of {operation}" if operation else ""
    return f'requests{of_operation} whose problem is "{REJECTIONS[name].message if name in REJECTIONS else name}"'


def sends(operation: str, **parts: Any) -> Row:  # noqa: ANN401 - parts of SandboxResponse
    """Return a row of a service that replaces the status, body or headers of successful responses."""
    what = ", ".join(f"the {part} {value}" for part, value in parts.items())
    return described("", "", f"responds to {operation} with {what}", rewrite=replaced(operation, **parts))


def behaves(handler: Wrapper) -> Row:
    """Return a row of a service whose handler is replaced with another one, which receives it."""
    return described(otherwise=deed(handler), wraps=handler)


def needs(place: str) -> Row:
    """Return a row of a service that rejects requests without an optional member."""
    operation, _, pointer = place.partition(":")
    return described(otherwise=f"requires {pointer} of {operation}", rejects=lacks(place))


def sets(**policy: Any) -> Row:  # noqa: ANN401 - members of `Policy`
    """Return a row of a service with another policy."""
    (name, value), *_ = policy.items()
    return described(otherwise=deed(value) if value.__doc__ else f"has another {name}", policy=policy)


# Rows whose key is the name alone, which says where the service is wrong


def requires(name: str) -> Fault:
    """Return the fault ``required:OPERATION:PLACE``: requests without an optional member are rejected."""
    return needs(name.removeprefix("required:"))(name)


def rejects_value(name: str) -> Fault:
    """Return the fault ``undocumented:OPERATION:PLACE:VALUE``: a documented value of a member is rejected."""
    _, operation, place, value = name.split(":")
    return rejects(having(f"{operation}:{place}", pattern=f"^(.*-)?{value}$"))(name)


def finds_by_beginning(name: str) -> Fault:
    """Return the fault ``id-beginning-OPERATION`` of v4: only the beginning of the ids in requests is compared."""
    return before(name.removeprefix("id-beginning-"), know_by_beginning)(name)
