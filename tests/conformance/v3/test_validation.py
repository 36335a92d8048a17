"""Run features/v3/validation.feature: Validation of requests in v3."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import validation
from conformance.v3.steps import validation as v3_validation

use_steps(validation, v3_validation)
scenarios(str(resource("features") / "v3" / "validation.feature"))
