"""Run features/v3/schedule_changes.feature: Schedule changes of a booking."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import responses
from conformance.v3.steps import schedule_changes

use_steps(responses, schedule_changes)
scenarios(str(resource("features") / "v3" / "schedule_changes.feature"))
