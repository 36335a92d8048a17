"""The memory of v3 and v2: flights, booking requests and bookings."""
