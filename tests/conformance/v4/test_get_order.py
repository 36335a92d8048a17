"""Run features/v4/get_order.feature: Get Order."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, responses, traffic
from conformance.v4.steps import aged_offers, consistency, order_responses, order_retrieval, orders

use_steps(observations, responses, traffic, aged_offers, consistency, order_responses, order_retrieval, orders)
scenarios(str(resource("features") / "v4" / "get_order.feature"))
