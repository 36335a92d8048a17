"""Rules of v4 that need several exchanges, judged by what the `Conversation` has seen.

What was not seen is not judged: an order created elsewhere, a fare list that was never read, a booking that somebody
else confirmed. A 404 is a defect only if the service showed the same resource to the same key before.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import timedelta

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import CLOCK_TOLERANCE, RETENTION
from airworthy.contract.conversation.searches import leg
from airworthy.contract.conversation.v4.memory import OFFERS_OF_A_FARE
from airworthy.contract.conversation.v4.resources import SeenBaggageOption, SeenOffer, SeenOrder
from airworthy.contract.http.transaction import Transaction, items, same_id, whole
from airworthy.contract.rules.coded_rules import conversation_rule
from airworthy.contract.v4.response_rules import COUNTS, GONE, ORDERS, other_id, priced_for_others
from airworthy.documents.wording import one_of

BIRTH_DATE = ("birth_date", "birthdate")
AT_ONCE = timedelta(minutes=1)
INBOUND = "inboundSegmentBaggageSelection"


# The request


@conversation_rule("V4-OFFER-SECTION", "request", "getOffer")
def flights_were_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The flights of an offer request were found by a search of the same caller. Only warns.

    The search may have been made before the traffic begins. Source: v4, What the service does (Search, Get Offer).
    """
    searches = conversation.searches.of(transaction)
    if not searches.offers or not searches.complete:
        return
    for section in transaction.request.each("outboundSegment/sections/*"):
        if leg(section.value) and not searches.found([section.value]):
            text = "the request is for a flight that no search of the client found"
            yield section.defect(text, "a flight of a search result", "another flight", soft=True, tolerable=True)
            return


@conversation_rule("V4-ORDER-QUERY", "request", "createOrder")
def offer_of_get_offer(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order names the id that Get Offer returned, not that of a search; a service may know both (OPEN-57).

    Only warns unless the fare is known to be that of a stored offer.
    """
    named, fare = transaction.url.query_value("offerId"), transaction.url.query_value("fareId")
    if named is None or conversation.v4.offer(named) is not None:
        return
    searches = conversation.searches.of(transaction)
    if searches.stored and any(named.lower() in found.offers for found in searches.offers):
        text, where = "the order names the id of a search result, not the one that Get Offer returned", "query:offerId"
        soft = not conversation.v4.offers_of_fare(fare)
        yield Defect((), text, "the id of a stored offer", "the id of a search result", where, soft, tolerable=True)


@conversation_rule("V4-ORDER-EXPIRED-OFFER", "request", "createOrder")
def offer_has_expired(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order is created within the 30 minutes of its offer."""
    offer = _ordered_offer(transaction, conversation)
    if offer and _is_expired(transaction, offer, conversation):
        age = offer.age(transaction).least // timedelta(minutes=1)
        text = f"the order is created from an offer that is {age} minutes old"
        yield Defect((), text, "at most 30 minutes", f"{age} minutes", where="query:offerId")


@conversation_rule("V4-ORDER-FARE-OF-OFFER", "request", "createOrder")
def fare_of_the_offer(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The fare of an order is a fare of its offer, as far as its fares were seen.

    Only warns if no list of its fares was seen: offers may have equal fares (OPEN-73).
    """
    offer, fare = _ordered_offer(transaction, conversation), transaction.url.query_value("fareId")
    listed = (offer.all_fares if offer else None) or frozenset()
    if offer is None or fare is None or fare.lower() in offer.fares | listed:
        return
    offers = conversation.v4.offers_of_fare(fare)
    elsewhere = [conversation.v4.offer(each) for each in offers] if len(offers) < OFFERS_OF_A_FARE else []
    # Offers that share one fare may share others that were not seen.
    foreign = bool(elsewhere) and all(other and not other.fares & offer.fares for other in elsewhere)
    absent = bool(offer.fares & listed)
    if foreign or absent:
        what = "the fare of the order belongs to another offer"
        text = what if foreign else "the offer does not list the fare of the order"
        soft = not absent and not offer.bags
        yield Defect((), text, "a fare of that offer", "another fare", where="query:fareId", soft=soft)


@conversation_rule("V4-ORDER-PASSENGER-COUNT", "request", "createOrder", each="passengers")
def passengers_of_the_offer(passengers: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order has the passengers that its offer was requested for.

    Whether a service rejects others is open (OPEN-67).
    """
    offer = _ordered_offer(transaction, conversation)
    if offer is None or not isinstance(passengers.value, list):
        return
    types = Counter(str(passenger.get("type")).lower() for passenger in passengers.each("*"))
    differing = [kind for kind, count in offer.counts.items() if types[kind] != count]
    if differing and set(types) <= {"adult", "child", "infant"}:
        expected, actual = _party(offer.counts), _party({kind: types[kind] for kind in offer.counts})
        text = f"the order is for {actual}, but its offer is for {expected}"
        yield passengers.defect(text, expected, actual, tolerable=True)


def _party(counts: Mapping[str, int]) -> str:
    """Return numbers of passengers by type, as in ``2 adults, 1 child and 1 infant``."""
    named = [f"{count} {kind if count == 1 else COUNTS[kind]}" for kind, count in counts.items() if count]
    return " and ".join(filter(None, (", ".join(named[:-1]), *named[-1:]))) or "nobody"


@conversation_rule("V4-ORDER-INBOUND-BAGGAGE", "request", "createOrder", each=f"selectedBaggage/*/{INBOUND}")
def inbound_baggage_of_a_round_trip(
    inbound: Node, transaction: Transaction, conversation: Conversation
) -> Iterator[Defect]:
    """Only a round trip has inbound baggage; what a service does with that of another offer is open (OPEN-65)."""
    offer = _ordered_offer(transaction, conversation)
    if offer and offer.one_way and any(whole(each.get("numberOfPieces")) for each in inbound.each("*")):
        text = "inbound baggage is selected for a one-way offer"
        yield inbound.defect(text, "null or an empty array", "a selection", tolerable=True)


@conversation_rule("V4-ORDER-BAGGAGE-MAXIMUM", "request", "createOrder", each="selectedBaggage/*")
def baggage_within_the_options(item: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """No more baggage is selected than was offered. Only warns (OPEN-65)."""
    offer, fare = _ordered_offer(transaction, conversation), transaction.url.query_value("fareId")
    options = offer.bags.get(fare.lower()) if offer and fare else None
    if options is None:
        return
    for direction in ("outbound",) if offer and offer.one_way else ("outbound", "inbound"):
        selected = item / f"{direction}SegmentBaggageSelection"
        here = [bag for bag in options if bag.direction == direction]
        for selection in selected.each("*"):
            yield from _above([bag for bag in here if bag.type == selection.get("type")], selection)
        yield from _above_together(here, selected)


@conversation_rule("V4-ORDER-IDENTIFICATION-OPTION", "request", "createOrder", each="passengers/*")
def identification_is_an_option(
    passenger: Node, transaction: Transaction, conversation: Conversation
) -> Iterator[Defect]:
    """A passenger is identified by one of the types that the offer lists. Only warns (OPEN-68)."""
    offer, kind = _ordered_offer(transaction, conversation), passenger / "identification/type"
    options = offer.identification.get(str(passenger.get("type"))) if offer else None
    if options and isinstance(kind.value, str) and kind.value not in options:
        listed = one_of(sorted(option for option in options if wording.is_plain(option))[:6])
        text = f"a passenger is identified by {wording.shown(kind.value)}, which the offer does not list"
        yield kind.defect(text, listed, wording.shown(kind.value), soft=True, tolerable=True)


@conversation_rule("V4-ORDER-ADULT-BIRTH-DATE", "request", "createOrder", each="passengers/*")
def adult_birth_date(passenger: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An adult has a birth date if the offer lists it as a required field. Only warns (OPEN-43)."""
    offer = _ordered_offer(transaction, conversation)
    fields = {name.lower() for name in offer.required.get("adult", ())} if offer else set()
    if passenger.get("type") == "adult" and passenger.get("birthDate") is None and fields.intersection(BIRTH_DATE):
        text = "an adult has no birthDate, which the offer requires"
        yield passenger.defect(text, "a date (YYYY-MM-DD)", "missing", "birthDate", soft=True)


# The response


def _booked_before(transaction: Transaction, conversation: Conversation) -> int:
    order = known_order(transaction, conversation)
    return int(order is not None and transaction.follows(order.booked))


@conversation_rule("V4-FARES-EXPIRED", "response", "getFares", each="fares")
def fares_of_an_expired_offer(fares: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An expired offer has an empty array of fares."""
    offer = _requested_offer(transaction, conversation)
    if offer and _is_expired(transaction, offer, conversation) and isinstance(fares.value, list) and fares.value:
        yield fares.defect("an expired offer still has fares", "an empty array", wording.shown(fares.value))


@conversation_rule("V4-FARES-LIVE", "response", "getFares", about="fares")
def fares_of_a_live_offer(fares: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A live offer has at least one fare, its cheapest. Only warns (OPEN-03)."""
    offer = _requested_offer(transaction, conversation)
    if fares.value == [] and is_live(transaction, offer, conversation):
        yield fares.defect("a live offer has no fares", "its fares", "an empty array", soft=True)


@conversation_rule("V4-BAGGAGE-FARES", "response", "getBaggage", about="fareBaggageOptions/*/fareId")
def baggage_of_the_listed_fares(fare: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Baggage options are for fares of the offer, not for those of another one.

    Only warns: what a fare list contains is open (OPEN-03), and so is whether offers have fares in common (OPEN-73).
    """
    offer = _requested_offer(transaction, conversation)
    if offer is None or not isinstance(fare.value, str):
        return
    shown, listed = fare.value.lower(), offer.all_fares or frozenset()
    is_elsewhere = offer.cheapest in listed or _is_of_another_offer(shown, offer, transaction, conversation)
    if shown not in listed and is_elsewhere:
        text = "baggage options are listed for a fare that the offer does not list"
        yield fare.defect(text, "a fare of the offer", "another fare", soft=True)


def _is_of_another_offer(fare: str, offer: SeenOffer, transaction: Transaction, conversation: Conversation) -> bool:
    """Return whether a fare is known from other offers that share none, and no option is for a fare of this one."""
    own = {str(each.get("fareId")).lower() for each in transaction.response.each("fareBaggageOptions/*")} & offer.fares
    others = [conversation.v4.offer(each) for each in conversation.v4.offers_of_fare(fare)]
    return not own and any(others) and all(each and not each.fares & offer.fares for each in others)


@conversation_rule("V4-BAGGAGE-OPTIONS", "response", "getBaggage", each="fareBaggageOptions/*/inboundSegmentOptions")
def no_way_back_for_baggage(inbound: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A one-way offer has no inbound baggage options, but null or an empty array (OPEN-58). Only warns."""
    offer = _requested_offer(transaction, conversation)
    if offer and offer.one_way and inbound.each("*"):
        text = "a one-way offer has inbound baggage options"
        yield inbound.defect(text, "null or an empty array", wording.shown(inbound.value), soft=True)


@conversation_rule("V4-OFFER-RETENTION", "response", "getBaggage")
def live_offer_is_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The service stores an offer for 30 minutes (v4, States and transitions)."""
    offer = _requested_offer(transaction, conversation)
    if transaction.denied and is_live(transaction, offer, conversation):
        text = "the baggage of an offer stored less than 30 minutes ago is not returned"
        yield Defect((), text, "the baggage of the offer", str(transaction.status), where="status")


@conversation_rule("V4-OFFER-RETENTION", "response", "createOrder")
def live_offer_is_ordered(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order can be created from an offer for 30 minutes (v4, Limits).

    Only warns, of the first order with the cheapest fare: it may be sold out, and a second one is open (OPEN-73).
    """
    offer, fare = _ordered_offer(transaction, conversation), transaction.url.query_value("fareId")
    is_first = offer is not None and same_id(fare, offer.cheapest) and not offer.orders and not offer.booked
    if is_first and transaction.denied and transaction.status in GONE and is_live(transaction, offer, conversation):
        text = "an offer stored less than 30 minutes ago is not found"
        yield Defect((), text, "an order from the offer", str(transaction.status), where="status", soft=True)


@conversation_rule("V4-ORDER-READ", "response", "getOrder", "confirmOrder")
def order_is_found(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order that was shown before is found again, to be read or confirmed.

    Only warns unless it was booked, not long ago: the life of another one is open (OPEN-71), as is what becomes of it
    when an order of its offer is booked (OPEN-73), perhaps at the same time or through another proxy.
    """
    order = conversation.v4.order(transaction.url.path_values.get("orderId"))
    is_own = order is not None and order.caller == transaction.caller != ""
    is_read = transaction.operation == "getOrder"
    may_be_lost = order is None or not (is_read or _can_be_confirmed(order, transaction, conversation))
    if order and is_own and transaction.denied and not may_be_lost and not _is_left(order, conversation):
        text = f"an order that was shown before is not {'returned' if is_read else 'found'}"
        text += "" if order.booked else "; how long one that is not booked is kept is open (OPEN-71)"
        soft = order.booked is None or transaction.started - order.booked.recorded > RETENTION
        yield Defect((), text, "the order", str(transaction.status), where="status", soft=soft)


@conversation_rule("V4-ORDER-STAYS-BOOKED", "response", "getOrder", "confirmOrder", each="status", about=_booked_before)
def stays_booked(status: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A booked order stays booked."""
    if status.value in ("OPEN", "FAILED") and _booked_before(transaction, conversation):
        yield status.defect(f"a BOOKED order is {status.value} later", "BOOKED", status.value)


@conversation_rule("V4-ORDER-RESERVATION-ID", "response", "getOrder", "confirmOrder", each="reservationId")
def keeps_its_reservation(key: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The reservation of a booked order stays the same."""
    order = known_order(transaction, conversation)
    text = "the reservation of the order differs from the one shown before"
    return other_id(key, order.reservation if order else None, text, "the same id as before")


@conversation_rule("V4-ORDER-OFFER", "response", "getOrder", "confirmOrder", each="")
def keeps_its_offer(shown: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order keeps the offer and the fare that it was created from."""
    order = known_order(transaction, conversation)
    for path, known in (("offer/id", order.offer), ("offer/fare/id", order.fare)) if order else ():
        text = f"{path.replace('/', '.')} differs from the one that the order was created from"
        yield from other_id(shown / path, known or None, text, "the same id as before")


@conversation_rule("V4-ORDER-OFFER", "response", *ORDERS, each="offer/fare/passengerPricingByPassengerType")
def fare_is_for_the_passengers(pricing: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The fare of an order is priced for the passengers of its offer, if the order has the same (OPEN-67)."""
    order = known_order(transaction, conversation)
    named, sent = (order.offer, order.sent) if order else (transaction.url.query_value("offerId"), transaction.sent)
    offer = conversation.v4.offer(named)
    types = Counter(str(passenger.get("type")) for passenger in items(sent, "passengers"))
    if offer is None or any(types[kind] != count for kind, count in offer.counts.items()):
        return
    yield from priced_for_others([(kind, COUNTS[kind], count) for kind, count in offer.counts.items()], pricing)


# Helpers


def _ordered_offer(transaction: Transaction, conversation: Conversation) -> SeenOffer | None:
    return conversation.v4.offer(transaction.url.query_value("offerId"))


def _requested_offer(transaction: Transaction, conversation: Conversation) -> SeenOffer | None:
    return conversation.v4.offer(transaction.url.path_values.get("offerId"))


def is_live(transaction: Transaction, offer: SeenOffer | None, conversation: Conversation) -> bool:
    """Return whether the same key stored the offer within its lifetime before the response."""
    if offer is None or transaction.is_ahead or not offer.caller == transaction.caller != "":
        return False
    return offer.age(transaction).most < conversation.lifetimes.offer - CLOCK_TOLERANCE


def _is_expired(transaction: Transaction, offer: SeenOffer, conversation: Conversation) -> bool:
    is_old = offer.age(transaction).least > conversation.lifetimes.offer + CLOCK_TOLERANCE
    return is_old and not conversation.v4.may_be_renewed(transaction, offer)


def _can_be_confirmed(order: SeenOrder, transaction: Transaction, conversation: Conversation) -> bool:
    """Return whether a confirmation is rejected only because the order is not found, right after its creation.

    That of a booked, a failed or an older order may be rejected in any way (OPEN-05, OPEN-07, OPEN-27, OPEN-71).
    """
    is_open = order.booked is None and not order.declined and not order.attempted
    is_new = order.created is not None and transaction.started - order.created < AT_ONCE
    offer = conversation.v4.offer(order.offer)
    is_in_time = is_new and (offer is None or is_live(transaction, offer, conversation))
    return is_open and is_in_time and not transaction.is_ahead and transaction.status in GONE


def _is_left(order: SeenOrder, conversation: Conversation) -> bool:
    """Return whether an order is not booked, but another one of the same offer is."""
    offer = conversation.v4.offer(order.offer)
    return order.booked is None and offer is not None and offer.booked


def known_order(transaction: Transaction, conversation: Conversation) -> SeenOrder | None:
    """Return what is known of an order that was requested and returned."""
    requested, returned = transaction.url.path_values.get("orderId"), transaction.response.get("id")
    return conversation.v4.order(requested) if same_id(requested, returned) else None


def _above_together(options: list[SeenBaggageOption], selected: Node) -> Iterator[Defect]:
    """Yield a warning for selections of one type that only together have too many pieces (OPEN-65)."""
    for kind in sorted({bag.type for bag in options}):
        offered = [bag.pieces for bag in options if bag.type == kind]
        chosen = [whole(each.get("numberOfPieces")) or 0 for each in selected.each("*") if each.get("type") == kind]
        if offered and max(chosen, default=0) <= max(offered) and sum(chosen) > sum(offered):
            text = f"{sum(chosen)} pieces of baggage are selected, but at most {sum(offered)} are offered"
            yield selected.defect(text, f"at most {sum(offered)}", str(sum(chosen)), soft=True, tolerable=True)


def _above(options: list[SeenBaggageOption], selection: Node) -> Iterator[Defect]:
    """Yield a warning for a selection that no option allows (OPEN-65)."""
    number, weight = whole(selection.get("numberOfPieces")), whole(selection.get("kilosPerPiece"))
    if not number:
        return
    if not options:
        text = "the selected baggage has a type that the fare does not offer"
        yield selection.defect(text, "a type that is offered", "another type", "type", soft=True, tolerable=True)
        return
    most, heaviest = max(bag.pieces for bag in options), max(bag.kilos for bag in options)
    if number > most:
        text, at = f"{number} pieces of baggage are selected, but at most {most} are offered", "numberOfPieces"
        yield selection.defect(text, f"at most {most}", str(number), at, soft=True, tolerable=True)
    elif weight is not None and weight > heaviest:
        text, at = f"pieces of {weight} kg are selected, but at most {heaviest} kg are offered", "kilosPerPiece"
        yield selection.defect(text, f"at most {heaviest}", str(weight), at, soft=True, tolerable=True)
