"""Steps that compare what two responses say of the same offer, fare, price or order."""

from collections.abc import Mapping
from typing import Any

from airworthy.suite.outcomes import Untested, comparisons
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then, when
from conformance.v4.offer_client import sections_of

# Members of an order for which a difference only warns: the documents name them, but say little of their contents
# (OPEN-02, OPEN-44, OPEN-61, OPEN-70). The contract compares the others.
_DESCRIBED = ("offer.outboundSegment", "offer.fare", "passengers", "selectedBaggage", "paymentMethod")


# Searches


@when(
    r"the client searches (?:between the airports|from the (?P<origin>city|airport) to the "
    r"(?P<destination>city|airport)) of one of the offers"
)
def _search_between_the_places_of_an_offer(
    context: ScenarioContext, origin: str | None, destination: str | None
) -> None:
    sections = sections_of(context.last_response.array("offers")[0], "outboundSegment")
    if not sections:
        raise Untested("the offers of the search between cities have no sections")
    draft = context.request
    ends = ("origin", origin, sections[0].get("origin")), ("destination", destination, sections[-1].get("destination"))
    for end, kind, airport in ends:
        if kind != "city":
            draft = draft.with_value(f"outboundSegment.{end}", {"code": airport, "type": "AIRPORT"})
    context.draft, context.response = draft, context.service.send(draft)
    if origin == destination:
        reason = "the service did not accept a search between the airports of an offer"
        context.service.require_success(context.response, reason, "V4-SEARCH-OFFERS")


@then("the search should find offers too")
def _the_search_finds_offers_too(context: ScenarioContext) -> None:
    comparisons.add()
    if not context.last_response.array("offers"):
        context.warn("a search between cities finds offers, but none between the places of one")


# Orders


@then(r"the order should be the one in the response to (?P<operation>Create|Confirm) Order")
def _the_order_is_unchanged(context: ScenarioContext, operation: str) -> None:
    before = context.ordered.response if operation == "Create" else context.ordered.confirmed
    now = context.last_response
    assert before is not None
    for name in _DESCRIBED:
        comparisons.add()
        if _normal(_at(before.body, name)) != _normal(_at(now.body, name)):
            context.warn(f"{name} of the order differs from the response to {operation} Order", now.exchange)


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
