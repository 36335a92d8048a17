"""Run features/v4/get_order.feature: Get Order."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "get_order.feature"))
