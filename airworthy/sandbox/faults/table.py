"""Tables of faults: a heading names a rule, and each row below it describes one service that violates it.

The key of a row begins with the name of the fault and goes on with the rest of the sentence, unless that follows from
the row. The functions for rows are named after what the service does; those in `changes` and `export` change what it
does.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Final, Literal

from airworthy.sandbox.faults.changes import ERRORS, Edit, Json, before, edited, has, lacks, replaced, with_success
from airworthy.sandbox.faults.fault import Condition, Fault, Row, Wrapper, described, with_status
from airworthy.sandbox.faults.updates import know_by_beginning
from airworthy.sandbox.http import schemas

Verdict = Literal["failed", "warning", "passed"]
FAILS: Final[Verdict] = "failed"
WARNS: Final[Verdict] = "warning"
PASSES: Final[Verdict] = "passed"


# Two headings are never equal, so that a table may name a rule twice.
@dataclass(frozen=True, slots=True, eq=False)
class Heading:
    """The rule of the rows below it, and why the documents leave room if their verdict is not a failure."""

    rule: str
    reason: str


Table = Mapping[Heading | str, Verdict | Row]


def rule(name: str, reason: str = "") -> Heading:
    """Return the heading of faults of a rule; the table has their verdict beside it."""
    return Heading(name, reason)


def listed(table: Table) -> Iterator[Fault]:
    """Yield the faults of a table; each violates the rule of the last heading above it."""
    heading, verdict = Heading("", ""), FAILS
    for key, value in table.items():
        if isinstance(key, Heading) and isinstance(value, str):
            heading, verdict = key, value
        elif isinstance(key, str) and not isinstance(value, str):
            yield replace(value(key), rule=heading.rule, verdict=verdict, reason=heading.reason)


def does(*edits: Edit, to: Condition | None = None, **changes: Any) -> Row:  # noqa: ANN401 - see Fault
    """Return a row of a service that edits its responses, or changes in another way (see `Fault`)."""
    return described(**changes | ({"rewrite": edited(edits, to)} if edits else {}))


def responds(*edits: Edit) -> Row:
    """Return a row of a service that edits its responses; the edits say what it responds with."""
    patterns = dict.fromkeys(edit.operations for edit in edits)
    operations = [each for each in schemas.operations() if any(fnmatchcase(each, pattern) for pattern in patterns)]
    to = "wrong requests" if ERRORS in patterns else _listed(operations)
    return lambda name: does(*edits)(f"{name}: responds to {to} with {_listed([edit.wording for edit in edits])}")


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def accepts(*rejections: str) -> Row:
    """Return a row of a service that accepts invalid requests: the named rejections do not happen."""
    return described("accepts ", tolerates=rejections)


def tolerates(*rejections: str) -> Row:
    """Return a row of a service for which the named rejections do not happen."""
    return described(tolerates=rejections)


def rejects(request: Condition, status: int = 400) -> Row:
    """Return a row of a service that rejects valid requests."""
    return described("rejects ", f" with {status}", rejects=request, rejects_with=status)


def rejects_with(status: int, rejection: str) -> Row:
    """Return a row of a service whose rejection has another status than documented."""
    return described("rejects ", f" with {status}", rewords={rejection: with_status(status)})


def crashes(at: str | Condition) -> Row:
    """Return a row of a service that responds with status 500 to some requests, or instead of a rejection."""
    if isinstance(at, str):
        return described("responds to ", " with 500", rewords={at: with_status(500)})
    return described("responds to ", " with 500", rejects=at, rejects_with=500)


def serves(rejection: str, body: dict[str, Json]) -> Row:
    """Return a row of a service that responds with status 200 instead of rejecting a request."""
    return described(rewords={rejection: with_success(body)})


def serves_empty(rejection: str, *lists: str) -> Row:
    """Return a row of a service that responds with an empty object or empty lists instead of rejecting a request."""
    end = f" with 200 and an empty {'list' if lists else 'object'}"
    return described("responds to ", end, rewords={rejection: with_success({name: [] for name in lists})})


def sends(operation: str, **parts: Any) -> Row:  # noqa: ANN401 - parts of SandboxResponse
    """Return a row of a service that replaces the status, body or headers of successful responses."""
    return described(rewrite=replaced(operation, **parts))


def behaves(handler: Wrapper) -> Row:
    """Return a row of a service whose handler is replaced with another one, which receives it."""
    return described(wraps=handler)


def sets(**policy: Any) -> Row:  # noqa: ANN401 - members of `Policy`
    """Return a row of a service with another policy."""
    return described(policy=policy)


# Rows whose key is the name alone, which says where the service is wrong


def unchecked(name: str) -> Fault:
    """Return the fault ``unchecked:OPERATION:PLACE:KEYWORD``: any value where a keyword of a schema rejects some."""
    _, operation, place, keyword = name.split(":")
    return tolerates(f"{operation}:{place}:{keyword}")(f"{name}: does not validate {place} of {operation}")


def status_422(name: str) -> Fault:
    """Return the fault ``status-422:OPERATION:PLACE:KEYWORD``: 422 for a value that a keyword of a schema rejects."""
    _, operation, place, keyword = name.split(":")
    return rejects_with(422, f"{operation}:{place}:{keyword}")(f"{name}: a wrong {place} of {operation}")


def requires(name: str) -> Fault:
    """Return the fault ``required:OPERATION:PLACE``: requests without an optional member are rejected."""
    _, operation, place = name.split(":")
    return does(rejects=lacks(f"{operation}:{place}"))(f"{name}: requires {place} of {operation}")


def rejects_value(name: str) -> Fault:
    """Return the fault ``undocumented:OPERATION:PLACE:VALUE``: a documented value of a member is rejected."""
    _, operation, place, value = name.split(":")
    return rejects(has(f"{operation}:{place}", value))(f"{name}: {value} as {place} of {operation}")


def crashes_at_empty(name: str) -> Fault:
    """Return the fault ``unchecked:OPERATION:PLACE:empty``: 500 for an empty member, which may be rejected."""
    _, operation, place, _ = name.split(":")
    return crashes(has(f"{operation}:{place}", ""))(f"{name}: an empty {place} of {operation}")


def finds_by_beginning(name: str) -> Fault:
    """Return the fault ``id-beginning-OPERATION`` of v4: only the beginning of the ids in requests is compared."""
    operation = name.removeprefix("id-beginning-")
    what = f"compares only the first 24 characters of the ids in requests of {operation}"
    return before(operation, know_by_beginning)(f"{name}: {what}")
