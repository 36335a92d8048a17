"""Rules on responses of v4 that need one exchange and that JSON Schema cannot express."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import PRICE_TOLERANCE
from airworthy.contract.conversation.v4 import echo
from airworthy.contract.conversation.v4.resources import FlightLeg, departure_from, flight_of, legs
from airworthy.contract.http.transaction import LENGTH_OF_A_DAY, Transaction, amount, day, items, member, same_id, whole
from airworthy.contract.rules.coded_rules import About, conversation_rule, transaction_rule
from airworthy.contract.rules.transport_rules import accept, content_type

ORDERS = ("createOrder", "confirmOrder", "getOrder")
RESERVATIONS = ("getReservation", "findReservation")
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
COUNTS = {"adult": "adults", "child": "children", "infant": "infants"}
SOLD_CLASS = "ECONOMY"
OTHER_CLASSES = ("BUSINESS", "FIRST")
MOST_PASSENGERS = 9
_ADDITIONAL = "providerAdditionalPassengerInformationByPassengerType"
_PHRASES = {
    416: ("requested range not satisfiable", "range not satisfiable"),
    418: ("i'm a teapot", "im a teapot"),
    422: ("unprocessable entity", "unprocessable content"),
}


# What the rules are about


def _errors_with(name: str) -> About:
    """Return the selector of errors of v4 that have a member."""
    return lambda transaction, _conversation: int(member(_error(transaction), name) is not None)


def _round_trip_offers(transaction: Transaction, _conversation: Conversation) -> int:
    stored = transaction.operation == "getOffer" and transaction.delivered is not None
    return (int(stored) or len(transaction.response.each("offers/*"))) if _is_round_trip(transaction) else 0


def _selected_pieces(transaction: Transaction, _conversation: Conversation) -> int:
    return len(list(echo.selections(transaction.response)))


# Every response


@transaction_rule("V4-ERROR-STATUS-CODE", "response", about=_errors_with("statusCode"))
def error_status_code(transaction: Transaction) -> Iterator[Defect]:
    """The statusCode of an error is the HTTP status code."""
    stated = whole(member(_error(transaction), "statusCode"))
    if stated is not None and stated != transaction.status:
        text = f"statusCode of the error is {stated}, but the status code is {transaction.status}"
        yield Defect(("statusCode",), text, str(transaction.status), str(stated))


@transaction_rule("V4-ERROR-TEXT", "response", about=_errors_with("error"))
def error_text(transaction: Transaction) -> Iterator[Defect]:
    """The error text is the reason phrase of the status code, in any letter case (OPEN-76)."""
    stated, phrases = member(_error(transaction), "error"), _phrases(transaction.status)
    if isinstance(stated, str) and phrases and stated.strip().casefold() not in phrases:
        actual = wording.shown(stated)
        text = f"the error text is {actual}, not the reason phrase of status {transaction.status}"
        yield Defect(("error",), text, HTTPStatus(transaction.status).phrase, actual)


# Search Offers and Get Offer


@transaction_rule("V4-SEARCH-TRAVEL-CLASS", "response", "searchOffers")
def other_class_finds_nothing(transaction: Transaction) -> Iterator[Defect]:
    """A travel class other than ECONOMY returns an empty array of offers.

    A rejection only warns, as an airport may be unknown to the service (OPEN-55).
    """
    requested, found = transaction.request.get("travelClass"), transaction.response / "offers"
    if requested not in OTHER_CLASSES:
        return
    if isinstance(found.value, list) and found.value:
        text = f"a search in travel class {requested} returns offers"
        yield found.defect(text, "an empty array", wording.shown(found.value))
    elif transaction.status == HTTPStatus.BAD_REQUEST and _finds_or_not(transaction):
        text = f"a search in travel class {requested} is rejected"
        expected = "200 with an empty offers array"
        yield Defect((), text, expected, str(transaction.status), where="status", soft=True)


@transaction_rule("V4-SEARCH-ROUND-TRIP", "response", "searchOffers", about=_round_trip_offers)
@transaction_rule("V4-OFFER-ROUND-TRIP", "response", "getOffer", about=_round_trip_offers)
def round_trip_has_a_way_back(transaction: Transaction) -> Iterator[Defect]:
    """A round-trip offer has an inbound segment. Inbound flights of a one-way offer only warn (OPEN-02)."""
    offers = transaction.response.each("offers/*" if transaction.operation == "searchOffers" else "")
    is_one_way = transaction.request.get("tripType") == "ONE_WAY" and not transaction.request.get("inboundSegment")
    for offer in offers if _is_round_trip(transaction) else ():
        if isinstance(offer.value, dict) and offer.value.get("inboundSegment") is None:
            actual = "null" if "inboundSegment" in offer.value else "missing"
            text = "inboundSegment is missing from a round-trip offer"
            yield offer.defect(text, "an inbound segment", actual, "inboundSegment")
    for offer in offers if is_one_way else ():
        if offer.each("inboundSegment/sections/*"):
            text = "a one-way offer has inbound flights"
            yield offer.defect(text, "null or missing", "an inbound segment", "inboundSegment", soft=True)


@transaction_rule(
    "V4-SEARCH-PASSENGER-COUNT",
    "response",
    "searchOffers",
    each="",
    about="offers/*/fare/passengerPricingByPassengerType",
)
def search_passenger_count(found: Node, transaction: Transaction) -> Iterator[Defect]:
    """A fare is priced for the requested passengers."""
    counts = _requested_counts(transaction)
    for offer in found.each("offers/*"):
        if not _is_priced_for(counts, offer.value):
            yield from priced_for_others(counts, offer / "fare/passengerPricingByPassengerType")


@transaction_rule(
    "V4-OFFER-PASSENGER-COUNT", "response", "getOffer", about="cheapestFare/passengerPricingByPassengerType"
)
def offer_passenger_count(pricing: Node, transaction: Transaction) -> Iterator[Defect]:
    """The cheapest fare is priced for the requested passengers."""
    return priced_for_others(_requested_counts(transaction), pricing)


@transaction_rule("V4-OFFER-ADDITIONAL-INFORMATION", "response", "getOffer", each=_ADDITIONAL)
def informs_about_each_type(information: Node, transaction: Transaction) -> Iterator[Defect]:
    """An offer informs about each type of its passengers. Only warns: which keys it has is not documented."""
    for kind, _, count in _requested_counts(transaction):
        if isinstance(information.value, dict) and count and information.get(kind) is None and kind != "adult":
            text = f"the additional passenger information has no entry for {kind}, but the offer is for such passengers"
            yield information.defect(text, f"an object for {kind}", "missing", kind, soft=True)


@transaction_rule("V4-SEARCH-ITINERARY", "response", "searchOffers", each="", about="offers/*/outboundSegment/sections")
def search_itinerary(found: Node, transaction: Transaction) -> Iterator[Defect]:
    """An offer has the requested airports and date (v4, POST /search); a city cannot be compared with an airport.

    Inbound flights only warn, as their structure is open (OPEN-02), and so do flights that have the requested ends in
    another order of their sections, which is not documented.
    """
    yield from _other_itineraries(transaction, found, "outboundSegment")
    if _is_round_trip(transaction):
        yield from (replace(defect, soft=True) for defect in _other_itineraries(transaction, found, "inboundSegment"))


def _other_itineraries(transaction: Transaction, found: Node, way: str) -> Iterator[Defect]:
    requested = transaction.request / way
    airports = {
        name: code.upper()
        for name in ("origin", "destination")
        if requested.get(name, "type") == "AIRPORT" and isinstance(code := requested.get(name, "code"), str)
    }
    departs = requested.get("departureDate") if day(requested.get("departureDate")) else None
    ends = airports.get("origin"), airports.get("destination"), departs
    for offer in found.each("offers/*"):
        if _flies(offer.value, way, *ends):
            continue
        sections = offer.each(f"{way}/sections/*")
        if not sections:
            continue
        for name, expected in airports.items():
            end = sections[0 if name == "origin" else -1] / name
            if isinstance(end.value, str) and end.value.upper() != expected:
                asked, flown = wording.shown(expected), wording.shown(end.value)
                text = f"the {name} of an offer is {flown}, but {asked} was requested"
                is_nowhere = not any(str(each.get(name)).upper() == expected for each in sections)
                yield end.defect(text, asked, flown, soft=not is_nowhere)
        leaves = sections[0].get("departureDate")
        if departs and isinstance(leaves, str) and not leaves.startswith(departs) and day(leaves[:10]):
            text = f"an offer departs on {leaves[:10]}, but {departs} was requested"
            is_nowhere = not any(str(each.get("departureDate")).startswith(departs) for each in sections)
            asked, flown = wording.shown(departs), wording.shown(leaves[:10])
            yield sections[0].defect(text, asked, flown, "departureDate", soft=not is_nowhere)


@conversation_rule("V4-SEARCH-ITINERARY", "response", "getOffer", each="", about="outboundSegment/sections")
def offer_itinerary(offer: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A stored offer has the requested flights, which Get Offer verifies (v4, POST /offer).

    Other times only warn: what Get Offer returns for an itinerary that has changed is open (OPEN-56). So do other
    operating carriers, which no sentence says that it repeats, and, on the requested way and day, other flights than
    those of a client that did not search for them, or in another order. All differences of the way back do (OPEN-02).
    """
    searches = conversation.searches.of(transaction)
    for way in ("outboundSegment", "inboundSegment"):
        # OPEN-02: an inbound segment without sections cannot be compared.
        requested, flown = legs(transaction.request.get(way)), legs(offer.get(way))
        if requested and flown and requested != flown:
            text = "the flights of the offer differ from those requested"
            place = (way, "sections", *departure_from(requested, flown))
            are_others = Counter(map(flight_of, requested)) != Counter(map(flight_of, flown))
            is_sure = are_others and searches.found(items(transaction.sent, way, "sections"))
            soft = way == "inboundSegment" or (_way_of(requested) == _way_of(flown) and not is_sure)
            yield Defect(place, text, "the requested sections", "other sections", soft=soft)


@transaction_rule("V4-FARES-MISSING", "response", "getFares")
def fares_are_never_missing(transaction: Transaction) -> Iterator[Defect]:
    """The fares of a missing offer are an empty array, not an error."""
    is_valid = bool(transaction.sent_header("Authorization")) and _well_formed(transaction)
    if transaction.status in GONE and transaction.response_body.readable and is_valid:
        text = f"Get Fares responds with {HTTPStatus(transaction.status).phrase}, not with an empty array of fares"
        actual = str(transaction.status)
        yield Defect((), text, "200 with an empty fares array", actual, where="status")


# Orders and reservations


@transaction_rule("V4-ORDER-OPENS", "response", "createOrder", about="status")
def order_opens(status: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A created order is OPEN."""
    if status.value in ("BOOKED", "FAILED"):
        yield status.defect(f"a newly created order is {status.value}, not OPEN", "OPEN", status.value)


@transaction_rule("V4-ORDER-OFFER", "response", "createOrder", each="offer", about="offer/id")
def order_has_its_offer(offer: Node, transaction: Transaction) -> Iterator[Defect]:
    """An order holds the offer and the fare that it was created from."""
    for name, held in (("offerId", offer / "id"), ("fareId", offer / "fare/id")):
        text = f"the {name} of the order differs from the one that it was created from"
        yield from other_id(held, transaction.url.query_value(name), text)


@transaction_rule("V4-ORDER-PRICE-PER-PIECE", "response", *ORDERS, about=_selected_pieces)
def price_per_piece(transaction: Transaction) -> Iterator[Defect]:
    """Selected baggage is returned with its price, on the item or on a selection (OPEN-44)."""
    for item in {each.item.place: each.item for each in echo.selections(transaction.response)}.values():
        inside = [selection for key in echo.BAGS for selection in item.each(f"{key}/*")]
        if all(holder.get("pricePerPiece") is None for holder in (item, *inside)):
            text = "pricePerPiece is missing from an item of selected baggage"
            yield item.defect(text, "an amount of money", "missing", "pricePerPiece")


@transaction_rule("V4-ORDER-TOTAL-BAGGAGE", "response", *ORDERS, each="totalPrice", about=_selected_pieces)
def total_holds_baggage(price: Node, transaction: Transaction) -> Iterator[Defect]:
    """The total of an order includes its baggage, so it cannot be less than that."""
    total, bags = amount(price.value), echo.least_price_of_baggage(transaction.response)
    if total is not None and bags and total < bags - PRICE_TOLERANCE:
        text = f"the total of the order is less than the price of its baggage ({bags:.2f})"
        yield price.defect(text, f"at least {bags:.2f}", f"{total:.2f}", "amount")


@transaction_rule("V4-ORDER-READ", "response", "getOrder", "confirmOrder", about="id")
def order_is_the_requested_one(key: Node, transaction: Transaction) -> Iterator[Defect]:
    """The response has the requested order."""
    return other_id(key, transaction.url.path_values.get("orderId"), "the response is not the requested order")


# Helpers


def other_id(shown: Node, expected: Json, text: str, whose: str = "the requested id") -> Iterator[Defect]:
    """Yield a defect for an id that differs from the one that is known, if there are both."""
    if isinstance(shown.value, str) and isinstance(expected, str) and not same_id(shown.value, expected):
        yield shown.defect(text, whose, "another id")


def priced_for_others(counts: Sequence[tuple[str, str, int]], pricing: Node) -> Iterator[Defect]:
    """Yield a defect for each type of passengers whose number in a fare is another one.

    ``counts`` has the types, their names in the plural and their numbers.
    """
    for kind, field, count in counts if isinstance(pricing.value, dict) else ():
        part = pricing.value.get(kind)
        # A type that is missing or null has no passengers.
        found = part.get("numberOfPassengers") if isinstance(part, dict) else None if part is not None else 0
        priced = whole(found)
        if priced is None or priced == count or (kind == "adult" and not part):
            continue
        text = f"the fare is priced for {priced} {field}, but the request has {count}"
        yield pricing.defect(text, str(count), str(priced), f"{kind}/numberOfPassengers" if part else kind)


def is_left_open(transaction: Transaction) -> bool:
    """Return whether the documents say nothing about a response.

    That is Get Offer in another class (OPEN-54), perhaps by a request that was not captured, an operation that is no
    longer maintained (OPEN-40), and what only JSON as it is documented may change: a rejection, or a body in another
    format (OPEN-75).
    """
    is_body_open = transaction.rejected or (transaction.succeeded and transaction.response_body.broken)
    if is_body_open and any((*content_type(transaction), *accept(transaction))):
        return True
    unmaintained = transaction.url.operation.unmaintained if transaction.url.operation else None
    if unmaintained is not None and transaction.started.date() >= unmaintained:
        return True
    if transaction.operation != "getOffer" or not transaction.succeeded:
        return False
    if not transaction.request_body.readable and member(transaction.delivered, "id") is None:
        return True
    sections = [
        *items(transaction.sent, "outboundSegment", "sections"),
        *items(transaction.sent, "inboundSegment", "sections"),
    ]
    classes = [
        holder.get("travelClass", SOLD_CLASS) for holder in (transaction.sent, *sections) if isinstance(holder, dict)
    ]
    return any(requested != SOLD_CLASS for requested in classes)


def _error(transaction: Transaction) -> Json:
    """Return the body of a rejection, or None."""
    return transaction.response_body.value if transaction.rejected else None


def _phrases(status: int) -> tuple[str, ...]:
    if status in _PHRASES:
        return _PHRASES[status]
    try:
        return (HTTPStatus(status).phrase.casefold(),)
    except ValueError:
        return ()


def _is_round_trip(transaction: Transaction) -> bool:
    return bool(transaction.request.get("tripType") == "ROUND_TRIP")


def _finds_or_not(transaction: Transaction) -> bool:
    """Return whether the only reason to reject a search is its class or an unknown airport (OPEN-55)."""
    operation, sent = transaction.url.operation, transaction.sent
    key = transaction.sent_header("Authorization")
    if not key or operation is None or operation.request is None or not operation.request.is_valid(sent):
        return False
    ways = [sent[name] for name in ("outboundSegment", "inboundSegment") if sent.get(name)]
    days = [day(way["departureDate"]) for way in ways]
    return (
        all(way["origin"]["code"].upper() != way["destination"]["code"].upper() for way in ways)
        and all(found is not None and found > transaction.started.date() for found in days)
        and days == sorted(found for found in days if found is not None)
        and len(days) == 1 + _is_round_trip(transaction)
        and sent["adults"] + sent["children"] <= MOST_PASSENGERS
        and sent["infants"] <= sent["adults"]
    )


def _flies(offer: Json, way: str, origin: str | None, destination: str | None, departs: str | None) -> bool:
    """Return whether an offer has exactly the requested ends and date: the quick test, as most of hundreds do."""
    try:
        sections = offer[way]["sections"]
        first, last = sections[0], sections[-1]
        return bool(
            (origin is None or first["origin"] == origin)
            and (destination is None or last["destination"] == destination)
            and (departs is None or first["departureDate"].startswith(departs))
        )
    except (AttributeError, LookupError, TypeError):
        return False


def _requested_counts(transaction: Transaction) -> list[tuple[str, str, int]]:
    """Return the requested passengers: type, request field and number."""
    requested = [(kind, field, whole(transaction.request.get(field))) for kind, field in COUNTS.items()]
    return [(kind, field, count) for kind, field, count in requested if count is not None]


def _is_priced_for(counts: Sequence[tuple[str, str, int]], offer: Json) -> bool:
    """Return whether a fare has exactly the requested passengers: the quick test, as most of hundreds do."""
    try:
        pricing = offer["fare"]["passengerPricingByPassengerType"]
        for kind, _, count in counts:
            part = pricing.get(kind)
            if (part["numberOfPassengers"] if part else 0) != count:
                return False
    except (AttributeError, LookupError, TypeError):
        return False
    return True


def _way_of(flown: Sequence[FlightLeg]) -> tuple[str, str, str]:
    return flown[0].origin, flown[-1].destination, flown[0].departureDate[:LENGTH_OF_A_DAY]


def _well_formed(transaction: Transaction) -> bool:
    operation = transaction.url.operation
    return operation is not None and all(
        parameter.schema.is_valid(transaction.url.path_values.get(parameter.name))
        for parameter in operation.parameters
        if parameter.place == "path"
    )
