"""The API keys of v4, and the tokens of v3 and v2.

The documents show tokens with and without the Bearer prefix; the dialect decides which form an operation accepts.
"""

from airworthy.sandbox.http.exchange import SandboxRequest
from airworthy.sandbox.model.organisations import BY_KEY, BY_TOKEN, SandboxOrganisation
from airworthy.sandbox.service.service import SandboxService

_POST_OPERATIONS = ("create", "cancel", "verify")


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


def token_holder(service: SandboxService, request: SandboxRequest) -> SandboxOrganisation:
    """Return the organisation whose token the Authorization header contains; raises `Rejected` for any other header."""
    header = request.headers.get("authorization", "")
    if not header:
        raise service.rejection(f"token-missing@{request.operation}", "expected the header Authorization: Bearer TOKEN")
    scheme, _, rest = header.partition(" ")
    is_bearer = scheme.lower() == "bearer"
    token = rest.strip() if is_bearer else header
    if token not in BY_TOKEN:
        is_strange = not is_bearer and service.choices.v3.authorization_form == "Bearer"
        if is_strange and service.choices.v3.wrong_bare_token != 401:  # noqa: PLR2004 - the choice is the status
            raise service.rejection("token-wrong-bare")
        name = "token-other-case" if token.lower() in BY_TOKEN else "token-wrong"
        raise service.rejection(f"{name}@{request.operation}")
    form: str = service.choices.v3.authorization_form
    if form == "bare on POST":
        form = "bare" if request.operation.startswith(_POST_OPERATIONS) else "Bearer"
    if form != "any" and (form == "Bearer") is not is_bearer:
        service.reject("token-form", f"expected the header Authorization: {'Bearer ' if form == 'Bearer' else ''}TOKEN")
    return BY_TOKEN[token]
