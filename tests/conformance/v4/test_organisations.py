"""Run features/v4/organisations.feature: Offers of another organisation."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import responses
from conformance.v4.steps import offers, orders

use_steps(responses, offers, orders)
scenarios(str(resource("features") / "v4" / "organisations.feature"))
