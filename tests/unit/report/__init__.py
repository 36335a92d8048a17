"""Tests of results, decision and renderers."""
