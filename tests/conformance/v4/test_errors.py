"""Run features/v4/errors.feature: Errors."""
