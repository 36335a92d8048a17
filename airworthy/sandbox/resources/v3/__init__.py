"""Flights, booking requests and bookings of v3 and v2."""
