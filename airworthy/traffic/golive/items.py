"""The items of the go-live list, as the features define them, and what the list requires of a partner.

In the description of an item, ``Source:`` and ``Show:`` name its source and how a partner shows it; ``Source of v4:``
and ``Show of v4:`` replace them for one version. The quote below a source is the sentence that the item rests on; a
version whose own source quotes nothing has that of ``Source:``. ``Needs:`` names the capability that the item depends
on. An item with tags of versions is about these only; ``@optional`` marks an item that only an operator adds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from airworthy.contract.conversation.limits import Lifetimes
from airworthy.contract.http.credentials import digest
from airworthy.contract.http.operations import PAYMENT
from airworthy.register import INTERFACES, Rule, citation, go_live_rules
from airworthy.target.profile import Profile, secret_placeholders

ADULTS: Final = 2
"""Adults in one booking that are "several adults"; the documents do not say it (OPEN-42)."""
INFANTS: Final = 1
VERSIONS: Final = tuple(sorted(INTERFACES))
_OPTIONAL: Final = "optional"


@dataclass(frozen=True, slots=True)
class GoLiveSettings:
    """What the go-live list requires.

    ``adults`` and ``infants`` are the numbers of passengers in one booking, ``lifetimes`` those of offers and booking
    requests. ``credentials`` are the digests of the test credentials, None if they are not known; ``interfaces`` are
    those whose credentials are among them.
    """

    adults: int = ADULTS
    infants: int = INFANTS
    lifetimes: Lifetimes = field(default_factory=Lifetimes)
    credentials: frozenset[str] | None = None
    interfaces: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GoLiveItem:
    """One item of the go-live list.

    ``sources``, ``quotes`` and ``instructions`` have a text for each of ``versions``. ``needs`` is a capability of the
    profile, or empty.
    """

    id: str
    area: str
    statement: str
    versions: tuple[str, ...]
    sources: Mapping[str, str]
    quotes: Mapping[str, str]
    instructions: Mapping[str, str]
    needs: str = ""
    is_optional: bool = False

    def instructions_with(self, settings: GoLiveSettings) -> dict[str, str]:
        """Return the instructions with the numbers of passengers that the settings require."""
        adults, infants = str(settings.adults), str(settings.infants)
        return {
            version: text.replace("{adults}", adults).replace("{infants}", infants)
            for version, text in self.instructions.items()
        }


@cache
def go_live_items() -> tuple[GoLiveItem, ...]:
    """Return all items, in the order of the list."""
    return tuple(map(_item, go_live_rules()))


def _item(rule: Rule) -> GoLiveItem:
    labelled = dict(line.split(": ", 1) for line in rule.lines if ": " in line)
    versions = tuple(each for each in VERSIONS if each in rule.tags) or VERSIONS

    def text(label: str) -> dict[str, str]:
        return {each: labelled.get(f"{label} of {each}") or labelled[label] for each in versions}

    citations = {version: citation(line) for version, line in text("Source").items()}
    sources = {version: source for version, (source, _) in citations.items()}
    quotes = {version: quote or rule.quote for version, (_, quote) in citations.items()}
    return GoLiveItem(
        id=rule.id,
        area=rule.area,
        statement=rule.statement,
        versions=versions,
        sources=sources,
        quotes=quotes,
        instructions=text("Show"),
        needs=labelled.get("Needs", ""),
        is_optional=_OPTIONAL in rule.tags,
    )


def golive_settings(profile: Profile | None, adults: int | None = None, infants: int | None = None) -> GoLiveSettings:
    """Return the settings; numbers of passengers that are given override those of the profile."""
    if profile is None:
        return GoLiveSettings(adults or ADULTS, infants or INFANTS)
    secrets = secret_placeholders(profile)
    organisations = [each for each in (profile.organisation, profile.second_organisation) if each]
    interfaces = {version for each in organisations for version in each.versions}
    interfaces |= {PAYMENT} if profile.payment.token else set()
    # A recording made with the profile has the names of the credentials, any other one the credentials themselves.
    known = frozenset(
        map(digest, (*secrets, *(each for names in secrets.values() for each in names if each.startswith("$"))))
    )
    return GoLiveSettings(
        adults or profile.golive.adults or ADULTS,
        infants or profile.golive.infants or INFANTS,
        profile.lifetimes,
        known,
        frozenset(interfaces),
    )
