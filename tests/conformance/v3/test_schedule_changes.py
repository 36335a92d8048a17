"""Run features/v3/schedule_changes.feature: Schedule changes of a booking."""
