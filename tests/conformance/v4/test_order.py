"""Run features/v4/order.feature: Create Order."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses, traffic, validation
from conformance.v4.steps import aged_offers, consistency, order_responses, orders
from conformance.v4.steps import requests as v4_requests
from conformance.v4.steps import validation as v4_validation

use_steps(observations, requests, responses, traffic, validation, v4_validation)
use_steps(aged_offers, consistency, order_responses, orders, v4_requests)
scenarios(str(resource("features") / "v4" / "order.feature"))
