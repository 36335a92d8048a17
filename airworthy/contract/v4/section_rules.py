"""Rules of v4 on the sections of a segment, which are flown one after the other."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.moments import FURTHEST_BACK, FURTHEST_CLOCK_CHANGE, between
from airworthy.contract.http.transaction import Transaction, items
from airworthy.contract.rules.coded_rules import transaction_rule
from airworthy.contract.rules.forks import forks

SECTIONS = "outboundSegment/sections/*"


@transaction_rule("V4-SEARCH-ITINERARY", "response", "searchOffers")
def sections_can_be_flown(transaction: Transaction) -> Iterator[Defect]:
    """A section is one flight leg inside a segment (v4, Section), so it departs after the previous one has arrived.

    That only warns: the order of the sections is not documented. Times at one airport can be compared, unless its
    clocks change meanwhile. A transfer may be to another airport. A section and the one back take some time together,
    whatever the time zones. That only warns, too: the structure of an inbound segment is open (OPEN-02).
    """
    for offer in transaction.response.each("offers/*"):
        sections = items(offer.value, "outboundSegment", "sections")
        for at, end, what in forks([_ends(each) for each in sections]):
            text = f"two sections of a segment {what}"
            yield offer.each(SECTIONS)[at].defect(text, "sections that follow one another", "the same airport", end)
        back = {_ends(each): _lasts(each) for each in items(offer.value, "inboundSegment", "sections")}
        for at, section in enumerate(sections):
            lasts, returns = _lasts(section), back.get(_ends(section)[::-1])
            if lasts is not None and lasts <= -FURTHEST_BACK:
                text, is_open = "a section arrives a day or more before it departs", False
            elif lasts is not None and returns is not None and lasts + returns < -2 * FURTHEST_CLOCK_CHANGE:
                text, is_open = "a section or the one back arrives before it departs", True
            else:
                continue
            expected = "a time after departureDate"
            yield offer.each(SECTIONS)[at].defect(text, expected, "an earlier time", "arrivalDate", soft=is_open)
        for at, (before, section) in enumerate(pairwise(sections), 1):
            if before.get("destination") != section.get("origin"):
                continue
            waits = between(before.get("arrivalDate"), section.get("departureDate"))
            if waits is not None and waits < -FURTHEST_CLOCK_CHANGE:
                text, expected = "a section departs before the previous one arrives", "a time after that arrival"
                yield offer.each(SECTIONS)[at].defect(text, expected, "an earlier time", "departureDate", soft=True)


def _ends(section: dict[str, Any]) -> tuple[str, str]:
    return str(section.get("origin", "")), str(section.get("destination", ""))


def _lasts(section: dict[str, Any]) -> timedelta | None:
    return between(section.get("departureDate"), section.get("arrivalDate"))
