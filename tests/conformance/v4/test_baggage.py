"""Run features/v4/baggage.feature: Get Baggage."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "baggage.feature"))
