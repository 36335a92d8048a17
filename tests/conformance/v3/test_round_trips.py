"""Run features/v3/round_trips.feature: Search round-trip fares."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "round_trips.feature"))
