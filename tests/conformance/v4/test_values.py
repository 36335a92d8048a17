"""Run features/v4/values.feature: Values in responses."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "values.feature"))
