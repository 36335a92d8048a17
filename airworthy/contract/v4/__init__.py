"""Coded rules of v4, the offer-based interface."""
