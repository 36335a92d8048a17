"""Comparisons for the parts of an order that the service returns "as sent"."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, product
from typing import Any, NamedTuple, TypeVar

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.bodies.spelling import is_same_name, is_same_text
from airworthy.contract.conversation.likeness import are_phones
from airworthy.contract.http.transaction import amount, items, member, method, whole

T = TypeVar("T")

CODES = ("countryCode",)
NAMES = ("name", "middleName", "firstLastName", "secondLastName", "lastNames")
FURTHER_NAMES = ("middleName", "secondLastName")
CONTACT = ("name", "lastNames", "gender", "email", "countryCode", "address", "cityName", "zipCode")
REQUIRED = ("type", "title", "name", "firstLastName", "gender")
RESERVED = (*REQUIRED, "birthDate", "nationalityCountryCode")
PASSENGER = (*RESERVED, "middleName", "secondLastName", "countryCodeOfResidence", "localityCodeOfResidency")
IDENTIFICATION = ("type", "identificationNumber", "expirationDate", "issueCountryCode")
PHONE = ("number", "countryCode")
WOMEN = {"MRS", "MS"}
KINDS = ("CHECK_IN", "CABIN")
SELECTION = ("type", "numberOfPieces", "kilosPerPiece")
BAGS = ("outboundSegmentBaggageSelection", "inboundSegmentBaggageSelection")
EACH_BAG = tuple(f"{name}/*" for name in BAGS)


def contact(sent: Json, returned: Node) -> Iterator[Defect]:
    """Compare the nine documented members of a contact, without its credentials (OPEN-70)."""
    if isinstance(sent, dict) and isinstance(returned.value, dict):
        for names, one, other in ((CONTACT, sent, returned), (PHONE, sent.get("phone"), returned / "phone")):
            for name in names:
                yield from _differs(member(one, name), other, name, exactly=name not in CODES)


def passengers(sent: Json, returned: Node, names: tuple[str, ...] = PASSENGER) -> Iterator[Defect]:
    """Compare passengers by their numbers; the response may leave out optional members (OPEN-48).

    A reservation may begin to number its passengers with 0 or 1, whatever its order does (OPEN-66).
    """
    records = returned.each("*")
    if not isinstance(sent, list) or not isinstance(returned.value, list):
        return
    back = {whole(record.get("number")): record for record in records if _numbered(record.value)}
    known = {whole(passenger.get("number")): passenger for passenger in sent if _numbered(passenger)}
    if names is RESERVED:
        back, known = _from_zero(back), _from_zero(known)
    if len(known) != len(sent) or not all(map(_numbered, returned.value)):
        return
    if set(known) != set(back) or len(back) != len(records):
        text = "the passengers in the response do not have the numbers that were sent"
        expected = f"{len(known)} passengers with the numbers that were sent"
        yield returned.defect(text, expected, f"{len(records)} passengers")
        return
    for number, passenger in known.items():
        record = back[number]
        for name in names:
            if name not in NAMES or not is_same_name(passenger.get(name), record.value.get(name)):
                yield from _differs(passenger.get(name), record, name)
        if names is PASSENGER:
            yield from _identification(passenger.get("identification"), record / "identification")
            yield from _phone(passenger.get("phone"), record / "phone")
    optional = [name for name in (*names, *(["phone"] if names is PASSENGER else [])) if name not in REQUIRED]
    pairs = [(passenger, back[number]) for number, passenger in known.items()]
    yield from _added(pairs)
    for name in optional:
        # The birth date of a child is not optional in an order, so that a missing one has a finding of its own.
        of_all = name != "birthDate" or names is not PASSENGER
        yield from _lost([pair for pair in pairs if of_all or pair[0].get("type") == "adult"], name)


def _added(pairs: list[tuple[dict[str, Any], Node]]) -> Iterator[Defect]:
    """Yield a warning for a name that was not sent: a service may write names in its own way (OPEN-67)."""
    for (passenger, record), name in product(pairs, FURTHER_NAMES):
        if not passenger.get(name) and record.get(name):
            text = f"{name} of a passenger is in the response, but was not sent"
            yield record.defect(text, "no value", "a value", name, soft=True)


def _lost(pairs: list[tuple[dict[str, Any], Node]], name: str) -> Iterator[Defect]:
    """Yield a warning if a response shows a member of one passenger and leaves it out of another.

    Whether it shows optional members is open (OPEN-48).
    """
    holders = [record for passenger, record in pairs if passenger.get(name) not in (None, "")]
    lacking = [record for record in holders if record.get(name) in (None, "")]
    if lacking and len(lacking) < len(holders):
        text = f"{name} of a passenger is missing from the response, but not that of another one"
        yield lacking[0].defect(text, "the value that was sent", "missing", name, soft=True)


def baggage(sent: Json, returned: Node) -> Iterator[Defect]:
    """Compare the pieces for each passenger; a response adds prices and may leave out empty selections."""
    if not _is_baggage(sent) or not _is_baggage(returned.value):
        return
    others = _owners(sent) != _owners(returned.value)
    for place in (returned.place,) if others else _other_pieces(sent, returned):
        text = "the selected baggage in the response differs from what was sent"
        yield Defect(place, text, "the pieces that were sent", "other pieces")


def reserved_baggage(sent: Json, returned: Node) -> Iterator[Defect]:
    """Compare the pieces for each passenger. Only warns: the documents do not show the baggage of a reservation.

    Nor do they show its items, which may have members of other names. Source: v4, Reservation.
    """
    if not _is_baggage(sent) or not _is_baggage(returned.value):
        return
    if returned.value and not any(key in item for item in returned.value for key in BAGS):
        return
    chosen = [item for item in sent if any(_pieces(item, key) for key in BAGS)]
    if _owners(sent) == _owners(returned.value):
        places: Iterable[Pointer] = _other_pieces(sent, returned)
    else:
        # A reservation may number its passengers in another way, and leave out those without baggage.
        places = [returned.place] if len(returned.value) < len(chosen) else []
    for place in places:
        text = "the baggage of the reservation differs from that of its order"
        yield Defect(place, text, "the pieces of the order", "other pieces", soft=True)


def payment_method(sent: Json, returned: Node) -> Iterator[Defect]:
    """Compare the payment method."""
    one, other = method(sent), method(returned.value)
    if one and other and one != other:
        yield returned.defect(f"the payment method of the order is {other}, but {one} was sent", one, other)


class SelectedBaggage(NamedTuple):
    """A selection in a response that has pieces: the item that contains it, the selection, and the pieces."""

    item: Node
    chosen: Node
    pieces: int


def selections(order: Node) -> Iterator[SelectedBaggage]:
    """Yield each selection of an order in a response that has pieces."""
    for item in order.each("selectedBaggage/*"):
        for selection in (each for path in EACH_BAG for each in item.each(path)):
            pieces = whole(selection.get("numberOfPieces"))
            if pieces:
                yield SelectedBaggage(item, selection, pieces)


def price_of_baggage(order: Node) -> float | None:
    """Return the total price of the selected pieces of an order in a response, or None if the prices are incomplete.

    A price on the item counts if the item has only one selection.
    """
    found, total = list(selections(order)), 0.0
    for each in found:
        price = amount(each.chosen.get("pricePerPiece"))
        if price is None and sum(other.item is each.item for other in found) == 1:
            price = amount(each.item.get("pricePerPiece"))
        if price is None:
            return None
        total += each.pieces * price
    return total


def least_price_of_baggage(order: Node) -> float:
    """Return what the selected pieces of an order in a response cost at least, by the prices that it shows.

    The price on an item with several selections is that of one of them, or of all of them together (OPEN-44).
    """
    total = 0.0
    for _, chosen in groupby(selections(order), key=lambda each: each.item.place):
        of_item = list(chosen)
        prices = [amount(each.chosen.get("pricePerPiece")) for each in of_item]
        if any(price is not None for price in prices):
            total += sum(each.pieces * (price or 0) for each, price in zip(of_item, prices, strict=True))
        else:
            fewest = min(each.pieces for each in of_item)
            total += fewest * (amount(of_item[0].item.get("pricePerPiece")) or 0)
    return total


def _identification(sent: Json, returned: Node) -> Iterator[Defect]:
    if not isinstance(sent, dict):
        return
    if not isinstance(returned.value, dict):
        text = "the identification of a passenger is missing from the response"
        yield returned.defect(text, "the identification that was sent", "missing")
        return
    for name in IDENTIFICATION:
        if sent.get(name) is not None and returned.get(name) is None:
            text = f"{name} of an identification is missing from the response"
            yield returned.defect(text, "the value that was sent", "missing", name)
        yield from _differs(sent.get(name), returned, name, exactly=name == "identificationNumber")


def _phone(sent: Json, returned: Node) -> Iterator[Defect]:
    """Compare phones; a number may come back with another prefix or other separators."""
    yield from _differs(member(sent, "countryCode"), returned, "countryCode")
    number, other = member(sent, "number"), returned.get("number")
    if not are_phones(str(number or ""), str(other or "")):
        yield from _differs(number, returned, "number")


def _differs(sent: Json, holder: Node, name: str, *, exactly: bool = False) -> Iterator[Defect]:
    """Compare a text or number that both sides have; whether it is present is for the schema to check.

    The documents say "as sent" of a contact and of an identification. Elsewhere letter case, accents and spaces may
    differ, and names may come back as airlines write them (OPEN-67). Another title of the same gender only warns, as
    does another spelling of a document's number, which airlines write in capitals.
    """
    returned = holder.get(name)
    if sent is None or returned is None or isinstance(sent, dict | list) or isinstance(returned, dict | list):
        return
    is_same = is_same_name if name in NAMES else is_same_text
    if sent != returned and (exactly or not is_same(sent, returned)):
        text = f"{name} in the response differs from what was sent"
        is_title_of_same_gender = name == "title" and {sent, returned} == WOMEN
        is_spelling = name == "identificationNumber" and is_same(sent, returned)
        soft = is_title_of_same_gender or is_spelling
        yield holder.defect(text, "the value that was sent", "another value", name, soft=soft)


def _numbered(passenger: Json) -> bool:
    return isinstance(passenger, dict) and whole(passenger.get("number")) is not None


def _from_zero(numbered: Mapping[int | None, T]) -> dict[int | None, T]:
    """Return passengers by their numbers, as if they began with 0; they may begin with 0 or 1 (OPEN-66)."""
    numbers = [number for number in numbered if number is not None]
    first = int(min(numbers, default=0) == 1)
    return {None if number is None else number - first: each for number, each in numbered.items()}


def _is_baggage(value: Json) -> bool:
    """Return whether a value has the structure of selected baggage; if not, the schema reports that."""
    return isinstance(value, list) and all(
        whole(member(item, "passengerNumber")) is not None and all(_are_selections(item.get(key)) for key in BAGS)
        for item in value
    )


def _are_selections(value: Json) -> bool:
    return value is None or (
        isinstance(value, list)
        and all(
            member(selection, "type") in KINDS
            and whole(selection.get("numberOfPieces")) is not None
            and whole(selection.get("kilosPerPiece")) is not None
            for selection in value
        )
    )


def _owners(order_baggage: list[dict[str, Any]]) -> list[float]:
    return sorted(item["passengerNumber"] for item in order_baggage)


def _other_pieces(sent: list[dict[str, Any]], returned: Node) -> Iterator[Pointer]:
    """Yield the path of each selection that differs from what was sent, or of the member if only one differs."""
    for item in returned.each("*"):
        for key in BAGS:
            mine = [_pieces(each, key) for each in sent if each["passengerNumber"] == item.value["passengerNumber"]]
            found = _pieces(item.value, key)
            if sorted(found) in map(sorted, mine):
                continue
            place = (*item.place, key)
            alike = zip(mine[0], found, strict=True) if len(mine[0]) == len(found) == len(item.get(key) or ()) else ()
            differing = [
                (position, name)
                for position, pair in enumerate(alike)
                for name, ordered, other in zip(SELECTION, *pair, strict=True)
                if ordered != other
            ]
            yield (*place, *differing[0]) if len(differing) == 1 else place


def _pieces(item: dict[str, Any], key: str) -> list[tuple[Any, ...]]:
    return [tuple(each[name] for name in SELECTION) for each in items(item, key) if each["numberOfPieces"]]
