"""Run features/v4/order.feature: Create Order."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "order.feature"))
