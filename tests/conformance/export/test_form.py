"""Run features/export/form.feature: Format of the export's files."""
