"""Run features/v3/missing_flights.feature: Booking requests for unavailable flights."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "missing_flights.feature"))
