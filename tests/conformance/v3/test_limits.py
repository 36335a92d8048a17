"""Run features/v3/limits.feature: Limits and optional members."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "limits.feature"))
