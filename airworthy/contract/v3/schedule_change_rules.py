"""Rules of v3 and v2 on the schedule changes of a booking that JSON Schema cannot express."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain

from airworthy.contract.bodies.body import Json
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.agreement import remembered
from airworthy.contract.conversation.v3.memory import RETRIEVALS, returned_id
from airworthy.contract.http.transaction import Transaction, day, items, member
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule

RULE = "V23-FLIGHT-CHANGES"
SEGMENTS = (1, 2, 3)
SIDES = ("oldFlight", "newFlight")
_FLIGHTS = ("flight", "final_flight")
_UNANSWERED = ("WAITING", "SEEN")
_DATA_SIDES = tuple(f"data/{each}" for each in SIDES)
CHANGED = re.compile(
    r"need_apis|segment_[123]_(?:(?:origin|destination)_(?:airport|timezone|terminal_label)|(?:departure|arrival)_date"
    r"|flight_number|airline_name|airline_iata_code)"
)
# These accompany an airport or an airline even if they do not change.
ALONG = ("_timezone", "_airline_name")
# What a key accompanies, by its suffix; what to say without that, and whether that only warns.
ACCOMPANIED = {
    "airline_name": (("airline_iata_code",), "airline_name is listed without airline_iata_code", False),
    "origin_timezone": (("origin_airport",), "origin_timezone is listed without origin_airport", False),
    "destination_timezone": (
        ("origin_airport", "destination_airport"),
        "destination_timezone is listed without an airport",
        True,
    ),
}
CARRIERS = ("marketing_carrier", "operating_carrier")
# Where a segment shows a changed key. Whether an airline is the marketing or the operating one is not documented.
SHOWN: Mapping[str, Sequence[tuple[str, ...]]] = {
    "origin_airport": [("origin", "iata_code")],
    "destination_airport": [("destination", "iata_code")],
    "departure_date": [("departure_date",)],
    "arrival_date": [("arrival_date",)],
    "airline_iata_code": [(each, "iata_code") for each in CARRIERS],
    "flight_number": [(f"{each}_flight_number",) for each in CARRIERS],
}
_FLIGHT_NUMBER = re.compile(r"([A-Z0-9]{2})0*(\d{1,4})")


@transaction_rule(RULE, "response", *RETRIEVALS, about="bookings/*/flight_changes/*")
def only_what_changed(change: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A schedule change lists only what changed."""
    old, new = (change / f"data/{side}" for side in SIDES)
    if not isinstance(old.value, dict) or not isinstance(new.value, dict):
        return
    for key, value in new.value.items():
        if CHANGED.fullmatch(key) and not key.endswith(ALONG) and value == old.value.get(key) is not None:
            text = "a schedule change lists a value that has not changed"
            yield new.defect(text, "a new value", "the same value as before", key)


@transaction_rule(RULE, "response", *RETRIEVALS, each="bookings/*")
def only_what_differs(booking: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A schedule change lists no value that the original and the current flight both have.

    Only warns: an earlier change may be listed no longer. Two listed changes may cancel each other (OPEN-13). A time
    zone or a name is listed only with an airport or a code, which need not have changed (OPEN-21).
    """
    changes = items(booking.value, "flight_changes")
    listed = Counter(key for change in changes for side in SIDES for key in _values(change, side))
    along = {f"{key[:10]}{each}" for key in listed for each in ACCOMPANIED.get(key[10:], ((), "", False))[0]}
    for new in booking.each("flight_changes/*/data/newFlight"):
        for key, value in new.value.items() if isinstance(new.value, dict) else ():
            original, current = (_values_of(booking.get(name), key) for name in _FLIGHTS)
            is_single = listed[key] == 1 and key not in along
            if is_single and original == current and _written(value) in {*current} - {None}:
                text = "a schedule change lists a value that the original and the current flight have"
                yield new.defect(text, "a new value", "the value of both flights", key, soft=True)


@transaction_rule(RULE, "response", *RETRIEVALS, each="bookings/*/flight_changes/*/data")
def accompanied_keys(data: Node, _transaction: Transaction) -> Iterator[Defect]:
    """An airline's name is listed with its code, a time zone with its airport, in any of the objects (OPEN-94).

    destination_timezone may accompany either airport, and without one it only warns (OPEN-21).
    """
    objects = [each for each in (data, *(data / side for side in SIDES)) if isinstance(each.value, dict)]
    listed = {key for each in objects for key in each.value}
    for number in SEGMENTS:
        for suffix, (beside, text, soft) in ACCOMPANIED.items():
            key = f"segment_{number}_{suffix}"
            if key in listed and not listed.intersection(f"segment_{number}_{each}" for each in beside):
                holder = next(each for each in objects if key in each.value)
                missing = f"segment_{number}_{beside[0]}"
                yield holder.defect(text, " or ".join(beside), "missing", missing, soft=soft)


@transaction_rule(RULE, "response", *RETRIEVALS, each="bookings/*")
def flights_before_and_after(booking: Node, _transaction: Transaction) -> Iterator[Defect]:
    """The original flight has a value from before its schedule changes, the current one that after them.

    Only warns unless the passengers accepted the changes: how others combine and take effect is open (OPEN-13). What a
    refused change lists may be before it or after it in the current flight.
    """
    changes = items(booking.value, "flight_changes")
    statuses = [change.get("status") for change in changes]
    refused = {
        key for each in changes if each.get("status") == "REFUSED" for way in SIDES for key in _values(each, way)
    }
    for side, name in zip(SIDES, _FLIGHTS, strict=True):
        open_keys = refused if name == "final_flight" else set()
        if key := _differing_key(booking.get(name), changes, side, open_keys):
            text = f"{name} of a booking differs from the {side} of its schedule changes in {key}"
            soft = any(each != "ACCEPTED" for each in statuses)
            yield booking.defect(text, "the value in a schedule change", "another value", name, soft=soft)


@transaction_rule(RULE, "response", *RETRIEVALS, each="bookings/*")
def numbered_segments(booking: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A schedule change has the number of the segment that differs, as they are listed or flown (OPEN-80)."""
    original, current = (items(booking.value, name, "segments") for name in _FLIGHTS)
    listed = [*zip(original, current, strict=False)]
    flown = sorted(listed, key=lambda segments: str(segments[0].get("departure_date")))
    for data in booking.each("flight_changes/*/data") if len(original) == len(current) else ():
        for number in SEGMENTS:
            named = [segments for order in (listed, flown) for segments in order[number - 1 : number]]
            if _is_of(data.value, number, listed) and not _is_of(data.value, number, named):
                text = "a schedule change lists the values of one segment under the number of another one"
                yield data.defect(text, "the number of the segment that changed", f"segment_{number}_")


def _is_of(data: Json, number: int, segments: Iterable[tuple[Json, Json]]) -> bool:
    """Return whether what a schedule change lists for a number is what one of the segments was and is now."""
    keys = {f"segment_{number}_{suffix}": suffix for suffix in SHOWN}
    values = {suffix: [_written(member(data, side, key)) for side in SIDES] for key, suffix in keys.items()}
    changed = {suffix: both for suffix, both in values.items() if None not in both}
    return bool(changed) and any(
        all(
            value in _shown(each, suffix)
            for suffix, both in changed.items()
            for value, each in zip(both, was_and_is, strict=True)
        )
        for was_and_is in segments
    )


@transaction_rule(RULE, "response", *RETRIEVALS, each="bookings/*")
def changed_flight(booking: Node, transaction: Transaction) -> Iterator[Defect]:
    """The flight_id of a schedule change is that of the booked or the current flight.

    It may stand in any of the objects (OPEN-94). Only warns of an id that is not that of another booking (OPEN-93).
    """
    known = _flights(booking.value)
    others = {each for other in items(transaction.delivered, "bookings") for each in _flights(other)} - known
    for holder in chain(*(booking.each(f"flight_changes/*/{each}") for each in ("data", *_DATA_SIDES))):
        changed = returned_id(holder.get("flight_id"))
        if changed and known and changed not in known:
            text, soft = "flight_id of a schedule change is that of another flight", changed not in others
            yield holder.defect(text, "the id of the booked flight", "another id", "flight_id", soft=soft)


@conversation_rule(RULE, "response", *RETRIEVALS, each="bookings/*")
def changes_stay_listed(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A schedule change is recorded (v3, Events), so it is listed again.

    Only warns if other changes are listed, if the passengers have answered, or if the flight is the original one again:
    for how long a change is listed is not documented.
    """
    known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
    before = items(remembered(known.shown) if known else None, "flight_changes")
    now = [_documented(each.value) for each in booking.each("flight_changes/*")]
    if not all(_is_listed(_documented(change), now) for change in before):
        is_open = all(change.get("status") in _UNANSWERED for change in before)
        times = [
            [segment.get("departure_date") for segment in items(booking.value, name, "segments")] for name in _FLIGHTS
        ]
        soft = bool(now) or not is_open or times[0] == times[1]
        text, expected = "a schedule change that was shown before is not listed", "the same schedule change as before"
        yield booking.defect(text, expected, "other schedule changes", "flight_changes", soft=soft)


def _differing_key(flight: Json, changes: list[dict[str, Json]], side: str, apart: Set[str]) -> str:
    """Return a key of schedule changes of which a flight has none of the listed values, or an empty string (OPEN-13).

    A value that one change leads to and another one starts from is in between. Keys ``apart`` are not compared.
    """
    other = SIDES[1 - SIDES.index(side)]
    for key in sorted({key for change in changes for key in _values(change, side)} - apart):
        shown = _values_of(flight, key)
        listed, between = (
            [_written(values[key]) for change in changes if key in (values := _values(change, each))]
            for each in (side, other)
        )
        listed = [value for value in listed if value not in between] or listed
        if shown and all(value != each and _form(value) == _form(each) for value in listed for each in shown):
            return key
    return ""


def _values_of(flight: Json, key: str) -> list[str | None]:
    """Return the values of a flight that a changed key may be about, if it shows any.

    The number of a segment counts them as they are listed or as they are flown (OPEN-80).
    """
    number, _, suffix = key.removeprefix("segment_").partition("_")
    segments = items(flight, "segments")
    if key == "need_apis":
        return [_written(member(flight, key))]
    if number not in ("1", "2", "3") or suffix not in SHOWN or int(number) > len(segments):
        return []
    flown = sorted(segments, key=lambda segment: str(segment.get("departure_date")))
    return [each for order in (segments, flown) for each in _shown(order[int(number) - 1], suffix)]


def _shown(segment: Json, suffix: str) -> list[str | None]:
    """Return the values of a segment that a changed key may be about."""
    values = [member(segment, *path) for path in SHOWN[suffix]]
    if suffix == "flight_number":
        codes = [member(segment, each, "iata_code") for each in CARRIERS]
        values = [f"{code}{number}" for code, number in zip(codes, values, strict=True)]
    return [_written(each) for each in values]


def _written(value: Json) -> str | None:
    """Return a value of a schedule change in one form: the letter case of a code does not count (OPEN-64)."""
    if not isinstance(value, str | bool):
        return None
    text = str(int(value)) if isinstance(value, bool) else value.upper()
    return "".join(numbered.groups()) if (numbered := _FLIGHT_NUMBER.fullmatch(text)) else text


def _flights(booking: Json) -> set[str]:
    """Return the ids of the booked and the current flight of a booking."""
    places = (("flight_id",), ("flight", "id"), ("final_flight", "id"))
    return {returned_id(member(booking, *each)) for each in places} - {""}


def _documented(change: Json) -> list[dict[str, Json]]:
    """Return the documented keys of a schedule change in each of its objects (OPEN-94), with their values."""
    data = member(change, "data")
    objects = [data if isinstance(data, dict) else {}, *(_values(change, side) for side in SIDES)]
    return [{key: each[key] for key in each if CHANGED.fullmatch(key)} for each in objects]


def _is_listed(change: list[dict[str, Json]], listed: list[list[dict[str, Json]]]) -> bool:
    """Return whether one of the listed changes has what an earlier one had; it may have got more keys."""
    return any(all(one.items() <= other.items() for one, other in zip(change, each, strict=True)) for each in listed)


def _values(change: Json, side: str) -> dict[str, Json]:
    values = member(change, "data", side)
    return values if isinstance(values, dict) else {}


def _form(value: str | None) -> object:
    """Return the format of a text; texts in different formats are not compared."""
    if value is None:
        return object()
    return "number" if _FLIGHT_NUMBER.fullmatch(value) else (len(value), value[10:11], day(value[:10]) is None)
