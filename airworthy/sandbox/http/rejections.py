"""Every rejection of the sandbox: its name, status and message, from the table in ``rejections.toml``.

Handlers reject a request by name. A status that the documents leave open is the name of a choice of the dialect. A body
that violates its schema is rejected under the name ``operation:/pointer:keyword``, which has an entry only if its
status is open.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

from airworthy.sandbox.dialects.choices import Choices


@dataclass(frozen=True, slots=True)
class Rejection:
    """A status, or the name of the choice that decides it, and the message in English and Spanish.

    ``success`` is the body of the successful response that the documents define for this case (status 200), or that the
    dialect chooses instead of a status.
    """

    status: int | str
    message: str
    spanish: str
    success: Mapping[str, Any] | None = None


# Schema keywords about the number of values: the documents leave their status in v3 and v2 open (OPEN-29).
COUNTING = frozenset({"maxItems", "minItems", "minProperties"})
FAILED_INDICATOR: Final = "/three_d_secure/electronic_commerce_indicator: expected one of 05, 06, 01, 02"
"""The detail of a rejection of a failed authentication."""
BROKEN_RULE = Rejection("broken_rule", "The request breaks a rule", "La petición incumple una regla")
BAD_REQUEST = Rejection(400, "The payload does not match the expected schema", "La petición no cumple el esquema")

REJECTIONS: Final[Mapping[str, Rejection]] = {
    name: Rejection(*values)
    for names, values in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
    for name in names.split()
}


class Rejected(Exception):  # noqa: N818 - a response rather than a failure
    """The service rejects the request.

    ``body`` is the error payload of v4, whatever the version. ``reason`` says in English what is wrong.
    """

    def __init__(self, name: str, status: int, body: Mapping[str, Any], reason: str = "") -> None:
        super().__init__(name)
        self.name = name
        self.status = status
        self.body = dict(body)
        self.reason = reason


def rejection_of(name: str, choices: Choices, detail: str = "") -> Rejected:
    """Return the exception for the rejection of that name, with the dialect's status and message.

    ``name`` may end in ``@operation``, which tells the operations apart. ``detail`` says where the request is wrong and
    what is expected there.
    """
    rejection, value = _entry(name), _status(name, choices)
    # A status is needed even if the dialect responds with success: a hook may turn that into a rejection.
    is_error = isinstance(value, int) and value >= HTTPStatus.BAD_REQUEST
    status = int(value) if is_error else HTTPStatus.BAD_REQUEST.value
    message = rejection.message if choices.v4.message_language == "English" else rejection.spanish
    body = error_body(status, f"{message}: {detail}" if detail else message, choices)
    return Rejected(name, status, body, detail or rejection.message)


def is_rejected(name: str, choices: Choices) -> bool:
    """Return whether the dialect rejects what has this name: a choice that is not a status tolerates it."""
    return isinstance(_status(name, choices), int) or _entry(name).success is not None


def documented_success(name: str, choices: Choices) -> Mapping[str, Any] | None:
    """Return the body of the successful response that takes the place of a rejection, or None if there is none."""
    value = _status(name, choices)
    is_error = isinstance(value, int) and value >= HTTPStatus.BAD_REQUEST
    return None if is_error else _entry(name).success


def _entry(name: str) -> Rejection:
    if ":" not in name:
        return REJECTIONS[name.partition("@")[0]]
    name = name.replace(":x-unlisted", ":enum")
    return REJECTIONS.get(name, BROKEN_RULE if name.rpartition(":")[2] in COUNTING else BAD_REQUEST)


def _status(name: str, choices: Choices) -> int | str:
    status = _entry(name).status
    return status if isinstance(status, int) else choices.behaviour(status)


def error_body(status: int, message: str, choices: Choices) -> dict[str, Any]:
    """Return the error payload of v4 for a status."""
    phrase = {413: "Payload Too Large", 422: "Unprocessable Entity"}.get(status) or HTTPStatus(status).phrase
    renamed = {413: "Content Too Large", 422: "Unprocessable Content"}.get(status, phrase)
    spelling = {"standard": phrase, "RFC 9110": renamed, "upper case": phrase.upper(), "lower case": phrase.lower()}
    return {"statusCode": status, "error": spelling[choices.v4.error_text], "message": message}


def open_body(body: dict[str, Any], choices: Choices) -> Any:  # noqa: ANN401 - the shape is a choice
    """Return the body of a rejection in v3 or v2, as the dialect writes it; ``body`` is the error payload of v4."""
    message, code = body["message"], body.get("code")
    place = choices.v3.provider_code if "code" in body else ""
    text = f"{message} ({code})" if place == "message" else message
    beside = {"code": code} if place == "code" else {}
    shapes = {
        "message": {"message": text, **beside},
        "error": {"error": {"type": "refused", "code": code} if place == "error" else text, **beside},
        "errors": {"errors": [{"detail": text, **beside}]},
        "text": text.encode(),
        "empty": b"",
    }
    return shapes[choices.v3.rejection_body]
