"""Run features/v3/validation.feature: Validation of requests in v3."""
