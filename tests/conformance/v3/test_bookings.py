"""Run features/v3/bookings.feature: Create bookings."""
