"""Rules of v4 on the prices of fares and orders, judged by what the `Conversation` has seen.

How an order's price follows from its offer and its baggage is open (OPEN-61): differences of totals are judged, the
least that a total can be, and prices per piece.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import groupby

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import PRICE_TOLERANCE
from airworthy.contract.conversation.v4 import echo
from airworthy.contract.conversation.v4.resources import (
    OrderPrice,
    SeenBaggageOption,
    SeenOffer,
    price_of_fare,
    price_of_the_option,
)
from airworthy.contract.http.transaction import Transaction, amount, items, same_id
from airworthy.contract.rules.coded_rules import conversation_rule, number_of, transaction_rule
from airworthy.contract.v4.response_rules import RESERVATIONS

CURRENCY = "EUR"
HALF_A_CENT = 0.005


# The documents do not show these parts, but every price is in EUR (v4, Limits: "Currency: EUR only, all").
_UNDESCRIBED = {"getFares": ("fares",)} | dict.fromkeys(RESERVATIONS, ("fare", "selectedBaggage"))
_PRICES = ("fareAmount", "taxAmount", "totalPrice", "pricePerPiece", "fee", "price")
_DEEPEST = 8


@transaction_rule("V4-CURRENCY", "response", *_UNDESCRIBED)
def undescribed_prices_are_in_eur(transaction: Transaction) -> Iterator[Defect]:
    """Prices under their documented names are in EUR in a part of a response that is not described, too."""
    for name in _UNDESCRIBED[transaction.operation]:
        for place, currency in _currencies(transaction.response.get(name), (name,)):
            if currency != CURRENCY:
                actual = wording.shown(currency)
                yield Defect((*place, "currency"), f"the currency of a price is {actual}, not EUR", CURRENCY, actual)


def _currencies(value: Json, place: Pointer) -> Iterator[tuple[Pointer, str]]:
    if len(place) > _DEEPEST:
        return
    if isinstance(value, dict) and place[-1] in _PRICES and isinstance(value.get("currency"), str):
        yield place, value["currency"]
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in parts:
        yield from _currencies(each, (*place, name))


# Several rules need it.
@lru_cache(maxsize=1)
def _made(transaction: Transaction, conversation: Conversation) -> tuple[SeenOffer | None, OrderPrice | None]:
    """Return the offer of a new order, and the price of the order."""
    offer = conversation.v4.offer(transaction.url.query_value("offerId"))
    return offer, OrderPrice.of(transaction, offer)


def _orders_paid_alike(transaction: Transaction, conversation: Conversation) -> Iterator[tuple[OrderPrice, OrderPrice]]:
    """Yield a new order with each earlier one of the same offer that can differ only in its baggage."""
    offer, made = _made(transaction, conversation)
    for other in offer.orders if offer and made else ():
        if made is None or made.baggage is None or other.baggage is None:
            continue
        if (made.fare, made.method, made.passengers) == (other.fare, other.method, other.passengers):
            yield made, other


def _orders_with_other_baggage(transaction: Transaction, conversation: Conversation) -> int:
    return sum(made.baggage != other.baggage for made, other in _orders_paid_alike(transaction, conversation))


def _orders_by_card_and_balance(
    transaction: Transaction, conversation: Conversation
) -> Iterator[tuple[OrderPrice, OrderPrice, float]]:
    """Yield a new order with each earlier one that is paid by the other method, and the fee that the offer shows."""
    offer, made = _made(transaction, conversation)
    fee = offer.fees.get("card", 0.0) - offer.fees.get("balance", 0.0) if offer else 0.0
    if offer is None or made is None or made.baggage is None or fee < PRICE_TOLERANCE:
        return
    for other in offer.orders:
        alike = (made.fare, made.passengers, made.baggage) == (other.fare, other.passengers, other.baggage)
        if alike and {made.method, other.method} == {"card", "balance"}:
            yield made, other, fee


@conversation_rule(
    "V4-ORDER-TOTAL-BAGGAGE", "response", "createOrder", each="totalPrice/amount", about=_orders_with_other_baggage
)
def total_rises_by_baggage(total: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """Of two orders with the same fare and payment method, the totals differ by the price of the baggage (OPEN-61).

    The formula of the card fee is open, so by card the total rises at least by the price of the baggage. A total may be
    rounded once, and the price of each piece, too; totals in whole euros may be rounded to these.
    """
    for made, other in _orders_paid_alike(transaction, conversation):
        less, more = sorted((made, other), key=lambda order: order.baggage or 0.0)
        added, risen = (more.baggage or 0.0) - (less.baggage or 0.0), more.total - less.total
        are_whole = more.total % 1 == 0 and less.total % 1 == 0 and added % 1 != 0
        rounding = PRICE_TOLERANCE + HALF_A_CENT * (more.pieces + less.pieces) + (1.0 if are_whole else 0.0)
        if risen < added - rounding or (made.method == "balance" and risen > added + rounding):
            text = f"additional baggage for {added:.2f} raises the total of the order by {risen:.2f}"
            yield total.defect(text, f"{added:.2f} more", f"{risen:.2f} more")
            return


@conversation_rule(
    "V4-ORDER-TOTAL-CARD-FEE",
    "response",
    "createOrder",
    each="totalPrice/amount",
    about=number_of(_orders_by_card_and_balance),
)
def total_holds_the_card_fee(total: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order by card costs more than one by balance, by the fee that was shown. Only warns (OPEN-61).

    The fee that is shown is for the fare; baggage may add to it, as its formula is open.
    """
    for made, other, fee in _orders_by_card_and_balance(transaction, conversation):
        card, balance = (made, other) if made.method == "card" else (other, made)
        dearer = card.total - balance.total
        as_shown = abs(dearer - fee) <= 2 * PRICE_TOLERANCE or (bool(made.baggage) and dearer > fee)
        if not as_shown:
            text = f"the order costs {dearer:.2f} more by card than by balance, but the fee shown is {fee:.2f}"
            yield total.defect(text, f"{fee:.2f} more by card", f"{dearer:.2f} more", soft=True)
            return


def _fare_and_baggage(transaction: Transaction, conversation: Conversation) -> tuple[float, float] | None:
    """Return the price of an order's fare and that of its baggage, or None if they are not known.

    The price is the lower one of the offer and the order, which may differ (OPEN-61). Other passengers than those of
    the offer, or a place of residence, may make the fare cheaper. Wrong prices per piece have a finding of their own.
    """
    offer, made = _made(transaction, conversation)
    if offer is None or made is None or made.baggage is None:
        return None
    offered = offer.price if made.fare == offer.cheapest else None
    prices = [
        each for each in (offered, amount(transaction.response.get("offer", "fare", "totalPrice"))) if each is not None
    ]
    sent = items(transaction.sent, "passengers")
    types = Counter(str(passenger.get("type")) for passenger in sent)
    is_resident = any(passenger.get("localityCodeOfResidency") is not None for passenger in sent)
    is_for_others = any(types[kind] != count for kind, count in offer.counts.items())
    has_wrong_prices = any(price_per_piece_of_the_option(transaction, conversation))
    if is_resident or is_for_others or has_wrong_prices or conversation.v4.may_be_renewed(transaction, offer):
        return None
    return (min(prices), made.baggage) if prices else None


@conversation_rule("V4-ORDER-TOTAL-BAGGAGE", "response", "createOrder", each="totalPrice")
def total_holds_fare_and_baggage(price: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """An order costs at least its fare and its baggage, which its total includes (v4, Order), or its fare alone.

    Only warns: how a total follows from prices is open (OPEN-61).
    """
    prices, total = _fare_and_baggage(transaction, conversation), amount(price.value)
    if prices is None or total is None or _orders_with_other_baggage(transaction, conversation):
        return
    fare, baggage = prices
    if baggage - PRICE_TOLERANCE <= total < fare + baggage - PRICE_TOLERANCE:
        parts, least = "its fare and its baggage cost together" if baggage else "its fare", fare + baggage
        text = f"the total of the order is less than {parts}"
        yield price.defect(text, f"at least {least:.2f}", f"{total:.2f}", "amount", soft=True)


def _pieces_of_one_option(transaction: Transaction, conversation: Conversation) -> int:
    options = _listed_options(transaction, conversation)
    return sum(price_of_the_option(options, each.chosen) is not None for each in echo.selections(transaction.response))


def _listed_options(transaction: Transaction, conversation: Conversation) -> Collection[SeenBaggageOption]:
    """Return the options of an order's fare, as Get Baggage has shown them."""
    offer, fare = conversation.v4.offer(transaction.url.query_value("offerId")), transaction.url.query_value("fareId")
    return offer.bags.get(fare.lower(), ()) if offer and fare else ()


@conversation_rule("V4-BAGGAGE-PRICE", "response", "createOrder", about=_pieces_of_one_option)
def price_per_piece_of_the_option(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """The price per piece of an order is that of its baggage option, if a single option is the selected one.

    The price may be a member of the item or of the selection (OPEN-44). On an item with equal prices in both
    directions, it may be for one of them or for both.
    """
    options = _listed_options(transaction, conversation)
    found = echo.selections(transaction.response) if options else ()
    for _, chosen in groupby(found, key=lambda each: each.item.place):
        of_item = list(chosen)
        prices = [price_of_the_option(options, each.chosen) for each in of_item]
        for each, expected in zip(of_item, prices, strict=True):
            yield from _another_price(each.chosen, expected)
        if len(set(prices)) == 1 and prices[0] is not None:
            yield from _another_price(of_item[0].item, prices[0], len(prices) * prices[0])


def _another_price(holder: Node, *expected: float | None) -> Iterator[Defect]:
    """Yield a defect if the price per piece of an item or of a selection is none of the expected prices."""
    price, known = amount(holder.get("pricePerPiece")), [each for each in expected if each is not None]
    if price is not None and known and all(abs(price - each) > PRICE_TOLERANCE for each in known):
        text = "the price per piece of the order differs from that of its baggage option"
        yield holder.defect(text, f"{known[0]:.2f}", f"{price:.2f}", "pricePerPiece/amount")


@conversation_rule("V4-OFFER-CHEAPEST-FARE", "response", "getFares")
def cheapest_fare_is_the_cheapest(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """No fare of an offer is cheaper than its cheapest one. Only warns: what Get Fares shows is open (OPEN-03).

    Prices are compared only if that of the cheapest fare is the same in both responses.
    """
    offer = conversation.v4.offer(transaction.url.path_values.get("offerId"))
    if offer is None or offer.price is None or not offer.cheapest:
        return
    listed = [(each, *price_of_fare(each.value)) for each in transaction.response.each("fares/*")]
    as_offered = any(
        same_id(fare.get("id"), offer.cheapest) and price is not None and abs(price - offer.price) <= PRICE_TOLERANCE
        for fare, price, _ in listed
    )
    for fare, price, place in listed if as_offered else ():
        if price is not None and price < offer.price - PRICE_TOLERANCE:
            text, least = "a fare of the offer is cheaper than its cheapestFare", f"at least {offer.price:.2f}"
            yield fare.defect(text, least, f"{price:.2f}", place, soft=True)
