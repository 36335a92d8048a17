"""Run features/v3/validation.feature: Validation of requests in v3."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "validation.feature"))
