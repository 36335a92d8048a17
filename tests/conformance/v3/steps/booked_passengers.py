"""Steps that compare the passengers of bookings of v2 and v3 with those that were sent."""

from collections.abc import Iterator
from typing import Any

from airworthy.contract import wording
from airworthy.contract.transaction import items
from airworthy.contract.v3.parties import genders
from airworthy.suite.outcomes import comparisons, expect
from conformance.fixtures import RecordWarning
from conformance.parsed_response import ParsedResponse
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then
from conformance.v3.dates_of_passengers import are_of_different_days
from conformance.v3.steps.retrieved_bookings import comparable

_NAMES = ("first_name", "last_name")
_SENT = ("nationality", "birth_country", "passport_number", "passport_expiry_date", "passport_country_of_issue")
_MAY_BE_ABSENT = (*_SENT, "date_of_birth", "confirmed_at", "canceled_at")


@then("the booking contains each passenger by name")
def _booking_contains_passengers(context: ScenarioContext) -> None:
    named = _named_passengers(context)
    for response, booking in _created_and_retrieved(context):
        records = items(booking, "passengers")
        if not all(isinstance(record.get(name), str) for record in records for name in _NAMES):
            # The contract reports a name that is not a string.
            continue
        expect(
            all(any(_is_named(record, passenger) for record in records) for passenger in named),
            "a booking must contain each passenger by name",
            expected="the names that were sent, in any letter case",
            actual="other names",
            pointer="/bookings/0/passengers",
            exchange=response.exchange,
        )
        expect(
            all(
                _has_gender(record, passenger)
                for passenger in named
                for record in records
                if _is_named(record, passenger)
            ),
            "gender of a passenger must be the one that was sent",
            expected="the same gender, in any notation",
            actual="the other gender",
            pointer="/bookings/0/passengers/0/gender",
            exchange=response.exchange,
        )
        for name in ("date_of_birth", "passport_expiry_date"):
            # In whatever format (OPEN-10).
            expect(
                all(
                    _has_day(name, passenger, [each for each in records if _is_named(each, passenger)])
                    for passenger in named
                ),
                f"{name} of a passenger must be the day that was sent",
                expected="the same day, in any format",
                actual="another day",
                pointer=f"/bookings/0/passengers/0/{name}",
                exchange=response.exchange,
            )


@then("the booking contains the infants as infants")
def _booking_contains_infants(context: ScenarioContext) -> None:
    """Compare the mark of each record; the passengers of the suite are of no age that is open (OPEN-84)."""
    types = context.booking_requests.party.types
    for response, booking in _created_and_retrieved(context):
        for passenger, kind in zip(_named_passengers(context), types, strict=True):
            marks = [each.get("is_infant") for each in items(booking, "passengers") if _is_named(each, passenger)]
            comparisons.add(len(marks))
            expect(
                (kind != "infant") not in marks,
                "is_infant of a passenger record must be true for infants only",
                expected=f"{str(kind == 'infant').lower()} for {'an infant' if kind == 'infant' else f'an {kind}'}",
                actual=str(kind != "infant").lower(),
                pointer="/bookings/0/passengers/0/is_infant",
                exchange=response.exchange,
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
def _only_absent_values_are_null(context: ScenarioContext, warn: RecordWarning) -> None:
    response = context.last_response
    for index, booking in enumerate(response.array("bookings")):
        for number, record in enumerate(items(booking, "passengers")):
            place = f"/bookings/{index}/passengers/{number}"
            # The suite does not send empty values.
            empty = [name for name in _MAY_BE_ABSENT if record.get(name) == ""]
            expect(
                not empty,
                "absent values of a passenger record must be null",
                expected="null",
                actual=f"{', '.join(empty)} is an empty string",
                pointer="/".join((place, *empty[:1])),
                exchange=response.exchange,
            )
            expect(
                "date_of_birth" not in record or record["date_of_birth"] is not None,
                "a passenger record must contain the date of birth that was sent",
                expected="the day that was sent, in any format",
                actual="null",
                pointer=f"{place}/date_of_birth",
                exchange=response.exchange,
            )
            lost = [name for name in _SENT if name in record and record[name] is None]
            if lost:
                warn(f"{', '.join(lost)} of a passenger record is null although it was sent", response.exchange)


def _has_day(name: str, passenger: dict[str, Any], records: list[dict[str, Any]]) -> bool:
    return any(not are_of_different_days(passenger.get(name), record.get(name)) for record in records)


def _has_gender(record: dict[str, Any], passenger: dict[str, Any]) -> bool:
    """Return whether a record does not have the other gender, as far as the values can be compared (OPEN-83)."""
    returned, sent = genders([record]), genders([passenger])
    return not returned or not sent or returned == sent


def _is_named(record: dict[str, Any], passenger: dict[str, Any]) -> bool:
    """Return whether a record is of a passenger, regardless of titles, middle names, letter case and accents."""
    return all(comparable(passenger[name]) in (comparable(record.get(name)) or "") for name in _NAMES)


@then("the booking has the number of its passengers")
def _booking_counts_passengers(context: ScenarioContext) -> None:
    party = context.booking_requests.party
    seated = party.adults + party.children
    for booking in context.last_response.array("bookings"):
        # The documents do not say whether passenger_count includes infants (OPEN-82).
        counted = booking.get("passenger_count") in (seated, seated + party.infants)
        expect(
            counted and booking.get("infant_count") == party.infants,
            "a booking must contain the number of its passengers",
            expected=f"{seated} passengers, or {seated + party.infants} with infants, and {party.infants} infants",
            actual=f"{wording.shown(booking.get('passenger_count'))} passengers and "
            f"{wording.shown(booking.get('infant_count'))} infants",
            pointer="/bookings/0/passenger_count",
            exchange=context.last_response.exchange,
        )
