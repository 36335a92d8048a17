"""Tables of faults: a heading names a rule, and each row below it describes one service that violates it.

The functions for rows are named after what the service does. Their text begins with the name of the fault, and goes on
with the rest of the sentence, unless that follows from the row.
"""

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Literal

from airworthy.sandbox.faults.changes import ERRORS, Edit, Json, before, edited, has, lacks, replaced, with_success
from airworthy.sandbox.faults.export_changes import always, cells
from airworthy.sandbox.faults.fault import Condition, ExportEdit, Fault, Wrapper, with_status
from airworthy.sandbox.faults.updates import know_by_beginning
from airworthy.sandbox.http import schemas


@dataclass(frozen=True, slots=True)
class Heading:
    """The rule of the rows below it, their verdict, and why the documents leave room if that is not a failure."""

    rule: str
    verdict: Literal["failed", "warning", "passed"] = "failed"
    reason: str = ""


def rule(name: str, *, warns: str = "", passes: str = "") -> Heading:
    """Return the heading of faults that fail a rule, or only warn or pass for the reason that is given."""
    return Heading(name, "warning" if warns else "passed" if passes else "failed", warns or passes)


def table(*lines: Heading | Fault) -> tuple[Fault, ...]:
    """Return the faults of a table; each violates the rule of the last heading above it."""
    found, heading = [], Heading("")
    for line in lines:
        if isinstance(line, Heading):
            heading = line
        else:
            found.append(replace(line, rule=heading.rule, verdict=heading.verdict, reason=heading.reason))
    return tuple(found)


def does(text: str, *edits: Edit, to: Condition | None = None, **changes: Any) -> Fault:  # noqa: ANN401 - see Fault
    """Return a fault of a service that edits its responses, or changes in another way (see `Fault`)."""
    return _fault("", text, "", **changes, **({"rewrite": edited(edits, to)} if edits else {}))


def _fault(verb: str, text: str, end: str, **changes: Any) -> Fault:  # noqa: ANN401 - see Fault
    name, _, what = text.partition(": ")
    return Fault(name, "", f"The service {verb}{what}{end}", **changes)


def responds(name: str, *edits: Edit) -> Fault:
    """Return a fault of a service that edits its responses; the edits say what it responds with."""
    patterns = dict.fromkeys(edit.operations for edit in edits)
    operations = [each for each in schemas.operations() if any(fnmatchcase(each, pattern) for pattern in patterns)]
    to = "wrong requests" if ERRORS in patterns else _listed(operations)
    return does(f"{name}: responds to {to} with {_listed([edit.wording for edit in edits])}", *edits)


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def accepts(text: str, *rejections: str) -> Fault:
    """Return a fault of a service that accepts invalid requests: the named rejections do not happen."""
    return _fault("accepts ", text, "", tolerates=rejections)


def tolerates(text: str, *rejections: str) -> Fault:
    """Return a fault of a service for which the named rejections do not happen."""
    return does(text, tolerates=rejections)


def rejects(text: str, request: Condition, status: int = 400) -> Fault:
    """Return a fault of a service that rejects valid requests."""
    return _fault("rejects ", text, f" with {status}", rejects=request, rejects_with=status)


def rejects_with(text: str, status: int, rejection: str) -> Fault:
    """Return a fault of a service whose rejection has another status than documented."""
    return _fault("rejects ", text, f" with {status}", rewords={rejection: with_status(status)})


def crashes(text: str, at: str | Condition) -> Fault:
    """Return a fault of a service that responds with status 500 to some requests, or instead of a rejection."""
    if isinstance(at, str):
        return _fault("responds to ", text, " with 500", rewords={at: with_status(500)})
    return _fault("responds to ", text, " with 500", rejects=at, rejects_with=500)


def serves(text: str, rejection: str, body: dict[str, Json]) -> Fault:
    """Return a fault of a service that responds with status 200 instead of rejecting a request."""
    return does(text, rewords={rejection: with_success(body)})


def serves_empty(text: str, rejection: str, *lists: str) -> Fault:
    """Return a fault of a service that responds with an empty object or empty lists instead of rejecting a request."""
    end = f" with 200 and an empty {'list' if lists else 'object'}"
    return _fault("responds to ", text, end, rewords={rejection: with_success({name: [] for name in lists})})


def sends(text: str, operation: str, **parts: Any) -> Fault:  # noqa: ANN401 - parts of SandboxResponse
    """Return a fault of a service that replaces the status, body or headers of successful responses."""
    return does(text, rewrite=replaced(operation, **parts))


def behaves(text: str, handler: Wrapper) -> Fault:
    """Return a fault of a service whose handler is replaced with another one, which receives it."""
    return does(text, wraps=handler)


def sets(text: str, **policy: Any) -> Fault:  # noqa: ANN401 - members of `Policy`
    """Return a fault of a service with another policy."""
    return does(text, policy=policy)


def unchecked(rejection: str) -> Fault:
    """Return a fault of a service that accepts any value where a keyword of a schema rejects some."""
    operation, place, _ = rejection.split(":")
    return tolerates(f"unchecked:{rejection}: does not validate {place} of {operation}", rejection)


def status_422(rejection: str) -> Fault:
    """Return a fault of a service that rejects a value with 422 that a keyword of a schema rejects."""
    operation, place, _ = rejection.split(":")
    return rejects_with(f"status-422:{rejection}: a wrong {place} of {operation}", 422, rejection)


def requires(place: str, name: str = "") -> Fault:
    """Return a fault of a service that rejects requests without an optional member."""
    operation, _, pointer = place.partition(":")
    return does(f"{name or f'required:{place}'}: requires {pointer} of {operation}", rejects=lacks(place))


def rejects_value(place: str, value: str) -> Fault:
    """Return a fault of a service that rejects a documented value of a member."""
    operation, _, pointer = place.partition(":")
    return rejects(f"undocumented:{place}:{value}: {value} as {pointer} of {operation}", has(place, value))


def crashes_at_empty(place: str) -> Fault:
    """Return a fault of a service that responds with status 500 to an empty member that it may accept or reject."""
    operation, _, pointer = place.partition(":")
    return crashes(f"unchecked:{place}:empty: an empty {pointer} of {operation}", has(place, ""))


def finds_by_beginning(operation: str) -> Fault:
    """Return a fault of a service of v4 that compares only the beginning of the ids in requests."""
    what = f"compares only the first 24 characters of the ids in requests of {operation}"
    return behaves(f"id-beginning-{operation}: {what}", before(operation, know_by_beginning))


def exports(text: str, edit: ExportEdit) -> Fault:
    """Return a fault of a service that changes the files of the content export."""
    return does(text, export=edit)


def writes(name: str, column: str, text: str, kind: str = "flights") -> Fault:
    """Return a fault of a service that writes a text into all cells of a column that have a value."""
    what = f"writes {text or 'nothing'} as {column} of {kind} files"
    return exports(f"{name}: {what}", cells(column, always(text), kind))
