"""Run features/v3/flights.feature: Search flights."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "flights.feature"))
