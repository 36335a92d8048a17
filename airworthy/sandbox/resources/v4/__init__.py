"""Offers, orders and reservations of v4."""
