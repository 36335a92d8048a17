"""Rules on responses of v4 that need one exchange and that JSON Schema cannot express."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import PRICE_TOLERANCE
from airworthy.contract.conversation.v4 import echo
from airworthy.contract.conversation.v4.resources import FlightLeg, departure_from, legs
from airworthy.contract.http.transaction import LENGTH_OF_A_DAY, Transaction, amount, day, items, member, same_id, whole
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule
from airworthy.contract.rules.subjects import About

ORDERS = ("createOrder", "confirmOrder", "getOrder")
RESERVATIONS = ("getReservation", "findReservation")
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
COUNTS = {"adult": "adults", "child": "children", "infant": "infants"}
SOLD_CLASS = "ECONOMY"
OTHER_CLASSES = ("BUSINESS", "FIRST")
MOST_PASSENGERS = 9
_PHRASES = {
    413: ("request entity too large", "content too large", "payload too large"),
    414: ("request-uri too long", "uri too long"),
    416: ("requested range not satisfiable", "range not satisfiable"),
    418: ("i'm a teapot", "im a teapot"),
    422: ("unprocessable entity", "unprocessable content"),
}


# What the rules are about


def _errors_with(name: str) -> About:
    """Return the selector of errors of v4 that have a member."""

    def about(transaction: Transaction, _conversation: Conversation) -> int:
        return int(_is_rejection(transaction) and member(transaction.response_body.value, name) is not None)

    return about


def _round_trip_offers(transaction: Transaction, _conversation: Conversation) -> int:
    stored = transaction.operation == "getOffer" and transaction.delivered is not None
    return (int(stored) or len(_offers(transaction))) if _is_round_trip(transaction) else 0


def _selected_pieces(transaction: Transaction, _conversation: Conversation) -> int:
    return len(list(echo.selections(member(transaction.delivered, "selectedBaggage"))))


# Every response


@transaction_rule("V4-ERROR-STATUS-CODE", "response", about=_errors_with("statusCode"))
def error_status_code(transaction: Transaction) -> Iterator[Defect]:
    """The statusCode of an error is the HTTP status code."""
    stated = whole(member(transaction.response_body.value, "statusCode")) if _is_rejection(transaction) else None
    if stated is not None and stated != transaction.status:
        text = f"statusCode of the error is {stated}, but the status code is {transaction.status}"
        yield Defect(("statusCode",), text, str(transaction.status), str(stated))


@transaction_rule("V4-ERROR-TEXT", "response", about=_errors_with("error"))
def error_text(transaction: Transaction) -> Iterator[Defect]:
    """The error text is the reason phrase of the status code, in any letter case (OPEN-76)."""
    stated = member(transaction.response_body.value, "error") if _is_rejection(transaction) else None
    phrases = _phrases(transaction.status)
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
    requested, found = member(transaction.sent, "travelClass"), member(transaction.delivered, "offers")
    if requested not in OTHER_CLASSES:
        return
    if isinstance(found, list) and found:
        text = f"a search in travel class {requested} returns offers"
        yield Defect(("offers",), text, "an empty array", wording.shown(found))
    elif transaction.status == HTTPStatus.BAD_REQUEST and _finds_or_not(transaction):
        text = f"a search in travel class {requested} is rejected"
        expected = "200 with an empty offers array"
        yield Defect((), text, expected, str(transaction.status), where="status", soft=True)


@transaction_rule("V4-SEARCH-ROUND-TRIP", "response", "searchOffers", about=_round_trip_offers)
def search_round_trip(transaction: Transaction) -> Iterator[Defect]:
    """A round-trip offer has an inbound segment."""
    for index, offer in enumerate(items(transaction.delivered, "offers") if _is_round_trip(transaction) else ()):
        yield from _inbound(offer, ("offers", index))


@transaction_rule("V4-OFFER-ROUND-TRIP", "response", "getOffer", about=_round_trip_offers)
def offer_round_trip(transaction: Transaction) -> Iterator[Defect]:
    """A stored round-trip offer has an inbound segment."""
    if _is_round_trip(transaction):
        yield from _inbound(transaction.delivered, ())


@transaction_rule(
    "V4-SEARCH-PASSENGER-COUNT", "response", "searchOffers", about="offers/*/fare/passengerPricingByPassengerType"
)
def search_passenger_count(transaction: Transaction) -> Iterator[Defect]:
    """A fare is priced for the requested passengers."""
    counts = _requested_counts(transaction)
    for index, offer in enumerate(_offers(transaction)):
        if not _is_priced_for(counts, offer):
            yield from _counted(counts, offer.get("fare"), ("offers", index, "fare"))


@transaction_rule(
    "V4-OFFER-PASSENGER-COUNT", "response", "getOffer", about="cheapestFare/passengerPricingByPassengerType"
)
def offer_passenger_count(transaction: Transaction) -> Iterator[Defect]:
    """The cheapest fare is priced for the requested passengers."""
    fare = member(transaction.delivered, "cheapestFare")
    yield from _counted(_requested_counts(transaction), fare, ("cheapestFare",))


@transaction_rule("V4-SEARCH-ITINERARY", "response", "searchOffers", about="offers/*/outboundSegment/sections")
def search_itinerary(transaction: Transaction) -> Iterator[Defect]:
    """An offer has the requested airports and date (v4, POST /search); a city cannot be compared with an airport.

    Inbound flights only warn, as their structure is open (OPEN-02), and so do flights that have the requested ends in
    another order of their sections, which is not documented.
    """
    yield from _other_itineraries(transaction, "outboundSegment")
    if _is_round_trip(transaction):
        yield from (replace(defect, soft=True) for defect in _other_itineraries(transaction, "inboundSegment"))


def _other_itineraries(transaction: Transaction, way: str) -> Iterator[Defect]:
    requested = member(transaction.sent, way)
    airports = {
        name: code.upper()
        for name in ("origin", "destination")
        if member(requested, name, "type") == "AIRPORT" and isinstance(code := member(requested, name, "code"), str)
    }
    departs = member(requested, "departureDate") if day(member(requested, "departureDate")) else None
    ends = airports.get("origin"), airports.get("destination"), departs
    for index, offer in enumerate(_offers(transaction)):
        if _flies(offer, way, *ends):
            continue
        sections = items(offer, way, "sections")
        if not sections:
            continue
        place: Pointer = ("offers", index, way, "sections")
        for name, expected in airports.items():
            at = 0 if name == "origin" else len(sections) - 1
            flown = sections[at].get(name)
            if isinstance(flown, str) and flown.upper() != expected:
                text = f"the {name} of an offer is {wording.shown(flown)}, but {wording.shown(expected)} was requested"
                is_nowhere = not any(str(each.get(name)).upper() == expected for each in sections)
                yield replace(_another((*place, at, name), text, expected, flown), soft=not is_nowhere)
        leaves = sections[0].get("departureDate")
        if departs and isinstance(leaves, str) and not leaves.startswith(departs) and day(leaves[:10]):
            text = f"an offer departs on {leaves[:10]}, but {departs} was requested"
            is_nowhere = not any(str(each.get("departureDate")).startswith(departs) for each in sections)
            yield replace(_another((*place, 0, "departureDate"), text, departs, leaves[:10]), soft=not is_nowhere)


@conversation_rule("V4-SEARCH-ITINERARY", "response", "getOffer", about="outboundSegment/sections")
def offer_itinerary(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A stored offer has the requested flights, which Get Offer verifies (v4, POST /offer).

    Other times only warn: what Get Offer returns for an itinerary that has changed is open (OPEN-56). So do, on the
    requested way and day, other flights than those of a client that did not search for them, or in another order.
    """
    searches = conversation.searches.of(transaction)
    for way in ("outboundSegment", "inboundSegment"):
        # OPEN-02: an inbound segment without sections cannot be compared.
        requested, flown = legs(member(transaction.sent, way)), legs(member(transaction.delivered, way))
        if requested and flown and requested != flown:
            text = "the flights of the offer differ from those requested"
            place = (way, "sections", *departure_from(requested, flown))
            are_others = Counter(map(_flight, requested)) != Counter(map(_flight, flown))
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
def order_opens(transaction: Transaction) -> Iterator[Defect]:
    """A created order is OPEN."""
    status = member(transaction.delivered, "status")
    if status in ("BOOKED", "FAILED"):
        yield Defect(("status",), f"a newly created order is {status}, not OPEN", "OPEN", status)


@transaction_rule("V4-ORDER-OFFER", "response", "createOrder", about="offer/id")
def order_has_its_offer(transaction: Transaction) -> Iterator[Defect]:
    """An order holds the offer and the fare that it was created from."""
    sources = {("offer", "id"): "offerId", ("offer", "fare", "id"): "fareId"}
    for path, name in sources.items():
        requested, held = transaction.url.query_value(name), member(transaction.delivered, *path)
        if isinstance(requested, str) and isinstance(held, str) and not same_id(requested, held):
            text = f"the {name} of the order differs from the one that it was created from"
            yield Defect(path, text, "the requested id", "another id")


@transaction_rule("V4-ORDER-PRICE-PER-PIECE", "response", *ORDERS, about=_selected_pieces)
def price_per_piece(transaction: Transaction) -> Iterator[Defect]:
    """Selected baggage is returned with its price, on the item or on a selection (OPEN-44)."""
    baggage = member(transaction.delivered, "selectedBaggage")
    selected = {each.place[:2]: each.item for each in echo.selections(baggage)}
    for place, item in selected.items():
        inside = [selection for key in echo.BAGS for selection in items(item, key)]
        if all(holder.get("pricePerPiece") is None for holder in (item, *inside)):
            text = "pricePerPiece is missing from an item of selected baggage"
            yield Defect((*place, "pricePerPiece"), text, "an amount of money", "missing")


@transaction_rule("V4-ORDER-TOTAL-BAGGAGE", "response", *ORDERS, about=_selected_pieces)
def total_holds_baggage(transaction: Transaction) -> Iterator[Defect]:
    """The total of an order includes its baggage, so it cannot be less than that."""
    total = amount(member(transaction.delivered, "totalPrice"))
    bags = echo.price_of_baggage(member(transaction.delivered, "selectedBaggage"))
    if total is not None and bags and total < bags - PRICE_TOLERANCE:
        text = f"the total of the order is less than the price of its baggage ({bags:.2f})"
        yield Defect(("totalPrice", "amount"), text, f"at least {bags:.2f}", f"{total:.2f}")


@transaction_rule("V4-ORDER-READ", "response", "getOrder", "confirmOrder", about="id")
def order_is_the_requested_one(transaction: Transaction) -> Iterator[Defect]:
    """The response has the requested order."""
    requested, returned = transaction.url.path_values.get("orderId"), member(transaction.delivered, "id")
    if isinstance(returned, str) and not same_id(requested, returned):
        text = "the response is not the requested order"
        yield Defect(("id",), text, "the requested id", "another id")


# Helpers


def is_left_open(transaction: Transaction) -> bool:
    """Return whether the documents say nothing about a response.

    That is Get Offer in another class (OPEN-54), and an operation that is no longer maintained (OPEN-40).
    """
    unmaintained = transaction.url.operation.unmaintained if transaction.url.operation else None
    if unmaintained is not None and transaction.started.date() >= unmaintained:
        return True
    if transaction.operation != "getOffer" or not transaction.succeeded:
        return False
    sections = [
        *items(transaction.sent, "outboundSegment", "sections"),
        *items(transaction.sent, "inboundSegment", "sections"),
    ]
    classes = [
        holder.get("travelClass", SOLD_CLASS) for holder in (transaction.sent, *sections) if isinstance(holder, dict)
    ]
    return any(requested != SOLD_CLASS for requested in classes)


def _is_rejection(transaction: Transaction) -> bool:
    return transaction.rejected and transaction.status != HTTPStatus.TOO_MANY_REQUESTS


def _phrases(status: int) -> tuple[str, ...]:
    if status in _PHRASES:
        return _PHRASES[status]
    try:
        return (HTTPStatus(status).phrase.casefold(),)
    except ValueError:
        return ()


def _offers(transaction: Transaction) -> list[dict[str, Any]]:
    return items(transaction.delivered, "offers")


def _is_round_trip(transaction: Transaction) -> bool:
    return bool(member(transaction.sent, "tripType") == "ROUND_TRIP")


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


def _inbound(offer: Json, place: Pointer) -> Iterator[Defect]:
    if isinstance(offer, dict) and offer.get("inboundSegment") is None:
        text = "inboundSegment is missing from a round-trip offer"
        actual = "null" if "inboundSegment" in offer else "missing"
        yield Defect((*place, "inboundSegment"), text, "an inbound segment", actual)


def _requested_counts(transaction: Transaction) -> list[tuple[str, str, int]]:
    """Return the requested passengers: type, request field and number."""
    requested = [(kind, field, whole(member(transaction.sent, field))) for kind, field in COUNTS.items()]
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


def _counted(counts: Sequence[tuple[str, str, int]], fare: Json, place: Pointer) -> Iterator[Defect]:
    pricing = member(fare, "passengerPricingByPassengerType")
    for kind, field, count in counts if isinstance(pricing, dict) else ():
        part = pricing.get(kind)
        # A type that is missing or null has no passengers.
        found = part.get("numberOfPassengers") if isinstance(part, dict) else None if part is not None else 0
        priced = whole(found)
        if priced is None or priced == count or (kind == "adult" and not part):
            continue
        where = (*place, "passengerPricingByPassengerType", kind, *(("numberOfPassengers",) if part else ()))
        text = f"the fare is priced for {priced} {field}, but {count} were requested"
        yield Defect(where, text, str(count), str(priced))


def _another(place: Pointer, text: str, expected: str, actual: str) -> Defect:
    return Defect(place, text, wording.shown(expected), wording.shown(actual))


def _flight(leg: FlightLeg) -> FlightLeg:
    """Return what is not a time of a leg."""
    return leg._replace(departureDate=leg.departureDate[:LENGTH_OF_A_DAY], arrivalDate="")


def _way_of(flown: Sequence[FlightLeg]) -> tuple[str, str, str]:
    return flown[0].origin, flown[-1].destination, flown[0].departureDate[:LENGTH_OF_A_DAY]


def _well_formed(transaction: Transaction) -> bool:
    operation = transaction.url.operation
    return operation is not None and all(
        parameter.schema.is_valid(transaction.url.path_values.get(parameter.name))
        for parameter in operation.parameters
        if parameter.place == "path"
    )
