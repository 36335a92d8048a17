"""The commonest kinds of faults: a service that accepts what it must reject, or rejects it in the wrong way."""

from airworthy.sandbox.faults.changes import with_status
from airworthy.sandbox.faults.fault import Condition, Fault


def accepts(name: str, rule: str, what: str, *rejections: str) -> Fault:
    """Return a fault of a service that accepts invalid requests: the named rejections do not happen."""
    return Fault(name, rule, f"The service accepts {what}", tolerates=rejections)


def rejects(name: str, rule: str, what: str, request: Condition) -> Fault:
    """Return a fault of a service that rejects valid requests with status 400."""
    return Fault(name, rule, f"The service rejects {what}", rejects=request)


def rejects_with(name: str, rule: str, status: int, what: str, rejection: str) -> Fault:
    """Return a fault of a service whose rejection has another status than documented."""
    return Fault(name, rule, f"The service rejects {what} with {status}", rewords={rejection: with_status(status)})


def crashes(name: str, rule: str, what: str, rejection: str) -> Fault:
    """Return a fault of a service that responds with status 500 instead of rejecting a request."""
    return Fault(name, rule, f"The service responds to {what} with 500", rewords={rejection: with_status(500)})
