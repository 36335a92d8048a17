"""Name operations and exchanges, in the same way wherever traffic is reported."""

from datetime import UTC, datetime
from typing import Final

from airworthy.contract import Finding, ResolvedUrl
from airworthy.contract.http.operations import PAYMENT, SERVED
from airworthy.report.exchange_summaries import operation_name as documented
from airworthy.report.templating import moment

UNKNOWN_TIME: Final = datetime.fromtimestamp(0, UTC)
"""Stands for the time of what could not be read."""


def operation_name(url: ResolvedUrl) -> str:
    """Return the operation of a request, for example ``POST /v4/order/{orderId}/confirm``."""
    if url.operation is None:
        is_served = url.version in SERVED
        return f"an undocumented operation of {url.version}" if is_served else "a request without a documented version"
    name = documented(url.operation)
    return f"{name} (payment provider)" if url.version == PAYMENT else name


def after(finding: Finding) -> str:
    """Return the name of the earlier exchange that a finding is also about, after a comma, or an empty text."""
    return f", after exchange {finding.earlier}" if finding.earlier else ""


def exchange_name(identifier: str, started: datetime, operation: str = "") -> str:
    """Return the name of an exchange: its operation, unless the reader knows it already, its id and its time."""
    when = f" at {moment(started)}" if started != UNKNOWN_TIME else ""
    return f"{operation}, exchange {identifier}{when}" if operation else f"exchange {identifier}{when}"
