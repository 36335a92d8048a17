"""Steps that compare the passengers of bookings of v2 and v3 with those that were sent."""

from collections.abc import Iterator
from typing import Any

from airworthy.contract.http.transaction import items
from airworthy.suite.outcomes import comparisons
from conformance.parsed_response import ParsedResponse
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then
from conformance.v3.steps.retrieved_bookings import comparable

_NAMES = ("first_name", "last_name")
_MAY_BE_ABSENT = (
    *("nationality", "birth_country", "passport_number", "passport_expiry_date", "passport_country_of_issue"),
    *("date_of_birth", "confirmed_at", "canceled_at"),
)


@then("the booking contains the infants as infants")
def _booking_contains_infants(context: ScenarioContext) -> None:
    """Compare the mark of each record; the passengers of the suite are of no age that is open (OPEN-84)."""
    types = context.booking_requests.party.types
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
