"""Run features/v2/differences.feature: Differences of v2."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v2" / "differences.feature"))
