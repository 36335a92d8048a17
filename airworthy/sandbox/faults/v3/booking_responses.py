"""Faults in the bookings of responses, and in GET bookings."""

from datetime import date, timedelta
from typing import Any

from airworthy.sandbox.faults.changes import add, change, edit_responses, put, remove, with_success
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import crashes

_CREATED = ("createBookings", "createBookingsV2")
_READ = ("getBookings", "getBookingsV2")
_BOTH = (*_CREATED, *_READ)
_OTHER_GENDER = {"male": "female", "female": "male"}


def _with_change(**keys: object) -> Any:  # noqa: ANN401 - an edit of any JSON
    return add("/bookings/*/flight_changes/*/data/newFlight", **keys)


def _with_whole_flights(booking: dict[str, Any]) -> dict[str, Any]:
    data = {"oldFlight": booking["flight"], "newFlight": booking["final_flight"], "flight_id": booking["flight_id"]}
    changes = [{**each, "data": data} for each in booking["flight_changes"] or ()]
    return booking | {"flight_changes": changes}


def _a_day_later(text: str) -> str:
    return (date.fromisoformat(text[:10]) + timedelta(days=1)).isoformat() + text[10:]


def _born_together(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each | {"date_of_birth": records[-1]["date_of_birth"]} for each in records]


def _with_other_infants(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    marks = [each["is_infant"] for each in reversed(records)]
    return [each | {"is_infant": mark} for each, mark in zip(records, marks, strict=True)]


def _with_other_genders(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    genders = [each["gender"] for each in reversed(records)]
    return [each | {"gender": gender} for each, gender in zip(records, genders, strict=True)]


FAULTS: tuple[Fault, ...] = (
    Fault(
        "booking-without-bags",
        "V23-BOOKINGS-AS-REQUESTED",
        "The service responds with bookings that have no bags",
        rewrite=edit_responses(
            _BOTH, put("/bookings/*/bags", {"checked": [], "cabin": []}), put("/bookings/*/luggage", [])
        ),
    ),
    Fault(
        "records-of-one-id",
        "V23-PASSENGER-RECORD",
        "The service responds with the same id for every passenger of a booking",
        rewrite=edit_responses(_BOTH, put("/bookings/*/passengers/*/id", 7)),
    ),
    Fault(
        "record-of-another",
        "V23-PASSENGER-RECORD",
        "The service responds with passengers of a booking that have another first_name",
        rewrite=edit_responses(_BOTH, put("/bookings/*/passengers/*/first_name", "NOBODY")),
    ),
    Fault(
        "record-born-later",
        "V23-PASSENGER-RECORD",
        "The service responds with passengers of a booking that were born a day later",
        rewrite=edit_responses(_BOTH, change("/bookings/*/passengers/*/date_of_birth", _a_day_later)),
    ),
    Fault(
        "record-of-another-birth",
        "V23-PASSENGER-RECORD",
        "The service responds with the date of birth of the last passenger for every passenger",
        rewrite=edit_responses(_BOTH, change("/bookings/*/passengers", _born_together)),
    ),
    Fault(
        "record-of-another-infant",
        "V23-PASSENGER-RECORD",
        "The service responds with is_infant of the passengers in reverse order",
        rewrite=edit_responses(_BOTH, change("/bookings/*/passengers", _with_other_infants)),
    ),
    Fault(
        "record-turned-gender",
        "V23-PASSENGER-RECORD",
        "The service responds to the creation of a booking with the other gender for every passenger",
        rewrite=edit_responses(_CREATED, change("/bookings/*/passengers/*/gender", _OTHER_GENDER.__getitem__)),
    ),
    Fault(
        "record-of-another-gender",
        "V23-PASSENGER-RECORD",
        "The service responds with the genders of the passengers in reverse order",
        rewrite=edit_responses(_READ, change("/bookings/*/passengers", _with_other_genders)),
    ),
    Fault(
        "record-empty-texts",
        "V23-PASSENGER-RECORD",
        "The service responds with empty strings for absent values of passengers",
        rewrite=edit_responses(_READ, put("/bookings/*/passengers/*/canceled_at", "")),
    ),
    Fault(
        "record-without-birth-date",
        "V23-PASSENGER-RECORD",
        "The service responds with passengers of a booking whose date_of_birth is null",
        rewrite=edit_responses(_BOTH, put("/bookings/*/passengers/*/date_of_birth", None)),
    ),
    Fault(
        "record-without-nationality",
        "V23-PASSENGER-RECORD",
        "The service responds with passengers of a booking whose nationality is null",
        rewrite=edit_responses(_BOTH, put("/bookings/*/passengers/*/nationality", None)),
        verdict="warning",
        reason="OPEN-38: booker data come back normalized; what a service returns of a passenger is not written",
    ),
    Fault(
        "locator-tomorrow",
        "V23-LOCATOR",
        "The service obtains the record locator after a day",
        policy={"locator_delay": timedelta(days=1)},
        verdict="warning",
        reason="OPEN-39: a record locator generally takes up to two hours, so it may take longer",
    ),
    Fault(
        "charter-awaits",
        "V23-LOCATOR",
        "The service responds with AWAITING_PNR_AIRLINE for the booking of a charter flight in v3",
        rewrite=edit_responses("createBookings", put("/bookings/*/status", "AWAITING_PNR_AIRLINE")),
        verdict="warning",
        reason="OPEN-39: the first status of a charter booking is not documented",
    ),
    Fault(
        "retrieval-dearer",
        "V23-LOOK-UP",
        "The service responds with a higher total_price when a booking is retrieved",
        rewrite=edit_responses(_READ, change("/bookings/*/total_price", lambda total: total + 50)),
    ),
    Fault(
        "retrieval-of-another",
        "V23-LOOK-UP",
        "The service responds with another last_name when a booking is retrieved",
        rewrite=edit_responses(_READ, put("/bookings/*/last_name", "Hopper")),
    ),
    Fault(
        "retrieval-other-passengers",
        "V23-LOOK-UP",
        "The service responds with other names of the passengers when a booking is retrieved",
        rewrite=edit_responses(
            _READ,
            put("/bookings/*/passengers/*/first_name", "Grace"),
            put("/bookings/*/passengers/*/last_name", "Hopper"),
        ),
    ),
    Fault(
        "retrieval-other-fees",
        "V23-LOOK-UP",
        "The service responds with another baggage fee when a booking is retrieved",
        rewrite=edit_responses(
            _READ,
            change("/bookings/*/bags_fee/checked", lambda fee: fee + 9),
            change("/bookings/*/luggage_fee", lambda fee: fee + 9),
        ),
    ),
    Fault(
        "retrieval-created-anew",
        "V23-LOOK-UP",
        "The service responds with a later created_at when a booking is retrieved",
        rewrite=edit_responses(_READ, change("/bookings/*/created_at", _a_day_later)),
    ),
    Fault(
        "retrieval-new-records",
        "V23-LOOK-UP",
        "The service responds with other ids of the passengers when a booking is retrieved",
        rewrite=edit_responses(_READ, change("/bookings/*/passengers/*/id", lambda number: number + 1000)),
    ),
    Fault(
        "retrieval-empty",
        "V23-LOOK-UP",
        "The service responds with an empty list when a booking is retrieved",
        rewrite=edit_responses(_READ, put("/bookings", [])),
    ),
    Fault(
        "retrieval-first-only",
        "V23-LOOK-UP",
        "The service responds with one of two bookings when they are retrieved",
        rewrite=edit_responses(_READ, change("/bookings", lambda bookings: bookings[:1])),
    ),
    Fault(
        "retrieval-all-outward",
        "V23-LOOK-UP",
        "The service responds with the type outward for every v3 booking that is retrieved",
        rewrite=edit_responses("getBookings", put("/bookings/*/type", "outward")),
    ),
    Fault(
        "retrieval-without-type",
        "V23-LOOK-UP",
        "The service responds without type for the bookings of a round trip",
        rewrite=edit_responses("getBookings", remove("/bookings/*/type")),
    ),
    Fault(
        "retrieval-of-nothing",
        "V23-LOOK-UP",
        "The service responds with 200 and an empty list where cp_reference is missing",
        rewords={"getBookings*:query/cp_reference:required": with_success({"bookings": []})},
    ),
    Fault(
        "retrieval-of-anybody",
        "V23-LOOK-UP-UNKNOWN",
        "The service responds to an unknown cp_reference with another booking",
        rewords={"reference-unknown@*": with_success({"bookings": [{"id": 1, "cp_reference": "CPAAAAAA"}]})},
    ),
    crashes("retrieval-crash", "V23-LOOK-UP-UNKNOWN", "an unknown cp_reference", "reference-unknown@*"),
    Fault(
        "change-segment-4",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes of a fourth segment",
        rewrite=edit_responses(_READ, _with_change(segment_4_flight_number="IB1")),
    ),
    Fault(
        "change-number-without-segment",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes whose flight_number names no segment",
        rewrite=edit_responses(_READ, _with_change(flight_number="IB1")),
    ),
    Fault(
        "change-airline-alone",
        "V23-FLIGHT-CHANGES",
        "The service responds with a flight change that has an airline name without its code",
        rewrite=edit_responses(_READ, _with_change(segment_1_airline_name="Iberia")),
    ),
    Fault(
        "change-of-another-flight",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes of another flight",
        rewrite=edit_responses(_READ, put("/bookings/*/flight_changes/*/data/flight_id", 7)),
        verdict="warning",
        reason="OPEN-93: the id of the current flight is not documented",
    ),
    Fault(
        "change-of-nothing",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes whose old and new values are equal",
        rewrite=edit_responses(
            _READ, change("/bookings/*/flight_changes/*/data", lambda data: data | {"newFlight": data["oldFlight"]})
        ),
    ),
    Fault(
        "change-of-everything",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes that contain the whole flights",
        rewrite=edit_responses(_READ, change("/bookings/*", _with_whole_flights)),
    ),
    Fault(
        "change-not-flown",
        "V23-FLIGHT-CHANGES",
        "The service responds with the original flight as final_flight after a flight change",
        rewrite=edit_responses(
            _READ, change("/bookings/*", lambda booking: booking | {"final_flight": booking["flight"]})
        ),
        verdict="warning",
        reason="OPEN-13: how a schedule change takes effect is not documented",
    ),
    Fault(
        "change-of-the-past",
        "V23-FLIGHT-CHANGES",
        "The service responds with the changed flight as the original flight",
        rewrite=edit_responses(
            _READ, change("/bookings/*", lambda booking: booking | {"flight": booking["final_flight"]})
        ),
        verdict="warning",
        reason="OPEN-13: how a schedule change takes effect is not documented",
    ),
    Fault(
        "change-not-listed",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight_changes set to null after a flight change",
        rewrite=edit_responses(_READ, put("/bookings/*/flight_changes", None)),
    ),
    Fault(
        "change-of-another-time",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes whose oldFlight departs at another time than the original flight",
        rewrite=edit_responses(
            _READ, change("/bookings/*/flight_changes/*/data/oldFlight/segment_1_departure_date", _a_day_later)
        ),
        verdict="warning",
        reason="OPEN-13: how a schedule change takes effect is not documented",
    ),
    Fault(
        "change-never-shown",
        "V23-FLIGHT-CHANGES",
        "The service shows neither a flight change nor the changed flight in v3",
        rewrite=edit_responses(
            "getBookings",
            change("/bookings/*", lambda booking: booking | {"final_flight": booking["flight"], "flight_changes": []}),
        ),
    ),
    Fault(
        "change-without-segment",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes whose departure_date names no segment",
        rewrite=edit_responses(_READ, _with_change(departure_date="2027-01-01 10:00:00")),
    ),
    Fault(
        "change-time-iso",
        "V23-FLIGHT-CHANGES",
        "The service responds with flight changes whose times are in ISO 8601 format",
        rewrite=edit_responses(_READ, _with_change(segment_1_departure_date="2027-01-01T10:00:00Z")),
    ),
)
