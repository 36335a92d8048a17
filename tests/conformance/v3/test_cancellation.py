"""Run features/v3/cancellation.feature: Cancel booking requests."""
