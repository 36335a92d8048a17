"""Requests of v3 scenarios that depend on earlier ones."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import Untested
from airworthy.suite.processes import Share
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.v3.booking_client import BookingClient
from conformance.v3.flight_client import FlightSearchResult
from conformance.v3.requested_flights import RequestedFlights
from conformance.v3.steps.requested_bags import remove_last
from conformance.v3.steps.retrieved_bookings import should_have_a_locator
from unit.evidence.stub import exchange

FLIGHT = {
    "origin": {"iata_code": "MAD"},
    "destination": {"iata_code": "PMI"},
    "departure_date": "2026-12-01 09:00:00",
    "arrival_date": "2026-12-01 12:00:00",
    "segments": [
        {
            "marketing_carrier": {"iata_code": "IB"},
            "marketing_carrier_flight_number": 3915,
            "operating_carrier": {"iata_code": "I2"},
            "operating_carrier_flight_number": 3915,
        }
    ],
}


def requesting(*flights: int) -> RequestDraft:
    return RequestDraft("createRequests", "POST", "/v3/requests", body={"flight_ids": list(flights)})


def response(requested: RequestedFlights, draft: RequestDraft, status: int) -> ParsedResponse:
    made = exchange(draft.body, b"", url=f"https://service.example{draft.path}", status=status)
    requested.follow(made)
    return ParsedResponse(made)


def test_seats_may_be_taken_by_earlier_booking_requests_only() -> None:
    requested = RequestedFlights()
    first, accepted = requesting(1, 2), requesting(7)
    assert not requested.may_explain(first, response(requested, first, 409))
    assert not requested.may_explain(accepted, response(requested, accepted, 200))
    assert requested.may_explain(accepted, response(requested, accepted, 404))


def test_seats_may_be_taken_by_another_process(tmp_path: Path) -> None:
    first, second = (RequestedFlights(Share(number, 2, tmp_path / "taken")) for number in range(2))
    rejected, never_taken = requesting(1), requesting(2)
    assert not second.may_explain(rejected, response(second, rejected, 409))
    response(first, rejected, 200)
    assert second.may_explain(rejected, response(second, rejected, 409))
    assert not second.may_explain(never_taken, response(second, never_taken, 409))


def test_flight_with_a_new_id_is_the_one_that_was_requested() -> None:
    requested = RequestedFlights()
    same, later = (
        {**FLIGHT, "id": key, "departure_date": f"2026-12-01 {hour}:00:00"} for key, hour in ((7, "09"), (8, "10"))
    )
    assert requested.find("v3", FLIGHT | {"id": 1}) == requested.find("v2", same) != requested.find("v3", later)
    response(requested, requesting(1), 200)
    assert requested.may_explain(requesting(1), response(requested, requesting(1), 409))
    assert not requested.may_explain(requesting(8), response(requested, requesting(8), 409))
    in_v2 = RequestDraft("createRequestsV2", "POST", "/v2/requests", body={"flights": [7]})
    assert not requested.may_explain(in_v2, response(requested, in_v2, 409))
    response(requested, RequestDraft("createRequestsV2", "POST", "/v2/requests", body={"flights": [9]}), 200)
    assert requested.may_explain(in_v2, response(requested, in_v2, 409))


def client_of(*statuses: int) -> BookingClient:
    """Return a client of a service that responds with these status codes."""
    requested, left = RequestedFlights(), iter(statuses)
    service: Any = SimpleNamespace(
        client=SimpleNamespace(listeners=[]),
        causes=[],
        documented_uses={},
        once=list,
        token=lambda _: SimpleNamespace(date_format="YYYY-MM-DD", genders=("male", "female")),
        send=lambda draft: response(requested, draft, next(left)),
    )
    return BookingClient(service, requested_flights=requested)


def test_flight_that_is_gone_does_not_settle_the_notation() -> None:
    client = client_of(409, 400, 409, 400, 200, 400)

    for expected, is_settled in ((409, False), (409, False), (200, True), (400, True)):
        _, last = client._understood("v3", lambda: requesting(1))
        assert (last.status, "v3" in client.known_notations) == (expected, is_settled)


def test_options_that_differ_in_quantity_only_are_left_out_together() -> None:
    small: dict[str, Any] = {"dimensions": {"width": 20, "height": 30, "length": 40}, "quantity": 1}
    light, heavy = {"weight": 10, "quantity": 1}, {"weight": 20, "quantity": 1}
    cases: list[tuple[list[dict[str, Any]], list[dict[str, Any]]]] = [
        ([light, heavy, heavy | {"quantity": 2}], [light]),
        ([heavy, light], [heavy]),
        ([light, small, small | {"weight": 8}], [light]),
    ]
    for options, left in cases:
        remaining = list(options)
        remove_last(remaining)
        assert remaining == left, options


def test_every_fare_is_looked_at_for_one_whose_flights_a_search_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    client, fares = client_of(), [{"outward_id": each, "return_id": each} for each in range(40)]
    found = FlightSearchResult(requesting(), ParsedResponse(exchange(received={"fares": fares})))

    def flights_of(_: FlightSearchResult, fare: dict[str, Any]) -> list[Any]:
        if fare["outward_id"] < least:
            raise Untested("no one-way search finds it")
        return [*fare.values()]

    monkeypatch.setattr(client, "flights_of", flights_of)
    least = 38
    flights: list[Any] = [*client.flights_of_fares(found)]
    assert flights == [[38, 38], [39, 39]]
    least = 40
    with pytest.raises(Untested, match="no one-way search"):
        next(client.flights_of_fares(found))


@pytest.mark.parametrize(
    ("status", "locator", "recorded"),
    [
        ("CONFIRMED", "X1Y2Z3", []),
        ("CONFIRMED", None, ["warning"]),
        ("AWAITING_PNR_AIRLINE", None, ["warning"]),
        ("CANCELED", None, ["OPEN-11"]),
        ("CHANGED", "", ["OPEN-11"]),
    ],
)
def test_booking_may_be_canceled_before_its_record_locator_arrives(
    status: str, locator: str | None, recorded: list[str]
) -> None:
    capture, nothing = Capture("the booking is retrieved"), cast("Any", None)
    shown = exchange(received={"bookings": [{"status": status, "pnr_airline": locator}]})

    should_have_a_locator(ScenarioContext(nothing, nothing, None, capture, response=ParsedResponse(shown)))
    assert [*("warning" for _ in capture.warnings), *(each.open_id for each in capture.observations)] == recorded
