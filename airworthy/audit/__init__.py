"""Judges recorded traffic (HAR, mitmproxy's flows, evidence) as the live proxy would have, by its own time.

::

    found = audit(Settings((Path("traffic.har"),)))
    found.summary
"""

from airworthy.audit.run import Audit, audit
from airworthy.audit.work import Settings

__all__ = ["Audit", "Settings", "audit"]
