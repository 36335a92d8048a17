"""Run features/export/search.feature: The export and the live search."""
