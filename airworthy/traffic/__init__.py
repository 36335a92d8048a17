"""What was seen in somebody's traffic, and what is wrong with it: judged one exchange at a time, summed up in bounds.

::

    watch = Watch(Contract.load(("v2", "v3", "v4")))
    findings = watch.see(exchange)
    watch.summary, watch.golive

The live proxy and the audit of recorded traffic both look at traffic through a `Watch`.
"""

from airworthy.traffic.golive import GoLive, Item
from airworthy.traffic.lines import line
from airworthy.traffic.summary import Row, Summary
from airworthy.traffic.watch import Watch

__all__ = ["GoLive", "Item", "Row", "Summary", "Watch", "line"]
