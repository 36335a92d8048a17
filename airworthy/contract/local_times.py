"""How far the local times of a flight may seem to go back, for the rules of every interface."""

from datetime import timedelta

FURTHEST_BACK = timedelta(days=1)
"""Across the date line a flight arrives on the day before its departure, in local time."""
FURTHEST_CLOCK_CHANGE = timedelta(hours=1)
"""The clocks at an airport may go back by this much between an arrival and the next departure."""
