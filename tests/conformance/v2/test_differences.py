"""Run features/v2/differences.feature: Differences of v2."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses, traffic
from conformance.v3.steps import booking_requests, bookings, limits, retrieved_bookings

use_steps(observations, requests, responses, traffic, booking_requests, bookings, limits, retrieved_bookings)
scenarios(str(resource("features") / "v2" / "differences.feature"))
