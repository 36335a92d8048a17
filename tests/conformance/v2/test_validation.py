"""Run features/v2/validation.feature: Validation of requests in v2."""
