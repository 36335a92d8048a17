"""Passengers in the words of the features: ``2 adults, 1 child and 1 infant``."""

import re

from conformance.v4.request_bodies import PassengerCounts

PARTY = r"\d+ adults?(?:, \d+ child(?:ren)?)?(?: and \d+ (?:infants?|child(?:ren)?))?"
_COUNT = re.compile(r"(\d+) (adult|child|infant)")


def parse_party(text: str) -> PassengerCounts:
    """Read a party; a type that is not named has the count 0."""
    counts = {kind: int(number) for number, kind in _COUNT.findall(text)}
    return PassengerCounts(counts.get("adult", 0), counts.get("child", 0), counts.get("infant", 0))
