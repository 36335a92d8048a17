"""Steps that compare what two responses say of the same offer, fare, price or order."""

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_bdd import parsers

from airworthy.suite.outcomes import Untested, comparisons, expect
from conformance.fixtures import RecordWarning
from conformance.parsed_response import ParsedResponse
from conformance.scenario_context import ScenarioContext
from conformance.service_client import ServiceClient
from conformance.step_table import then, when
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import SearchResult

_HALF_A_CENT = 0.005
_WAYS = ("outbound", "inbound")
# Members of an order that nothing changes between two responses, and those for which a difference only warns: the
# documents name them, but say little of their contents (OPEN-02, OPEN-44, OPEN-61, OPEN-70).
_FIXED = ("status", "reservationId", "offer.id", "offer.fare.id", "totalPrice.amount", "totalPrice.currency")
_DESCRIBED = ("offer.outboundSegment", "offer.fare", "passengers", "selectedBaggage", "paymentMethod")


# Searches


@when("the client searches between the airports of one of the offers")
def _search_between_airports(service_client: ServiceClient, context: ScenarioContext) -> None:
    itinerary = SearchResult(context.request, context.last_response).itineraries[0]
    sections = itinerary.sections("outboundSegment")
    if not sections:
        raise Untested("the offers of the search between cities have no sections")
    draft = context.request
    for end, airport in (("origin", sections[0].get("origin")), ("destination", sections[-1].get("destination"))):
        draft = draft.with_value(f"outboundSegment.{end}", {"code": airport, "type": "AIRPORT"})
    context.draft = draft
    reason = "the service did not accept a search between the airports of an offer"
    context.response = service_client.send_required(draft, reason, "V4-SEARCH-OFFERS")


@then("the search should find offers too")
def _the_search_finds_offers_too(context: ScenarioContext, warn: RecordWarning) -> None:
    comparisons.add()
    if not context.last_response.array("offers"):
        warn("a search between cities finds offers, but none between their airports", context.last_response.exchange)


# Baggage


@when("the client retrieves the fares and the baggage options of the offer")
def _retrieve_fares_and_baggage(service_client: ServiceClient, context: ScenarioContext) -> None:
    fares, baggage = bodies.get_fares(context.offer.id), bodies.get_baggage(context.offer.id)
    context.together = (
        service_client.send_required(fares, "the fares of an offer were not returned", "V4-FARES-LIVE"),
        service_client.send_required(
            baggage, "the baggage options of an offer were not returned", "V4-BAGGAGE-OPTIONS"
        ),
    )


@then("the baggage options should be listed for fares of the offer")
def _baggage_is_of_fares_of_the_offer(
    service_client: ServiceClient, context: ScenarioContext, warn: RecordWarning
) -> None:
    fares, baggage = context.together
    cheapest = context.offer.fare_id.lower()
    named = {str(each["fareId"]).lower() for each in _objects(baggage.array("fareBaggageOptions")) if "fareId" in each}
    if not named:
        key = service_client.route_key(context.offer.criteria.route)
        raise Untested(f"the offers of [{key}] have no baggage options")
    comparisons.add(len(named))
    known = {text.lower() for text in _texts(fares.body)}
    # OPEN-03: Get Fares may show no ids. Then the only fare known by its id is the cheapest.
    strange = named - known - {cheapest} if cheapest in known else set()
    if strange or not named & (known | {cheapest}):
        warn(
            f"{len(strange or named)} baggage options are listed for fares that are not of the offer", baggage.exchange
        )


@then("the price per piece of the order is that of its baggage option")
def _the_price_is_that_of_the_option(context: ScenarioContext) -> None:
    order = context.ordered
    way = order.options.way
    (chosen,) = order.draft.body["selectedBaggage"][0][f"{way}SegmentBaggageSelection"]
    listed = {
        price
        for item in _objects(context.last_response.array("fareBaggageOptions"))
        if str(item.get("fareId")).lower() == order.stored.fare_id.lower()
        for option in _objects(item.get(f"{way}SegmentOptions"))
        if (option.get("type"), option.get("maxKilosPerPiece")) == (chosen["type"], chosen["kilosPerPiece"])
        if (price := _amount(option)) is not None
    }
    if len(listed) != 1:
        raise Untested("no single baggage option of the ordered fare is the one that was selected")
    for price in _prices(order.response):
        expect(
            any(abs(price - each) < _HALF_A_CENT for each in listed),
            "the price per piece of an order must be that of its baggage option",
            expected=f"{min(listed):.2f}",
            actual=f"{price:.2f}",
            pointer="/selectedBaggage",
            exchange=order.response.exchange,
        )


def _prices(order: ParsedResponse) -> Iterator[float]:
    """Yield the prices per piece of an order in which a single selection has pieces."""
    for item in _objects(order.array("selectedBaggage")):
        selections = [each for way in _WAYS for each in _objects(item.get(f"{way}SegmentBaggageSelection"))]
        if any(each.get("numberOfPieces") for each in selections):
            for holder in (item, *(each for each in selections if each.get("numberOfPieces"))):
                price = _amount(holder)
                if price is not None:
                    yield price


# Orders


@then(parsers.re(r"the order is the one in the response to (?P<operation>Create|Confirm) Order"))
def _the_order_is_unchanged(context: ScenarioContext, warn: RecordWarning, operation: str) -> None:
    before = context.ordered.response if operation == "Create" else context.ordered.confirmed
    now = context.last_response
    assert before is not None
    for name in _FIXED:
        one, other = _at(before.body, name), _at(now.body, name)
        expect(
            _normal(one) == _normal(other),
            f"Get Order must return the {name} of the response to {operation} Order",
            expected="the value in that response",
            actual="another value" if other is not None else "none",
            pointer=f"/{name.replace('.', '/')}",
            exchange=now.exchange,
        )
    for name in _DESCRIBED:
        if _normal(_at(before.body, name)) != _normal(_at(now.body, name)):
            warn(f"{name} of the order differs from the response to {operation} Order", now.exchange)


def _at(body: Any, name: str) -> Any:
    for step in name.split("."):
        body = body.get(step) if isinstance(body, Mapping) else None
    return body


def _normal(value: Any) -> Any:
    """Return a value for comparison: without null and false members (OPEN-48), and in one letter case.

    Items and members are in one order, and 10 is 10.0, so that equal values have the same representation.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, Mapping):
        members = {name: _normal(value[name]) for name in sorted(value)}
        return {name: each for name, each in members.items() if each is not None and each is not False}
    if isinstance(value, list):
        return sorted(map(_normal, value), key=repr)
    return value.casefold() if isinstance(value, str) else value


def _amount(holder: Mapping[str, Any]) -> float | None:
    price = holder.get("pricePerPiece")
    amount = price.get("amount") if isinstance(price, Mapping) else None
    return float(amount) if isinstance(amount, int | float) else None


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str):
        yield value
