"""Run features/v4/authentication.feature: Authentication."""
