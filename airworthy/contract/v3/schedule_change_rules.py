"""Rules of v3 and v2 on the schedule changes of a booking that JSON Schema cannot express."""

import re
from collections.abc import Iterator

from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.agreement import remembered
from airworthy.contract.conversation.v3.memory import RETRIEVALS, returned_id
from airworthy.contract.http.transaction import Transaction, day, items, member
from airworthy.contract.rules.coded_rules import conversation_rule, transaction_rule

RULE = "V23-FLIGHT-CHANGES"
SEGMENTS = (1, 2, 3)
SIDES = ("oldFlight", "newFlight")
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
# Where a segment of a flight shows a changed key.
SHOWN = {
    "origin_airport": ("origin", "iata_code"),
    "destination_airport": ("destination", "iata_code"),
    "departure_date": ("departure_date",),
    "arrival_date": ("arrival_date",),
}


@transaction_rule(RULE, "response", *RETRIEVALS, about="bookings/*/flight_changes/*")
def only_what_changed(transaction: Transaction) -> Iterator[Defect]:
    """A schedule change lists only what changed."""
    for place, change in _changes(transaction):
        old, new = (member(change, "data", side) for side in SIDES)
        if not isinstance(old, dict) or not isinstance(new, dict):
            continue
        for key in new:
            if CHANGED.fullmatch(key) and not key.endswith(ALONG) and new[key] == old.get(key) is not None:
                text = "a schedule change lists a value that has not changed"
                yield Defect((*place, "data", SIDES[1], key), text, "a new value", "the same value as before")


@transaction_rule(RULE, "response", *RETRIEVALS)
def accompanied_keys(transaction: Transaction) -> Iterator[Defect]:
    """An airline's name is listed with its code, a time zone with its airport, in any of the objects (OPEN-94).

    destination_timezone may accompany either airport, and without one it only warns (OPEN-21).
    """
    for place, change in _changes(transaction):
        data = change.get("data")
        objects = {(*place, "data"): data, **{(*place, "data", side): member(data, side) for side in SIDES}}
        listed = {key for each in objects.values() if isinstance(each, dict) for key in each}
        for number in SEGMENTS:
            for suffix, (beside, text, soft) in ACCOMPANIED.items():
                key = f"segment_{number}_{suffix}"
                if key in listed and not listed.intersection(f"segment_{number}_{each}" for each in beside):
                    where = next(at for at, each in objects.items() if isinstance(each, dict) and key in each)
                    missing = f"segment_{number}_{beside[0]}"
                    yield Defect((*where, missing), text, " or ".join(beside), "missing", soft=soft)


@transaction_rule(RULE, "response", *RETRIEVALS)
def flights_before_and_after(transaction: Transaction) -> Iterator[Defect]:
    """The original flight has a value from before its schedule changes, the current one that after them. Only warns.

    How several changes combine is open, and so is the effect of a declined change (OPEN-13).
    """
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        changes = items(booking, "flight_changes")
        is_certain = len(changes) == 1 and changes[0].get("status") != "REFUSED"
        for side, name in zip(SIDES, ("flight", "final_flight"), strict=True):
            if (is_certain or name == "flight") and _contradicts(items(booking, name, "segments"), changes, side):
                text = f"{name} of a booking differs from the {side} of its schedule changes"
                place = ("bookings", index, name)
                yield Defect(place, text, "the value in a schedule change", "another value", soft=True)


@transaction_rule(RULE, "response", *RETRIEVALS)
def changed_flight(transaction: Transaction) -> Iterator[Defect]:
    """The flight_id of a schedule change is that of the booked or the current flight. Only warns (OPEN-93)."""
    bookings = items(transaction.delivered, "bookings")
    for place, change in _changes(transaction):
        booking, changed = bookings[int(place[1])], returned_id(member(change, "data", "flight_id"))
        flights = (booking.get("flight_id"), member(booking, "flight", "id"), member(booking, "final_flight", "id"))
        known = {returned_id(each) for each in flights} - {""}
        if changed and known and changed not in known:
            text, at = "flight_id of a schedule change is that of another flight", (*place, "data", "flight_id")
            yield Defect(at, text, "the id of the booked flight", "another id", soft=True)


@conversation_rule(RULE, "response", *RETRIEVALS)
def changes_stay_listed(transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A schedule change is recorded (v3, Events), so it is listed again. Only warns: for how long is not documented."""
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
        before = items(remembered(known.shown) if known else None, "flight_changes")
        now = [each.get("data") for each in items(booking, "flight_changes")]
        if any(change.get("data") not in now for change in before):
            text, expected = (
                "a schedule change that was shown before is not listed",
                "the same schedule change as before",
            )
            yield Defect(("bookings", index, "flight_changes"), text, expected, "other schedule changes", soft=True)


def _contradicts(segments: list[dict[str, Json]], changes: list[dict[str, Json]], side: str) -> bool:
    """Return whether a segment of a flight has none of the values that its schedule changes list for it (OPEN-13).

    The number of a segment counts them as they are listed or as they are flown (OPEN-80).
    """
    flown = sorted(segments, key=lambda segment: str(segment.get("departure_date")))
    for key in {key for change in changes for key in _values(change, side)}:
        number, _, suffix = key.removeprefix("segment_").partition("_")
        if number in ("1", "2", "3") and suffix in SHOWN and int(number) <= len(segments):
            shown = member(segments[int(number) - 1], *SHOWN[suffix])
            listed = [values[key] for change in changes if key in (values := _values(change, side))]
            of_segment = (shown, member(flown[int(number) - 1], *SHOWN[suffix]))
            if all(value not in of_segment and _form(value) == _form(shown) for value in listed):
                return True
    return False


def _values(change: Json, side: str) -> dict[str, Json]:
    values = member(change, "data", side)
    return values if isinstance(values, dict) else {}


def _form(value: Json) -> tuple[int, str, bool] | object:
    """Return the format of a text; texts in different formats are not compared."""
    return (len(value), value[10:11], day(value[:10]) is None) if isinstance(value, str) else object()


def _changes(transaction: Transaction) -> Iterator[tuple[Pointer, dict[str, Json]]]:
    for index, booking in enumerate(items(transaction.delivered, "bookings")):
        for position, change in enumerate(items(booking, "flight_changes")):
            yield ("bookings", index, "flight_changes", position), change
