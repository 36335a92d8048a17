"""What faults change: conditions on requests, other error responses, and edits of response bodies."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from airworthy.sandbox.faults.fault import Condition, Rewrite, Wording, with_status
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected

__all__ = [
    "ORDERS",
    "Edit",
    "add",
    "change",
    "edit_errors",
    "edit_responses",
    "put",
    "remove",
    "rename",
    "replace_response",
    "when",
    "with_status",
    "with_success",
]

Json = Any
ORDERS: Final = ("createOrder", "confirmOrder", "getOrder")
_REMOVED: Final = object()


def when(operation: str, fits: Callable[[dict[str, Any]], bool] | None = None, **members: Json) -> Condition:
    """Return a condition: the request is for this operation, its body ``fits`` and has these members."""

    def holds(request: SandboxRequest) -> bool:
        return (
            request.operation == operation
            and all(request.body.get(name) == value for name, value in members.items())
            and (fits is None or fits(request.body))
        )

    return holds


def with_success(body: Mapping[str, Json]) -> Wording:
    """Replace an error response with 200 and a body."""
    return lambda rejected: Rejected(rejected.name, HTTPStatus.OK, dict(body))


class Edit:
    """One change at a place of a JSON document; ``*`` in the path means every item of a list or member of an object."""

    def __init__(self, path: str, change: Callable[[Json], Json]) -> None:
        self._parts = path.split("/")[1:]
        self._change = change

    def __call__(self, document: Json) -> Json:
        """Return the changed document, or the same one where the path leads nowhere."""
        return self._edited(document, self._parts)

    def _edited(self, value: Json, parts: list[str]) -> Json:
        if not parts:
            return self._change(value)
        part, rest = parts[0], parts[1:]
        if isinstance(value, list) and part == "*":
            return [item for each in value if (item := self._edited(each, rest)) is not _REMOVED]
        if not isinstance(value, dict):
            return value
        chosen = set(value) if part == "*" else {part}
        edited = {name: self._edited(each, rest) if name in chosen else each for name, each in value.items()}
        return {name: each for name, each in edited.items() if each is not _REMOVED}


def remove(path: str) -> Edit:
    """Return an edit that removes a member."""
    return Edit(path, lambda _: _REMOVED)


def put(path: str, value: Json) -> Edit:
    """Return an edit that replaces a value that exists."""
    return Edit(path, lambda _: value)


def change(path: str, how: Callable[[Json], Json]) -> Edit:
    """Return an edit that computes a new value from the old one."""
    return Edit(path, how)


def add(path: str, **members: Json) -> Edit:
    """Return an edit that adds members to an object."""
    return Edit(path, lambda old: {**old, **members} if isinstance(old, dict) else old)


def rename(path: str, old: str, new: str) -> Edit:
    """Return an edit that renames a member of the object at a path."""
    return Edit(path, lambda value: {new if name == old else name: each for name, each in value.items()})


def edit_responses(operations: str | tuple[str, ...], *edits: Edit, to: Condition | None = None) -> Rewrite:
    """Edit the bodies of successful responses of these operations, or only those ``to`` requests of some kind."""
    chosen = (operations,) if isinstance(operations, str) else operations

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        if request.operation not in chosen or response.status != HTTPStatus.OK or (to is not None and not to(request)):
            return response
        return _edited(response, edits)

    return rewrite


def replace_response(operation: str, **parts: Any) -> Rewrite:  # noqa: ANN401 - parts of SandboxResponse
    """Replace the status, body or headers of an operation's successful responses."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_chosen = request.operation == operation and response.status == HTTPStatus.OK
        return replace(response, **parts) if is_chosen else response

    return rewrite


def edit_errors(*edits: Edit) -> Rewrite:
    """Edit the bodies of all error responses."""

    def rewrite(_: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        return response if response.status < HTTPStatus.BAD_REQUEST else _edited(response, edits)

    return rewrite


def _edited(response: SandboxResponse, edits: tuple[Edit, ...]) -> SandboxResponse:
    body = response.body
    for edit in edits:
        body = edit(body)
    return replace(response, body=body)
