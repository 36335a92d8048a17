"""Runs the features of v3 and v2."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3"), str(resource("features") / "v2"))
