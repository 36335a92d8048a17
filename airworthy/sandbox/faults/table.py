"""Tables of faults: a heading names a rule, and each row below it describes one service that violates it.

The functions for rows are named after what the service does. A sentence that follows from the row is not written.
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


def does(name: str, what: str, *edits: Edit, to: Condition | None = None, **changes: Any) -> Fault:  # noqa: ANN401 - see Fault
    """Return a fault of a service that edits its responses, or changes in another way (see `Fault`)."""
    fault = Fault(name, "", f"The service {what}", **changes)
    return replace(fault, rewrite=edited(edits, to)) if edits else fault


def responds(name: str, *edits: Edit) -> Fault:
    """Return a fault of a service that edits its responses; the edits say what it responds with."""
    patterns = dict.fromkeys(edit.operations for edit in edits)
    operations = [each for each in schemas.operations() if any(fnmatchcase(each, pattern) for pattern in patterns)]
    to = "wrong requests" if ERRORS in patterns else _listed(operations)
    return does(name, f"responds to {to} with {_listed([edit.wording for edit in edits])}", *edits)


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def accepts(name: str, what: str, *rejections: str) -> Fault:
    """Return a fault of a service that accepts invalid requests: the named rejections do not happen."""
    return does(name, f"accepts {what}", tolerates=rejections)


def rejects(name: str, what: str, request: Condition, status: int = 400) -> Fault:
    """Return a fault of a service that rejects valid requests."""
    return does(name, f"rejects {what} with {status}", rejects=request, rejects_with=status)


def rejects_with(name: str, status: int, what: str, rejection: str) -> Fault:
    """Return a fault of a service whose rejection has another status than documented."""
    return does(name, f"rejects {what} with {status}", rewords={rejection: with_status(status)})


def crashes(name: str, what: str, rejection: str) -> Fault:
    """Return a fault of a service that responds with status 500 instead of rejecting a request."""
    return does(name, f"responds to {what} with 500", rewords={rejection: with_status(500)})


def serves(name: str, what: str, rejection: str, body: dict[str, Json]) -> Fault:
    """Return a fault of a service that responds with status 200 instead of rejecting a request."""
    return does(name, what, rewords={rejection: with_success(body)})


def behaves(name: str, what: str, handler: Wrapper) -> Fault:
    """Return a fault of a service whose handler is replaced with another one, which receives it."""
    return does(name, what, wraps=handler)


def sets(name: str, what: str, **policy: Any) -> Fault:  # noqa: ANN401 - members of `Policy`
    """Return a fault of a service with another policy."""
    return does(name, what, policy=policy)


def sends(name: str, what: str, operation: str, **parts: Any) -> Fault:  # noqa: ANN401 - parts of SandboxResponse
    """Return a fault of a service that replaces the status, body or headers of successful responses."""
    return does(name, what, rewrite=replaced(operation, **parts))


def tolerates(name: str, what: str, *rejections: str) -> Fault:
    """Return a fault of a service for which the named rejections do not happen."""
    return does(name, what, tolerates=rejections)


def unchecked(rejection: str) -> Fault:
    """Return a fault of a service that accepts any value where a keyword of a schema rejects some."""
    operation, place, _ = rejection.split(":")
    return tolerates(f"unchecked:{rejection}", f"does not validate {place} of {operation}", rejection)


def status_422(rejection: str) -> Fault:
    """Return a fault of a service that rejects a value with 422 that a keyword of a schema rejects."""
    operation, place, _ = rejection.split(":")
    return rejects_with(f"status-422:{rejection}", 422, f"a wrong {place} of {operation}", rejection)


def requires(place: str, name: str = "") -> Fault:
    """Return a fault of a service that rejects requests without an optional member."""
    operation, _, pointer = place.partition(":")
    return does(name or f"required:{place}", f"requires {pointer} of {operation}", rejects=lacks(place))


def rejects_value(place: str, value: str) -> Fault:
    """Return a fault of a service that rejects a documented value of a member."""
    operation, _, pointer = place.partition(":")
    return rejects(f"undocumented:{place}:{value}", f"{value} as {pointer} of {operation}", has(place, value))


def crashes_at_empty(place: str) -> Fault:
    """Return a fault of a service that responds with status 500 to an empty member that it may accept or reject."""
    operation, _, pointer = place.partition(":")
    what = f"responds to an empty {pointer} of {operation} with 500"
    return does(f"unchecked:{place}:empty", what, rejects=has(place, ""), rejects_with=500)


def finds_by_beginning(operation: str) -> Fault:
    """Return a fault of a service of v4 that compares only the beginning of the ids in requests."""
    what = f"compares only the first 24 characters of the ids in requests of {operation}"
    return behaves(f"id-beginning-{operation}", what, before(operation, know_by_beginning))


def exports(name: str, what: str, edit: ExportEdit) -> Fault:
    """Return a fault of a service that changes the files of the content export."""
    return does(name, what, export=edit)


def writes(name: str, column: str, text: str, kind: str = "flights") -> Fault:
    """Return a fault of a service that writes a text into all cells of a column that have a value."""
    return exports(name, f"writes {text or 'nothing'} as {column} of {kind} files", cells(column, always(text), kind))
