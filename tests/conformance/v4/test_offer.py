"""Run features/v4/offer.feature: Get Offer."""
