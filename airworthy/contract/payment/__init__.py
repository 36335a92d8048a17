"""Coded rules on requests to the payment provider."""
