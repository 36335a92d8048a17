"""The go-live list: what a partner's traffic shows before its integration goes live, for v4, v3 and v2.

::

    items        the list, read from features/golive, and what it requires, from a profile
    progress     what the traffic shows of each item; parts of the traffic merge
    findings     which item a finding of the contract belongs to
    purchases    orders, booking requests and bookings, as the list sees them
    bookings     what bookings show, from the offer to the retrieval
    observer     `GoLive`, which observes exchanges one after the other

The same list is shown by the proxy and the audit, and decides about a partner's certificate.
"""

from airworthy.traffic.golive.bookings import BookingMemory
from airworthy.traffic.golive.items import GoLiveItem, GoLiveSettings, go_live_items, golive_settings
from airworthy.traffic.golive.observer import GoLive
from airworthy.traffic.golive.progress import ItemOutcome, ItemProgress, Sighting

__all__ = [
    "BookingMemory",
    "GoLive",
    "GoLiveItem",
    "GoLiveSettings",
    "ItemOutcome",
    "ItemProgress",
    "Sighting",
    "go_live_items",
    "golive_settings",
]
