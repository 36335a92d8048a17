"""Steps that compare the passengers of bookings of v2 and v3 with those that were sent."""

from collections.abc import Iterator
from typing import Any

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
_SENT = (
    "date_of_birth",
    "nationality",
    "birth_country",
    "passport_number",
    "passport_expiry_date",
    "passport_country_of_issue",
)
_MAY_BE_ABSENT = (*_SENT, "confirmed_at", "canceled_at")


@then("the booking should contain each passenger as sent")
def _booking_contains_passengers(context: ScenarioContext, warn: RecordWarning) -> None:
    """Compare records with what was sent; the documents do not say that they are as sent, nor who is an infant."""
    sent = list(zip(_named_passengers(context), context.booking_requests.party.types, strict=True))
    for response, booking in _created_and_retrieved(context):
        records = items(booking, "passengers")
        if not all(isinstance(record.get(name), str) for record in records for name in _NAMES):
            # The contract reports a name that is not a string.
            continue
        for passenger, kind in sent:
            comparisons.add()
            own = [each for each in records if _is_named(each, passenger)]
            if not own:
                warn("a booking does not contain a passenger by the name that was sent", response.exchange)
            for name in _differing(passenger, kind, own) if own else ():
                warn(f"{name} of a passenger record is not what was sent", response.exchange)


def _differing(passenger: dict[str, Any], kind: str, records: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the members in which no record is that of a passenger, in whatever form (OPEN-10, OPEN-83)."""
    if not any(_has_gender(each, passenger) for each in records):
        yield "gender"
    for name in ("date_of_birth", "passport_expiry_date"):
        if all(are_of_different_days(passenger.get(name), each.get(name)) for each in records):
            yield name
    # The passengers of the suite are of no age that is open (OPEN-84).
    if all(each.get("is_infant") is (kind != "infant") for each in records):
        yield "is_infant"


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
            lost = [name for name in _SENT if name in record and record[name] is None]
            if lost:
                warn(f"{', '.join(lost)} of a passenger record is null although it was sent", response.exchange)


def _has_gender(record: dict[str, Any], passenger: dict[str, Any]) -> bool:
    """Return whether a record does not have the other gender, as far as the values can be compared (OPEN-83)."""
    returned, sent = genders([record]), genders([passenger])
    return not returned or not sent or returned == sent


def _is_named(record: dict[str, Any], passenger: dict[str, Any]) -> bool:
    """Return whether a record is of a passenger, regardless of titles, middle names, letter case and accents."""
    return all(comparable(passenger[name]) in (comparable(record.get(name)) or "") for name in _NAMES)
