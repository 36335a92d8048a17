"""Run features/v4/validation.feature: Validation of requests."""
