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
