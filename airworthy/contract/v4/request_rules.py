"""Rules on requests of v4 that JSON Schema cannot express."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.http.transaction import Transaction, day, member, whole
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
    code = transaction.request / "customerCode"
    if transaction.operation not in WITH_CUSTOMER_CODE and code.value is not None:
        yield code.defect(text, expected, tolerable=True)
    if transaction.url.query_value("customerCode") is not None:
        yield Defect((), text, expected, where="query:customerCode", tolerable=True)


@transaction_rule("V4-SEARCH-INFANTS", "request", "searchOffers", each="infants")
@transaction_rule("V4-OFFER-INFANTS", "request", "getOffer", each="infants")
def no_more_infants_than_adults(requested: Node, transaction: Transaction) -> Iterator[Defect]:
    """A search or an offer is for no more infants than adults."""
    adults, infants = whole(transaction.request.get("adults")), whole(requested.value)
    if adults is not None and infants is not None and 1 <= adults < infants <= MOST_OF_A_TYPE:
        text = f"there are more infants ({infants}) than adults ({adults})"
        yield requested.defect(text, f"at most {adults}", str(infants))


@transaction_rule(
    "V4-ORDER-IDENTIFICATION-EXPIRY", "request", "createOrder", each="passengers/*/identification/expirationDate"
)
def identification_expiry(expiry: Node, transaction: Transaction) -> Iterator[Defect]:
    """An identification expires in the future; the date may be today, as the documents name no time zone."""
    expires = day(expiry.value)
    if expires is not None and expires < transaction.started.date():
        text = "the identification of a passenger has expired"
        yield expiry.defect(text, "a date in the future", "a date in the past")


@transaction_rule("V4-ORDER-PASSENGER-NUMBERS", "request", "createOrder", each="passengers")
def passenger_numbers(passengers: Node, _transaction: Transaction) -> Iterator[Defect]:
    """Passengers have consecutive numbers, from 0 or 1 (OPEN-66)."""
    numbers = _numbers(passengers, "number")
    if numbers and sorted(numbers) != list(range(min(numbers), min(numbers) + len(numbers))):
        text = f"the numbers of the passengers are {_listed(numbers)}, not consecutive"
        yield passengers.defect(text, "consecutive numbers", _listed(numbers), tolerable=True)


@transaction_rule("V4-ORDER-BAGGAGE-PER-PASSENGER", "request", "createOrder", each="selectedBaggage")
def baggage_per_passenger(baggage: Node, transaction: Transaction) -> Iterator[Defect]:
    """Every passenger has one item of selected baggage."""
    numbers = _numbers(transaction.request / "passengers", "number")
    chosen = _numbers(baggage, "passengerNumber")
    if numbers is not None and chosen is not None and Counter(numbers) != Counter(chosen):
        text = "selectedBaggage does not have one item for each passenger"
        yield baggage.defect(text, f"passengerNumber {_listed(numbers)}", f"passengerNumber {_listed(chosen)}")


@transaction_rule("V4-ORDER-INFANT-AGE", "request", "createOrder", each="passengers/*")
def infant_age(passenger: Node, transaction: Transaction) -> Iterator[Defect]:
    """An infant is under two: a child that is two when the order is sent is not an infant on any later flight.

    Whether a service rejects it is open (OPEN-67).
    """
    born, limit = day(passenger.get("birthDate")), _years_before(transaction.started.date() - timedelta(days=1), 2)
    if passenger.get("type") == "infant" and born is not None and born <= limit:
        text, expected = "a passenger of type infant is two years old or older", "a birth date less than two years ago"
        yield passenger.defect(text, expected, "an earlier birth date", "birthDate", tolerable=True)


def _numbers(array: Node, name: str) -> list[int] | None:
    """Return a number of each item of an array, or None unless all of them have one."""
    if not isinstance(array.value, list):
        return None
    numbers = [whole(member(item, name)) for item in array.value]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(numbers) else None


def _listed(numbers: list[int]) -> str:
    shown = ", ".join(wording.shown(number) for number in numbers[:MOST_LISTED]) or "none"
    return shown + (", …" if len(numbers) > MOST_LISTED else "")


def _years_before(when: date, years: int) -> date:
    try:
        return when.replace(year=when.year - years)
    except ValueError:
        return when.replace(year=when.year - years, day=28)
