"""Run features/v2/validation.feature: Validation of requests in v2."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v2" / "validation.feature"))
