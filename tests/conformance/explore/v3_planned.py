"""Planned conversations with v3 and v2, about the circumstances in which flights are booked."""

from collections.abc import Sequence
from functools import partial

from airworthy.target.ageing import DAY, MINUTE
from conformance.explore.planned import Circumstance, Circumstances, CoveringPlan, parties
from conformance.explore.random_conversation import FOREIGN, LATE, WITHOUT_KEY, WRONG_KEY, Choices, ExploredService
from conformance.explore.v3 import V3Conversation
from conformance.explore.v3_choices import (
    BARE,
    DAYS_LATER,
    FARES,
    FIELDS,
    SEATS,
    BookingPlan,
    HeldRequest,
    RequestPlan,
    SearchPlan,
    choices,
    clients_of,
)
from conformance.explore.ways_to_pay import BY_CARD, DECLINED, WayToPay
from conformance.v3.booking_client import BookingClient
from conformance.v3.request_bodies import Interface

_WAYS = (BY_CARD, f"{BY_CARD} and three_d_secure 2.2.0", f"{BY_CARD} and three_d_secure 1.0.2", "self_psp")
_Flights = tuple[str, int, bool, bool]
# The flights: their situation, how many there are, whether each is requested by itself, and whether they are booked in
# another order.
_ONE_FLIGHT = (("connecting", 1, False, False), ("regular", 1, False, False))
_MORE_FLIGHTS = (
    ("regular", 2, False, True),
    ("charter", 2, True, False),
    (FARES, 2, False, True),
    ("schedule_change", 2, False, False),
)
# The last of three has the bags.
_THREE_FLIGHTS = ("regular", 3, False, False)
_BAGS = (
    "",
    " with two checked bags",
    " with checked bags of two options",
    " with a cabin bag",
    " with a checked and a cabin bag",
)
# What happens to the first booking request before all are booked, and what ends it.
_BEFORE = ("", "others try to use it", "its flights are requested, too")
_ENDS = ("it is booked", "its payment fails")
_FEW = 3
_EXPIRES, _CANCELLED = "it expires", "it is cancelled"
_AFTER = ("", "the same booking", "its flights are requested again", "others retrieve it")


def _of_searches(service: ExploredService, offered: Choices) -> Circumstances:
    """Return the circumstances of searches that a service offers."""
    many = ["many"] * (service.profile.route("flights_many") is not None)
    situations = [*dict.fromkeys(offered["situation"]), *many]
    return {
        "what": [*((each, False) for each in situations), *[(FARES, True)] * (FARES in situations)],
        "seats": SEATS[::2],
        "days": [3, 0, 1, None],
        "later": DAYS_LATER,
        "pages": [2],
        "second": [False, True] if service.second else [False],
        "has_code": [False, True],
        "how_next": ["", WITHOUT_KEY, WRONG_KEY],
    }


def _of_bookings(service: ExploredService, offered: Choices, interface: Interface) -> Circumstances:
    """Return the circumstances of bookings that a service offers, of booking requests that nothing ends before."""
    may_cancel, may_wait = [_CANCELLED] * (interface == "v3"), service.can_wait

    def sold(flights: Sequence[_Flights]) -> list[_Flights]:
        return [each for each in flights if each[0] in offered["situation"]]

    return {
        "flights": [*sold(_ONE_FLIGHT)[:1], *sold(_MORE_FLIGHTS), *[_THREE_FLIGHTS] * (interface == "v2")],
        "before": _BEFORE,
        "way": offered["way"],
        "party": parties(offered["party"]),
        "bags": [each for each in _BAGS if each in offered["bags"]],
        "after": [*_AFTER, *may_cancel],
        "fields": FIELDS[interface],
        "is_late": [False, True][: 1 + may_wait],
        "is_second": [False, True] if service.second else [False],
    }


def plans(
    service: ExploredService, client: BookingClient, interface: Interface, strength: int
) -> Sequence[CoveringPlan]:
    """Plan searches, bookings of flights, and those of booking requests of which the first has ended.

    What two circumstances do together does not show if a third one ends the booking request.
    """
    clients, offered = clients_of(service, client, interface), choices(service, interface, client, _WAYS)
    having = service, offered, interface, clients
    of_searches, searches = _of_searches(service, offered), partial(PlannedFlightSearch, *having)
    bases = [{}, *({"what": place} for place, (_, are_fares) in enumerate(of_searches["what"]) if are_fares)]
    of_bookings, bookings = _of_bookings(service, offered, interface), partial(PlannedBookings, *having)
    few = {name: of_bookings[name][:_FEW] for name in ("bags", "after", "fields")}
    ends = [*_ENDS, *[_CANCELLED] * (interface == "v3"), *[_EXPIRES] * service.can_wait]
    return (
        CoveringPlan(of_searches, searches, strength, bases),
        CoveringPlan(of_bookings, bookings, strength),
        CoveringPlan({**of_bookings, **few, "before": ends}, bookings, strength),
    )


class PlannedFlightSearch(V3Conversation):
    """A planned search of flights or round-trip fares."""

    def converse(self, circumstances: Circumstance) -> None:
        """Search."""
        others = {name: value for name, value in circumstances.items() if name != "what"}
        self.search_flights(SearchPlan(*circumstances["what"], **others))

    def look(self) -> None:
        """Do nothing: a search creates nothing."""


class PlannedBookings(V3Conversation):
    """A planned conversation about the booking of one or more flights."""

    _has_looked = False

    def converse(self, circumstances: Circumstance) -> None:
        """Request the flights and book them."""
        self.situation, count, is_apart, is_reversed = circumstances["flights"]
        self.party, is_second = circumstances["party"], circumstances["is_second"]
        fields: str = circumstances["fields"]
        for number in [1, 1] if is_apart else [count]:
            plan = RequestPlan(number, circumstances["bags"], is_second, is_bare=fields == BARE)
            self.create_requests(plan)
        held = self.requests[:count][:: -1 if is_reversed else 1]
        if not held:
            return
        self._happens(circumstances["before"], held)
        if circumstances["is_late"]:
            self.wait(self.service.profile.lifetimes.request_seconds_min * LATE)
        self.create_bookings(BookingPlan(held, circumstances["way"], fields=fields))
        if not self.references and count > 1:
            self.create_bookings(BookingPlan(held[1:], self.plain_way))
        self._happens(circumstances["after"], held)
        if circumstances["before"] == _EXPIRES:
            # A day later, the time of day is that of a live booking request.
            self.wait(DAY - self.service.profile.lifetimes.request_seconds_max)
            self.create_bookings(BookingPlan(held, self.plain_way))
        self.look()

    def look(self) -> None:
        """Retrieve the bookings; later, try to book once more, too."""
        for each in self.references:
            self.retrieve_bookings(each)
        if self._has_looked:
            self.send_late()
        self._has_looked = True

    @property
    def plain_way(self) -> WayToPay:
        """The plainest way to pay."""
        plain: WayToPay = self.choices["way"][0]
        return plain

    def _happens(self, what: str, held: Sequence[HeldRequest]) -> None:
        first = held[:1]
        match what:
            case "its flights are requested, too" | "its flights are requested again":
                self._request_again(first, books=what.endswith("again"))
            case "it is booked":
                self.create_bookings(BookingPlan(first, self.plain_way))
            case "its payment fails":
                self.create_bookings(BookingPlan(first, WayToPay(DECLINED)))
            case "it expires":
                self.wait(self.service.profile.lifetimes.request_seconds_max + MINUTE)
            case "it is cancelled":
                # At the same moment: one cancellation at most succeeds.
                self.cancel_request(first[0], times=2)
            case "others try to use it":
                self.create_requests(RequestPlan(again=first[0], second=not first[0].second))
                self.create_bookings(BookingPlan(first, self.plain_way, how=FOREIGN))
            case "others retrieve it" if self.references:
                # What its owner has read may be in a cache.
                self.retrieve_bookings(self.references[0])
                self.retrieve_bookings(self.references[0], FOREIGN)
            case "the same booking":
                self.send_again()
                if len(held) > 1:
                    self.create_bookings(BookingPlan(held[-1:], self.plain_way))

    def _request_again(self, held: Sequence[HeldRequest], *, books: bool) -> None:
        """Request the same flights again, which takes the place of nothing, and cancel one or book them: another order.

        What has ended does not begin again by that, and the same amount is not paid already.
        """
        number = len(self.requests)
        self.create_requests(RequestPlan(again=held[0], second=held[0].second))
        if not books:
            if self.interface == "v3":
                self.cancel_request(self.requests[-1])
            return
        self.create_bookings(BookingPlan(held, self.plain_way))
        again = self.requests[number:]
        for each, way in (again[-1:], WayToPay(DECLINED)), (again[:-1][:1], self.plain_way):
            if each:
                self.create_bookings(BookingPlan(each, way))
