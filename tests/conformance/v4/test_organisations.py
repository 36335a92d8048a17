"""Run features/v4/organisations.feature: Offers of another organisation."""
