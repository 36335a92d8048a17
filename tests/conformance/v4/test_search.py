"""Run features/v4/search.feature: Search Offers."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "search.feature"))
