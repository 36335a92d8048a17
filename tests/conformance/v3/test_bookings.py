"""Run features/v3/bookings.feature: Create bookings."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "bookings.feature"))
