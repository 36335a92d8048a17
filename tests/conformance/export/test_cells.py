"""Run features/export/cells.feature: Cells of the export."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "export" / "cells.feature"))
