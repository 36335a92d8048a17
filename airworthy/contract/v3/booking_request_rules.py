"""Rules of v3 and v2 on booking requests that JSON Schema cannot express."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3.bag_options import CabinBagOption, cabin_bag, checked_bag
from airworthy.contract.conversation.v3.bag_pieces import KINDS
from airworthy.contract.conversation.v3.journeys import AIRPORTS, journey, other_journey
from airworthy.contract.conversation.v3.memory import REQUESTS, named, returned_id, sent_ids
from airworthy.contract.conversation.v3.parties import COUNTS, Party
from airworthy.contract.conversation.v3.resources import Ended, SeenBookingRequest, SeenFlight
from airworthy.contract.http.transaction import Transaction, as_number, whole
from airworthy.contract.life_cycles import refusing_state, state_of_request
from airworthy.contract.life_cycles.table import PENDING
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.v3.flight_rules import journey_values

# The request: fares and bags


@transaction_rule("V3-REQUESTS-FARE-TYPE", "request", "createRequests", each="")
def round_trip_of_two(sent: Node, transaction: Transaction) -> Iterator[Defect]:
    """A round-trip fare is for two flights; what a service does with one flight is open (OPEN-87)."""
    if sent.get("fare_type") == "round_trip" and len(set(sent_ids(transaction))) == 1:
        text = "the booking request has fare_type round_trip, but only one flight"
        yield sent.defect(text, "two flight ids", "one", "flight_ids", tolerable=True)


@conversation_rule("V3-REQUESTS-FARE-TYPE", "request", "createRequests", each="flight_ids")
def flights_of_a_fare(flights: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A round-trip fare is requested with its two flights in order; another order is open (OPEN-87).

    Only warns of a fare that no search listed: it may have been found before the traffic begins.
    """
    ids, trips = sent_ids(transaction), conversation.v3
    if transaction.request.get("fare_type") != "round_trip" or len(ids) != len(KINDS) or trips.is_fare(*ids):
        return
    searches = conversation.searches.of(transaction)
    if trips.is_fare(ids[1], ids[0]):
        text = "the flights of the round-trip fare are in the wrong order"
        yield flights.defect(text, "outward, return", "return, outward", tolerable=True)
    elif trips.are_of_two_fares(*ids):
        text = "the flights of the booking request belong to two round-trip fares"
        yield flights.defect(text, "outward_id and return_id of one fare", "ids of two fares", tolerable=True)
    elif not searches.more_fares and all(trips.flight(transaction.url.version, each) for each in ids):
        text = "the booking request is for a round-trip fare that no search listed"
        yield flights.defect(text, "a fare of roundTrips, or one_way", "no such fare", soft=True, tolerable=True)


@conversation_rule("V3-REQUESTS-FLIGHTS", "request", "createRequests")
@conversation_rule("V2-REQUESTS-FLIGHTS", "request", "createRequestsV2")
def flights_were_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The flights of a booking request were found by a search of the same caller. Only warns.

    The search may have been made before the traffic begins. Source: v3, What the service does (the flow). Search data
    are cached (OPEN-37), and a service may find the flight all the same (OPEN-20).
    """
    searches, version = conversation.searches.of(transaction), transaction.url.version
    for flight in named(transaction) if searches.searched and searches.complete else ():
        known = conversation.v3.flight(version, flight.id) or conversation.v3.is_in_a_fare(flight.id)
        if not known and not any(conversation.v3.flight(other, flight.id) for other in ("v2", "v3")):
            text = "the booking request is for a flight that no search of the client found"
            yield Defect(flight.place, text, "a flight of a search result", "another flight", soft=True, tolerable=True)


@transaction_rule("V3-BAGS-KEYS", "request", "createRequests", each="bags")
def bags_of_the_flights(bags: Node, transaction: Transaction) -> Iterator[Defect]:
    """Bags are listed by the ids of the requested flights: all of them, and no others."""
    ids = sent_ids(transaction)
    if not isinstance(bags.value, dict) or not bags.value or not ids or not all(each.isdigit() for each in ids):
        return
    if bags.value.keys() - set(ids):
        yield bags.defect("bags are listed for a flight that is not requested", "the ids of flight_ids", "other ids")
    elif set(ids) - bags.value.keys():
        yield bags.defect("bags are not listed for every flight", "the ids of flight_ids", "fewer ids")


@transaction_rule("V3-BAGS-QUANTITY", "request", "createRequests", each="bags")
def bags_within_the_passengers(bags: Node, transaction: Transaction) -> Iterator[Defect]:
    """There are no more bags of an option than passengers; the sum over the options only warns (OPEN-86)."""
    most = _passengers(transaction)
    flights = bags.value if most and isinstance(bags.value, dict) else ()
    for kind, options in ((kind, bags.below(flight, kind)) for flight in flights for kind in KINDS):
        counts = [(each, whole(each.get("quantity")) or 0) for each in options.each("*")]
        above = [(option, count) for option, count in counts if count > most]
        for option, count in above:
            text = f"quantity of a {kind} bag is more than the number of passengers"
            yield option.defect(text, f"at most {most}", wording.shown(count), "quantity")
        total = sum(count for _, count in counts)
        if not above and total > most:
            text = f"the {kind} bags of all options together are more than the passengers"
            yield options.defect(text, f"at most {most}", str(total), soft=True, tolerable=True)


@conversation_rule("V3-BAGS-LISTED", "request", "createRequests", each="bags")
def every_option_is_listed(bags: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Every bag option that searches showed for a flight is listed; choosing another one only warns (OPEN-86)."""
    for flight in bags.value if isinstance(bags.value, dict) else ():
        known, listed = conversation.v3.flight(transaction.url.version, flight), bags.below(flight)
        if known is None or not isinstance(listed.value, dict):
            continue
        weights = {checked_bag(option.value) for option in listed.each("checked/*")}
        sizes = [cabin_bag(option.value) for option in listed.each("cabin/*")]
        missing = {
            "checked": len(known.checked - weights) if None not in weights else 0,
            "cabin": sum(1 for option in known.cabin if not any(_is_same(option, each) for each in sizes)),
        }
        yield from _unknown_options(known, listed, missing)
        for kind, count in missing.items():
            if count and isinstance(listed.value.get(kind, []), list):
                text = f"not all {kind} bag options that the search showed are listed"
                shown = len(known.checked if kind == "checked" else known.cabin)
                expected, actual = f"all {shown} options, with quantity 0 for those not selected", f"{count} missing"
                yield listed.defect(text, expected, actual, kind)


@conversation_rule("V23-TRAVEL-DOCUMENTS", "request", "createRequests")
def travel_documents(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Passport data is sent for a flight that requires it. Only warns (OPEN-85)."""
    known = [conversation.v3.flight(transaction.url.version, each) for each in sent_ids(transaction)]
    if any(flight.needs_documents for flight in known if flight is not None):
        yield from without_documents(transaction)


# The response


@transaction_rule("V3-REQUESTS-ANSWER", "response", "createRequests")
@transaction_rule("V2-REQUESTS-ANSWER", "response", "createRequestsV2")
def one_request_for_each_flight(transaction: Transaction) -> Iterator[Defect]:
    """There is one booking request for each flight."""
    ids, found = sent_ids(transaction), transaction.response / "requests"
    requests = found.each("*")
    if not ids or not all(ids) or not isinstance(found.value, list):
        return
    flights = [returned_id(request.get("flight", "id")) for request in requests]
    keys = [returned_id(request.get("id")) for request in requests]
    text = "the response does not have one booking request for each flight"
    if len(set(ids)) == len(ids) != len(requests):
        yield found.defect(text, f"{len(ids)} booking requests", str(len(requests)))
    elif set(flights) < set(ids) and all(flights):
        yield found.defect(text, "each of the requested flights", "a flight twice")
    if len(set(ids)) == len(ids) and all(keys) and len(set(keys)) != len(keys):
        text = "two booking requests have the same id"
        yield found.defect(text, "an id for each booking request", "the same id twice")
    for request, flight in zip(requests, flights, strict=True):
        if flight and flight not in ids:
            text = "a booking request is for a flight that was not requested"
            yield request.defect(text, "the id of a requested flight", "another id", "flight/id")


@conversation_rule("V3-REQUESTS-ANSWER", "response", "createRequests", each="requests/*")
@conversation_rule("V2-REQUESTS-ANSWER", "response", "createRequestsV2", each="requests/*")
def requests_are_told_apart(request: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking request does not have the id of an earlier one for another flight. Only warns.

    No sentence says that ids are never used again (v3, Booking request): a test system may count from 1 as it restarts.
    """
    known = conversation.v3.request(transaction.url.version, returned_id(request.get("id")))
    flight = returned_id(request.get("flight", "id"))
    if known and known.flight and flight and known.flight != flight:
        text = "a booking request has the id of an earlier one for another flight"
        yield request.defect(text, "an id of its own", "the id of another", "id", soft=True)


@conversation_rule("V3-REQUESTS-ANSWER", "response", "createRequests", each="requests/*")
@conversation_rule("V2-REQUESTS-ANSWER", "response", "createRequestsV2", each="requests/*")
def customer_that_was_sent(request: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking request is for the customer that was sent; in v2, it shows one.

    A service may ignore a code that it does not know, so it is compared once something was booked with it (OPEN-90).
    """
    sent = transaction.request.get("customer_code")
    if not isinstance(sent, str) or not conversation.customers.is_known(transaction):
        return
    code, codes = request.get("customer_code"), request.get("customer", "company_codes")
    # A customer may have several codes.
    listed = codes if isinstance(codes, list) else []
    of_customer = [any(_is_same_code(str(each), known) for known in listed) for each in (sent, code)]
    if isinstance(code, str) and not _is_same_code(sent, code) and not all(of_customer):
        text = "customer_code of a booking request differs from the one that was sent"
        expected, soft = "the customer code that was sent", of_customer[0]
        yield request.defect(text, expected, "another code", "customer_code", soft=soft)
    for name in ("customer_code", "customer"):
        if request.get(name) is None and transaction.url.version == "v2":
            text = f"{name} is missing from a booking request, although a customer code was sent"
            yield request.defect(text, f"the {name} of that customer", "missing", name)


@transaction_rule("V2-REQUESTS-ANSWER", "response", "createRequestsV2", each="requests/*")
def counts_that_were_sent(request: Node, transaction: Transaction) -> Iterator[Defect]:
    """A booking request has the passenger counts that were sent."""
    for name in COUNTS:
        sent, held = (whole(each.get("passengers", name)) for each in (transaction.request, request))
        if sent is not None and held is not None and sent != held:
            text = f"{name} of a booking request differs from the number that was sent"
            yield request.defect(text, wording.shown(sent), wording.shown(held), f"passengers/{name}")


def _flights_that_searches_showed(transaction: Transaction, conversation: Conversation) -> int:
    flights = [returned_id(each.get("flight", "id")) for each in transaction.response.each("requests/*")]
    return sum(conversation.v3.flight(transaction.url.version, each) is not None for each in flights)


@conversation_rule(
    "V23-REQUESTS-FLIGHT", "response", *REQUESTS, each="requests/*/flight", about=_flights_that_searches_showed
)
def flight_of_the_search(flight: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booking request is for the flight that a search showed.

    Another time or flight number only warns: search data are cached (OPEN-37).
    """
    known = conversation.v3.flight(transaction.url.version, returned_id(flight.get("id")))
    name = other_journey(known.journey, journey(flight.value)) if known else ""
    if known and name:
        text = f"the flight of a booking request and that of the search differ in {name}"
        values = journey_values(transaction, flight, name, known.journey, "the value of the search")
        yield flight.defect(text, *values, name, soft=name not in AIRPORTS)


def _requests_without_infants(transaction: Transaction, _conversation: Conversation) -> int:
    return sum(map(_is_not_for_infants, transaction.response.each("requests/*")))


@transaction_rule(
    "V23-FLIGHT-INFANTS-UNAVAILABLE", "response", *REQUESTS, each="requests/*", about=_requests_without_infants
)
def no_infant_price_without_tickets(request: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A booking request has no infant price if its flight has none, as infant tickets are unavailable (v3, Flight).

    Only warns: the documents say so of the flight. That of an earlier search is not compared (OPEN-37).
    """
    price = request / "infant_price"
    if _is_not_for_infants(request) and price.value is not None:
        text = "a booking request has an infant price, but its flight has none"
        yield price.defect(text, "null", wording.shown(price.value), soft=True)


@transaction_rule("V23-FLIGHT-INFANTS-UNAVAILABLE", "response", *REQUESTS, each="requests/*")
def no_infants_without_tickets(request: Node, transaction: Transaction) -> Iterator[Defect]:
    """A booking request for infants has an infant price: it is null if infant tickets are unavailable (v3, Flight).

    Only warns: the documents say so of the flight, and not whether the service rejects the infants. Counts other than
    those that were sent have a finding of their own.
    """
    price, held = request / "infant_price", Party.counted(request.get("passengers"))
    infants, sent = whole(transaction.request.get("passengers", "infants")), _passengers(transaction)
    is_for_infants = held is not None and held.infants > 0 and (held.infants == infants or held.passengers == sent)
    if is_for_infants and price.value is None and "infant_price" in request.value:
        text = "a booking request for infants has no infant price, as if infant tickets were unavailable"
        yield price.defect(text, "a price", "null", soft=True)


@transaction_rule("V3-REQUESTS-COUNT", "response", "createRequests", about="requests/*/passengers")
def counts_of_the_passengers(passengers: Node, transaction: Transaction) -> Iterator[Defect]:
    """The passenger counts add up to the passengers that were sent; who counts as what is open (OPEN-84)."""
    sent, counts = _passengers(transaction), [whole(passengers.get(name)) for name in COUNTS]
    held = sum(count for count in counts if count is not None)
    if sent and None not in counts and held != sent:
        text = "the passenger counts of a booking request do not add up to the passengers that were sent"
        yield passengers.defect(text, f"{sent} in total", wording.shown(held))


# The cancellation


@conversation_rule("V3-CANCEL-PENDING", "request", "cancelRequest")
def pending_when_cancelled(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A client cancels pending booking requests only, not a cancelled, booked, aborted or expired one (OPEN-15)."""
    if state := _state_of_the_cancelled(transaction, conversation):
        text = f"the client cancels a booking request that is already {state}"
        yield Defect((), text, "a pending booking request", state, where="path", tolerable=True)


@conversation_rule("V3-CANCEL-PENDING", "response", "cancelRequest")
def only_pending_is_cancelled(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Only a pending booking request is cancelled, not a cancelled, booked, aborted or expired one (OPEN-15)."""
    state = _state_of_the_cancelled(transaction, conversation)
    if state and transaction.accepted:
        text = f"the service cancels a booking request that is already {state}"
        yield Defect((), text, "no success", str(transaction.status), where="status")


def _register(rule: str, how: Ended, text: str) -> None:
    """Register that only a pending booking request is cancelled, not one that something else ends at the same time."""

    @conversation_rule(rule, "response", "cancelRequest")
    def is_cancelled(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
        held = _cancelled(transaction, conversation)
        if transaction.accepted and held and ends_at_the_same_time(held, how, transaction):
            yield Defect((), text, "no success", str(transaction.status), where="status")


_register("V3-CANCEL-PENDING", "cancelled", "a booking request is cancelled twice at the same time")
_register(
    "V3-CANCEL-OR-BOOK", "booked", "a booking request is cancelled although its booking succeeds at the same time"
)


def _cancelled(transaction: Transaction, conversation: Conversation) -> SeenBookingRequest | None:
    return conversation.v3.request(transaction.url.version, transaction.url.path_values.get("request_id", ""))


def _state_of_the_cancelled(transaction: Transaction, conversation: Conversation) -> str:
    return refusing_state(_cancelled(transaction, conversation), transaction, conversation)


@conversation_rule("V3-CANCEL", "response", "cancelRequest")
def pending_request_is_cancelled(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A pending booking request is cancelled: "Response 200: {success: true}" (v3, POST /v3/requests/.../cancel).

    Only warns: it may have ended elsewhere, or with another one of its creation (OPEN-97, OPEN-98). One that a client
    tried to book may be aborted (OPEN-52, OPEN-91), and one that is booked at the same moment conflicts.
    """
    held = _cancelled(transaction, conversation)
    is_own = held is not None and held.caller == transaction.caller != "" and not held.attempted
    is_missing, is_refused = transaction.status == HTTPStatus.NOT_FOUND, transaction.response.get("success") is False
    if held and is_own and (is_missing or is_refused) and state_of_request(held, transaction, conversation) == PENDING:
        text, actual = "a pending booking request is not cancelled", "404" if is_missing else "success false"
        yield Defect((), text, "success true", actual, where="status", soft=True)


# Helpers


def ends_at_the_same_time(held: SeenBookingRequest, how: Ended, transaction: Transaction) -> bool:
    """Return whether another exchange at the same time ended a booking request, as far as the clocks can tell."""
    return held.ended == how and held.exchange != transaction.exchange.id and not transaction.follows(held.since)


def without_documents(transaction: Transaction) -> Iterator[Defect]:
    """Yield a defect for each passenger without a passport number. Only warns (OPEN-85)."""
    for number in transaction.request.each("passengers/*/passport_number"):
        if not number.value:
            text = "passport_number is missing from a passenger of a flight that requires it"
            yield number.defect(text, "a passport number", "missing", soft=True, tolerable=True)


def _is_not_for_infants(request: Node) -> bool:
    flight = request.get("flight")
    return isinstance(flight, dict) and "infant_price" in flight and flight["infant_price"] is None


def _unknown_options(known: SeenFlight, listed: Node, missing: Mapping[str, int]) -> Iterator[Defect]:
    """Yield a warning for a chosen option that no search showed, unless it replaces one that is missing.

    What a service does with an unknown option is open (OPEN-86).
    """
    for kind in KINDS:
        for option in listed.each(f"{kind}/*") if known.searched and not missing[kind] else ():
            weight, size = checked_bag(option.value), cabin_bag(option.value)
            if kind == "checked":
                shown = weight is None or weight in known.any_checked
            else:
                shown = any(_is_same(each, size) for each in known.any_cabin)
            if not shown and (as_number(option.get("quantity")) or 0) > 0:
                text = f"a {kind} bag option is chosen that no search showed"
                yield option.defect(text, "an option of the search", "another option", soft=True, tolerable=True)


def _passengers(transaction: Transaction) -> int:
    """Return the number of passengers, 0 if there are none, which the schema reports."""
    passengers = transaction.request.get("passengers")
    return len(passengers) if isinstance(passengers, list) else 0


def _is_same(shown: CabinBagOption, listed: CabinBagOption) -> bool:
    """Return whether a listed option may be the one that was shown; size or weight may be missing (OPEN-16)."""
    sizes = shown.size is None or listed.size is None or shown.size == listed.size
    weights = shown.weight is None or listed.weight is None or shown.weight == listed.weight
    return sizes and weights


def _is_same_code(one: str, other: Json) -> bool:
    """Return whether a value is a customer code, whatever the letter case and the spaces around it."""
    return isinstance(other, str) and one.strip().casefold() == other.strip().casefold()
