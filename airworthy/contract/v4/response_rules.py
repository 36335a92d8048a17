"""The rules on answers of v4 that one exchange shows and JSON Schema cannot say."""

from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any

from airworthy.contract import wording
from airworthy.contract.body import Json, Pointer
from airworthy.contract.coded_rules import transaction_rule
from airworthy.contract.conversation.v4 import departure_from, legs
from airworthy.contract.defect import Defect
from airworthy.contract.transaction import Transaction, amount, day, items, member, same_id, whole
from airworthy.contract.v4 import echo

ORDERS = ("createOrder", "confirmOrder", "getOrder")
RESERVATIONS = ("getReservation", "findReservation")
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)
COUNTS = {"adult": "adults", "child": "children", "infant": "infants"}
SOLD_CLASS = "ECONOMY"
OTHER_CLASSES = ("BUSINESS", "FIRST")
TOLERANCE = 0.011
MOST_PASSENGERS = 9
_PHRASES = {
    413: ("request entity too large", "content too large", "payload too large"),
    414: ("request-uri too long", "uri too long"),
    416: ("requested range not satisfiable", "range not satisfiable"),
    418: ("i'm a teapot", "im a teapot"),
    422: ("unprocessable entity", "unprocessable content"),
}


# The answer, whatever the operation


@transaction_rule("V4-ERROR-STATUS-CODE", "response")
def error_status_code(transaction: Transaction) -> Iterator[Defect]:
    """The statusCode of an error is its HTTP status."""
    said = whole(member(transaction.response_body.value, "statusCode")) if _is_refusal(transaction) else None
    if said is not None and said != transaction.status:
        text = f"the error says statusCode {said}, the answer has the status {transaction.status}"
        yield Defect(("statusCode",), text, str(transaction.status), str(said))


@transaction_rule("V4-ERROR-TEXT", "response")
def error_text(transaction: Transaction) -> Iterator[Defect]:
    """The error text is the text of the HTTP status; letter case does not count (OPEN-76)."""
    said = member(transaction.response_body.value, "error") if _is_refusal(transaction) else None
    phrases = _phrases(transaction.status)
    if isinstance(said, str) and phrases and said.strip().casefold() not in phrases:
        actual = wording.shown(said)
        text = f"the error text is {actual}, not that of status {transaction.status}"
        yield Defect(("error",), text, HTTPStatus(transaction.status).phrase, actual)


# The answer to a search or an offer request


@transaction_rule("V4-SEARCH-TRAVEL-CLASS", "response", "searchOffers")
def other_class_finds_nothing(transaction: Transaction) -> Iterator[Defect]:
    """A travel class other than ECONOMY returns an empty array of offers."""
    asked, found = member(transaction.sent, "travelClass"), member(transaction.delivered, "offers")
    if asked not in OTHER_CLASSES:
        return
    if isinstance(found, list) and found:
        text = f"a search in {asked} was answered with offers"
        yield Defect(("offers",), text, "an empty array", wording.shown(found))
    elif transaction.status == HTTPStatus.BAD_REQUEST and _finds_or_not(transaction):
        text = f"a search in {asked} was refused"
        expected = "200 with an empty offers array"
        yield Defect((), text, expected, str(transaction.status), where="status", soft=True)


@transaction_rule("V4-SEARCH-ROUND-TRIP", "response", "searchOffers")
def search_round_trip(transaction: Transaction) -> Iterator[Defect]:
    """A round-trip offer has an inbound segment."""
    for index, offer in enumerate(items(transaction.delivered, "offers") if _is_round_trip(transaction) else ()):
        yield from _inbound(offer, ("offers", index))


@transaction_rule("V4-OFFER-ROUND-TRIP", "response", "getOffer")
def offer_round_trip(transaction: Transaction) -> Iterator[Defect]:
    """A stored round-trip offer has an inbound segment."""
    if _is_round_trip(transaction):
        yield from _inbound(transaction.delivered, ())


@transaction_rule("V4-SEARCH-PASSENGER-COUNT", "response", "searchOffers")
def search_passenger_count(transaction: Transaction) -> Iterator[Defect]:
    """A fare is priced for the passengers that were asked for."""
    counts = _asked_counts(transaction)
    for index, offer in enumerate(_offers(transaction)):
        if not _is_priced_for(counts, offer):
            yield from _counted(counts, offer.get("fare"), ("offers", index, "fare"))


@transaction_rule("V4-OFFER-PASSENGER-COUNT", "response", "getOffer")
def offer_passenger_count(transaction: Transaction) -> Iterator[Defect]:
    """The cheapest fare is priced for the passengers that were asked for."""
    fare = member(transaction.delivered, "cheapestFare")
    yield from _counted(_asked_counts(transaction), fare, ("cheapestFare",))


@transaction_rule("V4-SEARCH-ITINERARY", "response", "searchOffers")
def search_itinerary(transaction: Transaction) -> Iterator[Defect]:
    """An offer flies where and when it was asked for; a city cannot be compared with an airport. It only warns."""
    asked = member(transaction.sent, "outboundSegment")
    airports = {
        name: code.upper()
        for name in ("origin", "destination")
        if member(asked, name, "type") == "AIRPORT" and isinstance(code := member(asked, name, "code"), str)
    }
    departs = member(asked, "departureDate") if day(member(asked, "departureDate")) else None
    ends = airports.get("origin"), airports.get("destination"), departs
    for index, offer in enumerate(_offers(transaction)):
        if _flies(offer, *ends):
            continue
        sections = items(offer, "outboundSegment", "sections")
        if not sections:
            continue
        place: Pointer = ("offers", index, "outboundSegment", "sections")
        for name, wanted in airports.items():
            at = 0 if name == "origin" else len(sections) - 1
            flown = sections[at].get(name)
            if isinstance(flown, str) and flown.upper() != wanted:
                text = f"an offer has the {name} {wording.shown(flown)} where {wording.shown(wanted)} was asked for"
                yield _soft((*place, at, name), text, wanted, flown)
        leaves = sections[0].get("departureDate")
        if departs and isinstance(leaves, str) and not leaves.startswith(departs) and day(leaves[:10]):
            text = f"an offer leaves on {leaves[:10]} where {departs} was asked for"
            yield _soft((*place, 0, "departureDate"), text, departs, leaves[:10])


@transaction_rule("V4-SEARCH-ITINERARY", "response", "getOffer")
def offer_itinerary(transaction: Transaction) -> Iterator[Defect]:
    """A stored offer flies as it was asked for. It only warns."""
    asked, flown = (
        legs(member(transaction.sent, "outboundSegment")),
        legs(member(transaction.delivered, "outboundSegment")),
    )
    if asked and flown and asked != flown:
        text = "the offer flies otherwise than was asked for"
        place = ("outboundSegment", "sections", *departure_from(asked, flown))
        yield Defect(place, text, "the sections asked for", "other sections", soft=True)


@transaction_rule("V4-FARES-MISSING", "response", "getFares")
def fares_are_never_missing(transaction: Transaction) -> Iterator[Defect]:
    """The fares of a missing offer are an empty array, not an error."""
    asked_well = bool(transaction.sent_header("Authorization")) and _well_formed(transaction)
    if transaction.status in GONE and transaction.response_body.readable and asked_well:
        text = f"Get Fares is answered with {HTTPStatus(transaction.status).phrase}, not with an empty array of fares"
        actual = str(transaction.status)
        yield Defect((), text, "200 with an empty fares array", actual, where="status")


# The answer to an order, a confirmation or a reading


@transaction_rule("V4-ORDER-OPENS", "response", "createOrder")
def order_opens(transaction: Transaction) -> Iterator[Defect]:
    """A created order is OPEN."""
    status = member(transaction.delivered, "status")
    if status in ("BOOKED", "FAILED"):
        yield Defect(("status",), f"a created order is {status}, not OPEN", "OPEN", status)


@transaction_rule("V4-CONFIRM-BOOKS", "response", "confirmOrder")
def confirmation_books(transaction: Transaction) -> Iterator[Defect]:
    """A confirmation that is answered with 200 has booked the order, or says that it FAILED (OPEN-24)."""
    if member(transaction.delivered, "status") == "OPEN":
        text = "a confirmation was answered with success, but the order is OPEN"
        yield Defect(("status",), text, "BOOKED", "OPEN")


@transaction_rule("V4-CONFIRM-3DS-ATTEMPTED", "response", "confirmOrder")
def attempted_authentication(transaction: Transaction) -> Iterator[Defect]:
    """An authentication that was only attempted leads to a payment error."""
    indicator = member(transaction.sent, "three_d_secure", "electronic_commerce_indicator")
    if indicator in ("06", "01") and transaction.accepted:
        text = f"an order was booked although its authentication was only attempted (indicator {indicator})"
        yield Defect(("status",), text, "a payment error", "BOOKED")


@transaction_rule("V4-ORDER-OFFER", "response", "createOrder")
def order_has_its_offer(transaction: Transaction) -> Iterator[Defect]:
    """An order holds the offer and the fare that it was created from."""
    wanted = {("offer", "id"): "offerId", ("offer", "fare", "id"): "fareId"}
    for path, name in wanted.items():
        asked, held = transaction.url.query_value(name), member(transaction.delivered, *path)
        if isinstance(asked, str) and isinstance(held, str) and not same_id(asked, held):
            text = f"the order does not hold the {name} that it was created from"
            yield Defect(path, text, "the id that was asked for", "another id")


@transaction_rule("V4-ORDER-PASSENGERS-ECHO", "response", "createOrder")
def passengers_echo(transaction: Transaction) -> Iterator[Defect]:
    """An order answers its passengers as they were sent, identification included."""
    sent, answered = member(transaction.sent, "passengers"), member(transaction.delivered, "passengers")
    yield from echo.passengers(sent, answered)


@transaction_rule("V4-ORDER-CONTACT-ECHO", "response", "createOrder")
def contact_echo(transaction: Transaction) -> Iterator[Defect]:
    """An order answers its contact as it was sent."""
    yield from echo.contact(
        member(transaction.sent, "customerContact"), member(transaction.delivered, "customerContact")
    )


@transaction_rule("V4-ORDER-BAGGAGE-ECHO", "response", "createOrder")
def baggage_echo(transaction: Transaction) -> Iterator[Defect]:
    """An order answers its selected baggage as it was sent."""
    sent, answered = member(transaction.sent, "selectedBaggage"), member(transaction.delivered, "selectedBaggage")
    yield from echo.baggage(sent, answered)


@transaction_rule("V4-ORDER-PAYMENT-METHOD-ECHO", "response", "createOrder")
def payment_method_echo(transaction: Transaction) -> Iterator[Defect]:
    """An order answers the payment method that was chosen."""
    yield from echo.payment_method(
        member(transaction.sent, "paymentMethod"), member(transaction.delivered, "paymentMethod")
    )


@transaction_rule("V4-ORDER-PRICE-PER-PIECE", "response", *ORDERS)
def price_per_piece(transaction: Transaction) -> Iterator[Defect]:
    """Selected baggage is answered with its price, on the item or on a selection (OPEN-44)."""
    baggage = member(transaction.delivered, "selectedBaggage")
    selected = {each.place[:2]: each.item for each in echo.selections(baggage)}
    for place, item in selected.items():
        inside = [selection for key in echo.BAGS for selection in items(item, key)]
        if all(holder.get("pricePerPiece") is None for holder in (item, *inside)):
            text = "an item of selected baggage has no pricePerPiece"
            yield Defect((*place, "pricePerPiece"), text, "an amount of money", "missing")


@transaction_rule("V4-ORDER-TOTAL-BAGGAGE", "response", *ORDERS)
def total_holds_baggage(transaction: Transaction) -> Iterator[Defect]:
    """The total of an order includes its baggage, so that it cannot be less."""
    total = amount(member(transaction.delivered, "totalPrice"))
    bags = echo.price_of_baggage(member(transaction.delivered, "selectedBaggage"))
    if total is not None and bags and total < bags - TOLERANCE:
        text = f"the total of the order is less than its baggage costs ({bags:.2f})"
        yield Defect(("totalPrice", "amount"), text, f"at least {bags:.2f}", f"{total:.2f}")


@transaction_rule("V4-ORDER-READ", "response", "getOrder", "confirmOrder")
def order_is_the_one_asked_for(transaction: Transaction) -> Iterator[Defect]:
    """The order that is answered is the one that was asked for."""
    asked, answered = transaction.url.path_values.get("orderId"), member(transaction.delivered, "id")
    if isinstance(answered, str) and not same_id(asked, answered):
        text = "the answer is another order than the one asked for"
        yield Defect(("id",), text, "the id that was asked for", "another id")


@transaction_rule("V4-RESERVATION-BY-ORDER", "response", "findReservation")
def reservation_of_the_order(transaction: Transaction) -> Iterator[Defect]:
    """A reservation that is looked for by its order is that order's."""
    asked, answered = transaction.url.query_value("orderId"), member(transaction.delivered, "orderId")
    if isinstance(asked, str) and isinstance(answered, str) and not same_id(asked, answered):
        text = "the answer is the reservation of another order than the one asked for"
        yield Defect(("orderId",), text, "the id that was asked for", "another id")


@transaction_rule("V4-RESERVATION-MATCHES-ORDER", "response", *RESERVATIONS)
def reservation_matches(transaction: Transaction) -> Iterator[Defect]:
    """A reservation has the id that was asked for."""
    asked, answered = transaction.url.path_values.get("reservationId"), member(transaction.delivered, "id")
    if isinstance(asked, str) and isinstance(answered, str) and not same_id(asked, answered):
        text = "the answer is another reservation than the one asked for"
        yield Defect(("id",), text, "the id that was asked for", "another id")


# What the rules share


def is_left_open(transaction: Transaction) -> bool:
    """Whether the documents say nothing at all about an answer.

    That is Get Offer in another class (OPEN-54), and whatever is no longer maintained (OPEN-40).
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
    return any(asked != SOLD_CLASS for asked in classes)


def _is_refusal(transaction: Transaction) -> bool:
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
    """Whether only the class of a search may be why it was refused, or an airport that is not known (OPEN-55)."""
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


def _flies(offer: Json, origin: str | None, destination: str | None, departs: str | None) -> bool:
    """Whether an offer flies just as it was asked for: there are hundreds, and hardly one does not."""
    try:
        sections = offer["outboundSegment"]["sections"]
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


def _asked_counts(transaction: Transaction) -> list[tuple[str, str, int]]:
    """Return for how many passengers was asked: the type, the field that says so, and the number."""
    asked = [(kind, field, whole(member(transaction.sent, field))) for kind, field in COUNTS.items()]
    return [(kind, field, count) for kind, field, count in asked if count is not None]


def _is_priced_for(counts: Sequence[tuple[str, str, int]], offer: Json) -> bool:
    """Whether the fare of an offer is priced just as it was asked for: there are hundreds, and hardly one is not."""
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
        # A type that is left out or null has no passengers.
        found = part.get("numberOfPassengers") if isinstance(part, dict) else None if part is not None else 0
        priced = whole(found)
        if priced is None or priced == count or (kind == "adult" and not part):
            continue
        where = (*place, "passengerPricingByPassengerType", kind, *(("numberOfPassengers",) if part else ()))
        text = f"{count} {field} were asked for, the fare is priced for {priced}"
        yield Defect(where, text, str(count), str(priced))


def _soft(place: Pointer, text: str, expected: str, actual: str) -> Defect:
    return Defect(place, text, wording.shown(expected), wording.shown(actual), soft=True)


def _well_formed(transaction: Transaction) -> bool:
    operation = transaction.url.operation
    return operation is not None and all(
        parameter.schema.is_valid(transaction.url.path_values.get(parameter.name))
        for parameter in operation.parameters
        if parameter.place == "path"
    )
