"""Rules on requests of v4 that JSON Schema cannot express."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.http.transaction import Transaction, day, items, member, whole
from airworthy.contract.rules.coded_rules import transaction_rule

WITH_CUSTOMER_CODE = ("searchOffers", "getOffer")
MOST_OF_A_TYPE = 9
MOST_LISTED = 9


@transaction_rule("V4-CUSTOMER-CODE-PLACE", "request")
def customer_code_place(transaction: Transaction) -> Iterator[Defect]:
    """The customer code is a body field of Search Offers and Get Offer only.

    A service may ignore it elsewhere (OPEN-35).
    """
    text, expected = "the request has a customerCode, which the operation does not accept", "no customerCode"
    if transaction.operation not in WITH_CUSTOMER_CODE and member(transaction.sent, "customerCode") is not None:
        yield Defect(("customerCode",), text, expected, "present", tolerable=True)
    if transaction.url.query_value("customerCode") is not None:
        where = "query:customerCode"
        yield Defect((), text, expected, "present", where=where, tolerable=True)


@transaction_rule("V4-SEARCH-INFANTS", "request", "searchOffers")
def search_infants(transaction: Transaction) -> Iterator[Defect]:
    """A search is for no more infants than adults."""
    yield from _infants(transaction)


@transaction_rule("V4-OFFER-INFANTS", "request", "getOffer")
def offer_infants(transaction: Transaction) -> Iterator[Defect]:
    """An offer is for no more infants than adults."""
    yield from _infants(transaction)


@transaction_rule("V4-ORDER-IDENTIFICATION-EXPIRY", "request", "createOrder")
def identification_expiry(transaction: Transaction) -> Iterator[Defect]:
    """An identification expires in the future; the date may be today, as the documents name no time zone."""
    for index, passenger in enumerate(items(transaction.sent, "passengers")):
        expires = day(member(passenger, "identification", "expirationDate"))
        if expires is not None and expires < transaction.started.date():
            yield Defect(
                ("passengers", index, "identification", "expirationDate"),
                "the identification of a passenger has expired",
                expected="a date in the future",
                actual="a date in the past",
            )


@transaction_rule("V4-ORDER-PASSENGER-NUMBERS", "request", "createOrder")
def passenger_numbers(transaction: Transaction) -> Iterator[Defect]:
    """Passengers have consecutive numbers, from 0 or 1 (OPEN-66)."""
    numbers = _numbers(transaction.sent)
    if numbers and sorted(numbers) != list(range(min(numbers), min(numbers) + len(numbers))):
        yield Defect(
            ("passengers",),
            f"the numbers of the passengers are {_listed(numbers)}, not consecutive",
            expected="consecutive numbers",
            actual=_listed(numbers),
            tolerable=True,
        )


@transaction_rule("V4-ORDER-BAGGAGE-PER-PASSENGER", "request", "createOrder")
def baggage_per_passenger(transaction: Transaction) -> Iterator[Defect]:
    """Every passenger has one item of selected baggage."""
    passengers, baggage = member(transaction.sent, "passengers"), member(transaction.sent, "selectedBaggage")
    numbers = _numbers(transaction.sent)
    chosen = [whole(item.get("passengerNumber")) for item in items(transaction.sent, "selectedBaggage")]
    if numbers is None or None in chosen or not isinstance(baggage, list) or len(chosen) != len(baggage):
        return
    if isinstance(passengers, list) and Counter(numbers) != Counter(chosen):
        yield Defect(
            ("selectedBaggage",),
            "selectedBaggage does not have one item for each passenger",
            expected=f"an item for each of {len(numbers)} passengers",
            actual=f"items for the passengers {_listed([number for number in chosen if number is not None])}",
        )


@transaction_rule("V4-ORDER-INFANT-AGE", "request", "createOrder")
def infant_age(transaction: Transaction) -> Iterator[Defect]:
    """An infant is under two: a child that is two when the order is sent is not an infant on any later flight.

    Whether a service rejects it is open (OPEN-67).
    """
    limit = _years_before(transaction.started.date() - timedelta(days=1), 2)
    for index, passenger in enumerate(items(transaction.sent, "passengers")):
        born = day(passenger.get("birthDate"))
        if passenger.get("type") == "infant" and born is not None and born <= limit:
            yield Defect(
                ("passengers", index, "birthDate"),
                "a passenger of type infant is two years old or older",
                expected="a birth date less than two years ago",
                actual="an earlier birth date",
                tolerable=True,
            )


def _infants(transaction: Transaction) -> Iterator[Defect]:
    adults, infants = whole(member(transaction.sent, "adults")), whole(member(transaction.sent, "infants"))
    if adults is not None and infants is not None and 1 <= adults < infants <= MOST_OF_A_TYPE:
        text = f"there are more infants ({infants}) than adults ({adults})"
        yield Defect(("infants",), text, f"at most {adults}", str(infants))


def _numbers(sent: Json) -> list[int] | None:
    passengers = member(sent, "passengers")
    if not isinstance(passengers, list):
        return None
    numbers = [whole(passenger.get("number")) for passenger in items(sent, "passengers")]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(passengers) else None


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(wording.shown(number) for number in numbers[:MOST_LISTED]) or "none"
    return shown + (", …" if len(numbers) > MOST_LISTED else "")


def _years_before(when: date, years: int) -> date:
    try:
        return when.replace(year=when.year - years)
    except ValueError:
        return when.replace(year=when.year - years, day=28)
