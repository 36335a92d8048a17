"""Run features/v4/confirm.feature: Confirm Order."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses, traffic
from conformance.v4.steps import aged_offers, order_responses, orders, simultaneous
from conformance.v4.steps import requests as v4_requests

use_steps(observations, requests, responses, traffic, aged_offers, order_responses, orders, simultaneous, v4_requests)
scenarios(str(resource("features") / "v4" / "confirm.feature"))
