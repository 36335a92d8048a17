"""Steps that change the bags of a booking request of v3."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from airworthy.suite.outcomes import NotApplicable, Untested
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.step_table import when
from conformance.v3 import request_bodies as bodies
from conformance.v3.request_bodies import BagKind
from conformance.v4.request_bodies import PassengerCounts

_KINDS: tuple[BagKind, ...] = ("checked", "cabin")
# Options may differ in these only: then a request cannot tell which of them it lists.
_NOT_IDENTIFYING = ("quantity", "price")
_ANOTHER_ENTRY: Final = "with another entry instead of one"


def like_last(options: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the options that a request cannot tell apart from the last one, which may lack a member (OPEN-16)."""
    last = options[-1]
    return [
        each
        for each in options
        if all(each[name] == last[name] for name in each.keys() & last.keys() - {*_NOT_IDENTIFYING})
    ]


def remove_last(options: list[Any]) -> None:
    """Remove the last option, with those that a request cannot tell apart from it."""
    removed = like_last(options)
    options[:] = [each for each in options if each not in removed]


@when("the client sends the request without the bags of one flight")
def _send_request_without_the_bags_of_one_flight(context: ScenarioContext) -> None:
    bags = dict(context.request.body["bags"])
    bags.popitem()
    context.send(context.request.with_value("bags", bags))


@when("the client sends the request with the bags of another flight")
def _send_request_with_bags_of_another_flight(context: ScenarioContext) -> None:
    bags = dict(context.request.body["bags"])
    context.send(context.request.with_value("bags", bags | {str(bodies.UNKNOWN_ID): next(iter(bags.values()))}))


def _reweigh(options: list[Any]) -> None:
    # No option weighs as much as all of them together.
    heavier = 1 + sum(option["weight"] for option in options)
    for option in like_last(options):
        option["weight"] = heavier


def _list_another_again(options: list[Any]) -> None:
    remove_last(options)
    if not options:
        raise NotApplicable("no two bag options of the flight can be told apart")
    options.append(options[0])


# By the words of the features, what is changed in the options of a kind. Of the second flight, the last option is
# chosen, of another one the first.
_CHANGES: Final[Mapping[str, Callable[[list[Any], int, int], object]]] = {
    "without one": lambda options, _, __: remove_last(options),
    _ANOTHER_ENTRY: lambda options, _, __: _list_another_again(options),
    "with another weight of one": lambda options, _, __: _reweigh(options),
    "with more": lambda options, chosen, passengers: options[chosen].update(quantity=passengers + 1),
    "without the quantity of a": lambda options, chosen, _: options[chosen].pop("quantity"),
    "without the weight of a": lambda options, chosen, _: options[chosen].pop("weight"),
}


@when(
    rf"the client sends the request (?P<change>{'|'.join(_CHANGES)}) (?P<kind>checked|cabin) "
    "(?:bag option|bags than passengers)(?P<second> (?:of|on) the second flight)?"
)
def _send_request_with_other_options(context: ScenarioContext, change: str, kind: BagKind, second: str | None) -> None:
    """Change the options of a kind of a flight that has any; of two flights, those of the last one that has any."""
    draft = context.request
    if second:
        draft = _two_flights_with_bags(context, kind)
    else:
        party, least = context.booking_requests.party, 2 if change == _ANOTHER_ENTRY else 1
        flight = context.v3.flight_that(
            context.flight_criteria, lambda each: len(bodies.options(each, "v3", kind)) >= least, party=party, bag=kind
        )
        if flight is None:
            raise NotApplicable(f"no flight has {least} options of {kind} bags")
        draft = context.v3.request_draft("v3", [flight], party)
    bags = json.loads(json.dumps(draft.body["bags"]))
    with_bags = [options[kind] for options in bags.values() if options[kind]]
    _CHANGES[change](with_bags[-1], -1 if second else 0, len(draft.body["passengers"]))
    context.send(draft.with_value("bags", bags))


def _two_flights_with_bags(context: ScenarioContext, kind: BagKind) -> RequestDraft:
    """Return the prepared request for two flights or, if neither has bags of a kind, one for others of the search."""
    context.service.needs(f"{kind}_bags")
    draft, party = context.request, context.booking_requests.party
    if any(options[kind] for options in draft.body["bags"].values()):
        return draft
    if draft.body["fare_type"] == "round_trip":
        trips = context.v3.flights_of_fares(context.v3.round_trips("round_trip_fares"))
    else:
        trips = iter([context.v3.together(context.flight_criteria, 2, party, kind)])
    for flights in trips:
        if any(bodies.options(each, "v3", kind) for each in flights):
            again = context.v3.request_draft("v3", flights, party)
            return again.with_value("fare_type", draft.body["fare_type"])
    raise Untested(f"no round-trip fare has flights with {kind} bags")


@when("the client sends the request with one checked bag of each option for one passenger")
def _send_request_with_a_bag_of_each_option(context: ScenarioContext) -> None:
    flight = context.v3.flight_that(
        context.flight_criteria, lambda each: len(bodies.options(each, "v3", "checked")) > 1, bag="checked"
    )
    if flight is None:
        raise NotApplicable("no flight has two options of checked bags")
    draft = context.v3.request_draft("v3", [flight], PassengerCounts())
    bags = json.loads(json.dumps(draft.body["bags"]))
    for option in bags[str(flight["id"])]["checked"]:
        option["quantity"] = 1
    context.send(draft.with_value("bags", bags))


@when("the client requests two flights with a checked bag for each passenger")
def _request_two_flights_with_bags(context: ScenarioContext) -> None:
    def make() -> RequestDraft:
        flights = context.v3.flights_with_bags(context.flight_criteria)
        return context.v3.request_draft("v3", flights, PassengerCounts(), {"checked": bodies.ONE})

    context.draft, context.response = context.v3.send_available(make, 2)


@when(r"the client requests a flight for two passengers with two bags of (?P<number>one option|two options)")
def _two_passengers_have_two_bags(context: ScenarioContext, number: str) -> None:
    """Choose checked and cabin bags together."""
    party, count = PassengerCounts(2), {"one option": 1, "two options": 2}[number]

    def make() -> RequestDraft:
        flight = context.v3.flight(context.flight_criteria, party, "checked")
        draft = context.v3.request_draft("v3", [flight], party)
        bags = json.loads(json.dumps(draft.body["bags"]))
        listed = bags[str(flight["id"])]
        for kind in _KINDS:
            _choose_two(listed[kind], bodies.options(flight, "v3", kind), count)
        return draft.with_value("bags", bags)

    context.draft, context.response = context.v3.send_available(make)


def _choose_two(listed: list[dict[str, Any]], shown: Sequence[Mapping[str, Any]], count: int) -> None:
    """Choose two bags of so many options, or one bag where the search may not offer two.

    The quantity of an option in a search may be the most pieces that can be chosen (OPEN-81), unless it is always 0.
    """
    are_limits = any(each.get("quantity") for each in shown)
    most = [each.get("quantity", 2) if are_limits else 2 for each in shown]
    limited = list(zip(listed, most, strict=True))
    free = [option for option, limit in limited if limit * count >= 2]
    is_enough = len(free) >= count
    for option in free[:count] if is_enough else [option for option, limit in limited if limit][:1]:
        option["quantity"] = 2 // count if is_enough else 1


@when(r"the client sends the request without any (?P<kind>checked|cabin) bag option")
def _send_request_without_its_bags(context: ScenarioContext, kind: BagKind) -> None:
    flight = context.v3.flight(context.flight_criteria, bag=kind)
    draft = context.v3.request_draft("v3", [flight], context.booking_requests.party)
    context.send(draft.without(f"bags.{flight['id']}.{kind}"))
