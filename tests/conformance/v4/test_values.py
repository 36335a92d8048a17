"""Run features/v4/values.feature: Values in responses."""
