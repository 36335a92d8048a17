"""Runs the scenarios of a fault's rule against a sandbox that has the fault."""

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

import orjson

from airworthy.contract import Contract, Exchange
from airworthy.contract.http.operations import Operation
from airworthy.evidence.recorder import read
from airworthy.report.results import RuleResult, ScenarioResult, weigh
from airworthy.sandbox.faults import Fault, faults
from collected_suite import CollectedSuite, FinishedRun

T = TypeVar("T")

# The traffic that a rule is about may come from the scenarios of another rule only.
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("V3-ROUND-TRIPS-ANSWER", "V3-ROUND-TRIPS-ROUTE"), ("V3-ROUND-TRIP-FARE",)),
    **dict.fromkeys(
        (
            *("V4-OFFER-PASSENGER-COUNT", "V4-ORDER-OFFER", "V4-RESERVATION-MATCHES-ORDER", "V4-CONFIRM-NOT-READY"),
            *("V4-CONFIRM-ONCE", "V4-CONFIRM-3DS-ATTEMPTED", "V4-CONFIRM-AMOUNT", "V4-CONFIRM-CONCURRENT"),
            *("V4-ORDER-OPENS", "V4-ORDER-FOREIGN", "V4-ORDER-EXPIRED-OFFER"),
            *("V4-OFFER-RETENTION", "V4-RESERVATION-FOREIGN"),
        ),
        ("V4-CONFIRM-BOOKS",),
    ),
    "V4-UNKNOWN-FIELDS": ("V4-JSON-ANSWERS",),
    "V4-BAD-REQUEST": ("V4-NO-SERVER-FAULT",),
    "V4-ORDER-IDENTIFICATION-EXPIRY": ("V4-CONFIRM-BOOKS", "V4-ORDER-EXPIRED-OFFER"),
    "V4-IDENTIFIERS": ("V4-CONFIRM-SIMULTANEOUS",),
    "V4-BAGGAGE-PRICE": ("V4-ORDER-BAGGAGE-ECHO", "V4-ORDER-TOTAL-BAGGAGE"),
    "V4-SEARCH-ITINERARY": ("V4-SEARCH-ROUND-TRIP", "V4-OFFER-ROUND-TRIP", "V4-OFFER-FIELDS"),
    "V4-SECTION-AIRPORTS": ("V4-SEARCH-LOCATION",),
    "V4-ORDER-STAYS-BOOKED": ("V4-CONFIRM-ONCE", "V4-CONFIRM-BOOKS"),
    "V4-SEARCH-ADULTS": ("V4-DOCUMENTED-VALUES",),
    "V23-EXTERNAL-ID": ("V23-BOOKINGS-BOOK",),
    "V23-FLIGHTS-WINDOW": ("V23-FLIGHTS-PAGE",),
    "V23-FLIGHT-ITINERARY": ("V23-FLIGHT-SEGMENTS",),
    "V23-BOOKINGS-AS-REQUESTED": ("V23-PASSENGER-RECORD", "V23-BOOKINGS-BOOK"),
    "V3-REQUESTS-ANSWER": ("V3-REQUESTS-FLIGHTS", "V23-BOOKINGS-BOOK"),
    **dict.fromkeys(("V23-BOOKINGS-TOGETHER", "V23-LOOK-UP"), ("V23-BOOKINGS-BOOK",)),
    "V4-ORDER-PASSENGERS-ECHO": ("V4-RESERVATION-MATCHES-ORDER", "V4-CONFIRM-BOOKS"),
    **dict.fromkeys(
        (
            *("V3-BOOKINGS-CANCELLED", "V23-BOOKINGS-ONCE", "V23-BOOKINGS-UNKNOWN-REQUEST"),
            *("V23-BOOKINGS-CUSTOMER-UNKNOWN", "V23-REQUEST-LIFETIME"),
        ),
        ("V23-BOOKINGS-CORRECTED", "V23-BOOKINGS-BOOK"),
    ),
}

# A clock counts as movable once a scenario about an age has moved it, so that these rules have to wait for others.
_LATE: Final = ("V4-ORDER-IDENTIFICATION-EXPIRY",)

# Documented values, and those of members without a scenario of their own, are sent by these rules.
_DOCUMENTED: Final = {"createOrder": "V4-ORDER-OPTIONAL", "createRequests": "V3-REQUESTS-OPTIONAL"}


def validation_rule(fault: Fault) -> str:
    """Return the rule whose scenarios find a fault that those of its own rule do not, or an empty string."""
    kind, _, place = fault.name.partition(":")
    if kind == "undocumented":
        return _DOCUMENTED[place.partition(":")[0]]
    members = [each for each in fault.tolerates if re.match(r"\w+:[*/]", each)]
    if not members and kind != "unchecked":
        return ""
    if (members or [place])[0].partition(":")[0].endswith("V2"):
        return "V2-BAD-REQUEST"
    return "V4-BAD-REQUEST" if fault.rule.startswith("V4-") else "V3-BAD-REQUEST"


def prove(suite: CollectedSuite, fault: Fault) -> FinishedRun:
    """Run the scenarios of a fault's rule against a sandbox with the fault.

    The run ends at the first scenario that fails.
    """
    also = filter(None, (validation_rule(fault), *_ALSO.get(fault.rule, ())))
    with tempfile.TemporaryDirectory(prefix="airworthy-fault-") as folder:
        return suite.run(
            Path(folder),
            faults=[fault.name],
            rules=[fault.rule, *also],
            first=() if fault.rule in _LATE else (fault.rule,),
            brief=True,
        )


def successes(contract: Contract, evidence: Path) -> Iterator[tuple[Operation, Exchange, Any]]:
    """Yield the successful exchanges with documented operations, and the bodies of their responses."""
    for record in read(evidence):
        request, response = record.exchange.request, record.exchange.response
        operation = contract.operation(request.method, request.url)
        if operation and response and response.status == HTTPStatus.OK:
            yield operation, record.exchange, orjson.loads(response.body or b"null")


def stricter_than_the_contract(result: RuleResult) -> list[str]:
    """Return the scenarios that a step fails at a place where the contract only finds warnings of the same rule."""

    def is_stricter(scenario: ScenarioResult) -> bool:
        # A step knows that the rest of its request is right, so it may judge a status that traffic only hints at.
        place = scenario.failure.pointer if scenario.failure else "status"
        if scenario.verdict != "failed" or scenario.basis != "step" or place == "status":
            return False
        found = [each for each in scenario.findings if each.rule == result.id]
        warned = [each.pointer for each in found if weigh(each) == "warning"]
        return len(warned) == len(found) and any(place.startswith(each) or each.startswith(place) for each in warned)

    return [each.name for each in result.scenarios if is_stricter(each)]


def named(patterns: Sequence[str]) -> list[Fault]:
    """Return the faults whose names match one of some patterns such as ``order-*``."""
    return [fault for fault in faults().values() if any(fnmatchcase(fault.name, each) for each in patterns)]


def for_each_fault(chosen: Iterable[Fault], work: Callable[[CollectedSuite, Fault], T]) -> Iterator[T]:
    """Yield the result of ``work`` for each fault, using all cores, in no order; write a dot to stderr for each."""
    queue = iter(list(chosen))

    def worker(_: int) -> list[T]:
        found = []
        with CollectedSuite() as suite:
            for fault in queue:
                sys.stderr.write(".")
                sys.stderr.flush()
                found.append(work(suite, fault))
        return found

    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        yield from chain.from_iterable(pool.map(worker, range(workers)))
