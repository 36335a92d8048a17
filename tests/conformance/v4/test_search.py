"""Run features/v4/search.feature: Search Offers."""
