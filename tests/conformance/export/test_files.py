"""Run features/export/files.feature: Files of the content export."""
