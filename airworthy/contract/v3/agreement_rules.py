"""Rules of v3 and v2 on what two messages show of the same flight, passenger, booking or customer."""

import re
from typing import Any

from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.agreement import Terms, remembered
from airworthy.contract.conversation.v3.memory import BOOKINGS, CANCELED, REQUESTS, RETRIEVALS, reference, returned_id
from airworthy.contract.http.transaction import Transaction, items, member
from airworthy.contract.rules.agreements import Agreement, registered
from airworthy.contract.v3.schedule_change_rules import CHANGED

# A flight is identified by its airports, times and numbers.
_WAY = ("*origin/iata_code", "*destination/iata_code", "*departure_date", "*arrival_date")
_NUMBERS = ("*segments", "*segments/*/*_flight_number", "*segments/*/*_carrier/iata_code")
FLIGHT = " ".join((*_WAY, *_NUMBERS))
# Seats are sold meanwhile, and a booking need not list bag options.
FLIGHT_OPTIONAL = "*bags *luggage_options *bags/checked *bags/cabin *duration"
# The meaning of the quantity of a flight's bag options is open (OPEN-81).
FLIGHT_OPEN = "*available_seats *bags/*/quantity *luggage_options/*/quantity"
# What may differ in the current flight, although no key of a schedule change can list it.
UNLISTED = "id *available_seats *price *included_airport_tax cc_fee booking_class cabin_class bags luggage_options"
PRICES = "price infant_price total_price cc_fee luggage_fee bags_fee/*"
BOOKER = "first_name last_name gender email phonenumber address country_code postal_code"
# What a schedule change lists, if not by the name of the member that it changes.
CHANGEABLE = {
    "origin": "origin_",
    "destination": "destination_",
    "via_airport": "airport",
    **dict.fromkeys(("departure_date", "arrival_date", "duration"), "_date"),
    **dict.fromkeys(("operating_carrier", "marketing_carrier"), "airline"),
    **dict.fromkeys(("operating_carrier_flight_number", "marketing_carrier_flight_number"), "flight_number"),
}
IDENTITY = "*/first_name */last_name */gender */date_of_birth"
SAME_BOOKING = Terms(
    firm=" ".join(
        (
            PRICES,
            "first_name last_name email created_at request_id flight_id passenger_count passengers type",
            "passengers/*/id passengers/*/created_at passengers/*/is_infant passengers/*/passport_expiry_date",
            "luggage/*/quantity",
            *(f"passengers/{each}" for each in IDENTITY.split()),
            *(f"flight/{each}" for each in FLIGHT.split()),
        )
    ),
    kept="passengers/*/date_of_birth",
    optional=" ".join(("pnr_airline", *(f"flight/{each}" for each in FLIGHT_OPTIONAL.split()))),
    open="id flight/id cp_reference status final_flight flight_changes external_id infant_count passengers/*/gender "
    "passengers/*/booking_id passengers/*/confirmed* passengers/*/canceled* passengers/*/updated_at "
    + " ".join(f"flight/{each}" for each in FLIGHT_OPEN.split()),
    chosen="bags/checked bags/cabin luggage",
)


def _requested_flight(transaction: Transaction, conversation: Conversation, booking: dict[str, Any]) -> Json:
    """Return the flight of a booking's booking request, unless its id has a finding of its own."""
    held = conversation.v3.request(transaction.url.version, returned_id(booking.get("request_id")))
    ids = {returned_id(booking.get("flight_id")), returned_id(member(booking, "flight", "id"))} - {""}
    return remembered(held.shown) if held and held.flight and ids <= {held.flight} else None


def _sent_passengers(transaction: Transaction, conversation: Conversation, booking: dict[str, Any]) -> Json:
    """Return the passengers that were sent, unless the number of records has a finding of its own."""
    sent = conversation.v3.sent_passengers(transaction, returned_id(booking.get("request_id")))
    records = booking.get("passengers")
    return sent if isinstance(sent, list) and isinstance(records, list) and len(sent) == len(records) else None


def _shown_booking(transaction: Transaction, conversation: Conversation, booking: dict[str, Any]) -> Json:
    """Return a booking as it was shown before; whether a canceled passenger counts is not documented.

    Under another reference it is another booking, of a test system that uses its ids again. After CANCELED, the airline
    may have booked it anew (OPEN-11).
    """
    known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
    shown = remembered(known.shown) if known else None
    if reference(member(shown, "cp_reference")) not in ("", reference(booking.get("cp_reference"))):
        return None
    if isinstance(shown, dict) and any(each.get("canceled") is True for each in items(booking, "passengers")):
        shown.pop("passenger_count", None)
    if known and CANCELED in known.statuses and isinstance(shown, dict):
        shown.pop("pnr_airline", None)
    return shown


def _shown_genders(transaction: Transaction, conversation: Conversation, booking: dict[str, Any]) -> Json:
    """Return the genders of the passenger records of a booking, unless another number of them has a finding."""
    before = items(_shown_booking(transaction, conversation, booking), "passengers")
    genders = [{name: record.get(name) for name in ("id", "gender")} for record in before]
    return genders if len(genders) == len(items(booking, "passengers")) else None


def _first(array: str, *names: str) -> Any:  # noqa: ANN401 - a function that an Agreement calls
    def shown(transaction: Transaction, _conversation: Conversation, _holder: dict[str, Any]) -> Json:
        first = items(transaction.delivered, array)[0]
        return {name: first.get(name) for name in names}

    return shown


def _never_changed(transaction: Transaction, conversation: Conversation, booking: dict[str, Any]) -> Json:
    """Return the original flight of a booking that was seen before, and has never shown a schedule change."""
    shown = _shown_booking(transaction, conversation, booking)
    has_changes = booking.get("flight_changes") or member(shown, "flight_changes")
    return None if has_changes or not shown or "flight_changes" not in booking else booking.get("flight")


def _unchanged(transaction: Transaction, conversation: Conversation, booking: dict[str, Any]) -> Json:
    """Return the original flight of a booking without what its schedule changes list, in whatever segment (OPEN-80).

    For how long a change is listed is not documented: without one, it may have been listed before.
    """
    if "flight_changes" not in booking:
        return None
    changes, flight = booking["flight_changes"], booking.get("flight")
    if not changes:
        return None if _never_changed(transaction, conversation, booking) else flight
    listed, segments = " ".join(CHANGED.findall(repr(changes))), items(flight, "segments")
    if not listed or len(segments) != len(items(booking.get("final_flight"), "segments")):
        # OPEN-94: how a change of the number is listed is not documented.
        return None
    changed = {name for segment in segments for name in segment if re.search(CHANGEABLE.get(name, name), listed)}
    return {"segments": [{name: segment[name] for name in segment.keys() - changed} for segment in segments]}


AGREEMENTS = registered(
    # v3, Resources and their fields / Booking: "flight: flight, original flight".
    Agreement(
        "V23-BOOKINGS-BOOK",
        BOOKINGS,
        "bookings/*/flight",
        _requested_flight,
        "the flight of a booking",
        "that of its booking request",
        Terms(firm=FLIGHT, optional=FLIGHT_OPTIONAL, open=f"id {FLIGHT_OPEN}"),
        is_one=True,
    ),
    *(
        # v3, Versioning, item 3: /requests requires passengers without is_infant, and /bookings no longer takes them.
        Agreement(
            "V23-PASSENGER-RECORD",
            (operation,),
            "bookings/*/passengers",
            _sent_passengers,
            "the passenger records of a booking",
            "the passengers that were sent",
            Terms(firm=f"{IDENTITY} */passport_expiry_date {sent}", kept="*/date_of_birth", open=unsent),
        )
        for operation, sent, unsent in zip(BOOKINGS, ("", "*/is_infant"), ("*/is_infant", ""), strict=True)
    ),
    Agreement(
        "V23-PASSENGER-RECORD",
        RETRIEVALS,
        "bookings/*/passengers",
        _shown_genders,
        "the passenger records of a booking",
        "those shown before",
        Terms(firm="*/gender", open="*/id"),
    ),
    # v3, GET /v3/bookings, and What the service does: no flight is refundable or exchangeable.
    Agreement(
        "V23-LOOK-UP",
        RETRIEVALS,
        "bookings/*",
        _shown_booking,
        "a booking",
        "the one shown before",
        SAME_BOOKING,
        about="bookings/*/flight",
    ),
    # v3, Events: what differs in the current flight is recorded as a flight change. How changes take effect is open
    # (OPEN-13), and so are the id of the current flight (OPEN-93) and what it costs by now.
    *(
        Agreement(
            "V23-FLIGHT-CHANGES",
            RETRIEVALS,
            "bookings/*/final_flight",
            original,
            f"the final_flight of a booking{apart}",
            "its original flight",
            Terms(firm, optional=FLIGHT_OPTIONAL, open=UNLISTED),
            is_one=True,
        )
        for original, apart, firm in (
            (_never_changed, " without schedule changes", FLIGHT),
            (_unchanged, ", apart from its schedule changes,", ""),
        )
    ),
    # v3, POST /v3/bookings: one booker for all bookings that are made together.
    Agreement(
        "V23-BOOKINGS-TOGETHER",
        (*BOOKINGS, *RETRIEVALS),
        "bookings/*",
        _first("bookings", *BOOKER.split()),
        "a booking",
        "the one made with it",
        Terms(),
    ),
    *(
        # v3, POST /v3/requests: one customer_code for all requests that are created together.
        Agreement(
            rule,
            (operation,),
            "requests/*",
            _first("requests", "customer_code", "customer"),
            "a booking request",
            "the one created with it",
            Terms(),
        )
        for rule, operation in zip(("V3-REQUESTS-ANSWER", "V2-REQUESTS-ANSWER"), REQUESTS, strict=True)
    ),
)
