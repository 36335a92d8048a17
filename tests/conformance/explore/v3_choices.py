"""What conversations with v3 and v2 choose from: situations, bags, fields, and how something is requested or booked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conformance.explore.drawing import Changes
from conformance.explore.random_conversation import Choices, ExploredService, require_beginning
from conformance.explore.ways_to_pay import WayToPay, ways_to_pay
from conformance.v3.booking_client import BookingClient
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import ONE, Bags, Interface

FARES = "round_trip_fares"
# The simplest situation most often.
_SITUATIONS = ("regular", "regular", "regular", "charter", "connecting", FARES, "schedule_change")
# v2 knows the checked ones, which come first.
_CHECKED = 4
ONE_BAG = " with a checked bag"
BAGS: Mapping[str, Bags] = {
    "": {},
    ONE_BAG: {"checked": ONE},
    " with two checked bags": {"checked": (2,)},
    " with checked bags of two options": {"checked": (1, 1)},
    " with a cabin bag": {"cabin": ONE},
    " with a checked and a cabin bag": {"checked": ONE, "cabin": ONE},
}
"""The bags of a booking request, by how a step tells them."""
BARE, WITH_DATA = " without optional fields", " with customer data"
FIELDS: Mapping[Interface, Sequence[str]] = {"v3": ("", BARE), "v2": ("", BARE, WITH_DATA)}
"""The optional fields of a booking, as a step tells them."""


SEATS = (None, "1", "2", "5", "9")
"""The parameter ``seats`` of a search."""
DAYS_LATER = ("", "start", "return")
"""What is a day later in a search: nothing, its first day, or both days of the return flight."""


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """How flights or round-trip fares are searched: of how many days after the first one, and how many pages.

    Without ``days``, the search leaves its dates out. ``later`` is one of `DAYS_LATER`. ``how`` is with which key, and
    ``how_next`` with which one the pages after the first.
    """

    situation: str
    are_fares: bool = False
    days: int | None = 3
    later: str = ""
    seats: str | None = None
    pages: int = 1
    second: bool = False
    how: str = ""
    how_next: str = ""
    has_code: bool = False


@dataclass(frozen=True, slots=True)
class HeldRequest:
    """A booking request that the service accepted, the others that were created with it, and its bags.

    ``second`` says whether it belongs to the second organisation, ``usual`` whether it was requested as documented.
    """

    request: Any
    created: CreatedBookingRequests
    bags: Bags
    second: bool
    usual: bool

    @property
    def id(self) -> Any:
        """Its id."""
        return self.request["id"]


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """How booking requests are created: of how many flights, or of the flights of another one ``again``.

    ``is_bare``: without the optional fields of passengers.
    """

    count: int = 1
    bags: str = ""
    second: bool = False
    again: HeldRequest | None = None
    changes: Changes = ()
    is_bare: bool = False


@dataclass(frozen=True, slots=True)
class BookingPlan:
    """How booking requests are booked: by whom, how often at once, and what the booking has of another one.

    ``fields`` is one of `FIELDS`.
    """

    held: Sequence[HeldRequest]
    payment: WayToPay
    how: str = ""
    times: int = 1
    changes: Changes = ()
    external_id: str = ""
    is_foreign_code: bool = False
    fields: str = ""


def choices(
    service: ExploredService, interface: Interface, client: BookingClient, ways: Collection[str] = ()
) -> Choices:
    """Return what a service offers. Raises `Untested` if the profile lacks what every conversation needs."""

    def fields(words: str) -> Mapping[str, Any]:
        if words == "self_psp":
            assert client.credentials(interface).self_psp
        return client.payment(interface, words)

    sells = service.profile.has_capability
    most_bags = None if interface == "v3" else _CHECKED
    situations = [each for each in _SITUATIONS if service.profile.route(f"flights_{each}") and sells(each)]
    offered: Choices = {
        "party": service.parties(),
        "way": ways_to_pay(fields, "self_psp", intents=False, only=ways),
        "situation": [each for each in situations if interface == "v3" or each != FARES],
        "bags": [text for text, bags in BAGS.items() if all(sells(f"{kind}_bags") for kind in bags)][:most_bags],
    }
    require_beginning(offered)
    return offered


def clients_of(service: ExploredService, client: BookingClient, interface: Interface) -> list[BookingClient]:
    """Return the clients of its organisations, which know how the service writes what the documents leave open."""
    service.client.succeeds(lambda: client.booked(FlightCriteria(interface)))
    return [client, *([client.of(service.second)] if service.second else ())]
