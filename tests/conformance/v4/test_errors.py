"""Run features/v4/errors.feature: Errors."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "errors.feature"))
