"""Steps that check how a client's mistake is found in its traffic, on exchanges made for the purpose.

The unchanged exchange must have no findings, so that every finding comes from the one change.
"""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from urllib.parse import parse_qsl

from airworthy.contract.http.exchange import Exchange, Response, header
from airworthy.suite.request_members import MISSING
from conformance.fixtures import SyntheticTraffic
from conformance.passenger_counts import PARTY, parse_party
from conformance.request_draft import with_field
from conformance.scenario_context import ScenarioContext
from conformance.step_table import given, then, when
from conformance.v3 import samples as flight_samples
from conformance.v4 import samples

_ORDERING = 4


@given(rf"a documented exchange of (?P<operation>\w+)(?: for (?P<party>{PARTY}))?")
@given(r"a documented exchange of (?P<operation>\w+), then one of (?P<following>\w+)")
def _documented_exchanges(
    context: ScenarioContext, traffic: SyntheticTraffic, operation: str, party: str = "", following: str = ""
) -> None:
    travellers = parse_party(party) if party else None
    operations = filter(None, (operation, following))
    context.exchanges = [flight_samples.sample(each) or samples.sample(each, travellers) for each in operations]
    if operation != "verifyFlight":
        traffic.check_no_findings(context.exchanges)


@given("a documented exchange of verifyFlight before its deprecation")
def _a_documented_verification(context: ScenarioContext, traffic: SyntheticTraffic) -> None:
    context.exchanges = [flight_samples.verification()]
    traffic.tolerate("V3-VERIFY-DEPRECATED")


@when(r"the exchange took place on (?P<day>\d{4}-\d{2}-\d{2})")
def _move_exchange_to(context: ScenarioContext, day: str) -> None:
    started = datetime.fromisoformat(f"{day}T12:00:00+00:00")
    context.exchanges = [replace(_one(context), started=started)]


_CONVERSATIONS: Final[Mapping[str, Callable[[], list[Exchange]]]] = {
    "": samples.conversation,
    " in v2": partial(flight_samples.conversation, "v2"),
    " in v3": partial(flight_samples.conversation, "v3"),
    " in v3 about a flight that requires passport data": flight_samples.request_with_passports,
}


@given(f"a documented conversation(?P<where>{'|'.join(_CONVERSATIONS)})")
def _a_documented_conversation(context: ScenarioContext, traffic: SyntheticTraffic, where: str) -> None:
    context.exchanges = _CONVERSATIONS[where]()
    traffic.check_no_findings(context.exchanges)


@when("the client creates another booking after the card was declined")
def _book_aborted_request(context: ScenarioContext) -> None:
    search, requesting, booking, _ = context.exchanges
    declined = replace(booking, id="declined", response=Response(402, (), b""))
    again = replace(booking, id="again", started=booking.started + timedelta(seconds=20), response=None)
    context.exchanges = [search, requesting, declined, again]


@when("the client books for one more passenger")
def _book_one_more_passenger(context: ScenarioContext) -> None:
    search, requesting, booking, _ = context.exchanges
    body = _sent(booking)
    assert isinstance(body, dict)
    changed = samples.with_request(booking, body | {"passengers": body["passengers"] * 2})
    context.exchanges = [search, requesting, replace(changed, response=None)]


@when("the client leaves the passport data out")
def _leave_out_passport_data(context: ScenarioContext) -> None:
    search, requesting = context.exchanges
    body = _sent(requesting)
    assert isinstance(body, dict)
    for passenger in body["passengers"]:
        for name in ("passport_number", "passport_expiry_date", "passport_country_of_issue", "nationality"):
            passenger.pop(name)
    context.exchanges = [search, replace(samples.with_request(requesting, body), response=None)]


def _one(context: ScenarioContext) -> Exchange:
    (exchange,) = context.exchanges
    return exchange


def _sent(exchange: Exchange) -> object:
    return json.loads(exchange.request.body or b"{}")


def _send_with(context: ScenarioContext, field: str, value: object) -> None:
    """Change what a client sends, the order in a conversation, without a response: the service is not judged here."""
    index = _ORDERING if len(context.exchanges) > _ORDERING else 0
    exchange = context.exchanges[index]
    changed = samples.with_request(exchange, with_field(_sent(exchange), field, value))
    context.exchanges = [*context.exchanges[:index], replace(changed, response=None)]


@when(r"the client leaves the header (?P<name>[\w-]+) out")
@when(r'the client sends the header (?P<name>[\w-]+) as "(?P<value>[^"]*)"')
def _send_header(context: ScenarioContext, name: str, value: str | None = None) -> None:
    context.exchanges = [replace(samples.with_header(_one(context), name, value), response=None)]


def _send_to(context: ScenarioContext, url: str, method: str | None = None) -> None:
    exchange = _one(context)
    request = replace(exchange.request, url=url, method=method or exchange.request.method)
    context.exchanges = [replace(exchange, request=request, response=None)]


@when("the client sends it over plain HTTP")
def _send_over_plain_http(context: ScenarioContext) -> None:
    _send_to(context, _one(context).request.url.replace("https://", "http://", 1))


@when("the client sends the payment provider's token to the service")
def _send_token_to_service(context: ScenarioContext) -> None:
    paying, calling = context.exchanges
    token = header(paying.request.headers, "Authorization") or ""
    secret = base64.b64decode(token.removeprefix("Basic ")).decode().removesuffix(":")
    context.exchanges = [paying, replace(samples.with_header(calling, "Authorization", secret), response=None)]


@when("the client sends the service's key to the payment provider")
def _send_key_to_provider(context: ScenarioContext) -> None:
    calling, paying = context.exchanges
    key = header(calling.request.headers, "Authorization") or ""
    basic = base64.b64encode(f"{key}:".encode()).decode()
    context.exchanges = [
        calling,
        replace(samples.with_header(paying, "Authorization", f"Basic {basic}"), response=None),
    ]


@when(r"the client sends (?P<method>[A-Z]+) (?P<path>/\S+) instead")
def _send_method_and_path(context: ScenarioContext, method: str, path: str) -> None:
    _send_to(context, samples.BASE + path, method)


@when(r"the client leaves (?P<field>[a-z_][\w.\[\]]*) out")
@when(r"the client sends (?P<field>[a-zA-Z_][\w.\[\]]*) as (?P<value>.+)")
def _send_field(context: ScenarioContext, field: str, value: str | None = None) -> None:
    _send_with(context, field, MISSING if value is None else json.loads(value))


@when(r"the service responds with (?P<field>[a-zA-Z_][\w.\[\]]*) as (?P<value>.+)")
def _respond_with_field(context: ScenarioContext, field: str, value: str) -> None:
    exchange = _one(context)
    assert exchange.response is not None
    body = json.loads(exchange.response.body or b"{}")
    context.exchanges = [samples.with_response_body(exchange, with_field(body, field, json.loads(value)))]


@when(r'the client sends the identifier "(?P<identifier>[^"]+)"')
def _send_identifier(context: ScenarioContext, identifier: str) -> None:
    head, _, tail = _one(context).request.url.partition("/v4/")
    resource, _, rest = tail.partition("/")
    _, slash, action = rest.partition("/")
    _send_to(context, f"{head}/v4/{resource}/{identifier}{slash}{action}")


# The payment provider's form


@when(r"the client leaves the form field (?P<name>\S+) out")
@when(r'the client sends the form field (?P<name>\S+) as "(?P<value>[^"]*)"')
def _send_form_field(context: ScenarioContext, name: str, value: str | None = None) -> None:
    exchange = _one(context)
    form = dict(parse_qsl((exchange.request.body or b"").decode())) | {name: value}
    context.exchanges = [samples.with_form(exchange, {key: each for key, each in form.items() if each is not None})]


# Orders


@when(r"the client numbers the passengers (?P<first>\d) and (?P<second>\d)")
def _number_passengers(context: ScenarioContext, first: str, second: str) -> None:
    for index, number in enumerate((int(first), int(second))):
        _send_with(context, f"passengers[{index}].number", number)
        _send_with(context, f"selectedBaggage[{index}].passengerNumber", number)


@when(r"the infant was born (?P<years>\d) years before the request")
def _set_age_of_infant(context: ScenarioContext, years: str) -> None:
    born = context.exchanges[0].started.date() - timedelta(days=365 * int(years))
    _send_with(context, "passengers[1].birthDate", born.isoformat())


@when("the client orders for one more passenger")
def _order_one_more_passenger(context: ScenarioContext) -> None:
    body = _sent(context.exchanges[_ORDERING])
    assert isinstance(body, dict)
    passenger = {**body["passengers"][0], "number": 2}
    bag = {"passengerNumber": 2, "outboundSegmentBaggageSelection": [], "inboundSegmentBaggageSelection": None}
    _send_with(context, "passengers", [*body["passengers"], passenger])
    _send_with(context, "selectedBaggage", [*body["selectedBaggage"], bag])


@when("the client selects a bag for the way back")
def _select_a_bag_for_the_way_back(context: ScenarioContext) -> None:
    bag = {"type": "CHECK_IN", "numberOfPieces": 1, "kilosPerPiece": 15}
    _send_with(context, "selectedBaggage[0].inboundSegmentBaggageSelection", [bag])


@then("the traffic check reports nothing")
def _the_traffic_check_finds_nothing(context: ScenarioContext, traffic: SyntheticTraffic) -> None:
    traffic.check_no_findings(context.exchanges)


@then("the traffic check reports this violation only")
def _the_traffic_check_names_this_rule(context: ScenarioContext, traffic: SyntheticTraffic) -> None:
    traffic.check_own_rule_findings(context.exchanges)
