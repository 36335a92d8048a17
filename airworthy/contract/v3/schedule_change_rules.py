"""Rules of v3 and v2 on the schedule changes of a booking that JSON Schema cannot express."""

import re
from collections.abc import Iterator

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
def only_what_changed(change: Node, _transaction: Transaction) -> Iterator[Defect]:
    """A schedule change lists only what changed."""
    old, new = (change / f"data/{side}" for side in SIDES)
    if not isinstance(old.value, dict) or not isinstance(new.value, dict):
        return
    for key, value in new.value.items():
        if CHANGED.fullmatch(key) and not key.endswith(ALONG) and value == old.value.get(key) is not None:
            text = "a schedule change lists a value that has not changed"
            yield new.defect(text, "a new value", "the same value as before", key)


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
def current_flight(booking: Node, _transaction: Transaction) -> Iterator[Defect]:
    """The current flight differs from the original one as the only schedule change says. Only warns.

    How several changes combine is open, and so is the effect of a declined change (OPEN-13).
    """
    changes = booking.get("flight_changes")
    if isinstance(changes, list) and len(changes) == 1 and member(changes[0], "status") != "REFUSED":
        yield from _unlike(booking, member(changes[0], "data"))


@conversation_rule(RULE, "response", *RETRIEVALS, each="bookings/*")
def changes_stay_listed(booking: Node, transaction: Transaction, conversation: Conversation) -> Iterator[Defect]:
    """A schedule change is recorded (v3, Events), so it is listed again. Only warns: for how long is not documented."""
    known = conversation.v3.booking(transaction.url.version, returned_id(booking.get("id")))
    before = items(remembered(known.shown) if known else None, "flight_changes")
    now = [each.get("data") for each in booking.each("flight_changes/*")]
    if any(change.get("data") not in now for change in before):
        text, expected = "a schedule change that was shown before is not listed", "the same schedule change as before"
        yield booking.defect(text, expected, "other schedule changes", "flight_changes", soft=True)


def _unlike(booking: Node, data: Json) -> Iterator[Defect]:
    """Yield a warning where a flight shows another value than its schedule change (OPEN-13)."""
    for side, name in zip(SIDES, ("flight", "final_flight"), strict=True):
        segments, changed = items(booking.value, name, "segments"), member(data, side)
        for key, value in changed.items() if isinstance(changed, dict) else ():
            number, _, suffix = key.removeprefix("segment_").partition("_")
            if number in ("1", "2", "3") and suffix in SHOWN and int(number) <= len(segments):
                shown = member(segments[int(number) - 1], *SHOWN[suffix])
                # The segments may be listed in another order (OPEN-80).
                if value not in [member(each, *SHOWN[suffix]) for each in segments] and _form(value) == _form(shown):
                    text = f"{name} of a booking differs from the {side} of its schedule change"
                    yield booking.defect(text, "the value in the schedule change", "another value", name, soft=True)
                    break


def _form(value: Json) -> tuple[int, str, bool] | object:
    """Return the format of a text; texts in different formats are not compared."""
    return (len(value), value[10:11], day(value[:10]) is None) if isinstance(value, str) else object()
