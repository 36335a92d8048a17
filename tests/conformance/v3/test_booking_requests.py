"""Run features/v3/booking_requests.feature: Create booking requests."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "booking_requests.feature"))
