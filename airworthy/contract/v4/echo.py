"""Whether an answer repeats what was sent: the parts of an order that come back "as sent"."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import filterfalse
from typing import Any, NamedTuple
from unicodedata import combining, normalize

from airworthy.contract.body import Json, Pointer
from airworthy.contract.defect import Defect
from airworthy.contract.transaction import amount, items, member, method, whole

CODES = ("countryCode",)
CONTACT = ("name", "lastNames", "gender", "email", "countryCode", "address", "cityName", "zipCode")
RESERVED = ("type", "title", "name", "firstLastName", "gender", "birthDate", "nationalityCountryCode")
PASSENGER = (*RESERVED, "middleName", "secondLastName", "countryCodeOfResidence", "localityCodeOfResidency")
IDENTIFICATION = ("type", "identificationNumber", "expirationDate", "issueCountryCode")
PHONE = ("number", "countryCode")
KINDS = ("CHECK_IN", "CABIN")
SELECTION = ("type", "numberOfPieces", "kilosPerPiece")
BAGS = ("outboundSegmentBaggageSelection", "inboundSegmentBaggageSelection")


def contact(sent: Json, answered: Json) -> Iterator[Defect]:
    """Compare the nine documented members of a contact; credentials are left out (OPEN-70)."""
    place: Pointer = ("customerContact",)
    if isinstance(sent, dict) and isinstance(answered, dict):
        for name in CONTACT:
            one, other, exactly = sent.get(name), answered.get(name), name not in CODES
            yield from _differs((*place, name), one, other, exactly=exactly)
        for name in PHONE:
            one, other = member(sent, "phone", name), member(answered, "phone", name)
            exactly = name not in CODES
            yield from _differs((*place, "phone", name), one, other, exactly=exactly)


def passengers(sent: Json, answered: Json, names: tuple[str, ...] = PASSENGER) -> Iterator[Defect]:
    """Compare passengers by their numbers; optional members may be left out of the answer (OPEN-48)."""
    if not isinstance(sent, list) or not isinstance(answered, list):
        return
    back = {whole(passenger.get("number")): index for index, passenger in enumerate(answered) if _numbered(passenger)}
    known = {whole(passenger.get("number")): passenger for passenger in sent if _numbered(passenger)}
    if len(known) != len(sent) or not all(map(_numbered, answered)):
        return
    if set(known) != set(back) or len(back) != len(answered):
        yield Defect(
            ("passengers",),
            "the passengers of the answer do not have the numbers that were sent",
            expected=f"{len(known)} passengers with the numbers that were sent",
            actual=f"{len(answered)} passengers",
        )
        return
    for number, passenger in known.items():
        index = back[number]
        place: Pointer = ("passengers", index)
        for name in names:
            yield from _differs((*place, name), passenger.get(name), answered[index].get(name))
        if names is PASSENGER:
            yield from _identification((*place, "identification"), passenger, answered[index])


def baggage(sent: Json, answered: Json) -> Iterator[Defect]:
    """Compare whose baggage and the pieces of it; an answer adds prices and may leave out selections of nothing."""
    if not _is_baggage(sent) or not _is_baggage(answered):
        return
    text = "the selected baggage of the order is not what was sent"
    others = _owners(sent) != _owners(answered)
    places: Iterable[Pointer] = [("selectedBaggage",)] if others else _other_pieces(sent, answered)
    for place in places:
        yield Defect(place, text, "the pieces that were sent", "other pieces")


def reserved_baggage(sent: Json, answered: Json) -> Iterator[Defect]:
    """Compare the pieces of the same passengers; it only warns, as what a reservation says of baggage is not shown."""
    if _is_baggage(sent) and _is_baggage(answered) and _owners(sent) == _owners(answered):
        for place in _other_pieces(sent, answered):
            text = "the baggage of the reservation is not that of its order"
            yield Defect(place, text, "the pieces of the order", "other pieces", soft=True)


def reserved_contact(sent: Json, answered: Json) -> Iterator[Defect]:
    """Compare the texts of a contact, but for its address of mail, which has a rule of its own.

    It only warns, as of a reservation's contact nothing says that it is as sent.
    """
    if isinstance(sent, dict) and isinstance(answered, dict):
        for name in CONTACT:
            if name != "email":
                for defect in _differs(("customerContact", name), sent.get(name), answered.get(name)):
                    yield replace(defect, soft=True)


def payment_method(sent: Json, answered: Json) -> Iterator[Defect]:
    """Compare the payment method."""
    one, other = method(sent), method(answered)
    if one and other and one != other:
        yield Defect(
            ("paymentMethod",),
            f"the order says {other} where {one} was chosen",
            expected=one,
            actual=other,
        )


class SelectedBaggage(NamedTuple):
    """A selection with pieces in an answered order: its place, the item that it stands in, itself and the pieces."""

    place: Pointer
    item: dict[str, Any]
    chosen: dict[str, Any]
    pieces: int


def selections(order_baggage: Json) -> Iterator[SelectedBaggage]:
    """Yield each selection with pieces."""
    if not isinstance(order_baggage, list):
        return
    for index, item in enumerate(order_baggage):
        if not isinstance(item, dict):
            continue
        for key in BAGS:
            for number, selection in enumerate(items(item, key)):
                pieces = whole(selection.get("numberOfPieces"))
                if pieces:
                    yield SelectedBaggage(("selectedBaggage", index, key, number), item, selection, pieces)


def price_of_baggage(order_baggage: Json) -> float | None:
    """Return what the selected pieces of an answered order cost in sum, or None where the prices do not say.

    The price on an item is that of its only selection.
    """
    found, total = list(selections(order_baggage)), 0.0
    for each in found:
        price = amount(each.chosen.get("pricePerPiece"))
        if price is None and sum(1 for other in found if other.place[:2] == each.place[:2]) == 1:
            price = amount(each.item.get("pricePerPiece"))
        if price is None:
            return None
        total += each.pieces * price
    return total


def _identification(place: Pointer, sent: Json, answered: Json) -> Iterator[Defect]:
    one, other = member(sent, "identification"), member(answered, "identification")
    if not isinstance(one, dict):
        return
    if not isinstance(other, dict):
        message = "the identification of a passenger is not echoed"
        yield Defect(place, message, expected="the identification that was sent", actual="missing")
        return
    for name in IDENTIFICATION:
        if one.get(name) is not None and other.get(name) is None:
            message = f"{name} of an identification is not echoed"
            yield Defect((*place, name), message, expected="the value that was sent", actual="missing")
        yield from _differs((*place, name), one.get(name), other.get(name))


def _differs(place: Pointer, sent: Json, answered: Json, *, exactly: bool = False) -> Iterator[Defect]:
    """Only texts and numbers that both sides have are compared; presence is the schema's matter.

    A contact comes back "as sent"; of a passenger the document says so of the identification only, so that letter
    case, accents and spaces do not count there.
    """
    if sent is None or answered is None or isinstance(sent, dict | list) or isinstance(answered, dict | list):
        return
    if sent != answered and (exactly or _normal(sent) != _normal(answered)):
        name = place[-1]
        message = f"{name} in the answer is not what was sent"
        yield Defect(place, message, expected="the value that was sent", actual="another value")


def _normal(value: Json) -> Json:
    if not isinstance(value, str):
        return value
    plain = value if value.isascii() else "".join(filterfalse(combining, normalize("NFKD", value)))
    return " ".join(plain.casefold().split())


def _numbered(passenger: Json) -> bool:
    return isinstance(passenger, dict) and whole(passenger.get("number")) is not None


def _is_baggage(value: Json) -> bool:
    """Whether a value has the form of selected baggage; where it has not, that is all that is wrong with it."""
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


def _owners(order_baggage: list[dict[str, Any]]) -> Counter[int]:
    return Counter(item["passengerNumber"] for item in order_baggage)


def _other_pieces(sent: list[dict[str, Any]], answered: list[dict[str, Any]]) -> Iterator[Pointer]:
    """Yield where an answer has other pieces for a passenger than were sent: the member, where just one is another."""
    for index, item in enumerate(answered):
        for key in BAGS:
            mine = [_pieces(each, key) for each in sent if each["passengerNumber"] == item["passengerNumber"]]
            found = _pieces(item, key)
            if Counter(found) in map(Counter, mine):
                continue
            place = "selectedBaggage", index, key
            alike = zip(mine[0], found, strict=True) if len(mine[0]) == len(found) == len(items(item, key)) else ()
            differing = [
                (position, name)
                for position, pair in enumerate(alike)
                for name, wanted, given in zip(SELECTION, *pair, strict=True)
                if wanted != given
            ]
            yield (*place, *differing[0]) if len(differing) == 1 else place


def _pieces(item: dict[str, Any], key: str) -> list[tuple[Any, ...]]:
    return [tuple(each[name] for name in SELECTION) for each in items(item, key) if each["numberOfPieces"]]
