"""Run features/v4/consistency.feature: Responses that must agree."""
