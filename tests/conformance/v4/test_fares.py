"""Run features/v4/fares.feature: Get Fares."""
