"""Traffic of another revision or version, told apart from what is simply wrong: the dictionary is data."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from airworthy.contract import wording
from airworthy.contract.body import Json
from airworthy.contract.finding import DriftClass
from airworthy.contract.journey import Journey
from airworthy.contract.message import Message
from airworthy.contract.shape import Breach, Pointer
from airworthy.contract.trips import named

MIXED = {"v2": "v3", "v3": "v2"}

MessageSide = Literal["request", "response", "error"]


@dataclass(frozen=True, slots=True)
class Drift:
    """One sign of another revision or version in a message.

    ``explains`` are the places whose breaches it accounts for: one root cause gives one finding. It is ``tolerable``
    where an answer has it besides what it has to have: additional fields are left open (OPEN-46).
    """

    kind: DriftClass
    provenance: str
    message: str
    expected: str
    actual: str
    place: Pointer = ()
    where: str = ""
    explains: frozenset[Pointer] = frozenset()
    tolerable: bool = False

    @property
    def pointer(self) -> str:
        """Where it is, as findings say it."""
        return self.where or wording.pointer(self.place)


class Revisions:
    """What a version's earlier revisions and the other versions call things.

    ``document`` is ``schemas/revisions/<version>.json``.
    """

    def __init__(self, version: str, document: Mapping[str, Any]) -> None:
        self._version = version
        self._revision: str = document["revision"]
        self._members = [_Entry(entry) for entry in document["members"]]
        self._values = [_Entry(entry) for entry in document["values"]]
        self._headers: Sequence[Mapping[str, str]] = document["headers"]
        self._others: Sequence[Mapping[str, Any]] = document["otherVersions"]
        self.removed: frozenset[str] = frozenset(document["removedVersions"])

    def member(self, place: Pointer, value: Json, side: MessageSide) -> Drift:
        """Say what a member is that the schema does not know at this place."""
        name = _name(place)
        for entry in self._members:
            if entry.matches(place, side):
                actual = str(value) if isinstance(value, str) and value in entry.values else "present"
                origin = entry.version or self._revision
                here = self._version if entry.version else "the current one"
                return Drift(
                    "other-version" if entry.version else "earlier-revision",
                    origin,
                    f"{name} belongs to {origin}; {here} has {entry.now} instead",
                    entry.now,
                    actual,
                    place,
                    explains=frozenset({place} | {_beside(place, other) for other in entry.supersedes}),
                    tolerable=side != "request" and not entry.forbidden,
                )
        for other in self._others:
            if place[-1] in other["members"]:
                version = other["version"]
                text = f"{name} belongs to {version}, not to {self._version}"
                known = f"a field of {self._version}"
                explains = frozenset({place})
                tolerable = side != "request"
                return Drift(
                    "other-version", version, text, known, "present", place, explains=explains, tolerable=tolerable
                )
        text = f"{name} is not known to the documents at this place"
        return Drift("unknown-field", "", text, "a documented field", "present", place, tolerable=True)

    def value(self, breach: Breach, side: MessageSide) -> Drift | None:
        """Say which revision a value belongs to that breaks an enumeration, or None."""
        if breach.keyword != "enum" or not isinstance(breach.value, str):
            return None
        for entry in self._values:
            if entry.matches(breach.place, side) and breach.value in entry.values:
                now = entry.values[breach.value]
                return Drift(
                    "earlier-revision",
                    self._revision,
                    f"{_name(breach.place)} is {breach.value}, a value of {self._revision}; it is now {now}",
                    now,
                    breach.value,
                    breach.place,
                    explains=frozenset({breach.place}),
                )
        return None

    def headers(self, sent: Sequence[tuple[str, str]]) -> Iterator[Drift]:
        """Yield the headers that are sent in the form of another version."""
        for entry in self._headers:
            for name, value in sent:
                if name.lower() == entry["name"].lower() and value.lower().startswith(entry["prefix"].lower()):
                    scheme, here = entry["prefix"].strip(), self._version
                    text = (
                        f"{entry['name']} carries {scheme}, the form of {entry['version']}; {here} takes {entry['now']}"
                    )
                    where = f"header:{entry['name']}"
                    yield Drift("other-version", entry["version"], text, entry["now"], f"{scheme} …", where=where)

    def path(self, path: str) -> Drift | None:
        """Say which version a path belongs to that is no operation of this one, or None."""
        for other in self._others:
            if any(_pattern(pattern).fullmatch(path.strip("/")) for pattern in other["paths"]):
                version, here = other["version"], self._version
                text, known = f"the path is an operation of {version}, not of {here}", f"an operation of {here}"
                return Drift("other-version", version, text, known, f"a path of {version}", where="path")
        return None


class _Entry:
    """One line of the dictionary: where it stands, and what has replaced it."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.now: str = entry.get("now", "")
        self.version: str = entry.get("version", "")
        self.side: str | None = entry.get("side")
        self.values: Any = entry.get("values", ())
        self.forbidden: bool = entry.get("forbidden", False)
        self.supersedes: tuple[str, ...] = tuple(entry.get("supersedes", ()))
        self._patterns = [_pattern(place) for place in entry["places"]]

    def matches(self, place: Pointer, side: MessageSide) -> bool:
        if self.side is not None and self.side != side:
            return False
        path = "/" + "/".join(str(part) for part in place)
        return any(pattern.search(path) for pattern in self._patterns)


def _pattern(place: str) -> re.Pattern[str]:
    rooted = place.startswith("/")
    body = "/".join("[^/]+" if part == "*" else re.escape(part) for part in place.strip("/").split("/"))
    return re.compile(rf"\A/{body}\Z" if rooted else rf"(?:\A|/){body}\Z")


def _beside(place: Pointer, name: str) -> Pointer:
    return (*place[:-1], name) if name else place[:-1]


def _name(place: Pointer) -> str:
    last = place[-1] if place else ""
    return last if isinstance(last, str) and wording.is_name(last) else "a member"


def mixed_versions(message: Message, journey: Journey) -> Iterator[Drift]:
    """Yield the ids of a request of v2 or v3 that only the other of them has shown. It only warns.

    Each version may count its ids for itself, so that one that was not seen here may be another than the one there.
    """
    here = message.call.version
    there = MIXED.get(here, "")
    for each in named(message) if there else ():
        if journey.trips.knows(there, each) and not journey.trips.knows(here, each):
            text = f"the {each.subject} was made in {there} and is used in {here}"
            wanted, actual = f"a {each.subject} of {here}", f"one of {there}"
            yield Drift("other-version", there, text, wanted, actual, each.place, each.where, tolerable=True)


def one_for_each_cause(breaches: Sequence[Breach], drifts: Sequence[Drift]) -> tuple[list[Breach], list[Drift]]:
    """Leave out the breaches that a drift accounts for, and unknown fields of which something worse is said."""
    worse = [f"{breach.pointer}/" for breach in breaches]
    broken = {breach.place for breach in breaches if not breach.where}
    return _unexplained(breaches, drifts), [
        replace(drift, tolerable=False) if drift.explains & broken else drift
        for drift in drifts
        if drift.kind != "unknown-field" or not any(place.startswith(f"{drift.pointer}/") for place in worse)
    ]


def _unexplained(breaches: Sequence[Breach], drifts: Sequence[Drift]) -> list[Breach]:
    explained = frozenset[Pointer]().union(*(drift.explains for drift in drifts)) if drifts else frozenset()
    return [breach for breach in breaches if breach.where or breach.place not in explained]
