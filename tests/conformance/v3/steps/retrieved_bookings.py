"""Steps that retrieve bookings of v2 and v3, and compare them with their creation."""

import secrets
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from airworthy.contract.http.transaction import items, member
from airworthy.suite.outcomes import NotApplicable, comparisons, prerequisite
from conformance.parsed_response import ParsedResponse, counted
from conformance.payments import WAY, WAYS
from conformance.request_draft import RequestDraft
from conformance.scenario_context import WHO, ScenarioContext
from conformance.step_table import given, then, when
from conformance.steps.requests import SIMILAR, similar
from conformance.steps.responses import expect_not_server_error
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import CreatedBookings
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.request_bodies import INTERFACE, BagKind, Interface
from conformance.v3.requested_flights import GONE
from conformance.v4.request_bodies import PassengerCounts

# Bookings

_OF = r"(?: of (?:(?P<family>a family)|(?P<two>two booking requests))| with a (?P<bag>checked|cabin) bag)?"


@given(rf"a (?:paid )?booking in {INTERFACE}{_OF}")
@when(rf"the client creates a booking in {INTERFACE}{_OF}")
def _a_booking(context: ScenarioContext, interface: Interface, family: str, two: str, bag: BagKind | None) -> None:
    # The second booking must have the passengers of all types, too.
    party = context.v3.family if family or two else PassengerCounts()
    context.keep_booked(context.v3.booked(FlightCriteria(interface), count=2 if two else 1, party=party, bag=bag))


@given(rf"a booking in {INTERFACE} paid by (?P<by>self_psp|{WAY})")
def _a_booking_paid_by(context: ScenarioContext, interface: Interface, by: str) -> None:
    context.keep_booked(context.v3.booked_by(FlightCriteria(interface), by))


@when(rf"the client books a charter flight in {INTERFACE}")
def _a_charter_booking(context: ScenarioContext, interface: Interface) -> None:
    context.keep_booked(context.v3.booked(FlightCriteria(interface, "charter")))


# Retrieval


# The references by which bookings are retrieved, made from their own.
_REFERENCES: Final[Mapping[str, Callable[[str], str | None]]] = {
    "the booking": lambda own: own,
    "bookings without a reference": lambda _: None,
    "the bookings of an unknown reference": lambda _: f"ZZ{secrets.token_hex(4).upper()}",
    "the bookings of an empty reference": lambda _: "",
    **{f"the bookings of the reference {how}": partial(similar, how=how) for how in SIMILAR.split("|")},
}


def _retrieval(context: ScenarioContext, what: str = "the booking", interface: Interface | None = None) -> RequestDraft:
    booked = context.created_bookings
    draft = bodies.get_bookings(interface or booked.requested.interface, booked.reference)
    return draft.with_query(cp_reference=_REFERENCES[what](booked.reference))


@when(rf"{WHO} retrieves (?P<what>{'|'.join(_REFERENCES)})(?: in {INTERFACE})?", "V23-LOOK-UP")
def _retrieve(context: ScenarioContext, who: str, what: str, interface: Interface | None = None) -> None:
    context.response = context.client_of(who).send(_retrieval(context, what, interface))


@when("the client books an offer of v4 and retrieves the booking")
def _book_an_offer_and_retrieve_booking(context: ScenarioContext) -> None:
    if "v4" not in context.service.profile.versions:
        raise NotApplicable("v4 is not examined")
    draft = _retrieval(context)
    context.service.send_required(draft, "the service does not return a booking", "V23-LOOK-UP", "bookings")
    context.service.book(WAYS[context.service.usual_payment])
    context.response = context.service.send(draft)


@then("the service still returns the booking")
def _the_booking_is_still_returned(context: ScenarioContext) -> None:
    context.last_response.expect(
        _returned(context),
        "an order of v4 must not affect a booking",
        expected="the booking that was returned before the order",
        actual=f"status {context.last_response.status} without it",
        pointer="/bookings",
    )


@then("the response should not contain the booking")
def _the_booking_should_not_be_returned(context: ScenarioContext) -> None:
    expect_not_server_error(context)
    if _returned(context):
        context.warn("the service returns the booking for a reference in other letters, or to another organisation")


@then("the response does not contain the booking")
def _the_booking_is_not_returned(context: ScenarioContext) -> None:
    expect_not_server_error(context)
    context.last_response.expect(
        not _returned(context),
        "the service must return bookings by their whole reference only",
        expected="no booking with another reference",
        actual="the booking of another reference",
        pointer="/bookings",
    )


def _returned(context: ScenarioContext) -> bool:
    """Return whether the response contains one of the bookings that the scenario is about."""
    own = {str(each.get("id")) for each in context.created_bookings.bookings}
    return any(str(member(each, "id")) in own for each in context.last_response.array("bookings"))


@when("the client books both flights and retrieves the bookings")
def _book_and_retrieve_both_ways(context: ScenarioContext) -> None:
    pending = context.booking_requests
    with prerequisite(
        "a booking request for a fare is rejected", rule="V3-REQUESTS-FARE-TYPE", exchange=pending.response.exchange
    ):
        assert pending.response.succeeded
    # The booking names the booking requests of this response.
    context.v3.require_requested("v3", pending.response, "requests")
    draft = context.v3.booking(pending)
    response = context.service.send(draft)
    # The held fare may be sold out even so, or its price has changed.
    if response.status in GONE:
        raise context.service.sold_out(pending.criteria.route, response)
    with prerequisite("a booking of a fare is rejected", rule="V23-BOOKINGS-BOOK", exchange=response.exchange):
        assert response.succeeded
    context.booked = CreatedBookings(pending, draft, response)
    context.response = context.service.send(bodies.get_bookings("v3", context.created_bookings.reference))


# Responses


def _bookings(number: int) -> str:
    return counted(number, "booking", "bookings")


@then("the booking succeeds")
def _booking_succeeds(context: ScenarioContext) -> None:
    response, count = context.last_response, len(context.booking_requests.requests)
    bookings = response.array("bookings")
    response.expect(
        response.succeeded and len(bookings) == count and all(booking.get("cp_reference") for booking in bookings),
        "a paid booking request must become a booking with a reference",
        expected=f"status 200 with {_bookings(count)}",
        actual=f"status {response.status} with {_bookings(len(bookings))}",
        pointer="/bookings" if response.succeeded else "status",
    )


@then("the response contains the booking")
def _response_contains_booking(context: ScenarioContext) -> None:
    made = {booking["id"] for booking in context.created_bookings.bookings}
    found = {booking.get("id") for booking in context.last_response.array("bookings")}
    context.last_response.expect(
        context.last_response.succeeded and made <= found,
        "the service must return a booking by its reference",
        expected="the created bookings",
        actual=f"status {context.last_response.status} with {_bookings(len(found))}",
        pointer="/bookings",
    )


def comparable(value: Any) -> Any:
    """Return a number to the cent, or a text reduced to its plain letters and digits."""
    if isinstance(value, str):
        letters = unicodedata.normalize("NFKD", value).casefold()
        return "".join(each for each in letters if each.isascii() and each.isalnum())
    return round(value, 2) if isinstance(value, int | float) else None


@then("the response contains no booking")
def _no_booking_is_delivered(context: ScenarioContext) -> None:
    context.last_response.expect(
        context.last_response.status < 500
        and not (context.last_response.succeeded and context.last_response.array("bookings")),
        "the service must not return a booking for an unknown reference",
        expected="no booking",
        actual=f"status {context.last_response.status} with {_bookings(len(context.last_response.array('bookings')))}",
        pointer="/bookings",
    )


@then("the booking should be confirmed with a record locator")
def should_have_a_locator(context: ScenarioContext) -> None:
    """Warn unless bookings are confirmed with a record locator; one may be canceled or changed before (OPEN-11)."""
    for booking in context.last_response.array("bookings"):
        comparisons.add()
        status, locator, exchange = booking.get("status"), booking.get("pnr_airline"), context.last_response.exchange
        if status in ("CANCELED", "CHANGED") and not locator:
            context.observe("OPEN-11", "a booking that has no record locator after two hours", status)
        elif status == "AWAITING_PNR_AIRLINE" or not locator:
            context.warn(
                "a booking is not confirmed with a record locator after two hours: expected CONFIRMED with a record "
                f"locator, actual {status} {'with' if locator else 'without'} one",
                exchange,
            )


@then("the booking should be confirmed immediately")
def _should_be_confirmed_at_once(context: ScenarioContext) -> None:
    for booking in context.created_bookings.bookings:
        comparisons.add()
        if not _is_confirmed(booking):
            context.v3.expect_elsewhere(
                context.booking_requests.criteria,
                lambda each: all(map(_is_confirmed, context.v3.booked(each).bookings)),
                "has flights whose bookings wait for a record locator",
            )
            context.warn(
                "the booking of a charter flight is not confirmed immediately: expected CONFIRMED, "
                f"actual {booking.get('status')}",
                context.created_bookings.response.exchange,
            )


def _is_confirmed(booking: Mapping[str, Any]) -> bool:
    return booking.get("status") == "CONFIRMED"


# Passengers


_NAMES = ("first_name", "last_name")
_MAY_BE_ABSENT = (
    *("nationality", "birth_country", "passport_number", "passport_expiry_date", "passport_country_of_issue"),
    *("date_of_birth", "confirmed_at", "canceled_at"),
)


@then("the booking contains the infants as infants")
def _booking_contains_infants(context: ScenarioContext) -> None:
    """Compare the mark of each record; the passengers of the suite are of no age that is open (OPEN-84)."""
    types = bodies.in_order(context.booking_requests.party.types)
    for response, booking in _created_and_retrieved(context):
        for passenger, kind in zip(_named_passengers(context), types, strict=True):
            is_infant = passenger.get("is_infant", kind == "infant")
            marks = [each.get("is_infant") for each in items(booking, "passengers") if _is_named(each, passenger)]
            comparisons.add(len(marks))
            response.expect(
                (not is_infant) not in marks,
                "is_infant of a passenger record must be true for infants only",
                expected=f"{str(is_infant).lower()} for {'an infant' if is_infant else 'another passenger'}",
                actual=str(not is_infant).lower(),
                pointer="/bookings/0/passengers/0/is_infant",
            )


def _created_and_retrieved(context: ScenarioContext) -> Iterator[tuple[ParsedResponse, Any]]:
    """Yield each booking as the response to its creation shows it, and as it was retrieved."""
    for response in (context.created_bookings.response, context.last_response):
        for booking in response.array("bookings"):
            yield response, booking


def _named_passengers(context: ScenarioContext) -> list[dict[str, Any]]:
    """Return the passengers as they were sent, with the booking in v2 and with the booking request in v3."""
    bookings = context.created_bookings
    draft = bookings.draft if bookings.requested.interface == "v2" else bookings.requested.draft
    named: list[dict[str, Any]] = draft.body["passengers"]
    return named


@then("only absent values of the passenger records are null")
def _only_absent_values_are_null(context: ScenarioContext) -> None:
    response = context.last_response
    for index, booking in enumerate(response.array("bookings")):
        for number, record in enumerate(items(booking, "passengers")):
            place = f"/bookings/{index}/passengers/{number}"
            # The suite does not send empty values.
            empty = [name for name in _MAY_BE_ABSENT if record.get(name) == ""]
            response.expect(
                not empty,
                "absent values of a passenger record must be null",
                expected="null",
                actual=f"{', '.join(empty)} is an empty string",
                pointer="/".join((place, *empty[:1])),
            )


def _is_named(record: dict[str, Any], passenger: dict[str, Any]) -> bool:
    """Return whether a record is of a passenger, regardless of titles, middle names, letter case and accents."""
    return all(comparable(passenger[name]) in (comparable(record.get(name)) or "") for name in _NAMES)
