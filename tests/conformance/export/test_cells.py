"""Run features/export/cells.feature: Cells of the export."""
