"""Run features/v3/round_trip_parameters.feature: Parameters of the search for round-trip fares."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "round_trip_parameters.feature"))
