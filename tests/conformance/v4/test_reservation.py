"""Run features/v4/reservation.feature: Get Reservation."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, responses
from conformance.v4.steps import aged_offers, order_responses, order_retrieval, orders

use_steps(observations, responses, aged_offers, order_responses, order_retrieval, orders)
scenarios(str(resource("features") / "v4" / "reservation.feature"))
