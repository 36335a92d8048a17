"""Tests of redaction and the evidence file."""
