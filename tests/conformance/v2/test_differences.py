"""Run features/v2/differences.feature: Differences of v2."""
