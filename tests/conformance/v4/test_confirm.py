"""Run features/v4/confirm.feature: Confirm Order."""
