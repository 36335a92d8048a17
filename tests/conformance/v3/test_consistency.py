"""Run features/v3/consistency.feature: Responses that must agree."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "consistency.feature"))
