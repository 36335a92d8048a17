"""Run features/v3/booking_requests.feature: Create booking requests."""
