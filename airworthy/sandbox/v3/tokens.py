"""The tokens of v3 and v2: Bearer in some examples, bare in others; which form is taken where is the dialect's."""

from typing import TYPE_CHECKING

from airworthy.sandbox.organisations import BY_TOKEN, ORGANISATIONS, Organisation

if TYPE_CHECKING:
    from airworthy.sandbox.service import Call, Service

_POSTS = ("create", "cancel", "verify")


def token_holder(service: "Service", call: "Call", header: str) -> Organisation:
    """Return the organisation whose token stands in an Authorization header; raises `Refused`."""
    if not header:
        service.refuse(f"token-missing@{call.operation}")
        return ORGANISATIONS[0]
    scheme, _, rest = header.partition(" ")
    is_bearer = scheme.lower() == "bearer"
    token = rest.strip() if is_bearer else header
    if token not in BY_TOKEN:
        service.refuse(f"token-wrong@{call.operation}")
    wanted: str = service.choices.authorization_form
    if wanted == "bare on POST":
        wanted = "bare" if call.operation.startswith(_POSTS) else "Bearer"
    if wanted != "any" and (wanted == "Bearer") is not is_bearer:
        service.refuse("token-form")
    return BY_TOKEN.get(token, ORGANISATIONS[0])
