"""Run features/payment/payment_method.feature: Create a payment method."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "payment" / "payment_method.feature"))
