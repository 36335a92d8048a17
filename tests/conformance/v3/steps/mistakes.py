"""Steps that send mistakes which v2 and v3 may ignore or reject, but not answer with a 5xx status."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

from airworthy.contract.http.transaction import member
from conformance.parsed_response import expect_status
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then, when
from conformance.steps.responses import expect_no_server_error
from conformance.v3 import request_bodies as bodies
from conformance.v3.booking_client import BookingClient
from conformance.v3.flight_client import Flight, FlightCriteria
from conformance.v3.request_bodies import Interface
from conformance.v4.request_bodies import PassengerCounts

# Beyond 32 bits, but neither beyond what JSON libraries read exactly nor as long as the number of a card.
_LARGE_ID: Final = 2**40
_REFERENCE: Final = "O'Hara %_\\ " + "X" * 300


@when(
    "the client sends the search with each value that the service may ignore or reject",
    "V23-FLIGHTS-WINDOW",
    "V23-FLIGHTS-PARAMETERS",
)
def _send_unusual_searches(context: ScenarioContext) -> None:
    """Send what is open for a search and its cursor (OPEN-78, OPEN-80), and an unknown customer (OPEN-90)."""
    search, day = context.request, timedelta(days=1)
    start, yesterday = date.fromisoformat(search.query["start"]), context.v3.today - day
    changes: list[Mapping[str, str]] = [
        {"end": (start - day).isoformat()},
        {"start": yesterday.isoformat(), "end": (yesterday + 3 * day).isoformat()},
        {"start": f"{start.year}-02-30", "end": f"{start.year}-02-31"},
        {"destination": search.query["origin"]},
        {"destination": "QQQ"},
        {"seats": "0"},
        {"next_page_id": ""},
        {"next_page_id": "airworthy"},
    ]
    if context.flight_criteria.interface == "v3":
        changes.append({"customerCode": bodies.UNKNOWN_CUSTOMER})
    context.together = tuple(context.service.send(search.with_query(**change)) for change in changes)


@when("the client sends it for an unborn passenger, a child without an adult, a long name and ten adults")
def _send_unusual_passengers(context: ScenarioContext) -> None:
    """Send passengers that a service may accept or reject (OPEN-84), without booking them."""
    today, notation = context.v3.today, context.v3.notation("v3")
    [passenger] = context.request.body["passengers"]
    born = [(today + timedelta(days=days)).strftime(notation.date_format) for days in (400, -7 * 365)]
    parties = [
        *([{**passenger, "date_of_birth": each}] for each in born),
        [{**passenger, "last_name": "Llanfairpwllgwyngyll" * 15}],
        bodies.passengers(PassengerCounts(10), today, notation),
    ]
    drafts = [context.request.with_value("passengers", party) for party in parties]
    context.together = tuple(context.service.send(draft) for draft in drafts)


@when("the client sends impossible ids and references, repeated ids, and two flights of one day", "V23-LOOK-UP")
def _send_unusual_ids(context: ScenarioContext) -> None:
    interface, pending = context.booking_requests.interface, context.booking_requests
    flight, request = ({**each[0], "id": _LARGE_ID} for each in (pending.flights, pending.requests))
    drafts = [
        context.v3.request_draft(interface, [flight], pending.party),
        bodies.of_one_request(bodies.with_another_request(context.request, request), _LARGE_ID),
        bodies.get_bookings(interface, _REFERENCE),
        context.v3.request_draft(interface, [pending.flights[0]] * 2, pending.party),
        bodies.with_another_request(context.request, pending.requests[0]),
    ]
    if len(of_one_day := _flights_of_one_day(context.v3, interface)) > 1:
        drafts.append(context.v3.request_draft(interface, of_one_day, pending.party))
    if interface == "v3":
        drafts += [bodies.cancel_request(each) for each in (_LARGE_ID, "airworthy")]
    context.together = tuple(context.service.send(each) for each in drafts)


def _flights_of_one_day(booking_client: BookingClient, interface: Interface) -> list[Flight]:
    """Return two flights of one route that leave on the same day, or fewer if a search finds no two."""
    found = booking_client.search_with_flights(FlightCriteria(interface)).flights
    by_day = defaultdict[str, list[Flight]](list)
    for each in found:
        by_day[str(member(each, "departure_date"))[:10]].append(each)
    return max(by_day.values(), key=len)[:2]


@then("no response has a 5xx status")
def _no_server_error(context: ScenarioContext) -> None:
    for response in context.together:
        expect_no_server_error(response)


# Tokens


@when("the client sends it with a wrong token in both forms")
def _the_client_sends_wrong_tokens(context: ScenarioContext, wrong_key: str) -> None:
    keys = (f"Bearer {wrong_key}", wrong_key)
    context.together = tuple(context.service.send(context.request, key=key) for key in keys)
    context.response = context.together[0]


@then("the service accepts neither")
def _the_service_accepts_neither(context: ScenarioContext) -> None:
    for response in context.together:
        # The status code of a form that the service does not accept is not documented (OPEN-18).
        expect_status(response, response.rejected, "the service must reject a wrong token in every form", "status 4xx")
