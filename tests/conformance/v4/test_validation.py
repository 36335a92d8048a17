"""Run features/v4/validation.feature: Validation of requests."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import validation
from conformance.v4.steps import validation as v4_validation

use_steps(validation, v4_validation)
scenarios(str(resource("features") / "v4" / "validation.feature"))
