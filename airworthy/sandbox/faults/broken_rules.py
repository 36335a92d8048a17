"""The rule that a rejected request breaks, for the dashboard.

A fault that tolerates a rejection violates the rule that the rejection enforces. A rejection that no fault tolerates
has the rule of its field in the schema of the body.
"""

from fnmatch import fnmatchcase
from functools import lru_cache

from airworthy.sandbox.faults import faults
from airworthy.sandbox.http import schemas
from airworthy.sandbox.service import request_bodies

_MANY = 1024


@lru_cache(_MANY)
def broken_rule(rejection: str) -> str:
    """Return the id of the rule that the rejection of this name enforces, or "" if the documents have none."""
    found = [
        (len(pattern), -len(fault.tolerates), fault.rule)
        for fault in faults().values()
        for pattern in fault.tolerates
        if fnmatchcase(rejection, pattern)
    ]
    # The longest pattern, and the fault that tolerates nothing else, are the most specific.
    return max(found)[2] if found else _rule_of_field(rejection)


def _rule_of_field(rejection: str) -> str:
    operation, _, rest = rejection.partition(":")
    pointer, _, keyword = rest.rpartition(":")
    if operation in request_bodies.OPERATIONS:
        for field in schemas.schema_fields(request_bodies.OPERATIONS[operation]):
            if field.pointer == pointer:
                return field.holder_rule if keyword == "required" else field.rule
    return ""
