"""Use the steps of the payment provider."""

from conformance.step_table import use_steps

use_steps("conformance.steps", "conformance.v4.steps")
