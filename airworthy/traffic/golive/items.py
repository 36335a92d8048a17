"""The items of the go-live list, as the features define them.

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
from airworthy.register import INTERFACES, Rule, citation, go_live_rules

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
        numbers = {"{adults}": str(settings.adults), "{infants}": str(settings.infants)}
        return {version: _replaced(text, numbers) for version, text in self.instructions.items()}


def _replaced(text: str, replacements: Mapping[str, str]) -> str:
    for old, new in replacements.items():
        text = text.replace(old, new)
    return text


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
    needs, is_optional = labelled.get("Needs", ""), _OPTIONAL in rule.tags
    return GoLiveItem(
        id=rule.id,
        area=rule.area,
        statement=rule.statement,
        versions=versions,
        sources=sources,
        quotes=quotes,
        instructions=text("Show"),
        needs=needs,
        is_optional=is_optional,
    )
