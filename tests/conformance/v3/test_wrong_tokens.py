"""Run features/v3/wrong_tokens.feature: Wrong tokens in every form."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.v3.steps import wrong_tokens

use_steps(wrong_tokens)
scenarios(str(resource("features") / "v3" / "wrong_tokens.feature"))
