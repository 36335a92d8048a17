"""What the go-live list requires of a partner whose service a profile describes, wherever the list is shown."""

from airworthy.contract.http.credentials import digest
from airworthy.contract.http.operations import PAYMENT
from airworthy.target.profile import Profile
from airworthy.target.variables import secret_placeholders
from airworthy.traffic.golive.items import ADULTS, INFANTS, GoLiveSettings


def golive_settings(profile: Profile | None, adults: int | None = None, infants: int | None = None) -> GoLiveSettings:
    """Return the settings; numbers of passengers that are given override those of the profile."""
    if profile is None:
        return GoLiveSettings(adults or ADULTS, infants or INFANTS)
    secrets = secret_placeholders(profile)
    # A recording made with the profile has the names of the credentials, any other one the credentials themselves.
    known = frozenset(
        map(digest, (*secrets, *(each for names in secrets.values() for each in names if each.startswith("$"))))
    )
    return GoLiveSettings(
        adults or profile.golive.adults or ADULTS,
        infants or profile.golive.infants or INFANTS,
        profile.lifetimes,
        known,
        frozenset(_interfaces(profile)),
    )


def _interfaces(profile: Profile) -> list[str]:
    """Return the interfaces whose credentials a profile names."""
    organisations = [each for each in (profile.organisation, profile.second_organisation) if each]
    named = ["v4" for each in organisations if each.v4]
    named += [version for each in organisations for version in each.tokens]
    return [*named, PAYMENT] if profile.payment.token else named
