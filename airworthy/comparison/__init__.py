"""What has changed between two runs, or between two recordings of traffic.

::

    comparison = compare(read_side(Path("old/results.json")), read_side(Path("new/results.json")))
    comparison.broken

What is compared has the same name on both sides: the id of a rule, the key of a finding, the place of an open
question. Texts and the ids of exchanges differ from run to run and never count.
"""

from airworthy.comparison.changes import Change, Comparison, What, compare
from airworthy.comparison.reading import read_side
from airworthy.comparison.shown import render_markdown, to_json
from airworthy.comparison.sides import Side, Sign, Standing, of_results, of_summary

__all__ = [
    "Change",
    "Comparison",
    "Side",
    "Sign",
    "Standing",
    "What",
    "compare",
    "of_results",
    "of_summary",
    "read_side",
    "render_markdown",
    "to_json",
]
