"""Comparisons for the parts of an order that the service returns "as sent"."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.spelling import is_same_name, is_same_text
from airworthy.contract.http.transaction import amount, items, member, method, whole

CODES = ("countryCode",)
NAMES = ("name", "middleName", "firstLastName", "secondLastName", "lastNames")
CONTACT = ("name", "lastNames", "gender", "email", "countryCode", "address", "cityName", "zipCode")
REQUIRED = ("type", "title", "name", "firstLastName", "gender")
RESERVED = (*REQUIRED, "birthDate", "nationalityCountryCode")
PASSENGER = (*RESERVED, "middleName", "secondLastName", "countryCodeOfResidence", "localityCodeOfResidency")
IDENTIFICATION = ("type", "identificationNumber", "expirationDate", "issueCountryCode")
PHONE = ("number", "countryCode")
KINDS = ("CHECK_IN", "CABIN")
SELECTION = ("type", "numberOfPieces", "kilosPerPiece")
BAGS = ("outboundSegmentBaggageSelection", "inboundSegmentBaggageSelection")


def contact(sent: Json, returned: Json) -> Iterator[Defect]:
    """Compare the nine documented members of a contact, without its credentials (OPEN-70)."""
    place: Pointer = ("customerContact",)
    if isinstance(sent, dict) and isinstance(returned, dict):
        for name in CONTACT:
            one, other, exactly = sent.get(name), returned.get(name), name not in CODES
            yield from _differs((*place, name), one, other, exactly=exactly)
        for name in PHONE:
            one, other = member(sent, "phone", name), member(returned, "phone", name)
            exactly = name not in CODES
            yield from _differs((*place, "phone", name), one, other, exactly=exactly)


def passengers(sent: Json, returned: Json, names: tuple[str, ...] = PASSENGER) -> Iterator[Defect]:
    """Compare passengers by their numbers; the response may leave out optional members (OPEN-48)."""
    if not isinstance(sent, list) or not isinstance(returned, list):
        return
    back = {whole(passenger.get("number")): index for index, passenger in enumerate(returned) if _numbered(passenger)}
    known = {whole(passenger.get("number")): passenger for passenger in sent if _numbered(passenger)}
    if len(known) != len(sent) or not all(map(_numbered, returned)):
        return
    if set(known) != set(back) or len(back) != len(returned):
        yield Defect(
            ("passengers",),
            "the passengers in the response do not have the numbers that were sent",
            expected=f"{len(known)} passengers with the numbers that were sent",
            actual=f"{len(returned)} passengers",
        )
        return
    for number, passenger in known.items():
        index = back[number]
        place: Pointer = ("passengers", index)
        for name in names:
            one, other = passenger.get(name), returned[index].get(name)
            if name not in NAMES or not is_same_name(one, other):
                yield from _differs((*place, name), one, other)
        if names is PASSENGER:
            yield from _identification((*place, "identification"), passenger, returned[index])
            yield from _phone((*place, "phone"), member(passenger, "phone"), member(returned[index], "phone"))
    optional = [name for name in (*names, *(["phone"] if names is PASSENGER else [])) if name not in REQUIRED]
    yield from _lost(known, back, returned, optional)


def _lost(
    sent: Mapping[int | None, Json], back: Mapping[int | None, int], returned: list[Any], names: Iterable[str]
) -> Iterator[Defect]:
    """Yield what a response shows of one passenger and leaves out of another.

    Only warns: whether it shows optional members is open (OPEN-48). The birth date of a child is not optional.
    """
    for name in names:
        holders = [
            (back[number], returned[back[number]].get(name) not in (None, ""))
            for number, passenger in sent.items()
            if passenger.get(name) not in (None, "") and (name != "birthDate" or passenger.get("type") == "adult")
        ]
        lacking = [index for index, is_shown in holders if not is_shown]
        if lacking and len(lacking) < len(holders):
            text = f"{name} of a passenger is missing from the response, but not that of another one"
            yield Defect(("passengers", lacking[0], name), text, "the value that was sent", "missing", soft=True)


def baggage(sent: Json, returned: Json) -> Iterator[Defect]:
    """Compare the pieces for each passenger; a response adds prices and may leave out empty selections."""
    if not _is_baggage(sent) or not _is_baggage(returned):
        return
    text = "the selected baggage in the response differs from what was sent"
    others = _owners(sent) != _owners(returned)
    places: Iterable[Pointer] = [("selectedBaggage",)] if others else _other_pieces(sent, returned)
    for place in places:
        yield Defect(place, text, "the pieces that were sent", "other pieces")


def reserved_baggage(sent: Json, returned: Json) -> Iterator[Defect]:
    """Compare the pieces for each passenger. Only warns: the documents do not show the baggage of a reservation.

    Source: v4, Reservation.
    """
    if not _is_baggage(sent) or not _is_baggage(returned):
        return
    chosen = [item for item in sent if any(_pieces(item, key) for key in BAGS)]
    if _owners(sent) == _owners(returned):
        places: Iterable[Pointer] = _other_pieces(sent, returned)
    else:
        # A reservation may number its passengers in another way, and leave out those without baggage.
        places = [("selectedBaggage",)] if len(returned) < len(chosen) else []
    for place in places:
        text = "the baggage of the reservation differs from that of its order"
        yield Defect(place, text, "the pieces of the order", "other pieces", soft=True)


def payment_method(sent: Json, returned: Json) -> Iterator[Defect]:
    """Compare the payment method."""
    one, other = method(sent), method(returned)
    if one and other and one != other:
        yield Defect(
            ("paymentMethod",),
            f"the payment method of the order is {other}, but {one} was sent",
            expected=one,
            actual=other,
        )


class SelectedBaggage(NamedTuple):
    """A selection in a response that has pieces: its path, the item that contains it, the selection, and the pieces."""

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
    """Return the total price of the selected pieces in a response, or None if the prices are incomplete.

    A price on the item counts if the item has only one selection.
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


def _identification(place: Pointer, sent: Json, returned: Json) -> Iterator[Defect]:
    one, other = member(sent, "identification"), member(returned, "identification")
    if not isinstance(one, dict):
        return
    if not isinstance(other, dict):
        message = "the identification of a passenger is missing from the response"
        yield Defect(place, message, expected="the identification that was sent", actual="missing")
        return
    for name in IDENTIFICATION:
        if one.get(name) is not None and other.get(name) is None:
            message = f"{name} of an identification is missing from the response"
            yield Defect((*place, name), message, expected="the value that was sent", actual="missing")
        yield from _differs((*place, name), one.get(name), other.get(name))


def _phone(place: Pointer, sent: Json, returned: Json) -> Iterator[Defect]:
    """Compare phones; a number may come back with another prefix or other separators."""
    yield from _differs((*place, "countryCode"), member(sent, "countryCode"), member(returned, "countryCode"))
    number, other = member(sent, "number"), member(returned, "number")
    digits, back = ("".join(filter(str.isdigit, str(each or ""))).lstrip("0") for each in (number, other))
    if digits and back and not (digits.endswith(back) or back.endswith(digits)):
        yield from _differs((*place, "number"), number, other)


def _differs(place: Pointer, sent: Json, returned: Json, *, exactly: bool = False) -> Iterator[Defect]:
    """Compare a text or number that both sides have; whether it is present is for the schema to check.

    The documents say "as sent" of a contact and of an identification. Elsewhere letter case, accents and spaces may
    differ, and names may come back as airlines write them (OPEN-67).
    """
    if sent is None or returned is None or isinstance(sent, dict | list) or isinstance(returned, dict | list):
        return
    name = place[-1]
    is_same = is_same_name if name in NAMES else is_same_text
    if sent != returned and (exactly or not is_same(sent, returned)):
        message = f"{name} in the response differs from what was sent"
        yield Defect(place, message, expected="the value that was sent", actual="another value")


def _numbered(passenger: Json) -> bool:
    return isinstance(passenger, dict) and whole(passenger.get("number")) is not None


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


def _owners(order_baggage: list[dict[str, Any]]) -> Counter[int]:
    return Counter(item["passengerNumber"] for item in order_baggage)


def _other_pieces(sent: list[dict[str, Any]], returned: list[dict[str, Any]]) -> Iterator[Pointer]:
    """Yield the path of each selection that differs from what was sent, or of the member if only one differs."""
    for index, item in enumerate(returned):
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
                for name, ordered, other in zip(SELECTION, *pair, strict=True)
                if ordered != other
            ]
            yield (*place, *differing[0]) if len(differing) == 1 else place


def _pieces(item: dict[str, Any], key: str) -> list[tuple[Any, ...]]:
    return [tuple(each[name] for name in SELECTION) for each in items(item, key) if each["numberOfPieces"]]
