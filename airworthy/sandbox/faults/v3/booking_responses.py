"""Faults in GET bookings, and in what bookings show of their flights, prices, bags, passengers and references."""

from collections.abc import Callable
from datetime import date, timedelta
from weakref import WeakKeyDictionary

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, add, after, before, change, first, increase, others, put, remove
from airworthy.sandbox.faults.fault import Wrapper
from airworthy.sandbox.faults.table import rule, table
from airworthy.sandbox.http.exchange import SandboxRequest
from airworthy.sandbox.service.service import SandboxService

_OTHER_GENDER = {"male": "female", "female": "male"}
_NEW_FLIGHT = "getBookings*:/bookings/*/flight_changes/*/data/newFlight"


def _numbered(bookings: Json) -> Json:
    return [{**each, "cp_reference": f"{each['cp_reference']}-{at}"} for at, each in enumerate(bookings)]


def _without_bags_in_the_total(booking: Json) -> Json:
    fees = booking["bags_fee"].values() if "bags_fee" in booking else (booking["luggage_fee"],)
    return booking | {"total_price": round(booking["total_price"] - sum(fees), 2)}


def _with_whole_flights(booking: Json) -> Json:
    data = {"oldFlight": booking["flight"], "newFlight": booking["final_flight"], "flight_id": booking["flight_id"]}
    changes = [{**each, "data": data} for each in booking["flight_changes"] or ()]
    return booking | {"flight_changes": changes}


def _a_day_later(text: str) -> str:
    return (date.fromisoformat(text[:10]) + timedelta(days=1)).isoformat() + text[10:]


def _born_together(records: Json) -> Json:
    return [each | {"date_of_birth": records[-1]["date_of_birth"]} for each in records]


def _reversed(name: str) -> Callable[[Json], Json]:
    """Return a change of records: a member has the values of the records in reverse order."""
    return lambda records: [each | {name: other[name]} for each, other in zip(records, reversed(records), strict=True)]


def _finds_references(matches: Callable[[str, str], bool]) -> Wrapper:
    """Take a reference for a known one that ``matches`` it."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        sent = request.query.get("cp_reference", "")
        known = (key[1] for key in service.store.bookings if isinstance(key, tuple) and key[0] == request.version)
        request.query["cp_reference"] = next((key for key in known if matches(key, sent)), sent)

    return before("getBookings*", prepare)


def _without_absent_country(record: Json) -> Json:
    return {name: value for name, value in record.items() if name != "birth_country" or value is not None}


_NOTED = WeakKeyDictionary[SandboxService, set[int]]()


def _list_changes_once(service: SandboxService, _: SandboxRequest, body: Json) -> None:
    noted = _NOTED.setdefault(service, set())
    for booking in body["bookings"]:
        if booking["flight_changes"] and booking["id"] in noted:
            booking["flight_changes"] = None
        elif booking["flight_changes"]:
            noted.add(booking["id"])


FAULTS = table(
    rule("V23-BOOKINGS-BOOK"),
    row.responds(
        "booked-another-departure", put("createBookings*:/bookings/*/flight/departure_date", "2031-05-05 10:00:00")
    ),
    row.responds("booked-before-requested", put("createBookings*:/bookings/*/created_at", "2020-05-05T10:00:00+00:00")),
    rule("V23-BOOKINGS-AS-REQUESTED"),
    row.responds(
        "booking-without-bags",
        put("*Bookings*:/bookings/*/bags", {"checked": [], "cabin": []}),
        put("*Bookings*:/bookings/*/luggage", []),
    ),
    row.responds("second-luggage-lost", others("createBookingsV2:/bookings", put("/luggage", []))),
    row.responds("retrieved-first-luggage", first("getBookingsV2:/bookings/*/luggage")),
    row.responds(
        "retrieved-bags-lost",
        put("getBookings*:/bookings/*/bags/cabin", []),
        put("getBookings*:/bookings/*/luggage", []),
    ),
    rule("V23-BOOKINGS-AS-REQUESTED", warns="Some differences are acceptable (v3, Errors, 409)"),
    row.does(
        "booked-dearer-infants: books infants at a higher price than that of the booking request",
        change("createBookings*:/bookings/*/infant_price", lambda price: price and price + 10),
    ),
    row.responds("booking-dearer", increase("createBookings*:/bookings/*/price", 10)),
    row.responds("booking-bags-for-nothing", put("createBookings:/bookings/*/bags_fee/*", 0)),
    rule("V23-BOOKINGS-TOGETHER"),
    row.does(
        "references-apart: assigns a separate cp_reference to each booking of one v3 request",
        change("createBookings:/bookings", _numbered),
    ),
    row.does(
        "references-apart-in-v2: assigns a separate cp_reference to each booking of one v2 request",
        change("createBookingsV2:/bookings", _numbered),
    ),
    rule("V23-BOOKINGS-TOTAL-BAGS", warns="OPEN-82: what a total price includes is not documented"),
    row.does(
        "booking-total-without-bags: responds to a booking with a total_price without the fee of the bags",
        change("createBookings*:/bookings/*", _without_bags_in_the_total),
    ),
    rule("V23-BOOKING-STATUS", warns="OPEN-11: when a booking is canceled is not documented"),
    row.responds("booking-canceled-at-once", put("createBookings*:/bookings/*/status", "CANCELED")),
    rule(
        "V2-BOOKING-LUGGAGE",
        warns="OPEN-81: the quantity of a luggage option may be the number of pieces that are included",
    ),
    row.responds("luggage-for-nothing", put("*BookingsV2:/bookings/*/luggage_fee", 0)),
    rule("V2-BOOKING-LUGGAGE", warns="OPEN-82: how a price is computed is not documented"),
    row.responds("luggage-fee-unwanted", increase("*BookingsV2:/bookings/*/luggage_fee", 23.5)),
    rule("V23-BOOKING-FIELDS"),
    row.does(
        "infants-at-most-one: counts at most one infant in a booking",
        change("createBookings*:/bookings/*/infant_count", lambda infants: min(infants, 1)),
    ),
    rule("V23-PASSENGER-RECORD"),
    row.does(
        "absent-countries-left-out: leaves birth_country out of passenger records where it was not sent",
        change("*Bookings:/bookings/*/passengers/*", _without_absent_country),
    ),
    row.responds("records-of-one-id", put("*Bookings*:/bookings/*/passengers/*/id", 7)),
    row.responds("record-of-another", put("*Bookings*:/bookings/*/passengers/*/first_name", "NOBODY")),
    row.does(
        "record-born-later: responds with passengers of a booking that were born a day later",
        change("*Bookings*:/bookings/*/passengers/*/date_of_birth", _a_day_later),
    ),
    row.does(
        "record-of-another-birth: responds with the date of birth of the last passenger for every passenger",
        change("*Bookings*:/bookings/*/passengers", _born_together),
    ),
    row.does(
        "record-of-another-infant: responds with is_infant of the passengers in reverse order",
        change("*Bookings*:/bookings/*/passengers", _reversed("is_infant")),
    ),
    row.does(
        "record-turned-gender: responds to the creation of a booking with the other gender for every passenger",
        change("createBookings*:/bookings/*/passengers/*/gender", _OTHER_GENDER.__getitem__),
    ),
    row.does(
        "record-of-another-gender: responds with the genders of the passengers in reverse order",
        change("getBookings*:/bookings/*/passengers", _reversed("gender")),
    ),
    row.responds("record-empty-texts", put("getBookings*:/bookings/*/passengers/*/canceled_at", "")),
    row.responds("record-without-birth-date", put("*Bookings*:/bookings/*/passengers/*/date_of_birth", None)),
    rule(
        "V23-PASSENGER-RECORD",
        warns="OPEN-38: booker data come back normalized; what a service returns of a passenger is not written",
    ),
    row.responds("record-without-nationality", put("*Bookings*:/bookings/*/passengers/*/nationality", None)),
    rule("V23-LOCATOR"),
    row.responds("second-booking-awaits", others("getBookings*:/bookings", put("/status", "AWAITING_PNR_AIRLINE"))),
    rule("V23-LOCATOR", warns="OPEN-39: a record locator generally takes up to two hours, so it may take longer"),
    row.sets("locator-tomorrow: obtains the record locator after a day", locator_delay=timedelta(days=1)),
    rule("V23-LOCATOR", warns="OPEN-39: the first status of a charter booking is not documented"),
    row.responds("charter-awaits", put("createBookings:/bookings/*/status", "AWAITING_PNR_AIRLINE")),
    rule("V23-LOOK-UP"),
    row.responds("retrieval-dearer", increase("getBookings*:/bookings/*/total_price", 50)),
    row.responds("retrieval-of-another", put("getBookings*:/bookings/*/last_name", "Hopper")),
    row.responds(
        "retrieval-other-passengers",
        put("getBookings*:/bookings/*/passengers/*/first_name", "Grace"),
        put("getBookings*:/bookings/*/passengers/*/last_name", "Hopper"),
    ),
    row.responds(
        "retrieval-other-fees",
        increase("getBookings*:/bookings/*/bags_fee/checked", 9),
        increase("getBookings*:/bookings/*/luggage_fee", 9),
    ),
    row.does(
        "retrieval-created-anew: responds with a later created_at when a booking is retrieved",
        change("getBookings*:/bookings/*/created_at", _a_day_later),
    ),
    row.responds(
        "retrieval-new-ids",
        increase("getBookings*:/bookings/*/id", 1000),
        increase("getBookings*:/bookings/*/passengers/*/booking_id", 1000),
    ),
    row.responds("retrieval-new-records", increase("getBookings*:/bookings/*/passengers/*/id", 1000)),
    row.responds("retrieval-empty", put("getBookings*:/bookings", [])),
    row.responds("retrieval-first-only", first("getBookings*:/bookings")),
    row.responds("retrieval-all-outward", put("getBookings:/bookings/*/type", "outward")),
    row.responds("retrieval-without-type", remove("getBookings:/bookings/*/type")),
    row.serves_empty(
        "retrieval-of-nothing: a retrieval without cp_reference", "getBookings*:query/cp_reference:required", "bookings"
    ),
    row.responds("second-booking-without-type", others("getBookings:/bookings", remove("/type"))),
    rule("V23-LOOK-UP-UNKNOWN"),
    row.serves(
        "retrieval-of-anybody: responds to an unknown cp_reference with another booking",
        "reference-unknown@*",
        {"bookings": [{"id": 1, "cp_reference": "CPAAAAAA"}]},
    ),
    row.crashes("retrieval-crash: an unknown cp_reference", "reference-unknown@*"),
    row.behaves(
        "reference-beginning: finds bookings by the beginning of their reference",
        _finds_references(lambda known, sent: bool(sent) and known.startswith(sent)),
    ),
    row.behaves(
        "reference-empty: finds all bookings under an empty reference",
        _finds_references(lambda known, sent: known == sent or not sent),
    ),
    row.behaves(
        "reference-continued: finds bookings by a text that begins with their reference",
        _finds_references(lambda known, sent: sent.startswith(known)),
    ),
    rule("V23-LOOK-UP-UNKNOWN", warns="The documents do not say whether the letter case of a reference counts"),
    row.behaves(
        "reference-any-case: ignores the letter case of references",
        _finds_references(lambda known, sent: known.lower() == sent.lower()),
    ),
    rule("V23-FLIGHT-CHANGES"),
    row.responds("change-segment-4", add(_NEW_FLIGHT, segment_4_flight_number="IB1")),
    row.responds("change-number-without-segment", add(_NEW_FLIGHT, flight_number="IB1")),
    row.responds("change-airline-alone", add(_NEW_FLIGHT, segment_1_airline_name="Iberia")),
    row.does(
        "change-of-nothing: responds with flight changes whose old and new values are equal",
        change("getBookings*:/bookings/*/flight_changes/*/data", lambda data: data | {"newFlight": data["oldFlight"]}),
    ),
    row.does(
        "change-of-everything: responds with flight changes that contain the whole flights",
        change("getBookings*:/bookings/*", _with_whole_flights),
    ),
    row.responds("change-not-listed", put("getBookings*:/bookings/*/flight_changes", None)),
    row.does(
        "change-never-shown: shows neither a flight change nor the changed flight in v3",
        change(
            "getBookings:/bookings/*",
            lambda booking: booking | {"final_flight": booking["flight"], "flight_changes": []},
        ),
    ),
    row.responds("change-without-segment", add(_NEW_FLIGHT, departure_date="2027-01-01 10:00:00")),
    row.responds("change-time-iso", add(_NEW_FLIGHT, segment_1_departure_date="2027-01-01T10:00:00Z")),
    rule("V23-FLIGHT-CHANGES", warns="OPEN-13: how a schedule change takes effect is not documented"),
    row.does(
        "change-not-flown: responds with the original flight as final_flight after a flight change",
        change("getBookings*:/bookings/*", lambda booking: booking | {"final_flight": booking["flight"]}),
    ),
    row.does(
        "change-of-the-past: responds with the changed flight as the original flight",
        change("getBookings*:/bookings/*", lambda booking: booking | {"flight": booking["final_flight"]}),
    ),
    row.does(
        "change-of-another-time: responds with flight changes whose oldFlight departs at another time than flight",
        change("getBookings*:/bookings/*/flight_changes/*/data/oldFlight/segment_1_departure_date", _a_day_later),
    ),
    rule("V23-FLIGHT-CHANGES", warns="For how long a schedule change is listed is not documented"),
    row.behaves("change-listed-once: lists a schedule change once only", after("getBookings*", _list_changes_once)),
    rule("V23-FLIGHT-CHANGES", warns="OPEN-93: the id of the current flight is not documented"),
    row.responds("change-of-another-flight", put("getBookings*:/bookings/*/flight_changes/*/data/flight_id", 7)),
)
