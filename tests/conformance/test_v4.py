"""Runs the features of v4 and of the payment provider's part."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4"), str(resource("features") / "payment"))
