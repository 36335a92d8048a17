"""Run features/v3/round_trips.feature: Search round-trip fares."""
