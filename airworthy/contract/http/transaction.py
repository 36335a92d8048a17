"""An exchange as the rules see it: resolved URL, parsed bodies, and safe access to values of any type."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple

from airworthy.contract.bodies.body import Body, Json
from airworthy.contract.bodies.node import Node
from airworthy.contract.http.credentials import credential, digest, hides_secret
from airworthy.contract.http.exchange import Exchange, date_header
from airworthy.contract.http.operations import OK, ResolvedUrl

LENGTH_OF_A_DAY = len("YYYY-MM-DD")
# Comparing plain numbers is much quicker.
_MULTIPLE_CHOICES, _BAD_REQUEST = int(HTTPStatus.MULTIPLE_CHOICES), int(HTTPStatus.BAD_REQUEST)
_INTERNAL_SERVER_ERROR = int(HTTPStatus.INTERNAL_SERVER_ERROR)
# What a service may respond if something does not exist. Other statuses are about the caller, or headers (OPEN-75).
_DENIALS = frozenset({_BAD_REQUEST, 404, 409, 410, 422})
# Clocks that nobody moves differ by less.
_AHEAD = timedelta(minutes=2)


class Moment(NamedTuple):
    """A time by the clock of the recorder, and by that of the service unless its response does not say it.

    Either clock may be set, so what they disagree on is uncertain. ``exchange`` is the id of the exchange of that time.
    """

    recorded: datetime
    by_service: datetime | None = None
    exchange: str = ""


class AgeRange(NamedTuple):
    """How old a resource is at least and at most."""

    least: timedelta
    most: timedelta


@dataclass(frozen=True, eq=False)
class Transaction:
    """An exchange whose operation is known and whose bodies are parsed; what many rules need is computed once."""

    exchange: Exchange
    url: ResolvedUrl
    request_body: Body
    response_body: Body

    @property
    def operation(self) -> str:
        """The operationId, or an empty string if the version has no such operation."""
        return self.url.operation.id if self.url.operation else ""

    @property
    def status(self) -> int:
        """The status code, or 0 if there is no response."""
        return self.exchange.response.status if self.exchange.response else 0

    @property
    def sent(self) -> Json:
        """The request body, or None if there is none to judge."""
        return self.request_body.value

    @cached_property
    def delivered(self) -> Json:
        """The body of a response that fulfils the request, or None."""
        return self.response_body.value if self.fulfilled else None

    @cached_property
    def request(self) -> Node:
        """What was sent, with the places of its parts."""
        return Node(self.sent)

    @cached_property
    def response(self) -> Node:
        """What was delivered, with the places of its parts."""
        return Node(self.delivered)

    @cached_property
    def fulfilled(self) -> bool:
        """Whether the response has a documented status of success."""
        operation = self.url.operation
        return operation is not None and operation.succeeds(self.status)

    @property
    def accepted(self) -> bool:
        """Whether the request had its effect: for a confirmation, whether the order is booked."""
        if self.operation == "confirmOrder":
            return bool(member(self.delivered, "status") == "BOOKED")
        if self.operation == "cancelRequest":
            return member(self.delivered, "success") is True
        return self.fulfilled

    @property
    def succeeded(self) -> bool:
        """Whether the status is 2xx."""
        return OK <= self.status < _MULTIPLE_CHOICES

    @property
    def rejected(self) -> bool:
        """Whether the status is 4xx."""
        return _BAD_REQUEST <= self.status < _INTERNAL_SERVER_ERROR

    @property
    def denied(self) -> bool:
        """Whether a request as documented gets the status of one for something that does not exist.

        How a service rejects plain HTTP and parameters that are not documented is open (OPEN-33, OPEN-47).
        """
        if self.status not in _DENIALS or self.url.operation is None or not self.url.secure:
            return False
        return {name for name, _ in self.url.query} <= {each.name for each in self.url.operation.parameters}

    @property
    def failed(self) -> bool:
        """Whether the status is 5xx."""
        return self.status >= _INTERNAL_SERVER_ERROR

    @property
    def started(self) -> datetime:
        """When the request was sent."""
        return self.exchange.started

    @property
    def ended(self) -> datetime:
        """When the response was complete."""
        return self.exchange.started + timedelta(seconds=max(self.exchange.elapsed, 0.0))

    @property
    def service_time(self) -> datetime | None:
        """When the service responded, by its own clock (header ``Date``), or None."""
        return date_header(self.exchange.response.headers) if self.exchange.response else None

    @property
    def is_ahead(self) -> bool:
        """Whether a test has moved the clock of the service, so that the recording shows no age and no day of it."""
        return self.service_time is not None and self.service_time - self.ended > _AHEAD

    @property
    def completed(self) -> Moment:
        """When the response was complete, by both clocks."""
        return Moment(self.ended, self.service_time, self.exchange.id)

    def completed_by(self, *, dates: bool) -> Moment:
        """Return when the response was complete, by the clock of the recorder alone without ``dates``."""
        return self.completed if dates else Moment(self.ended)

    def follows(self, earlier: Moment | None) -> bool:
        """Return whether the request was sent after a moment, by both clocks; False if the moment is unknown."""
        if earlier is None or self.started < earlier.recorded:
            return False
        return earlier.by_service is None or self.service_time is None or earlier.by_service <= self.service_time

    def age(self, requested: datetime, created: Moment) -> AgeRange:
        """Return the age of a resource by both clocks, from the start and the end of the exchange that created it."""
        least, most = self.started - created.recorded, self.ended - requested
        if self.service_time is None or created.by_service is None:
            return AgeRange(least, most)
        passed = self.service_time - created.by_service
        return AgeRange(min(least, passed), max(most, passed))

    def rule(self, name: str) -> str:
        """Return the id that a rule of every version, such as ``HTTPS-ONLY``, has for this version."""
        return f"{self.url.family}-{name}"

    def sent_header(self, name: str) -> str | None:
        """Return a header of the request, or None."""
        return self._sent_headers.get(name.lower())

    @cached_property
    def credential(self) -> tuple[str, str]:
        """The scheme of the Authorization header in lower case (empty for a bare key), and the secret."""
        return credential(self.sent_header("Authorization") or "")

    @property
    def hides_credential(self) -> bool:
        """Whether the recording has a placeholder instead of the credential."""
        return hides_secret(self.sent_header("Authorization") or "")

    @cached_property
    def caller(self) -> str:
        """The digest of the secret, whatever the scheme, or an empty string if there is none."""
        return digest(self.credential[1])

    @cached_property
    def _sent_headers(self) -> dict[str, str]:
        # The first of several counts, as in `header`.
        return {name.lower(): value for name, value in reversed(self.exchange.request.headers)}


def member(value: Json, *path: str) -> Json:
    """Return the value at a path of names, or None if there is no such path."""
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def items(value: Json, *path: str) -> list[dict[str, Any]]:
    """Return the objects in the array at a path; an empty list if there is no array."""
    found = member(value, *path)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def whole(value: Json) -> int | None:
    """Return an integer as JSON Schema defines it (2.0 is one, true is not), or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value if isinstance(value, int) else None


def as_number(value: Json) -> float | None:
    """Return a JSON number, or None if the value is not a number."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def amount(value: Json) -> float | None:
    """Return the amount of a money object, or None."""
    return as_number(member(value, "amount"))


def day(value: Json) -> date | None:
    """Return the date in a text (``YYYY-MM-DD``), or None."""
    return _day(value) if isinstance(value, str) and len(value) == LENGTH_OF_A_DAY else None


# A page of flights repeats the same few dates.
@lru_cache(maxsize=1024)
def _day(text: str) -> date | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).date()
    except ValueError:
        return None


def method(value: Json) -> str | None:
    """Return the payment method that an object selects, or None unless it selects exactly one."""
    chosen = [name for name in ("card", "balance") if member(value, name) is True]
    return chosen[0] if len(chosen) == 1 else None


def same_id(one: Json, other: Json) -> bool:
    """Return whether two identifiers are equal; the letter case of a UUID does not count."""
    return isinstance(one, str) and isinstance(other, str) and one.lower() == other.lower()
