"""Exchanges over HTTP: their operations, credentials and parsed bodies."""
