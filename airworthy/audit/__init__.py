"""Audit recorded traffic (HAR, mitmproxy flows, evidence) with the same contract that the live proxy uses.

::

    result = audit(AuditSettings((Path("traffic.har"),)))
    result.summary
"""

from airworthy.audit.run import AuditResult, audit
from airworthy.audit.worker import AuditSettings, not_called

__all__ = ["AuditResult", "AuditSettings", "audit", "not_called"]
