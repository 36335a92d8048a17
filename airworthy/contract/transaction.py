"""An exchange as the rules read it: the call, both bodies, and safe ways into values of any form."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, lru_cache
from http import HTTPStatus
from typing import Any

from airworthy.contract.body import Body, Json
from airworthy.contract.credentials import credential, digest
from airworthy.contract.exchange import Exchange
from airworthy.contract.operations import OK, ResolvedUrl

LENGTH_OF_A_DAY = len("YYYY-MM-DD")
# Comparing plain numbers is much quicker.
_MULTIPLE_CHOICES, _BAD_REQUEST = int(HTTPStatus.MULTIPLE_CHOICES), int(HTTPStatus.BAD_REQUEST)
_INTERNAL_SERVER_ERROR = int(HTTPStatus.INTERNAL_SERVER_ERROR)


@dataclass(frozen=True)
class Transaction:
    """A documented call with what was sent and what came back; what a dozen rules ask of it is found out once."""

    exchange: Exchange
    url: ResolvedUrl
    request_body: Body
    response_body: Body

    @property
    def operation(self) -> str:
        """The operationId, or nothing where the version has no such operation."""
        return self.url.operation.id if self.url.operation else ""

    @property
    def status(self) -> int:
        """The status of the answer; 0 where none came."""
        return self.exchange.response.status if self.exchange.response else 0

    @property
    def sent(self) -> Json:
        """The request's body, None where there is none to be judged."""
        return self.request_body.value

    @cached_property
    def delivered(self) -> Json:
        """The body of an answer that does what was asked, None else."""
        return self.response_body.value if self.fulfilled else None

    @cached_property
    def fulfilled(self) -> bool:
        """Whether the answer has a status of success that the documents show."""
        operation = self.url.operation
        return operation is not None and operation.succeeds(self.status)

    @property
    def accepted(self) -> bool:
        """Whether the service did what it was asked: for a confirmation, whether the order is booked."""
        if self.operation == "confirmOrder":
            return bool(member(self.delivered, "status") == "BOOKED")
        if self.operation == "cancelRequest":
            return member(self.delivered, "success") is True
        return self.fulfilled

    @property
    def succeeded(self) -> bool:
        """Whether the answer is a success, of whatever status."""
        return OK <= self.status < _MULTIPLE_CHOICES

    @property
    def rejected(self) -> bool:
        """Whether the answer is a refusal of the request."""
        return _BAD_REQUEST <= self.status < _INTERNAL_SERVER_ERROR

    @property
    def failed(self) -> bool:
        """Whether the answer says that the service itself failed."""
        return self.status >= _INTERNAL_SERVER_ERROR

    @property
    def started(self) -> datetime:
        """When the request was sent."""
        return self.exchange.started

    @property
    def ended(self) -> datetime:
        """When the answer had come."""
        return self.exchange.started + timedelta(seconds=max(self.exchange.elapsed, 0.0))

    def rule(self, name: str) -> str:
        """Return the id of a rule that every version has, such as ``HTTPS-ONLY``, for this version."""
        return f"{self.url.family}-{name}"

    def sent_header(self, name: str) -> str | None:
        """Return a header of the request."""
        return self._sent_headers.get(name.lower())

    @cached_property
    def credential(self) -> tuple[str, str]:
        """The scheme of the Authorization header in lower case (none for a bare key), and the secret."""
        return credential(self.sent_header("Authorization") or "")

    @cached_property
    def caller(self) -> str:
        """Who asks: the digest of the secret, in whatever form it is sent, or nothing where none is."""
        return digest(self.credential[1])

    @cached_property
    def _sent_headers(self) -> dict[str, str]:
        # The first one counts, as for `header`.
        return {name.lower(): value for name, value in reversed(self.exchange.request.headers)}


def member(value: Json, *path: str) -> Json:
    """Return what stands at a path of names, or None where the value has no such place."""
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def items(value: Json, *path: str) -> list[dict[str, Any]]:
    """Return the objects of the array at a path, none where there is no array."""
    found = member(value, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def whole(value: Json) -> int | None:
    """Return an integer as JSON Schema understands it (2.0 is one, true is none), or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None


def amount(value: Json) -> float | None:
    """Return the amount of a money object, or None."""
    found = member(value, "amount")
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


def day(value: Json) -> date | None:
    """Return the date that a text names (``YYYY-MM-DD``), or None."""
    return _day(value) if isinstance(value, str) and len(value) == LENGTH_OF_A_DAY else None


# A page of flights says the same few days again and again.
@lru_cache(maxsize=1024)
def _day(text: str) -> date | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None


def method(value: Json) -> str | None:
    """Return the payment method that an object names, or None where it does not name exactly one."""
    chosen = [name for name in ("card", "balance") if member(value, name) is True]
    return chosen[0] if len(chosen) == 1 else None


def same_id(one: Json, other: Json) -> bool:
    """Whether two identifiers are the same; the letter case of a UUID does not count."""
    return isinstance(one, str) and isinstance(other, str) and one.lower() == other.lower()
