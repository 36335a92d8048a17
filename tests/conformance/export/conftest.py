"""Use the steps of the content export."""

from conformance.step_table import use_steps

use_steps("conformance.steps.observations", "conformance.export.steps")
