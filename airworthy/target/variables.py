"""The environment variables that reports show instead of the secrets of a profile."""

from collections.abc import Iterator, Mapping

from airworthy.contract import ServiceAddress
from airworthy.target.profile import Profile
from airworthy.target.secret import Secret


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


def public_terms(profile: Profile | None) -> frozenset[str]:
    """Return what of a profile is not private wherever it occurs: its addresses and the airports of its routes."""
    if profile is None:
        return frozenset()
    export = profile.export.location if profile.export and "://" in profile.export.location else None
    urls = (profile.base_url, profile.payment.url, profile.advance_url, export)
    airports = (code for route in profile.routes.values() for code in (route.origin, route.destination))
    return ServiceAddress(tuple(filter(None, urls))).names.union(airports)


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
