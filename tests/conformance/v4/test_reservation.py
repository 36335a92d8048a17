"""Run features/v4/reservation.feature: Get Reservation."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v4" / "reservation.feature"))
