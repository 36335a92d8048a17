"""Run features/v4/consistency.feature: Responses that must agree."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "consistency.feature"))
