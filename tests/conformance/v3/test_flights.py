"""Run features/v3/flights.feature: Search flights."""
