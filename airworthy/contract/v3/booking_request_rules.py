"""The rules of v2 and v3 on booking requests, which hold seats and prices, that JSON Schema cannot say."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from airworthy.contract import wording
from airworthy.contract.body import Json, Pointer
from airworthy.contract.coded_rules import journey_rule, message_rule
from airworthy.contract.conversation.v3 import CabinBag, answered_id, cabin_bag, checked_bag, identifier, sent_ids
from airworthy.contract.conversation.v4 import Journey
from airworthy.contract.shape import Breach
from airworthy.contract.transaction import Message, items, member, whole

SHORTEST_LIFE, LONGEST_LIFE = timedelta(minutes=3), timedelta(minutes=5)
CLOCK_TOLERANCE = timedelta(seconds=5)
KINDS = ("checked", "cabin")
COUNTS = ("adults", "children", "infants")


# The request: fares and bags


@message_rule("V3-REQUESTS-FARE-TYPE", "request", "createRequests")
def round_trip_of_two(message: Message) -> Iterator[Breach]:
    """A round-trip fare is for two flights; what a service does with one is open (OPEN-87)."""
    if member(message.sent, "fare_type") == "round_trip" and len(set(sent_ids(message))) == 1:
        text = "a round-trip fare is requested for one flight"
        yield Breach("V3-REQUESTS-FARE-TYPE", ("flight_ids",), text, "two flight ids", "one", tolerable=True)


@journey_rule("V3-REQUESTS-FARE-TYPE", "request", "createRequests")
def flights_of_a_fare(message: Message, journey: Journey) -> Iterator[Breach]:
    """A round-trip fare is asked for by its flights, in its order; what a service does else is open (OPEN-87)."""
    ids = sent_ids(message)
    if member(message.sent, "fare_type") != "round_trip" or len(ids) != len(KINDS):
        return
    rule, place, trips = "V3-REQUESTS-FARE-TYPE", ("flight_ids",), journey.trips
    if trips.is_fare(ids[1], ids[0]) and not trips.is_fare(ids[0], ids[1]):
        text = "the flights of a round-trip fare are requested in the order return, outward"
        yield Breach(rule, place, text, "outward, return", "return, outward", tolerable=True)
    elif trips.are_of_two_fares(ids[0], ids[1]):
        text = "a round-trip fare is requested for the flights of two"
        yield Breach(rule, place, text, "outward_id and return_id of one fare", "those of two", tolerable=True)


@message_rule("V3-BAGS-KEYS", "request", "createRequests")
def bags_of_the_flights(message: Message) -> Iterator[Breach]:
    """Bags stand under the ids of the flights that are requested, all of them and no other."""
    bags, ids = member(message.sent, "bags"), sent_ids(message)
    if not isinstance(bags, dict) or not bags or not ids or not all(each.isdigit() for each in ids):
        return
    missing, strange = set(ids) - bags.keys(), bags.keys() - set(ids)
    if missing or strange:
        text = f"bags are listed {'for another flight than those' if strange else 'for not every flight'} requested"
        yield Breach("V3-BAGS-KEYS", ("bags",), text, "the ids of flight_ids", "other ids" if strange else "fewer ids")


@message_rule("V3-BAGS-QUANTITY", "request", "createRequests")
def bags_within_the_passengers(message: Message) -> Iterator[Breach]:
    """There are no more bags of a kind than passengers; of several options together it only warns (OPEN-86)."""
    most = _passengers(message)
    for flight, kind, options in _bags(message.sent) if most is not None else ():
        counts = [whole(option.get("quantity")) or 0 for option in options]
        place: Pointer = ("bags", flight, kind)
        above = [index for index, count in enumerate(counts) if count > (most or 0)]
        for index in above:
            where, actual = (*place, index, "quantity"), wording.shown(counts[index])
            text = f"a {kind} bag is wanted more often than there are passengers"
            yield Breach("V3-BAGS-QUANTITY", where, text, f"at most {most}", actual)
        if not above and sum(counts) > (most or 0):
            text = f"{kind} bags of all options together are more than the passengers"
            yield Breach(
                "V3-BAGS-QUANTITY", place, text, f"at most {most}", str(sum(counts)), soft=True, tolerable=True
            )


@journey_rule("V3-BAGS-LISTED", "request", "createRequests")
def every_option_is_listed(message: Message, journey: Journey) -> Iterator[Breach]:
    """Every bag option that the searches have shown of a flight is listed."""
    sent = member(message.sent, "bags")
    for flight, listed in sent.items() if isinstance(sent, dict) else ():
        known = journey.trips.flight(message.call.version, flight)
        if known is None or not isinstance(listed, dict):
            continue
        weights = {checked_bag(option) for option in items(listed, "checked")}
        sizes = [cabin_bag(option) for option in items(listed, "cabin")]
        missing = {
            "checked": len(known.checked - weights) if None not in weights else 0,
            "cabin": sum(1 for option in known.cabin if not any(_is_same(option, each) for each in sizes)),
        }
        for kind, count in missing.items():
            if count and isinstance(listed.get(kind, []), list):
                text = f"{kind} bag options that the search shows are not listed"
                shown = len(known.checked if kind == "checked" else known.cabin)
                expected, actual = f"all {shown} options, with quantity 0 if not wanted", f"{count} not listed"
                yield Breach("V3-BAGS-LISTED", ("bags", flight, kind), text, expected, actual)


@journey_rule("V23-TRAVEL-DOCUMENTS", "request", "createRequests")
def travel_documents(message: Message, journey: Journey) -> Iterator[Breach]:
    """Passport data are sent for a flight that needs them. It only warns (OPEN-85)."""
    known = [journey.trips.flight(message.call.version, each) for each in sent_ids(message)]
    if any(flight.needs_documents for flight in known if flight is not None):
        yield from without_documents(message)


# The answer


@message_rule("V3-REQUESTS-ANSWER", "response", "createRequests")
def one_request_for_each_flight(message: Message) -> Iterator[Breach]:
    """There is one booking request for each flight."""
    yield from _requests_of_the_flights("V3-REQUESTS-ANSWER", message)


@message_rule("V2-REQUESTS-ANSWER", "response", "createRequestsV2")
def one_request_for_each_flight_in_v2(message: Message) -> Iterator[Breach]:
    """There is one booking request for each flight, with the counts that were sent."""
    yield from _requests_of_the_flights("V2-REQUESTS-ANSWER", message)
    for index, request in enumerate(items(message.delivered, "requests")):
        for name in COUNTS:
            sent, held = whole(member(message.sent, "passengers", name)), whole(member(request, "passengers", name))
            if sent is not None and held is not None and sent != held:
                text = f"{name} of a request is not the count that was sent"
                place = ("requests", index, "passengers", name)
                yield Breach("V2-REQUESTS-ANSWER", place, text, wording.shown(sent), wording.shown(held))


@message_rule("V3-REQUESTS-COUNT", "response", "createRequests")
def counts_of_the_passengers(message: Message) -> Iterator[Breach]:
    """The counts of a request are together those of its passengers; who counts as what is open (OPEN-84)."""
    sent = _passengers(message)
    for index, request in enumerate(items(message.delivered, "requests")):
        counts = [whole(member(request, "passengers", name)) for name in COUNTS]
        held = sum(count for count in counts if count is not None)
        if sent and None not in counts and held != sent:
            text = "the counts of a request do not add up to the passengers that were sent"
            place = ("requests", index, "passengers")
            yield Breach("V3-REQUESTS-COUNT", place, text, f"{sent} in sum", wording.shown(held))


@message_rule("V3-REQUESTS-BAGS-FEE", "response", "createRequests")
def wanted_bags_cost_their_price(message: Message) -> Iterator[Breach]:
    """Bags that all have a price are not for nothing. Which way bears those of a round-trip fare is not written."""
    if member(message.sent, "fare_type") != "one_way":
        return
    for index, request in enumerate(items(message.delivered, "requests")):
        listed = member(message.sent, "bags", identifier(member(request, "flight", "id")))
        for kind in KINDS:
            offered = items(member(request, "flight", "bags"), kind)
            is_priced = bool(offered) and all(_is_positive(option.get("price")) for option in offered)
            is_wanted = any(_is_positive(option.get("quantity")) for option in items(listed, kind))
            if is_priced and is_wanted and member(request, "bags_fee", kind) == 0:
                text, place = f"the {kind} bags of a request cost nothing", ("requests", index, "bags_fee", kind)
                yield Breach("V3-REQUESTS-BAGS-FEE", place, text, "the price of the bags", "0")


# The cancellation


@journey_rule("V3-CANCEL-PENDING", "request", "cancelRequest")
def pending_when_cancelled(message: Message, journey: Journey) -> Iterator[Breach]:
    """Only a pending request can be cancelled: no cancelled, booked, aborted or expired one (OPEN-15)."""
    known = journey.trips.request(message.call.version, message.call.path_values.get("request_id", ""))
    rule, expected = "V3-CANCEL-PENDING", "a pending request"
    if known and known.since and known.since <= message.begun and known.exchange != message.exchange.id:
        text = f"a request is cancelled that was {known.ended} before"
        yield Breach(rule, (), text, expected, f"a request that was {known.ended}", where="path")
    elif known and not known.ended and message.begun - known.created > LONGEST_LIFE + CLOCK_TOLERANCE:
        text = "a request is cancelled that had expired: it was more than 5 minutes old"
        yield Breach(rule, (), text, expected, "an expired request", where="path")


@journey_rule("V3-CANCEL", "response", "cancelRequest")
def pending_request_is_cancelled(message: Message, journey: Journey) -> Iterator[Breach]:
    """A pending request can be cancelled."""
    known = journey.trips.request(message.call.version, message.call.path_values.get("request_id", ""))
    is_pending = known is not None and known.ended is None and message.ended - known.asked < SHORTEST_LIFE
    is_own = known is not None and known.caller == message.caller
    if is_pending and is_own and member(message.delivered, "success") is False:
        text = "the cancellation of a pending request does not succeed"
        yield Breach("V3-CANCEL", ("success",), text, "true", "false")


# What the rules share


def without_documents(message: Message) -> Iterator[Breach]:
    """Yield each passenger of a request that is sent without a passport number."""
    for index, passenger in enumerate(items(message.sent, "passengers")):
        if not passenger.get("passport_number"):
            text = "passport data are missing from a passenger of a flight that needs them"
            place = ("passengers", index, "passport_number")
            yield Breach("V23-TRAVEL-DOCUMENTS", place, text, "passport data", "missing", soft=True, tolerable=True)


def _is_positive(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _passengers(message: Message) -> int | None:
    """Return the number of passengers, None where there are none: that is wrong by itself."""
    passengers = member(message.sent, "passengers")
    return len(passengers) or None if isinstance(passengers, list) else None


def _bags(sent: Json) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    bags = member(sent, "bags")
    for flight, listed in bags.items() if isinstance(bags, dict) else ():
        for kind in KINDS:
            yield flight, kind, items(listed, kind)


def _is_same(shown: CabinBag, listed: CabinBag) -> bool:
    """Whether a listed option may be the one that was shown, by as much as is said of it (OPEN-16)."""
    sizes = shown.size is None or listed.size is None or shown.size == listed.size
    weights = shown.weight is None or listed.weight is None or shown.weight == listed.weight
    return sizes and weights


def _requests_of_the_flights(rule: str, message: Message) -> Iterator[Breach]:
    ids, requests = sent_ids(message), items(message.delivered, "requests")
    if not ids or not all(ids) or not isinstance(member(message.delivered, "requests"), list):
        return
    flights = [answered_id(member(request, "flight", "id")) for request in requests]
    keys = [answered_id(request.get("id")) for request in requests]
    if len(set(ids)) == len(ids) != len(requests) or (set(flights) < set(ids) and all(flights)):
        text = "there is not one request for each flight"
        yield Breach(rule, ("requests",), text, f"as many as flights, {len(ids)}", str(len(requests)))
    if len(set(ids)) == len(ids) and all(keys) and len(set(keys)) != len(keys):
        text = "two requests have one id"
        yield Breach(rule, ("requests",), text, "an id for each request", "one twice")
    for index, flight in enumerate(flights):
        if flight and flight not in ids:
            text = "a request is for another flight than those that were asked for"
            yield Breach(rule, ("requests", index, "flight", "id"), text, "the id of a flight asked for", "another id")
    for index, request in enumerate(requests):
        yield from _other_customer(rule, message, request, index)


def _other_customer(rule: str, message: Message, request: dict[str, Any], index: int) -> Iterator[Breach]:
    """Yield a customer other than the one that was named: by another code, or by none of v2 although one was sent."""
    sent = member(message.sent, "customer_code")
    if not isinstance(sent, str):
        return
    code, codes = request.get("customer_code"), member(request, "customer", "company_codes")
    named = {
        each.strip().casefold() for each in (code, *(codes if isinstance(codes, list) else ())) if isinstance(each, str)
    }
    if isinstance(code, str) and sent.strip().casefold() not in named:
        text = "a request is for another customer than the one that was named"
        yield Breach(rule, ("requests", index, "customer_code"), text, "the customer code that was sent", "another one")
    for name in ("customer_code", "customer"):
        if request.get(name) is None and message.call.version == "v2":
            text, place = f"{name} is missing from a request that names its customer", ("requests", index, name)
            yield Breach(rule, place, text, f"the {name} of that customer", "missing")
