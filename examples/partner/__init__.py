"""A small integration of the Flight Booking Service, to copy from.

::

    service      requests with the key, timeouts, and the three ways in which a request can end
    travellers   who travels, where, and with which bags
    payments     the payment provider, which takes the card instead of the service
    offers       v4: offers, orders, reservations
    flights      v3 and v2: flights, booking requests, bookings
    go_live      the test bookings before going live
    careless     the same integration with defects that have names, for demonstration only
"""
