"""Run features/v4/baggage.feature: Get Baggage."""
