"""Faults of a service that is right about the first of two things, and in searches that leave something out."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from airworthy.sandbox.faults.changes import change, edit_responses, put, remove, rename
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.resources.v3.states import BookingRequest
from airworthy.sandbox.service.service import Handler, SandboxService

_RETRIEVED = ("getBookings", "getBookingsV2")
_SEARCHES = ("searchFlights", "searchFlightsV2")


def _of_others(edit: Callable[[Json], Json]) -> Callable[[list[Json]], list[Json]]:
    """Return a change of an array: all elements but the first are edited."""
    return lambda array: [*array[:1], *map(edit, array[1:])]


def _fills_in_luggage(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Book the booking requests after the first without luggage where none is listed for them."""
    if request.operation == "createBookingsV2":
        for each in request.body["requests"][1:]:
            request.body["luggage"].setdefault(str(each), [])
    return handler(service, request)


def _never_frees_seats(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Hold the seats of every booking request for a year."""
    response = handler(service, request)
    if request.operation in ("createRequests", "createRequestsV2"):
        table, now = service.store.booking_requests, service.clock.now()
        created = (each for key in list(table) if isinstance(each := table.get(key), BookingRequest))
        for each in created:
            if each.created == now or each.status(now) == "pending":
                service.store.seats.free(each)
                service.store.seats.hold(replace(each, expires=now + timedelta(days=365)), now)
    return response


def _defaults_to_the_next_day(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Search round-trip fares on the first day only if the last one is missing."""
    if request.operation == "searchRoundTrips" and "start" in request.query:
        request.query.setdefault("end", request.query["start"])
    return handler(service, request)


def _is_for_seats(request: SandboxRequest) -> bool:
    return "seats" in request.query


FAULTS: tuple[Fault, ...] = (
    Fault(
        "second-booking-awaits",
        "V23-LOCATOR",
        "The service responds with AWAITING_PNR_AIRLINE for the second of two bookings that have a record locator",
        rewrite=edit_responses(_RETRIEVED, change("/bookings", _of_others(put("/status", "AWAITING_PNR_AIRLINE")))),
    ),
    Fault(
        "second-luggage-optional",
        "V2-LUGGAGE",
        "The service does not require luggage for the second of two booking requests",
        wraps=_fills_in_luggage,
        verdict="warning",
        reason="OPEN-99: the completeness of luggage is open",
    ),
    Fault(
        "expired-seats-held",
        "V23-REQUESTS-HOLD",
        "The service holds the seats of booking requests that have expired",
        wraps=_never_frees_seats,
        verdict="warning",
        reason="The documents do not say when the seats are free again, and others may have bought them",
    ),
    Fault(
        "retrieved-first-luggage",
        "V23-BOOKINGS-AS-REQUESTED",
        "The service responds to the retrieval of a booking in v2 with its first luggage option only",
        rewrite=edit_responses("getBookingsV2", change("/bookings/*/luggage", lambda luggage: luggage[:1])),
    ),
    Fault(
        "final-flight-of-v3",
        "V23-CURRENT-REVISION",
        "The service responds to the retrieval of a booking in v2 with a final_flight of v3",
        rewrite=edit_responses("getBookingsV2", rename("/bookings/*/final_flight", "luggage_options", "bags")),
    ),
    Fault(
        "retrieved-bags-lost",
        "V23-BOOKINGS-AS-REQUESTED",
        "The service retrieves bookings that have no cabin bags or luggage",
        rewrite=edit_responses(_RETRIEVED, put("/bookings/*/bags/cabin", []), put("/bookings/*/luggage", [])),
    ),
    Fault(
        "second-booking-without-type",
        "V23-LOOK-UP",
        "The service retrieves a second booking that has no type",
        rewrite=edit_responses("getBookings", change("/bookings", _of_others(remove("/type")))),
    ),
    Fault(
        "seats-find-nothing",
        "V23-FLIGHTS-SEATS",
        "The service finds no flights in a search for several seats",
        rewrite=edit_responses(_SEARCHES, put("/results", []), put("/next_page_id", None), to=_is_for_seats),
    ),
    Fault(
        "seats-find-no-fares",
        "V23-FLIGHTS-SEATS",
        "The service finds no round-trip fares in a search for several seats",
        rewrite=edit_responses(
            "searchRoundTrips",
            put("/fares", []),
            put("/next_page_id", None),
            to=lambda request: "seats" in request.query,
        ),
    ),
    Fault(
        "fares-of-one-day",
        "V23-FLIGHTS-DEFAULT-WINDOW",
        "The service searches round-trip fares on one day if end is missing",
        wraps=_defaults_to_the_next_day,
    ),
    Fault(
        "fares-replace-flights",
        "V3-ROUND-TRIPS-BESIDE",
        "The service finds no flights back on a route with round-trip fares",
        rewrite=edit_responses(
            "searchFlights", put("/results", []), to=lambda request: request.query["origin"].upper() == "FCO"
        ),
        verdict="warning",
        reason="OPEN-37: search data are cached",
    ),
)
