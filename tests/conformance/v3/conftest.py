"""Use the steps of v3."""

from conformance.step_table import use_steps

use_steps("conformance.steps", "conformance.v3.steps")
