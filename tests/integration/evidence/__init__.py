"""Evidence and contract together."""
