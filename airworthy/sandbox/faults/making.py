"""The few ways in which a fault is made."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from airworthy.sandbox.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.faults.fault import Fault, Objection, Rewrite, Wording, Wrapper
from airworthy.sandbox.rejections import Rejected

Json = Any
Change = Callable[[Json], Json]
DROPPED: Final = object()
ORDERS: Final = ("createOrder", "confirmOrder", "getOrder")
_OK = 200


Wanting = Callable[[str], Fault]
"""A fault that still has to be told its rule."""


def of(rule: str, *faults: Wanting) -> Iterator[Fault]:
    """Yield the faults that break one rule."""
    for fault in faults:
        yield fault(rule)


def _wanting(name: str, description: str, **how: Any) -> Wanting:  # noqa: ANN401 - the members of Fault
    return lambda rule: Fault(name, rule, description, **how)


def tolerating(name: str, description: str, *rejections: str) -> Wanting:
    """Serve a wrong request: refusals of these names (with ``*``) do not happen."""
    return _wanting(name, description, tolerates=rejections)


def rewording(name: str, description: str, rejection: str, wording: Wording) -> Wanting:
    """Answer a wrong request otherwise than documented."""
    return _wanting(name, description, rewords={rejection: wording})


def objecting(name: str, description: str, objects: Objection, status: int = 400) -> Wanting:
    """Refuse a right request."""
    return _wanting(name, description, objects=objects, rewords={f"objection:{name}": to_status(status)})


def answering(
    name: str, description: str, operations: str | tuple[str, ...], *edits: "Edit", to: Objection | None = None
) -> Wanting:
    """Edit the successful answers of some operations, those to calls that ``to`` is about (without it: all)."""
    asked = (operations,) if isinstance(operations, str) else operations
    return _wanting(name, description, rewrite=_on_success(asked, *edits, to=to))


def replacing(name: str, description: str, operation: str, **parts: Any) -> Wanting:  # noqa: ANN401 - parts of Answer
    """Replace status, body or headers of an operation's successful answers."""

    def rewrite(call: SandboxRequest, answer: SandboxResponse) -> SandboxResponse:
        return replace(answer, **parts) if call.operation == operation and answer.status == _OK else answer

    return _wanting(name, description, rewrite=rewrite)


def wrapping(name: str, description: str, wraps: Wrapper) -> Wanting:
    """Run a function in place of the handlers, which it receives."""
    return _wanting(name, description, wraps=wraps)


def rewriting(name: str, description: str, rewrite: Rewrite) -> Wanting:
    """Rewrite responses."""
    return _wanting(name, description, rewrite=rewrite)


def refusing(name: str, description: str, *edits: "Edit") -> Wanting:
    """Edit the bodies of all refusals."""
    return _wanting(name, description, rewrite=_on_refusal(*edits))


def policy(name: str, description: str, **members: Any) -> Wanting:  # noqa: ANN401 - the members of Policy
    """Replace fixed rules of the service."""
    return _wanting(name, description, policy=members)


def when(operation: str, fits: Callable[[dict[str, Any]], bool] | None = None) -> Objection:
    """Return an objection to an operation's requests whose body fits (without ``fits``: to all)."""
    return lambda call: call.operation == operation and (fits is None or fits(call.body))


def holding(**members: Any) -> Callable[[dict[str, Any]], bool]:  # noqa: ANN401 - any JSON
    """Return whether a body holds these members."""
    return lambda body: all(body.get(name) == value for name, value in members.items())


def to_status(status: int) -> Wording:
    """Return a wording with another status; the body says the same status."""

    def wording(refused: Rejected) -> Rejected:
        body = refused.body | {"statusCode": status, "error": HTTPStatus(status).phrase}
        return Rejected(refused.name, status, body)

    return wording


def to_success(body: Mapping[str, Json]) -> Wording:
    """Return a wording that is no refusal at all: 200 and a body."""
    return lambda refused: Rejected(refused.name, _OK, dict(body))


class Edit:
    """One change at a place of a document; ``*`` in the path stands for all items, or all members."""

    def __init__(self, path: str, change: Change | object) -> None:
        self._parts = path.split("/")[1:]
        self._change = change

    def __call__(self, document: Json) -> Json:
        """Return the changed document; where the path leads nowhere, it is unchanged."""
        return self._edited(document, self._parts)

    def _edited(self, value: Json, parts: list[str]) -> Json:
        if not parts:
            return self._change(value) if callable(self._change) else self._change
        part, rest = parts[0], parts[1:]
        if isinstance(value, list) and part == "*":
            return [item for each in value if (item := self._edited(each, rest)) is not DROPPED]
        if not isinstance(value, dict):
            return value
        chosen = set(value) if part == "*" else {part}
        edited = {name: self._edited(each, rest) if name in chosen else each for name, each in value.items()}
        return {name: each for name, each in edited.items() if each is not DROPPED}


def drop(path: str) -> Edit:
    """Return an edit that leaves a member out."""
    return Edit(path, DROPPED)


def put(path: str, value: Json) -> Edit:
    """Return an edit that puts a value in place of another."""
    return Edit(path, lambda _: value)


def change(path: str, how: Change) -> Edit:
    """Return an edit that changes a value."""
    return Edit(path, how)


def add(path: str, **members: Json) -> Edit:
    """Return an edit that adds members to an object."""
    return Edit(path, lambda old: {**old, **members} if isinstance(old, dict) else old)


def rename(path: str, old: str, new: str) -> Edit:
    """Return an edit that gives a member of an object another name."""
    return Edit(path, lambda value: {new if name == old else name: each for name, each in value.items()})


def _on_success(operations: tuple[str, ...], *edits: Edit, to: Objection | None = None) -> Rewrite:
    """Return a rewrite of successful answers."""

    def rewrite(call: SandboxRequest, answer: SandboxResponse) -> SandboxResponse:
        if call.operation not in operations or answer.status != _OK or (to is not None and not to(call)):
            return answer
        body = answer.body
        for edit in edits:
            body = edit(body)
        return replace(answer, body=body)

    return rewrite


def _on_refusal(*edits: Edit) -> Rewrite:
    """Return a rewrite of refusals, whatever the operation."""

    def rewrite(_: SandboxRequest, answer: SandboxResponse) -> SandboxResponse:
        if answer.status < HTTPStatus.BAD_REQUEST:
            return answer
        body = answer.body
        for edit in edits:
            body = edit(body)
        return replace(answer, body=body)

    return rewrite
