"""What faults change: conditions on requests, edits of response bodies, other error responses, and handlers.

A place is an operation with a JSON Pointer, like ``getOrder:/passengers/*/name``. ``*`` in the operation stands for any
characters (``*Order`` for createOrder, confirmOrder and getOrder), in the pointer for every item of an array or member
of an object. The operation ``error`` stands for all error responses.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import reduce
from http import HTTPStatus
from typing import Any, Final
from uuid import uuid4

import jsonschema_rs
import orjson

from airworthy.sandbox.faults.fault import Condition, Rewrite, Row, Wording, deed, described
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.service.service import Handler, SandboxService

Json = Any
Prepare = Callable[[SandboxService, SandboxRequest], None]
Amend = Callable[[SandboxService, SandboxRequest, Json], Json]
React = Callable[[SandboxService, SandboxRequest], Json]
_REMOVED: Final = object()
ERRORS: Final = "error"


def when(operations: str, fits: Callable[[Json], bool] | None = None, **members: Json) -> Condition:
    """Return a condition: the request is for these operations, its body ``fits`` and has these members."""
    return lambda request: (
        fnmatchcase(request.operation, operations)
        and all(name in request.body and request.body[name] == value for name, value in members.items())
        and (fits is None or fits(request.body))
    )


def asking(operations: str, name: str, *, given: bool = True) -> Condition:
    """Return a condition: a request for these operations has a query parameter, or (not ``given``) does not."""
    return lambda request: fnmatchcase(request.operation, operations) and (name in request.query) is given


def lacks(place: str) -> Condition:
    """Return a condition: a member is missing somewhere in a request."""
    operation, _, pointer = place.rpartition(":")
    *holders, name = pointer.split("/")[1:]
    return when(operation, lambda body: any(isinstance(each, dict) and name not in each for each in _at(body, holders)))


@dataclass(frozen=True, slots=True)
class Having:
    """A condition: some value at a place of a request fits a schema."""

    place: str
    schema: dict[str, Json]

    def __call__(self, request: SandboxRequest) -> bool:
        """Return whether a request fulfils the condition."""
        operation, _, pointer = self.place.rpartition(":")
        values = _at(request.body, pointer.split("/")[1:]) if fnmatchcase(request.operation, operation) else ()
        return any(jsonschema_rs.is_valid(self.schema, each) for each in values)

    def __str__(self) -> str:
        operation, _, pointer = self.place.rpartition(":")
        limits = ", ".join(f"{keyword} {orjson.dumps(value).decode()}" for keyword, value in self.schema.items())
        return f"requests of {operation} with {pointer}{f' ({limits})' if limits else ''}"


def having(place: str, **schema: Json) -> Having:
    """Return a condition: some value at a place of a request fits a schema, or exists if that is empty."""
    return Having(place, schema)


def _at(value: Json, steps: Sequence[str]) -> Iterator[Json]:
    """Yield the values at a pointer, in which ``*`` stands for every item of an array or member of an object."""
    if not steps:
        yield value
    elif steps[0] == "*":
        for item in value.values() if isinstance(value, dict) else value or ():
            yield from _at(item, steps[1:])
    elif isinstance(value, dict) and steps[0] in value:
        yield from _at(value[steps[0]], steps[1:])


def with_success(body: Mapping[str, Json]) -> Wording:
    """Replace an error response with 200 and a body."""
    return lambda rejected: Rejected(rejected.name, HTTPStatus.OK, dict(body))


@dataclass(frozen=True, slots=True)
class Edit:
    """One change at a place of response bodies; ``wording`` says what the changed responses have.

    The place of an edit within another edit has no operation.
    """

    place: str
    change: Callable[[Json], Json]
    wording: str

    @property
    def operations(self) -> str:
        """The operations whose responses are edited."""
        return self.place.rpartition(":")[0]

    def __call__(self, document: Json) -> Json:
        """Return the changed document, or the same one where the pointer leads nowhere."""
        return self._edited(document, _pointer(self.place).split("/")[1:])

    def _edited(self, value: Json, parts: list[str]) -> Json:
        if not parts:
            return self.change(value)
        part, rest = parts[0], parts[1:]
        if isinstance(value, list) and part == "*":
            return [item for each in value if (item := self._edited(each, rest)) is not _REMOVED]
        if not isinstance(value, dict):
            return value
        chosen = set(value) if part == "*" else {part}
        edited = {name: self._edited(each, rest) if name in chosen else each for name, each in value.items()}
        return {name: each for name, each in edited.items() if each is not _REMOVED}


def _pointer(place: str) -> str:
    return place.rpartition(":")[2]


def change(place: str, how: Callable[[Json], Json]) -> Edit:
    """Return an edit that computes a new value from the old one."""
    return Edit(place, how, f"another {_pointer(place) or 'body'}")


def in_two_digits(date: Json) -> Json:
    """Return a date whose month and day have two digits, whatever they have."""
    return re.sub("(?<=-)([0-9])(?![0-9])", r"0\1", date) if isinstance(date, str) else date


def remove(place: str) -> Edit:
    """Return an edit that removes a member."""
    return Edit(place, lambda _: _REMOVED, f"no {_pointer(place)}")


def put(place: str, value: Json) -> Edit:
    """Return an edit that replaces a value that exists."""
    return Edit(place, lambda _: value, f"{orjson.dumps(value).decode()} as {_pointer(place)}")


def new_id(place: str) -> Edit:
    """Return an edit that replaces an id with another one."""
    return Edit(place, lambda _: str(uuid4()), f"another id as {_pointer(place)}")


def increase(place: str, amount: float) -> Edit:
    """Return an edit that adds an amount to a number."""
    return Edit(place, lambda number: number + amount, f"a {_pointer(place)} that is {amount} too large")


def first(place: str) -> Edit:
    """Return an edit that leaves only the first item in an array."""
    return Edit(place, lambda items: items[:1], f"only the first of {_pointer(place)}")


def others(place: str, edit: Edit) -> Edit:
    """Return an edit of all items of an array but the first, with a pointer into the item."""
    path = f"{_pointer(place)}{edit.place}"
    wording = edit.wording.replace(edit.place, path)
    return Edit(place, lambda items: [*items[:1], *map(edit, items[1:])], f"{wording}, except in the first")


def unwrap(place: str, member: str) -> Edit:
    """Return an edit that replaces an object with one of its members."""
    return Edit(place, lambda body: body[member], f"the value of {member} instead of an object")


def add(place: str, **members: Json) -> Edit:
    """Return an edit that adds members to an object."""
    text = orjson.dumps(members).decode()
    return Edit(
        place,
        lambda old: {**old, **members} if isinstance(old, dict) else old,
        f"{text} as part of {_pointer(place) or 'the body'}",
    )


def rename(place: str, old: str, new: str) -> Edit:
    """Return an edit that renames a member of the object at a place."""
    return Edit(
        place,
        lambda value: {new if name == old else name: each for name, each in value.items()},
        f"{new} instead of {old} in {_pointer(place) or 'the body'}",
    )


def edited(edits: Iterable[Edit], to: Condition | None = None) -> Rewrite:
    """Edit the bodies of responses, or only those ``to`` requests of some kind."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        operation = request.operation if response.status == HTTPStatus.OK else ERRORS
        chosen = [edit for edit in edits if fnmatchcase(operation, edit.operations)]
        if HTTPStatus.OK < response.status < HTTPStatus.BAD_REQUEST or not chosen or (to and not to(request)):
            return response
        return replace(response, body=reduce(lambda body, edit: edit(body), chosen, response.body))

    return rewrite


def replaced(operation: str, **parts: Any) -> Rewrite:  # noqa: ANN401 - parts of SandboxResponse
    """Replace the status, body or headers of an operation's successful responses."""
    return lambda request, response: (
        replace(response, **parts) if request.operation == operation and response.status == HTTPStatus.OK else response
    )


def unread(operation: str, name: str, accepted: Json) -> Rewrite:
    """Return a rewrite that accepts what lacks a member below a member of the body that has several members."""

    def rewrite(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        rejection = response.rejected.name if response.rejected else ""
        lacks_one = fnmatchcase(rejection, f"{operation}:/{name}/*:required")
        return SandboxResponse(200, accepted) if lacks_one and len(orjson.loads(request.raw)[name]) > 1 else response

    return rewrite


def before(operations: str, prepare: Prepare) -> Row:
    """Return a row of a service that changes a request, or its store, before it handles requests for operations."""

    def handle(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
        if fnmatchcase(request.operation, operations):
            prepare(service, request)
        return handler(service, request)

    return described(otherwise=deed(prepare), wraps=handle)


def after(operations: str, amend: Amend) -> Row:
    """Return a row of a service that replaces its response to requests for these operations, unless with None.

    ``amend`` receives the body of the response, and may change it.
    """

    def handle(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
        response = handler(service, request)
        if not fnmatchcase(request.operation, operations):
            return response
        amended = amend(service, request, response.body if isinstance(response, SandboxResponse) else response)
        return response if amended is None else amended

    return described(otherwise=deed(amend), wraps=handle)


def on_rejection(react: React, *names: str) -> Row:
    """Return a row of a service that does something when it rejects a request under one of these names (with ``*``).

    It responds with what ``react`` returns; if that is None, it rejects the request.
    """

    def handle(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
        try:
            return handler(service, request)
        except Rejected as rejected:
            is_named = any(fnmatchcase(rejected.name, each) for each in names)
            response = react(service, request) if is_named else None
            if response is None:
                raise
            return response

    return described(otherwise=deed(react), wraps=handle)
