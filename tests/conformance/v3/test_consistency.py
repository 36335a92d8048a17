"""Run features/v3/consistency.feature: Responses that must agree."""

from pytest_bdd import scenarios

from airworthy.resources import resource
from conformance.step_table import use_steps
from conformance.steps import responses
from conformance.v3.steps import booking_consistency, retrieved_bookings, search_consistency

use_steps(responses, booking_consistency, retrieved_bookings, search_consistency)
scenarios(str(resource("features") / "v3" / "consistency.feature"))
