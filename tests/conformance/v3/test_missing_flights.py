"""Run features/v3/missing_flights.feature: Booking requests for unavailable flights."""
