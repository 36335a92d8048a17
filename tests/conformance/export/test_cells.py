"""Run features/export/cells.feature: Cells of the export."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.export import steps
from conformance.step_table import use_steps
from conformance.steps import observations

use_steps(steps, observations)
scenarios(str(resource("features") / "export" / "cells.feature"))
