"""Run features/v3/limits.feature: Limits and optional members."""
