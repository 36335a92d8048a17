"""Run features/export/search.feature: The export and the live search."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "export" / "search.feature"))
