"""Airworthy: conformance suite, sandbox and traffic proxy for the Flight Booking Service."""

__version__ = "0.1.0"
