"""The register of rules: the requirements of the documents, each defined once in a feature.

A rule is a Gherkin ``Rule`` block. Its only upper-case tag is its id. ``@client`` and ``@both`` say whom it binds;
without them it binds the service. ``@excluded`` marks a rule that cannot be tested, and an ``Excluded:`` line says why.
A ``Source:`` line names the section of the documents; the quote below it is the sentence that the rule rests on, in at
most 25 words (see CONTRIBUTING.md). An ``About:`` line names what a run must show for the rule to be examined; an
``Optional:`` line says why a conforming service may never show it, with the open question. The rest of the description
is a note for readers.

The items of the go-live list in ``features/golive`` have the same form. They judge recorded traffic of a partner and
are not rules of the service, so they have a register of their own.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from gherkin import Parser
from gherkin.errors import CompositeParserException

from airworthy.errors import UsageError
from airworthy.resources import resource

Binds = Literal["service", "client", "both"]
ID = re.compile(r"[A-Z0-9]+(?:-[A-Z0-9]+)+")
INTERFACES = frozenset({"v2", "v3", "v4"})
_SHARED = {"v23": "v2+v3"}
GO_LIVE = "golive"
"""The folder of the go-live list below ``features/``, and the prefix of its ids."""
QUOTE = re.compile(r'\s*\n\s*"([^"]*)"')
"""A quote in a description: it starts on a line of its own and may continue on the next ones."""
_LABELS = ("Source:", "Source of ", "Excluded:", "About:", "Optional:", "Needs:", "Show:", "Show of ")


@dataclass(frozen=True, slots=True)
class Rule:
    """One documented requirement.

    ``version`` is the prefix of its id (``v4``, ``payment``; ``v2+v3`` for the rules that both share), ``area`` the
    name of its feature, ``path`` the feature file below ``features/``. ``quote`` is the sentence of the documents that
    the rule rests on, ``source`` its section. ``scenarios`` has the names of those that test the rule, ``steps`` the
    steps of each, after those of the background; a rule without scenarios is excluded and has a reason. ``about`` and
    ``optional`` are the texts of the lines ``About:`` and ``Optional:``; ``lines`` is the whole description.
    """

    id: str
    version: str
    area: str
    statement: str
    source: str
    binds: Binds
    tags: tuple[str, ...]
    excluded_reason: str | None
    scenarios: tuple[str, ...]
    path: str
    quote: str = ""
    note: str = ""
    about: str = ""
    optional: str = ""
    lines: tuple[str, ...] = ()
    steps: tuple[tuple[str, ...], ...] = ()

    @property
    def cited(self) -> str:
        """The quote with its source, which may name several sections."""
        return f'"{self.quote}" ({self.source})' if self.quote else self.source

    @property
    def unexamined(self) -> str:
        """The reason why the rule is untested where it was applied to nothing."""
        return f"no response of this run contains {self.about or 'what the rule is about'}"

    @property
    def versions(self) -> tuple[str, ...]:
        """The interfaces that the rule belongs to."""
        return tuple(self.version.split("+"))

    def concerns(self, interfaces: Collection[str]) -> bool:
        """Return whether the rule belongs to one of these interfaces, or to none in particular, such as payment."""
        return not INTERFACES.intersection(self.versions) or not set(interfaces).isdisjoint(self.versions)


def rules(folder: Path | None = None, versions: tuple[str, ...] | None = None) -> tuple[Rule, ...]:
    """Return all rules of the service, by feature file and in their order there.

    ``folder`` has the features (by default the packaged ones); ``versions`` limits the rules to some interfaces. Raises
    `UsageError` if a feature is not valid Gherkin.
    """
    found = _read_once(folder or resource("features"))
    return found if versions is None else tuple(rule for rule in found if rule.concerns(versions))


def read_rules(folder: Path) -> tuple[Rule, ...]:
    """Return the rules of a folder as they are now; `rules` reads each folder once."""
    paths = ((path, path.relative_to(folder)) for path in sorted(folder.rglob("*.feature")))
    return tuple(rule for path, relative in paths if relative.parts[0] != GO_LIVE for rule in _rules(path, relative))


_read_once = cache(read_rules)


def go_live_rules() -> tuple[Rule, ...]:
    """Return the items of the go-live list, in the order of the features."""
    return rules(resource("features") / GO_LIVE)


def rule(identifier: str) -> Rule | None:
    """Return the rule with this id, or None."""
    return _by_id(resource("features")).get(identifier)


@cache
def _by_id(features: Path) -> Mapping[str, Rule]:
    return {found.id: found for found in rules(features)}


def citation(text: str) -> tuple[str, str]:
    """Return the source and the quote that a line ``Source:`` contains after its label; the quote may be empty."""
    source, _, quote = text.partition(' "')
    return source, quote.removesuffix('"')


def _rules(path: Path, relative: Path) -> Iterator[Rule]:
    try:
        document = cast("dict[str, Any]", Parser().parse(path.read_text(encoding="utf-8")))
    except CompositeParserException as error:
        first = str(error.errors[0]).splitlines()[0]
        raise UsageError(f"{relative} is not valid Gherkin: {first}") from None
    feature = document.get("feature")
    if not feature:
        return
    background = [
        step for child in feature["children"] if "background" in child for step in child["background"]["steps"]
    ]
    for child in feature["children"]:
        if "rule" in child:
            yield _rule(child["rule"], feature, background, relative)


def _rule(block: Mapping[str, Any], feature: Mapping[str, Any], background: list[Any], relative: Path) -> Rule:
    tags = _tags(feature) + _tags(block)
    description = QUOTE.sub(lambda quote: f' "{" ".join(quote[1].split())}"', block["description"])
    lines = [line.strip() for line in description.splitlines() if line.strip()]
    source, quote = citation(_said(lines, "Source:") or "")
    identifier = next((tag for tag in tags if ID.fullmatch(tag)), "")
    scenarios = [child["scenario"] for child in block["children"] if "scenario" in child]
    family = identifier.partition("-")[0].lower() or relative.parts[0]
    return Rule(
        id=identifier,
        version=_SHARED.get(family, family),
        area=feature["name"],
        statement=block["name"],
        source=source,
        binds="both" if "both" in tags else "client" if "client" in tags else "service",
        tags=tags,
        excluded_reason=_said(lines, "Excluded:") if "excluded" in tags else None,
        scenarios=tuple(each["name"] for each in scenarios),
        path=relative.as_posix(),
        quote=quote,
        note=" ".join(line for line in lines if not line.startswith(_LABELS)),
        about=_said(lines, "About:") or "",
        optional=_said(lines, "Optional:") or "",
        lines=tuple(lines),
        steps=tuple(
            tuple(each["keyword"] + each["text"] for each in (*background, *one["steps"])) for one in scenarios
        ),
    )


def _tags(block: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(tag["name"].removeprefix("@") for tag in block["tags"])


def _said(lines: list[str], label: str) -> str | None:
    return next((line.removeprefix(label).strip() for line in lines if line.startswith(label)), None)
