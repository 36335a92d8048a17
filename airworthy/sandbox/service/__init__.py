"""The running service: its store, hooks and routes."""
