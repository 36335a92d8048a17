"""Run features/v3/booking_requests.feature: Create booking requests."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import observations, requests, responses, validation
from conformance.v3.steps import booking_requests, flights, requested_bags, retrieved_bookings
from conformance.v3.steps import validation as v3_validation

use_steps(observations, requests, responses, validation, v3_validation)
use_steps(booking_requests, flights, requested_bags, retrieved_bookings)
scenarios(str(resource("features") / "v3" / "booking_requests.feature"))
