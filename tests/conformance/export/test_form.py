"""Run features/export/form.feature: Format of the export's files."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "export" / "form.feature"))
