"""Dialects: named sets of choices where the documents are silent."""
