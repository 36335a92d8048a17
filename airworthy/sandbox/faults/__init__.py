"""Faults: deliberate violations of one rule each, each of which proves that the check of its rule can fail.

Faults of v4 are in ``v4``, those of v3 and v2 in ``v3``, those of the content export in ``export``. `derived` adds
those that follow from the schemas. `table` has a function for each kind of row, `fault` all ways to change the service.
"""

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache, lru_cache

from airworthy.errors import UsageError, did_you_mean
from airworthy.sandbox.faults import derived, export
from airworthy.sandbox.faults.fault import Fault, FaultHooks
from airworthy.sandbox.faults.table import listed
from airworthy.sandbox.faults.v3 import booking_requests, booking_responses, bookings, flights
from airworthy.sandbox.faults.v3 import transport as token_transport
from airworthy.sandbox.faults.v4 import confirmation, offers, order_responses, orders, transport
from airworthy.sandbox.http import schemas
from airworthy.sandbox.service import request_bodies

__all__ = ["Fault", "FaultHooks", "broken_rule", "chosen", "faults", "written"]

_REJECTIONS = 1024


@cache
def faults() -> Mapping[str, Fault]:
    """Return all faults by name: those written by hand, then those derived from the schemas."""
    return {fault.name: fault for fault in (*written(), *derived.faults())}


def written() -> Iterator[Fault]:
    """Yield the faults written by hand. The first fault of each rule should be quick to find."""
    of_v4 = (transport, order_responses, offers, orders, confirmation)
    of_v3_and_v2 = (token_transport, booking_responses, flights, booking_requests, bookings)
    for module in (*of_v4, *of_v3_and_v2, export):
        yield from listed(module.FAULTS)


def chosen(names: Iterable[str]) -> tuple[Fault, ...]:
    """Return faults by name; raise UsageError for an unknown name."""
    requested = tuple(names)
    unknown = [name for name in requested if name not in faults()]
    if unknown:
        advice = did_you_mean(unknown[0], faults(), "`airworthy sandbox --list-faults` lists the faults")
        raise UsageError(f"unknown fault {unknown[0]!r}; {advice}")
    return tuple(faults()[name] for name in requested)


@lru_cache(_REJECTIONS)
def broken_rule(rejection: str) -> str:
    """Return the id of the rule that the rejection of this name enforces, or "" if the documents have none."""
    found = [
        (len(pattern), -len(fault.tolerates), fault.rule)
        for fault in faults().values()
        for pattern in fault.tolerates
        if fnmatchcase(rejection, pattern)
    ]
    # The longest pattern, and the fault that tolerates nothing else, are the most specific.
    return max(found)[2] if found else _rule_of_field(rejection)


def _rule_of_field(rejection: str) -> str:
    operation, _, rest = rejection.partition(":")
    pointer, _, keyword = rest.rpartition(":")
    if operation in request_bodies.OPERATIONS:
        for field in schemas.schema_fields(request_bodies.OPERATIONS[operation]):
            if field.pointer == pointer:
                return field.holder_rule if keyword == "required" else field.rule
    return ""
