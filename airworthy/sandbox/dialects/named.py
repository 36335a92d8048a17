"""The named dialects: services that conform and differ as much as the documents allow.

Together they take every behaviour of every choice; ``docs/reference/dialects.md`` lists the choices of each. Those of
``random-7`` and the like are drawn: always the same ones for the same number.
"""

import random
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from airworthy.errors import UsageError, did_you_mean
from airworthy.sandbox.dialects.choices import Behaviour, Choices, questions

DOCUMENTED: Final = "documented"
# Few seats leave rules untested, and a dialect of their own has them.
_NEVER_DRAWN: Final = ("seats_on_sale",)


@dataclass(frozen=True, slots=True)
class Dialect:
    """A named set of choices."""

    name: str
    description: str
    choices: Choices


@cache
def dialects() -> Mapping[str, Dialect]:
    """Return all dialects by name; the first is the default."""
    groups = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    known = {each.name: {str(behaviour): behaviour for behaviour in each.behaviours} for each in questions()}
    described = groups.pop("dialects")
    chosen: dict[str, dict[str, Behaviour]] = {name: {} for name in described}
    for choice, behaviours in (each for group in groups.values() for each in group.items()):
        for text, takers in behaviours.items():
            for name in takers.split():
                chosen[name][choice] = known[choice][text]
    return {name: Dialect(name, text, Choices.of(chosen[name])) for name, text in described.items()}


def dialect(name: str) -> Dialect:
    """Return a named dialect or a drawn one; raises UsageError with all names for an unknown one."""
    found = dialects().get(name) or _drawn(name)
    if found is None:
        advice = did_you_mean(name, dialects(), f"expected one of: {', '.join(dialects())}, random-NUMBER")
        raise UsageError(f"unknown dialect {name!r}; {advice}")
    return found


def _drawn(name: str) -> Dialect | None:
    """Return the dialect ``random-NUMBER`` with the behaviours that the number draws; None for any other name."""
    found = re.fullmatch(r"random-([0-9]{1,9})", name)
    if not found:
        return None
    draw = random.Random(int(found[1]))  # noqa: S311  nothing is secret
    behaviours = {each.name: draw.choice(each.behaviours) for each in questions() if each.name not in _NEVER_DRAWN}
    if behaviours["code_case"] == "lower case":
        # No service rejects the codes that it returns.
        behaviours["lower_case_codes"] = "accepted"
    return Dialect(name, f"Choices drawn at random by the number {found[1]}", Choices.of(behaviours))
