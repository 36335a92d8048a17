"""Faults: named breaches of one rule each, put into the service from outside, at its seams.

The handlers know nothing of them. Each shows that the check of its rule can fail.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from airworthy.errors import UsageError
from airworthy.sandbox.faults import export, generated
from airworthy.sandbox.faults.fault import Fault, Seams
from airworthy.sandbox.faults.v3 import booking_requests, bookings, flights, token_transport, v2
from airworthy.sandbox.faults.v4 import confirmation, offers, orders, retrieval, search, transport, values

__all__ = ["Fault", "Seams", "chosen", "faults"]


@cache
def faults() -> Mapping[str, Fault]:
    """Return all faults by name: those written by hand, then those that the schemas suggest."""
    offer_based = (transport, values, search, offers, orders, confirmation, retrieval)
    by_hand = (*offer_based, token_transport, flights, booking_requests, bookings, v2, export)
    written = (fault for module in by_hand for fault in module.FAULTS)
    return MappingProxyType({fault.name: fault for fault in (*written, *generated.faults())})


def chosen(names: Iterable[str]) -> tuple[Fault, ...]:
    """Return faults by name; raises UsageError for an unknown one."""
    wanted = tuple(names)
    unknown = [name for name in wanted if name not in faults()]
    if unknown:
        raise UsageError(f"unknown fault {unknown[0]!r}; `airworthy sandbox --list-faults` names them all")
    return tuple(faults()[name] for name in wanted)
