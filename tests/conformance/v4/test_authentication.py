"""Run features/v4/authentication.feature: Authentication."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "authentication.feature"))
