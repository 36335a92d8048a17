"""The results of a run, the decision on them, and the report files."""
