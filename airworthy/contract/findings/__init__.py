"""Findings: defects with a rule and a side, drift, and root causes."""
