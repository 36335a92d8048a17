"""Run features/v4/order_response.feature: Orders in responses."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "order_response.feature"))
