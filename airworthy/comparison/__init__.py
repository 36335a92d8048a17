"""Compare two runs, or two recordings of traffic.

::

    comparison = compare(read_side(Path("old/results.json")), read_side(Path("new/results.json")))
    comparison.broken

Both sides are compared by names that do not change from run to run: the ids of rules, the keys of findings, the ids of
open questions. Messages and the ids of exchanges are ignored.
"""

from airworthy.comparison.changes import Change, ChangeKind, Comparison, compare
from airworthy.comparison.reading import read_side
from airworthy.comparison.rendering import render_markdown, to_json
from airworthy.comparison.side import ComparisonSide, Issue, RuleStatus, of_results, of_summary

__all__ = [
    "Change",
    "ChangeKind",
    "Comparison",
    "ComparisonSide",
    "Issue",
    "RuleStatus",
    "compare",
    "of_results",
    "of_summary",
    "read_side",
    "render_markdown",
    "to_json",
]
