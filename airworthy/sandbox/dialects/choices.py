"""The choices of a service where the documents are silent or contradict each other.

Each field is one open choice. Its type lists every behaviour that conforms, the default first; its arguments are the id
of the open question and the subject. A status code among the behaviours is the status of the rejection; a word
describes what happens instead.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self, get_args, get_type_hints

from airworthy.sandbox.dialects.export_choices import ExportChoices
from airworthy.sandbox.dialects.http_choices import HttpChoices
from airworthy.sandbox.dialects.v3_choices import V3Choices
from airworthy.sandbox.dialects.v4_choices import V4Choices

Behaviour = str | int
# The order decides what a number draws: see `airworthy.sandbox.dialects.named`.
_GROUPS = {"v3": V3Choices, "export": ExportChoices, "v4": V4Choices, "http": HttpChoices}


@dataclass(frozen=True, slots=True)
class Choices:
    """One choice for every open question that a client can observe."""

    v4: V4Choices = field(default_factory=V4Choices)
    v3: V3Choices = field(default_factory=V3Choices)
    export: ExportChoices = field(default_factory=ExportChoices)
    http: HttpChoices = field(default_factory=HttpChoices)

    @classmethod
    def of(cls, behaviours: Mapping[str, Behaviour]) -> Self:
        """Return the choices with these behaviours, by the names of their fields, and the defaults of all others."""
        groups: dict[str, Any] = {
            name: group(**{each.name: behaviours[each.name] for each in fields(group) if each.name in behaviours})
            for name, group in _GROUPS.items()
        }
        return cls(**groups)

    def behaviour(self, name: str) -> Behaviour:
        """Return the behaviour of a field, in whatever group it is."""
        groups = (getattr(self, each) for each in _GROUPS)
        found: Behaviour = next(getattr(group, name) for group in groups if hasattr(group, name))
        return found


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """An open choice: its field, the id of the open question, the subject and all behaviours that conform."""

    name: str
    open_id: str
    subject: str
    behaviours: tuple[Behaviour, ...]


def questions() -> Iterator[OpenChoice]:
    """Yield every open choice, ordered by open question."""
    found = [
        OpenChoice(each.name, each.metadata["question"], each.metadata["subject"], get_args(types[each.name]))
        for group in _GROUPS.values()
        for types in [get_type_hints(group)]
        for each in fields(group)
    ]
    yield from sorted(found, key=lambda each: int(each.open_id.removeprefix("OPEN-")))
