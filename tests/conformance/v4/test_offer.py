"""Run features/v4/offer.feature: Get Offer."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses
from conformance.v4.steps import aged_offers, offers, order_responses, orders

use_steps(observations, requests, responses, aged_offers, offers, order_responses, orders)
scenarios(str(resource("features") / "v4" / "offer.feature"))
