"""The schemas: read, bundled and compiled."""
