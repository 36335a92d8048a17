"""Use the steps of v2, which shares those of v3."""

from conformance.step_table import use_steps

use_steps("conformance.steps", "conformance.v3.steps")
