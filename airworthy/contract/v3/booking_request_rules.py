"""Rules of v3 and v2 on booking requests that JSON Schema cannot express."""

from collections.abc import Iterator, Mapping
from typing import Any

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import CLOCK_TOLERANCE
from airworthy.contract.conversation.v3.bag_pieces import KINDS
from airworthy.contract.conversation.v3.journeys import AIRPORTS, journey, other_journey
from airworthy.contract.conversation.v3.memory import (
    cabin_bag,
    checked_bag,
    returned_id,
    sent_ids,
)
from airworthy.contract.conversation.v3.parties import COUNTS
from airworthy.contract.conversation.v3.resources import CabinBagOption, SeenFlight
from airworthy.contract.http.transaction import Transaction, as_number, items, member, whole
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule

# The request: fares and bags


@transaction_rule("V3-REQUESTS-FARE-TYPE", "request", "createRequests")
def round_trip_of_two(transaction: Transaction) -> Iterator[Defect]:
    """A round-trip fare is for two flights; what a service does with one flight is open (OPEN-87)."""
    if member(transaction.sent, "fare_type") == "round_trip" and len(set(sent_ids(transaction))) == 1:
        text = "the booking request has fare_type round_trip, but only one flight"
        yield Defect(("flight_ids",), text, "two flight ids", "one", tolerable=True)


@conversation_rule("V3-REQUESTS-FARE-TYPE", "request", "createRequests")
def flights_of_a_fare(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A round-trip fare is requested with its two flights in order; another order is open (OPEN-87)."""
    ids = sent_ids(transaction)
    if member(transaction.sent, "fare_type") != "round_trip" or len(ids) != len(KINDS):
        return
    place, trips = ("flight_ids",), conversation.v3
    if trips.is_fare(ids[0], ids[1]):
        return
    searches = conversation.searches.of(transaction)
    if trips.is_fare(ids[1], ids[0]):
        text = "the flights of the round-trip fare are in the wrong order"
        yield Defect(place, text, "outward, return", "return, outward", tolerable=True)
    elif trips.are_of_two_fares(ids[0], ids[1]):
        text = "the flights of the booking request belong to two round-trip fares"
        yield Defect(place, text, "outward_id and return_id of one fare", "ids of two fares", tolerable=True)
    elif not searches.more_fares and all(trips.flight(transaction.url.version, each) for each in ids):
        # The fare may have been found before the traffic begins, unless searches say that there is none.
        text, soft = "the booking request is for a round-trip fare that no search listed", searches.fares is not False
        yield Defect(place, text, "a fare of roundTrips, or one_way", "no such fare", soft=soft, tolerable=True)


@conversation_rule("V3-REQUESTS-FLIGHTS", "request", "createRequests")
def flights_were_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The flights of a booking request were found by a search of the same caller. Only warns.

    The search may have been made before the traffic begins. Source: v3, What the service does (the flow).
    """
    yield from _never_found(transaction, conversation, "flight_ids")


@conversation_rule("V2-REQUESTS-FLIGHTS", "request", "createRequestsV2")
def flights_were_found_in_v2(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The flights of a booking request were found by a search of the same caller. Only warns, as in v3."""
    yield from _never_found(transaction, conversation, "flights")


@transaction_rule("V3-BAGS-KEYS", "request", "createRequests")
def bags_of_the_flights(transaction: Transaction) -> Iterator[Defect]:
    """Bags are listed by the ids of the requested flights: all of them, and no others."""
    bags, ids = member(transaction.sent, "bags"), sent_ids(transaction)
    if not isinstance(bags, dict) or not bags or not ids or not all(each.isdigit() for each in ids):
        return
    missing, strange = set(ids) - bags.keys(), bags.keys() - set(ids)
    if missing or strange:
        text = (
            "bags are listed for a flight that is not requested" if strange else "bags are not listed for every flight"
        )
        yield Defect(("bags",), text, "the ids of flight_ids", "other ids" if strange else "fewer ids")


@transaction_rule("V3-BAGS-QUANTITY", "request", "createRequests")
def bags_within_the_passengers(transaction: Transaction) -> Iterator[Defect]:
    """There are no more bags of an option than passengers; the sum over the options only warns (OPEN-86)."""
    most = _passengers(transaction)
    for flight, kind, options in _bags(transaction.sent) if most is not None else ():
        counts = [whole(option.get("quantity")) or 0 for option in options]
        place: Pointer = ("bags", flight, kind)
        above = [index for index, count in enumerate(counts) if count > (most or 0)]
        for index in above:
            where, actual = (*place, index, "quantity"), wording.shown(counts[index])
            text = f"quantity of a {kind} bag is more than the number of passengers"
            yield Defect(where, text, f"at most {most}", actual)
        if not above and sum(counts) > (most or 0):
            text = f"the {kind} bags of all options together are more than the passengers"
            yield Defect(place, text, f"at most {most}", str(sum(counts)), soft=True, tolerable=True)


@conversation_rule("V3-BAGS-LISTED", "request", "createRequests")
def every_option_is_listed(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Every bag option that searches showed for a flight is listed; choosing another one only warns (OPEN-86)."""
    sent = member(transaction.sent, "bags")
    for flight, listed in sent.items() if isinstance(sent, dict) else ():
        known = conversation.v3.flight(transaction.url.version, flight)
        if known is None or not isinstance(listed, dict):
            continue
        weights = {checked_bag(option) for option in items(listed, "checked")}
        sizes = [cabin_bag(option) for option in items(listed, "cabin")]
        missing = {
            "checked": len(known.checked - weights) if None not in weights else 0,
            "cabin": sum(1 for option in known.cabin if not any(_is_same(option, each) for each in sizes)),
        }
        yield from _unknown_options(known, listed, missing, ("bags", flight))
        for kind, count in missing.items():
            if count and isinstance(listed.get(kind, []), list):
                text = f"not all {kind} bag options that the search showed are listed"
                shown = len(known.checked if kind == "checked" else known.cabin)
                expected, actual = f"all {shown} options, with quantity 0 for those not selected", f"{count} missing"
                yield Defect(("bags", flight, kind), text, expected, actual)


@conversation_rule("V23-TRAVEL-DOCUMENTS", "request", "createRequests")
def travel_documents(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Passport data is sent for a flight that requires it. Only warns (OPEN-85)."""
    known = [conversation.v3.flight(transaction.url.version, each) for each in sent_ids(transaction)]
    if any(flight.needs_documents for flight in known if flight is not None):
        yield from without_documents(transaction)


# The response


@transaction_rule("V3-REQUESTS-ANSWER", "response", "createRequests")
def one_request_for_each_flight(transaction: Transaction) -> Iterator[Defect]:
    """There is one booking request for each flight."""
    yield from _requests_of_the_flights(transaction)


@conversation_rule("V3-REQUESTS-ANSWER", "response", "createRequests")
def requests_are_told_apart(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking request does not have the id of one for another flight."""
    yield from _reused_ids(transaction, conversation)


@conversation_rule("V2-REQUESTS-ANSWER", "response", "createRequestsV2")
def requests_are_told_apart_in_v2(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking request does not have the id of one for another flight."""
    yield from _reused_ids(transaction, conversation)


@transaction_rule("V2-REQUESTS-ANSWER", "response", "createRequestsV2")
def one_request_for_each_flight_in_v2(transaction: Transaction) -> Iterator[Defect]:
    """There is one booking request for each flight, with the passenger counts that were sent."""
    yield from _requests_of_the_flights(transaction)
    for index, request in enumerate(items(transaction.delivered, "requests")):
        for name in COUNTS:
            sent, held = whole(member(transaction.sent, "passengers", name)), whole(member(request, "passengers", name))
            if sent is not None and held is not None and sent != held:
                text = f"{name} of a booking request differs from the number that was sent"
                place = ("requests", index, "passengers", name)
                yield Defect(place, text, wording.shown(sent), wording.shown(held))


def _flights_that_searches_showed(transaction: Transaction, conversation: Conversation) -> int:
    flights = [returned_id(member(each, "flight", "id")) for each in items(transaction.delivered, "requests")]
    return sum(conversation.v3.flight(transaction.url.version, each) is not None for each in flights)


@conversation_rule(
    "V23-REQUESTS-FLIGHT", "response", "createRequests", "createRequestsV2", about=_flights_that_searches_showed
)
def flight_of_the_search(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking request is for the flight that a search showed.

    Another time or flight number only warns: search data are cached (OPEN-37).
    """
    for index, request in enumerate(items(transaction.delivered, "requests")):
        flight = member(request, "flight")
        known = conversation.v3.flight(transaction.url.version, returned_id(member(flight, "id")))
        name = other_journey(known.journey, journey(flight)) if known else ""
        if name:
            text = f"the flight of a booking request and that of the search differ in {name}"
            place = ("requests", index, "flight", name)
            yield Defect(place, text, "the value of the search", "another value", soft=name not in AIRPORTS)


def _requests_without_infants(transaction: Transaction, _conversation: Conversation) -> int:
    return len([each for each in items(transaction.delivered, "requests") if _is_not_for_infants(each)])


@transaction_rule(
    "V23-FLIGHT-INFANTS-UNAVAILABLE",
    "response",
    "createRequests",
    "createRequestsV2",
    about=_requests_without_infants,
)
def no_infant_price_without_tickets(transaction: Transaction) -> Iterator[Defect]:
    """A booking request has no infant price if its flight has none, as infant tickets are unavailable (v3, Flight).

    Only warns: the documents say so of the flight. That of an earlier search is not compared (OPEN-37).
    """
    for index, request in enumerate(items(transaction.delivered, "requests")):
        price = request.get("infant_price")
        if _is_not_for_infants(request) and price is not None:
            text, place = "a booking request has an infant price, but its flight has none", "infant_price"
            yield Defect(("requests", index, place), text, "null", wording.shown(price), soft=True)


@transaction_rule("V3-REQUESTS-COUNT", "response", "createRequests", about="requests/*/passengers")
def counts_of_the_passengers(transaction: Transaction) -> Iterator[Defect]:
    """The passenger counts add up to the passengers that were sent; who counts as what is open (OPEN-84)."""
    sent = _passengers(transaction)
    for index, request in enumerate(items(transaction.delivered, "requests")):
        counts = [whole(member(request, "passengers", name)) for name in COUNTS]
        held = sum(count for count in counts if count is not None)
        if sent and None not in counts and held != sent:
            text = "the passenger counts of a booking request do not add up to the passengers that were sent"
            place = ("requests", index, "passengers")
            yield Defect(place, text, f"{sent} in total", wording.shown(held))


# The cancellation


@conversation_rule("V3-CANCEL-PENDING", "request", "cancelRequest")
def pending_when_cancelled(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Only a pending booking request is cancelled, not a cancelled, booked, aborted or expired one (OPEN-15)."""
    known = conversation.v3.request(transaction.url.version, transaction.url.path_values.get("request_id", ""))
    expected = "a pending booking request"
    if known and known.since and known.since <= transaction.started and known.exchange != transaction.exchange.id:
        text = f"the client cancels a booking request that is already {known.ended}"
        yield Defect((), text, expected, f"{known.ended}", where="path")
    elif (
        known
        and not known.ended
        and transaction.started - known.created > conversation.lifetimes.request_max + CLOCK_TOLERANCE
    ):
        text = "the client cancels a booking request that has expired after 5 minutes"
        yield Defect((), text, expected, "an expired booking request", where="path")


@conversation_rule("V3-CANCEL", "response", "cancelRequest")
def pending_request_is_cancelled(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A pending booking request can be cancelled.

    After a rejected booking it may be aborted: how a response shows a failed payment is open (OPEN-91).
    """
    known = conversation.v3.request(transaction.url.version, transaction.url.path_values.get("request_id", ""))
    is_pending = (
        known is not None
        and known.ended is None
        and not known.attempted
        and transaction.ended - known.requested < conversation.lifetimes.request_min
    )
    is_own = known is not None and known.caller == transaction.caller
    if is_pending and is_own and member(transaction.delivered, "success") is False:
        text = "the cancellation of a pending booking request fails"
        yield Defect(("success",), text, "true", "false")


# Helpers


def without_documents(transaction: Transaction) -> Iterator[Defect]:
    """Yield a defect for each passenger without a passport number. Only warns (OPEN-85)."""
    for index, passenger in enumerate(items(transaction.sent, "passengers")):
        if not passenger.get("passport_number"):
            text = "passport_number is missing from a passenger of a flight that requires it"
            place = ("passengers", index, "passport_number")
            yield Defect(place, text, "a passport number", "missing", soft=True, tolerable=True)


def _is_not_for_infants(request: dict[str, Any]) -> bool:
    flight = request.get("flight")
    return isinstance(flight, dict) and "infant_price" in flight and flight["infant_price"] is None


def _never_found(transaction: Transaction, conversation: Conversation, name: str) -> Iterator[Defect]:
    """Yield a warning for a flight that no search showed, if the caller searches and all results are remembered.

    Search data are cached (OPEN-37), and a service may find the flight all the same (OPEN-20).
    """
    searches, version = conversation.searches.of(transaction), transaction.url.version
    for index, each in enumerate(sent_ids(transaction) if searches.searched and searches.complete else ()):
        known = conversation.v3.flight(version, each) or conversation.v3.is_in_a_fare(each)
        if each and not known and not any(conversation.v3.flight(other, each) for other in ("v2", "v3")):
            text = "the booking request is for a flight that no search of the client found"
            yield Defect(
                (name, index), text, "a flight of a search result", "another flight", soft=True, tolerable=True
            )


def _unknown_options(known: SeenFlight, listed: Json, missing: Mapping[str, int], place: Pointer) -> Iterator[Defect]:
    """Yield a warning for a chosen option that no search showed, unless it replaces one that is missing.

    What a service does with an unknown option is open (OPEN-86).
    """
    for kind in KINDS:
        for index, option in enumerate(items(listed, kind) if known.searched and not missing[kind] else ()):
            weight, size = checked_bag(option), cabin_bag(option)
            if kind == "checked":
                shown = weight is None or weight in known.any_checked
            else:
                shown = any(_is_same(each, size) for each in known.any_cabin)
            if not shown and (as_number(option.get("quantity")) or 0) > 0:
                text = f"a {kind} bag option is chosen that no search showed"
                yield Defect(
                    (*place, kind, index), text, "an option of the search", "another option", soft=True, tolerable=True
                )


def _passengers(transaction: Transaction) -> int | None:
    """Return the number of passengers, or None if there are none, which the schema reports."""
    passengers = member(transaction.sent, "passengers")
    return len(passengers) or None if isinstance(passengers, list) else None


def _bags(sent: Json) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    bags = member(sent, "bags")
    for flight, listed in bags.items() if isinstance(bags, dict) else ():
        for kind in KINDS:
            yield flight, kind, items(listed, kind)


def _is_same(shown: CabinBagOption, listed: CabinBagOption) -> bool:
    """Return whether a listed option may be the one that was shown; size or weight may be missing (OPEN-16)."""
    sizes = shown.size is None or listed.size is None or shown.size == listed.size
    weights = shown.weight is None or listed.weight is None or shown.weight == listed.weight
    return sizes and weights


def _reused_ids(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Yield a warning for the id of an earlier booking request.

    No sentence says that ids are never used again (v3, Booking request): a test system may count from 1 as it restarts.
    """
    for index, request in enumerate(items(transaction.delivered, "requests")):
        known = conversation.v3.request(transaction.url.version, returned_id(request.get("id")))
        flight = returned_id(member(request, "flight", "id"))
        if known and known.flight and flight and known.flight != flight:
            text = "a booking request has the id of an earlier one for another flight"
            yield Defect(("requests", index, "id"), text, "an id of its own", "the id of another", soft=True)


def _requests_of_the_flights(transaction: Transaction) -> Iterator[Defect]:
    ids, requests = sent_ids(transaction), items(transaction.delivered, "requests")
    if not ids or not all(ids) or not isinstance(member(transaction.delivered, "requests"), list):
        return
    flights = [returned_id(member(request, "flight", "id")) for request in requests]
    keys = [returned_id(request.get("id")) for request in requests]
    if len(set(ids)) == len(ids) != len(requests) or (set(flights) < set(ids) and all(flights)):
        text = "the response does not have one booking request for each flight"
        yield Defect(("requests",), text, f"{len(ids)} booking requests", str(len(requests)))
    if len(set(ids)) == len(ids) and all(keys) and len(set(keys)) != len(keys):
        text = "two booking requests have the same id"
        yield Defect(("requests",), text, "an id for each booking request", "the same id twice")
    for index, flight in enumerate(flights):
        if flight and flight not in ids:
            text = "a booking request is for a flight that was not requested"
            yield Defect(("requests", index, "flight", "id"), text, "the id of a requested flight", "another id")
    for index, request in enumerate(requests):
        yield from _other_customer(transaction, request, index)


def _other_customer(transaction: Transaction, request: dict[str, Any], index: int) -> Iterator[Defect]:
    """Yield a defect for another customer than the one sent, or, in v2, for a missing one."""
    sent = member(transaction.sent, "customer_code")
    if not isinstance(sent, str):
        return
    code, codes = request.get("customer_code"), member(request, "customer", "company_codes")
    named = {
        each.strip().casefold() for each in (code, *(codes if isinstance(codes, list) else ())) if isinstance(each, str)
    }
    if isinstance(code, str) and sent.strip().casefold() not in named:
        text = "customer_code of a booking request differs from the one that was sent"
        yield Defect(("requests", index, "customer_code"), text, "the customer code that was sent", "another code")
    for name in ("customer_code", "customer"):
        if request.get(name) is None and transaction.url.version == "v2":
            text, place = (
                f"{name} is missing from a booking request, although a customer code was sent",
                ("requests", index, name),
            )
            yield Defect(place, text, f"the {name} of that customer", "missing")
