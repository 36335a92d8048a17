"""Run features/v3/organisations.feature: Booking requests and bookings of another organisation."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "organisations.feature"))
