"""Run features/v4/order_response.feature: Orders in responses."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses
from conformance.v4.steps import offers, order_responses, order_retrieval, orders
from conformance.v4.steps import requests as v4_requests

use_steps(observations, requests, responses, offers, order_responses, order_retrieval, orders, v4_requests)
scenarios(str(resource("features") / "v4" / "order_response.feature"))
