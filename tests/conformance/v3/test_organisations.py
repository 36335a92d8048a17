"""Run features/v3/organisations.feature: Booking requests and bookings of another organisation."""
