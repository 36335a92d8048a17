"""Run features/v3/verify.feature: Verify price and availability."""
