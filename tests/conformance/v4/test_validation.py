"""Run features/v4/validation.feature: Validation of requests."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "validation.feature"))
