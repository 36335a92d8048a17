"""Run features/v4/transport.feature: Transport."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses, traffic
from conformance.v4.steps import offers, order_responses, orders
from conformance.v4.steps import requests as v4_requests

use_steps(observations, requests, responses, traffic, offers, order_responses, orders, v4_requests)
scenarios(str(resource("features") / "v4" / "transport.feature"))
