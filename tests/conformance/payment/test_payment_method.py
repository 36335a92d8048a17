"""Run features/payment/payment_method.feature: Create a payment method."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import responses, traffic
from conformance.v4.steps import orders

use_steps(responses, traffic, orders)
scenarios(str(resource("features") / "payment" / "payment_method.feature"))
