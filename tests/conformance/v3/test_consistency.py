"""Run features/v3/consistency.feature: Responses that must agree."""
