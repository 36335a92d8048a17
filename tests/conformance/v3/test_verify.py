"""Run features/v3/verify.feature: Verify price and availability."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "verify.feature"))
