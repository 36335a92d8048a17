"""Faults in GET bookings, and in what bookings show of their flights, prices, bags, passengers and references."""

from collections.abc import Callable
from datetime import date, timedelta

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, add, after, before, change, first, increase, others, put, remove
from airworthy.sandbox.faults.fault import Row
from airworthy.sandbox.faults.table import FAILS, WARNS, Table, rule
from airworthy.sandbox.faults.updates import remembered, sent_requests
from airworthy.sandbox.http.exchange import SandboxRequest
from airworthy.sandbox.service.service import SandboxService

_OTHER_GENDER = {"male": "female", "female": "male"}
_NEW_FLIGHT = "getBookings*:/bookings/*/flight_changes/*/data/newFlight"


def _numbered(bookings: Json) -> Json:
    return [{**each, "cp_reference": f"{each['cp_reference']}-{at}"} for at, each in enumerate(bookings)]


def _refer_to_each_request(service: SandboxService, request: SandboxRequest, body: Json) -> Json:
    """Give bookings of requests that were created one by one references of their own."""
    created = {each.created for each in sent_requests(service, request)}
    return {"bookings": _numbered(body["bookings"])} if len(created) > 1 else None


def _refer_to_flight_and_name(service: SandboxService, request: SandboxRequest, body: Json) -> Json:
    """Compute references from the first flight and the name of the booker."""
    first = body["bookings"][0]
    key = ("reference", first["flight_id"], request.body["last_name"])
    reference = remembered(service).setdefault(key, first["cp_reference"])
    return {"bookings": [each | {"cp_reference": reference} for each in body["bookings"]]}


def _with_an_expiry(record: Json) -> Json:
    is_absent = record["passport_number"] and not record["passport_expiry_date"]
    return record | {"passport_expiry_date": "0000-00-00"} if is_absent else record


def _without_bags_in_the_total(booking: Json) -> Json:
    fees = booking["bags_fee"].values() if "bags_fee" in booking else (booking["luggage_fee"],)
    return booking | {"total_price": round(booking["total_price"] - sum(fees), 2)}


def _with_a_free_option(listed: Json) -> Json:
    return [*listed, *(each | {"weight": 1, "price": 0} for each in listed)]


def _with_whole_flights(booking: Json) -> Json:
    data = {"oldFlight": booking["flight"], "newFlight": booking["final_flight"], "flight_id": booking["flight_id"]}
    changes = [{**each, "data": data} for each in booking["flight_changes"] or ()]
    return booking | {"flight_changes": changes}


def _with_the_airline(booking: Json) -> Json:
    listed = {"segment_1_airline_iata_code": booking["flight"]["segments"][0]["marketing_carrier"]["iata_code"]}
    for each in booking["flight_changes"] or ():
        each["data"]["newFlight"] = listed | each["data"]["newFlight"]
    return booking


def _a_day_later(text: str) -> str:
    return (date.fromisoformat(text[:10]) + timedelta(days=1)).isoformat() + text[10:]


def _with_the_month_last(text: str | None) -> str | None:
    year, month, day = (text or "--").split("-")
    return f"{year}-{day}-{month}" if text else text


def _reversed(name: str) -> Callable[[Json], Json]:
    """Return a change of records: a member has the values of the records in reverse order."""
    return lambda records: [each | {name: other[name]} for each, other in zip(records, reversed(records), strict=True)]


def _with_infants_last(records: Json) -> Json:
    """Mark as many records as before as infants, the last ones."""
    marks = sorted(each["is_infant"] for each in records)
    return [each | {"is_infant": mark} for each, mark in zip(records, marks, strict=True)]


def _finds_references(matches: Callable[[str, str], bool]) -> Row:
    """Take a reference for a known one that ``matches`` it."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        sent = request.query.get("cp_reference", "")
        known = (key[1] for key in service.store.bookings if isinstance(key, tuple) and key[0] == request.version)
        request.query["cp_reference"] = next((key for key in known if matches(key, sent)), sent)

    return before("getBookings*", prepare)


def _without_absent_country(record: Json) -> Json:
    return {name: value for name, value in record.items() if name != "birth_country" or value is not None}


def _with_the_fee_of_one_option(booking: Json) -> Json:
    fees = [each["price"] * each["quantity"] for each in booking["luggage"] if each["quantity"]]
    return booking | {"luggage_fee": next(iter(fees), 0)}


def _list_changes_once(service: SandboxService, _: SandboxRequest, body: Json) -> None:
    """List a schedule change once only."""
    for booking in body["bookings"]:
        if booking["flight_changes"]:
            first = remembered(service).setdefault(("changes", booking["id"]), booking)
            booking["flight_changes"] = booking["flight_changes"] if first is booking else None


FAULTS: Table = {
    rule("V23-BOOKINGS-BOOK"): FAILS,
    "booked-another-departure": put("createBookings*:/bookings/*/flight/departure_date", "2031-05-05 10:00:00"),
    "booked-before-requested": put("createBookings*:/bookings/*/created_at", "2020-05-05T10:00:00+00:00"),
    rule("V23-BOOKINGS-AS-REQUESTED"): FAILS,
    "booking-without-bags": (
        put("*Bookings*:/bookings/*/bags", {"checked": [], "cabin": []}),
        put("*Bookings*:/bookings/*/luggage", []),
    ),
    "second-luggage-lost": others("createBookingsV2:/bookings", put("/luggage", [])),
    "third-luggage-lost: loses the luggage of the third of three booking requests": change(
        "createBookingsV2:/bookings", lambda bookings: bookings[:2] + [each | {"luggage": []} for each in bookings[2:]]
    ),
    "retrieved-first-luggage": first("getBookingsV2:/bookings/*/luggage"),
    "retrieved-bags-lost": (
        put("getBookings*:/bookings/*/bags/cabin", []),
        put("getBookings*:/bookings/*/luggage", []),
    ),
    rule("V23-BOOKINGS-AS-REQUESTED", "Some differences are acceptable (v3, Errors, 409)"): WARNS,
    "booked-dearer-infants: books infants at a higher price than that of the booking request": change(
        "createBookings*:/bookings/*/infant_price", lambda price: price and price + 10
    ),
    "booking-dearer": increase("createBookings*:/bookings/*/price", 10),
    "booking-bags-for-nothing": put("createBookings:/bookings/*/bags_fee/*", 0),
    rule("V23-BOOKINGS-TOGETHER"): FAILS,
    "references-apart": change("createBookings:/bookings", _numbered),
    "references-apart-in-v2": change("createBookingsV2:/bookings", _numbered),
    "references-of-each-request": after("createBookings", _refer_to_each_request),
    "references-of-flight-and-name": after("createBookings*", _refer_to_flight_and_name),
    rule("V23-BOOKINGS-TOTAL-BAGS", "OPEN-82: what a total price includes is not documented"): WARNS,
    "booking-total-without-bags": change("createBookings*:/bookings/*", _without_bags_in_the_total),
    rule("V23-BOOKING-STATUS", "OPEN-11: when a booking is canceled is not documented"): WARNS,
    "booking-canceled-at-once": put("createBookings*:/bookings/*/status", "CANCELED"),
    rule("V2-BOOKING-LUGGAGE", "OPEN-81: the quantity of a luggage option may mean included pieces"): WARNS,
    "luggage-for-nothing": put("*BookingsV2:/bookings/*/luggage_fee", 0),
    rule("V2-BOOKING-LUGGAGE", "OPEN-82: how a price is computed is not documented"): WARNS,
    "luggage-fee-unwanted": increase("*BookingsV2:/bookings/*/luggage_fee", 23.5),
    rule("V23-BOOKING-FIELDS"): FAILS,
    "infants-at-most-one: counts at most one infant in a booking": change(
        "createBookings*:/bookings/*/infant_count", lambda infants: min(infants, 1)
    ),
    "retrieved-infants-last": change("getBookingsV2:/bookings/*/passengers", _with_infants_last),
    rule("V23-BOOKING-FIELDS", "OPEN-82: whether a passenger count includes infants is not documented"): WARNS,
    "passengers-at-most-one": put("*Bookings*:/bookings/*/passenger_count", 1),
    rule("V23-PASSENGER-RECORD"): FAILS,
    "absent-countries-left-out": change("*Bookings:/bookings/*/passengers/*", _without_absent_country),
    "record-with-an-expiry-that-was-not-sent": change("createBookings*:/bookings/*/passengers/*", _with_an_expiry),
    "records-of-one-id": put("*Bookings*:/bookings/*/passengers/*/id", 7),
    "record-of-another": put("*Bookings*:/bookings/*/passengers/*/first_name", "NOBODY"),
    "record-born-later": change("*Bookings*:/bookings/*/passengers/*/date_of_birth", _a_day_later),
    "record-of-another-day: exchanges the day and the month of a date of birth": change(
        "*Bookings*:/bookings/*/passengers/*/date_of_birth", _with_the_month_last
    ),
    "record-expiring-another-day: exchanges the day and the month of the expiry date of a passport": change(
        "createBookings*:/bookings/*/passengers/*/passport_expiry_date", _with_the_month_last
    ),
    "record-of-another-birth: responds with the date of birth of the last passenger for every passenger": change(
        "*Bookings*:/bookings/*/passengers",
        lambda records: [each | {"date_of_birth": records[-1]["date_of_birth"]} for each in records],
    ),
    "record-of-another-infant": change("*Bookings*:/bookings/*/passengers", _reversed("is_infant")),
    "record-of-the-last-infant": change("*Bookings:/bookings/*/passengers", _with_infants_last),
    "record-turned-gender": change("createBookings*:/bookings/*/passengers/*/gender", _OTHER_GENDER.__getitem__),
    "record-of-another-gender": change("getBookings*:/bookings/*/passengers", _reversed("gender")),
    "record-empty-texts": put("getBookings*:/bookings/*/passengers/*/canceled_at", ""),
    "record-without-birth-date": put("*Bookings*:/bookings/*/passengers/*/date_of_birth", None),
    rule("V23-PASSENGER-RECORD", "OPEN-38: what a service returns of a passenger is not written"): WARNS,
    "record-with-nationality-of-passport": change(
        "createBookings*:/bookings/*/passengers/*",
        lambda each: each | {"nationality": each["passport_country_of_issue"]},
    ),
    "record-with-nationality-of-birth": change(
        "createBookings*:/bookings/*/passengers/*", lambda each: each | {"nationality": each["birth_country"]}
    ),
    "record-without-nationality": put("*Bookings*:/bookings/*/passengers/*/nationality", None),
    rule("V23-PASSENGER-RECORD", "What the times of a record say is not documented"): WARNS,
    "record-unconfirmed-at-a-time": (
        put("*Bookings*:/bookings/*/passengers/*/confirmed", False),
        put("*Bookings*:/bookings/*/passengers/*/confirmed_at", "2026-12-02T10:00:00Z"),
    ),
    rule("V23-LOCATOR"): FAILS,
    "locator-unconfirmed": put("getBookings*:/bookings/*/status", "AWAITING_PNR_AIRLINE"),
    "second-booking-awaits": others("getBookings*:/bookings", put("/status", "AWAITING_PNR_AIRLINE")),
    rule("V23-LOCATOR", "OPEN-39: a record locator generally takes up to two hours, so it may take longer"): WARNS,
    "locator-tomorrow: obtains the record locator after a day": row.sets(locator_delay=timedelta(days=1)),
    rule("V23-LOCATOR", "OPEN-39: the first status of a charter booking is not documented"): WARNS,
    "charter-awaits": put("createBookings:/bookings/*/status", "AWAITING_PNR_AIRLINE"),
    rule("V23-LOOK-UP"): FAILS,
    "retrieval-dearer": increase("getBookings*:/bookings/*/total_price", 50),
    "retrieved-fee-of-one-option": change("getBookingsV2:/bookings/*", _with_the_fee_of_one_option),
    "retrieval-of-another": put("getBookings*:/bookings/*/last_name", "Hopper"),
    "retrieval-of-one-first-name": put("getBookings*:/bookings/*/first_name", "Amelia"),
    "retrieval-other-passengers": (
        put("getBookings*:/bookings/*/passengers/*/first_name", "Grace"),
        put("getBookings*:/bookings/*/passengers/*/last_name", "Hopper"),
    ),
    "retrieval-other-fees": (
        increase("getBookings*:/bookings/*/bags_fee/checked", 9),
        increase("getBookings*:/bookings/*/luggage_fee", 9),
    ),
    "retrieved-cabin-bags-for-nothing": (
        change("searchFlights:/results/*/bags/cabin", _with_a_free_option),
        put("getBookings:/bookings/*/bags_fee/cabin", 0),
    ),
    "retrieval-created-anew": change("getBookings*:/bookings/*/created_at", _a_day_later),
    "retrieval-new-ids": (
        increase("getBookings*:/bookings/*/id", 1000),
        increase("getBookings*:/bookings/*/passengers/*/booking_id", 1000),
    ),
    "retrieval-of-others-under-the-reference": (
        increase("getBookings*:/bookings/*/id", 1000),
        increase("getBookings*:/bookings/*/request_id", 1000),
        increase("getBookings*:/bookings/*/passengers/*/booking_id", 1000),
    ),
    "retrieval-new-records": increase("getBookings*:/bookings/*/passengers/*/id", 1000),
    "retrieval-empty": put("getBookings*:/bookings", []),
    "retrieval-first-only": first("getBookings*:/bookings"),
    "retrieval-all-outward": put("getBookings:/bookings/*/type", "outward"),
    "retrieval-without-type": remove("getBookings:/bookings/*/type"),
    "retrieval-of-nothing": row.serves_empty("getBookings*:query/cp_reference:required", "bookings"),
    "second-booking-without-type": others("getBookings:/bookings", remove("/type")),
    rule("V23-LOOK-UP-UNKNOWN"): FAILS,
    "retrieval-of-anybody": row.serves("reference-unknown@*", {"bookings": [{"id": 1, "cp_reference": "CPAAAAAA"}]}),
    "retrieval-crash: an unknown cp_reference": row.crashes("reference-unknown@*"),
    "reference-beginning: finds bookings by the beginning of their reference": _finds_references(
        lambda known, sent: bool(sent) and known.startswith(sent)
    ),
    "reference-empty: finds bookings without one": _finds_references(lambda known, sent: known == sent or not sent),
    "reference-continued: finds bookings by a longer text": _finds_references(
        lambda known, sent: sent.startswith(known)
    ),
    rule("V23-LOOK-UP-UNKNOWN", "The documents do not say whether the letter case of a reference counts"): WARNS,
    "reference-any-case: ignores letter case": _finds_references(lambda known, sent: known.lower() == sent.lower()),
    rule("V23-FLIGHT-CHANGES"): FAILS,
    "change-segment-4": add(_NEW_FLIGHT, segment_4_flight_number="IB1"),
    "change-number-without-segment": add(_NEW_FLIGHT, flight_number="IB1"),
    "change-airline-alone": add(_NEW_FLIGHT, segment_1_airline_name="Iberia"),
    "change-of-nothing: responds with flight changes whose old and new values are equal": change(
        "getBookings*:/bookings/*/flight_changes/*/data", lambda data: data | {"newFlight": data["oldFlight"]}
    ),
    "change-of-everything": change("getBookings*:/bookings/*", _with_whole_flights),
    "change-not-listed": put("getBookings*:/bookings/*/flight_changes", None),
    "change-of-the-first-only": others("getBookings*:/bookings", put("/flight_changes", None)),
    "change-of-the-second-without-data": others("getBookings*:/bookings", put("/flight_changes/*/data", None)),
    "change-listed-once": after("getBookings*", _list_changes_once),
    "change-never-shown: shows neither a flight change nor the changed flight in v3": change(
        "getBookings:/bookings/*", lambda booking: booking | {"final_flight": booking["flight"], "flight_changes": []}
    ),
    "change-without-segment": add(_NEW_FLIGHT, departure_date="2027-01-01 10:00:00"),
    "change-time-iso": add(_NEW_FLIGHT, segment_1_departure_date="2027-01-01T10:00:00Z"),
    rule("V23-FLIGHT-CHANGES", "OPEN-13: how a schedule change takes effect is not documented"): WARNS,
    "change-not-flown: responds with the original flight as final_flight after a flight change": change(
        "getBookings*:/bookings/*", lambda booking: booking | {"final_flight": booking["flight"]}
    ),
    "change-of-the-past: responds with the changed flight as the original flight": change(
        "getBookings*:/bookings/*", lambda booking: booking | {"flight": booking["final_flight"]}
    ),
    "change-of-the-same-airline: lists the airline in newFlight, even if it has not changed": change(
        "getBookings*:/bookings/*", _with_the_airline
    ),
    "change-of-another-number": add(_NEW_FLIGHT, segment_1_flight_number="IB1"),
    "change-of-another-time": change(
        "getBookings*:/bookings/*/flight_changes/*/data/oldFlight/segment_1_departure_date", _a_day_later
    ),
    rule("V23-FLIGHT-CHANGES", "OPEN-93: the id of the current flight is not documented"): WARNS,
    "change-of-another-flight": put("getBookings*:/bookings/*/flight_changes/*/data/flight_id", 7),
}
