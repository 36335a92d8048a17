"""Judge traffic one exchange at a time, and summarise it in bounded memory.

::

    monitor = TrafficMonitor(Contract.load(("v2", "v3", "v4")))
    findings = monitor.observe(exchange)
    monitor.summary, monitor.golive

Both the live proxy and the audit of recorded traffic use a `TrafficMonitor`.
"""

from airworthy.traffic.golive.observer import GoLive
from airworthy.traffic.lines import line
from airworthy.traffic.monitor import TrafficMemory, TrafficMonitor
from airworthy.traffic.summary import Summary, SummaryRow

__all__ = ["GoLive", "Summary", "SummaryRow", "TrafficMemory", "TrafficMonitor", "line"]
