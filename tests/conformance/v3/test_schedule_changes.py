"""Run features/v3/schedule_changes.feature: Schedule changes of a booking."""

from pytest_bdd import scenarios

from airworthy.resources import resource

scenarios(str(resource("features") / "v3" / "schedule_changes.feature"))
