"""The coded rules of v4, the offer-based interface."""
