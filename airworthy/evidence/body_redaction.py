"""Redact the values of a body: what no schema describes as harmless becomes a pseudonym."""

import re
from datetime import datetime
from itertools import takewhile
from typing import Any, Final

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.card_numbers import holds_card_number
from airworthy.contract.schema.known_members import LARGEST_NUMBER, SHORT_NUMBER, KnownMembers
from airworthy.evidence.vocabulary import PrivateValues

OMITTED: Final = "…"
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_KEY_OF_MEMBER: Final = re.compile(r"[0-9]{1,6}")
_ID: Final = re.compile(r"[0-9]{1,12}")


class BodyRedaction:
    """Redacts the values of a body; ``started`` is when the request was sent.

    Texts of an error are redacted word by word even if no schema describes them, so that the reader can understand it.
    """

    def __init__(
        self, private_values: PrivateValues, started: datetime | None = None, *, is_error: bool = False
    ) -> None:
        self._private_values = private_values
        self._is_error = is_error
        self._month = started.isoformat()[: len("YYYY-MM")] if started else OMITTED
        self._day = started.date().isoformat() if started else OMITTED

    def value(self, value: Any, place: KnownMembers | None, kind: str) -> Any:  # noqa: ANN401 - any JSON value
        """Return a JSON value redacted, for orjson, with marks.

        ``place`` describes the value, and ``kind`` is the kind of what contains it.
        """
        if place is not None:
            place = place.like or place
            kind = kind or place.sensitive
        if isinstance(value, dict):
            # Where a schema describes nothing private, one quick test replaces the walk through the object.
            if place is not None and not kind and not place.private and place.is_harmless(value):
                return value
            return self._object(value, place if place and place.is_object else None, kind)
        if isinstance(value, list):
            items = place.items if place else None
            return [item if self._is_harmless(item, items, kind) else self.value(item, items, kind) for item in value]
        if value is None or isinstance(value, bool):
            return value
        # If the schema expects an object with private members, any other value may be one of them.
        kind = kind or (place.private if place else "")
        return self._string(value, place, kind) if isinstance(value, str) else self._number(value, place, kind)

    @staticmethod
    def _is_harmless(item: Any, place: KnownMembers | None, kind: str) -> bool:  # noqa: ANN401 - any JSON value
        """Return whether an item of an array can stay as a whole; one wrong item must not make a page of them slow."""
        return isinstance(item, dict) and place is not None and not kind and place.is_harmless(item)

    def _object(self, value: dict[str, Any], place: KnownMembers | None, kind: str) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, item in value.items():
            below = place.known(name) if place else None
            # A described object may be keyed by ids.
            is_described = below and place and (name in place.members or _ID.fullmatch(name))
            is_shown = is_described or wording.is_name(name) or _KEY_OF_MEMBER.fullmatch(name)
            shown = name if is_shown else self._private_values.value(name)
            while shown in made:
                shown += "_"
            made[shown] = self.value(item, below, kind)
        return made

    def _string(self, value: str, place: KnownMembers | None, kind: str) -> str:
        if kind:
            return self._private(value, kind)
        if self._private_values.is_code(value):
            return value
        if place is None or place.text == "unknown":
            return self._private_values.words(value) if self._is_error else self._private_values.value(value)
        return value if place.may_show(value) else self._private_values.words(value)

    def _private(self, value: str, kind: str) -> str:
        # Another day could change whether the document has expired.
        if kind == "document-date" and value.startswith(self._month) and _DATE.fullmatch(value):
            return value
        # A birth date in the future may also be the date of a departure, which must stay.
        if kind != "reference" and not (kind == "birth-date" and value >= self._day):
            self._private_values.learn(value)
        return self._private_values.value(value, kind)

    def _number(self, value: float, place: KnownMembers | None, kind: str) -> Any:  # noqa: ANN401  or its pseudonym
        is_described = place is not None and place.text != "unknown"
        most = LARGEST_NUMBER if is_described else SHORT_NUMBER
        if not kind and abs(value) <= most and (is_described or value == int(value)) and not holds_card_number(value):
            return value
        return self._private_values.number(value, kind)


def beginning(value: Any, left: list[int]) -> Any:  # noqa: ANN401 - any JSON value
    """Return the beginning of a document with about ``left`` characters; strings are kept whole or omitted."""
    left[0] -= len(value) if isinstance(value, str) else 1
    if isinstance(value, str):
        return value if left[0] >= 0 else OMITTED
    if isinstance(value, dict):
        names = takewhile(lambda _: left[0] > 0, value)
        return {beginning(name, left): beginning(value[name], left) for name in names}
    if isinstance(value, list):
        return [beginning(item, left) for item in takewhile(lambda _: left[0] > 0, value)]
    return value
