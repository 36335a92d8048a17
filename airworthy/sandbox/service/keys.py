"""The API keys of v4."""

from airworthy.sandbox.http.exchange import SandboxRequest
from airworthy.sandbox.model.organisations import BY_KEY, SandboxOrganisation
from airworthy.sandbox.service.service import SandboxService


def key_holder(service: SandboxService, request: SandboxRequest) -> SandboxOrganisation:
    """Return the organisation whose key the Authorization header contains; raises `Rejected` for any other header."""
    key = request.headers.get("authorization", "")
    if not key:
        raise service.rejection("key-missing", "expected the header Authorization: KEY")
    scheme, _, rest = key.partition(" ")
    if scheme.lower() == "bearer" and rest.strip() in BY_KEY:
        service.reject("key-prefixed", "expected the header Authorization: KEY")
        return BY_KEY[rest.strip()]
    if key not in BY_KEY:
        is_part = any(each.startswith(key) for each in BY_KEY)
        is_in_other_case = key.lower() in BY_KEY
        name = "key-part" if is_part else "key-other-case" if is_in_other_case else "key-wrong"
        raise service.rejection("key-wrong-prefixed" if rest else name)
    return BY_KEY[key]
