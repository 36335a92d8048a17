"""Run features/v4/fares.feature: Get Fares."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "fares.feature"))
