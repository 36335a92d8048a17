"""Compare two runs, or two recordings of traffic.

::

    comparison = compare(read_side(Path("old/results.json")), read_side(Path("new/results.json")))
    comparison.broken

Both sides are compared by names that do not change from run to run: the ids of rules, the keys of findings, the ids of
open questions. Messages and the ids of exchanges are ignored.
"""
