"""The variables of the environment that stand for a profile's secrets, wherever something is shown."""

from collections.abc import Iterator, Mapping

from airworthy.target.profile import Profile
from airworthy.target.secret import Secret


def shown_instead(profile: Profile) -> Mapping[str, str]:
    """Return each secret of a profile with the variable that is shown in its place.

    It is the one that the profile names; what stands literally in the profile has one named after its place.
    """
    shown = {secret.reveal(): secret.name for secret in profile.secrets()}
    places: dict[str, str] = {}
    for name, secret in _places(profile):
        places.setdefault(secret.reveal(), secret.name if secret.from_environment else f"$AIRWORTHY_{name}")
    return shown | places


def _places(profile: Profile) -> Iterator[tuple[str, Secret]]:
    for whose, organisation in (("", profile.organisation), ("SECOND_", profile.second_organisation)):
        if organisation and organisation.v4:
            yield f"V4_{whose}KEY", organisation.v4.key
            yield f"V4_{whose}CUSTOMER_CODE", organisation.v4.customer_code
        for version, credentials in organisation.tokens.items() if organisation else ():
            yield f"{version.upper()}_{whose}TOKEN", credentials.token
            yield f"{version.upper()}_{whose}CUSTOMER_CODE", credentials.customer_code
    if profile.payment.token:
        yield "PAYMENT_TOKEN", profile.payment.token
