"""Run features/export/form.feature: Format of the export's files."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.export import steps
from conformance.step_table import use_steps
from conformance.steps import observations

use_steps(steps, observations)
scenarios(str(resource("features") / "export" / "form.feature"))
