"""Run features/v2/differences.feature: Differences of v2."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses, traffic, validation
from conformance.v3.steps import booking_requests, bookings, limits, retrieved_bookings
from conformance.v3.steps import validation as v3_validation

use_steps(observations, requests, responses, traffic, validation, v3_validation)
use_steps(booking_requests, bookings, limits, retrieved_bookings)
scenarios(str(resource("features") / "v2" / "differences.feature"))
