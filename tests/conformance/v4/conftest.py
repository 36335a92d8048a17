"""Use the steps of v4."""

from conformance.step_table import use_steps

use_steps("conformance.steps", "conformance.v4.steps")
