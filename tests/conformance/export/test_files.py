"""Run features/export/files.feature: Files of the content export."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "export" / "files.feature"))
