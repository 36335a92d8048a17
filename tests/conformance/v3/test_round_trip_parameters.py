"""Run features/v3/round_trip_parameters.feature: Parameters of the search for round-trip fares."""
