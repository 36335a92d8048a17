"""What redaction has to know of a profile: the variables to show instead of its secrets, and what is not private."""

from collections.abc import Iterator, Mapping
from typing import TypedDict

from airworthy.contract import ServiceAddress
from airworthy.target.profile import Profile
from airworthy.target.secret import Secret


class KnownTerms(TypedDict):
    """The arguments of a redactor that come from a profile."""

    secrets: Mapping[str, tuple[str, ...]]
    public: frozenset[str]


def known_terms(profile: Profile | None) -> KnownTerms:
    """Return the secrets of a profile with their placeholders, and its addresses and airports, which are public."""
    if profile is None:
        return {"secrets": {}, "public": frozenset()}
    export = profile.export.location if profile.export and "://" in profile.export.location else None
    urls = (profile.base_url, profile.payment.url, profile.advance_url, export)
    airports = (code for route in profile.routes.values() for code in (route.origin, route.destination))
    public = ServiceAddress(tuple(filter(None, urls))).names.union(airports)
    return {"secrets": secret_placeholders(profile), "public": public}


def secret_placeholders(profile: Profile) -> Mapping[str, tuple[str, ...]]:
    """Return each secret of a profile with the variables that may be shown in its place, such as ``$ACME_KEY``.

    It is the variable that the profile names. A secret written in the profile gets a name from its key, such as
    ``$AIRWORTHY_V4_KEY``; if interfaces share it, it has a name for each of them.
    """
    placeholders = {secret.reveal(): (secret.name,) for secret in profile.secrets()}
    places: dict[str, tuple[str, ...]] = {}
    for place, secret in _places(profile):
        name = secret.name if secret.from_environment else f"$AIRWORTHY_{place}"
        places[secret.reveal()] = (*places.get(secret.reveal(), ()), name)
    return placeholders | places


def _places(profile: Profile) -> Iterator[tuple[str, Secret]]:
    for prefix, organisation in (("", profile.organisation), ("SECOND_", profile.second_organisation)):
        if organisation and organisation.v4:
            yield f"V4_{prefix}KEY", organisation.v4.key
            yield f"V4_{prefix}CUSTOMER_CODE", organisation.v4.customer_code
        for version, credentials in organisation.tokens.items() if organisation else ():
            yield f"{version.upper()}_{prefix}TOKEN", credentials.token
            yield f"{version.upper()}_{prefix}CUSTOMER_CODE", credentials.customer_code
    if profile.payment.token:
        yield "PAYMENT_TOKEN", profile.payment.token
