"""The tokens of v3 and v2: Bearer in some examples, bare in others; which form is taken where is the dialect's."""

from typing import TYPE_CHECKING

from airworthy.sandbox.organisations import BY_TOKEN, ORGANISATIONS, SandboxOrganisation

if TYPE_CHECKING:
    from airworthy.sandbox.service import SandboxRequest, SandboxService

_POSTS = ("create", "cancel", "verify")


def token_holder(service: "SandboxService", call: "SandboxRequest", header: str) -> SandboxOrganisation:
    """Return the organisation whose token stands in an Authorization header; raises `Rejected`."""
    if not header:
        service.reject(f"token-missing@{call.operation}")
        return ORGANISATIONS[0]
    scheme, _, rest = header.partition(" ")
    is_bearer = scheme.lower() == "bearer"
    token = rest.strip() if is_bearer else header
    if token not in BY_TOKEN:
        service.reject(f"token-wrong@{call.operation}")
    wanted: str = service.choices.authorization_form
    if wanted == "bare on POST":
        wanted = "bare" if call.operation.startswith(_POSTS) else "Bearer"
    if wanted != "any" and (wanted == "Bearer") is not is_bearer:
        service.reject("token-form")
    return BY_TOKEN.get(token, ORGANISATIONS[0])
