"""What the contract finds in each mutation of each example: the rule, the place and whether it only warns."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

import orjson

from airworthy.contract import Contract, Conversation, Exchange, Finding, InMemoryStore
from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation.store import Subject
from unit.contract.all_examples import BEFORE, EXAMPLES, Example, family
from unit.contract.examples import exchange
from unit.contract.mutations import Mutation, mutations

_POSITION: Final = re.compile(r"/(?:\d+|\?)(?=/|$)")
_PARTS: Final = {
    "{flight}": ("results/*", "flights/*", "requests/*/flight", "bookings/*/flight", "bookings/*/final_flight"),
    "{section}": tuple(f"{each}outboundSegment/sections/*" for each in ("", "offers/*/", "offer/")),
    "{fare}": ("cheapestFare", "offer/fare"),
}
"""Parts that stand at several places of responses: a row about a part is about each of its places in the examples."""

_FOLLOWING: Final = ("unknown member", "empty object")
"""Kinds of mutation whose findings follow from the place, or from those of missing members."""
Change = tuple[str, str, str, str]
"""The side, the example, the place and the kind of a mutation."""


class Judged(NamedTuple):
    """A mutation of an example, and the findings that the example itself does not have."""

    example: Example
    mutation: Mutation
    findings: tuple[Finding, ...]


class Branch(InMemoryStore):
    """A store that continues another one and does not change it."""

    def __init__(self, trunk: InMemoryStore) -> None:
        super().__init__()
        self._trunk = trunk

    def get(self, subject: Subject, key: str) -> Json:
        found = super().get(subject, key)
        return self._trunk.get(subject, key) if found is None else found


def judged_mutations(contract: Contract) -> Iterator[Judged]:
    """Judge each mutation of each example after a conforming conversation; the service accepts every request."""
    for example in EXAMPLES:
        trunk = InMemoryStore()
        for each in BEFORE.get(example.operation, ()):
            contract.judge(exchange(each, name=each), Conversation(trunk))
        own = {(each.rule, each.pointer) for each in _findings(contract, trunk, example, example.body)}
        for mutation in mutations(example.body):
            found = _findings(contract, trunk, example, mutation.value)
            yield Judged(example, mutation, tuple(each for each in found if (each.rule, each.pointer) not in own))


def _findings(contract: Contract, trunk: InMemoryStore, example: Example, body: Json) -> Iterator[Finding]:
    """Yield the findings in a message, and those about a service that accepts it."""
    for finding in contract.judge(_exchange(example, body), Conversation(Branch(trunk))):
        if finding.side == example.side or finding.pointer == "status":
            yield finding


def _exchange(example: Example, body: Json) -> Exchange:
    changed = orjson.dumps(body)
    sent, returned = (changed, None) if example.side == "request" else (None, changed)
    return exchange(example.operation, name="changed", sent=sent, returned=returned)


def table(judged: Sequence[Judged]) -> str:
    """Return a line for places with the same findings: examples, places, kinds of mutation, and the findings."""
    following = _following(judged)
    kinds: dict[tuple[str, str, str, str], dict[str, None]] = {}
    standing: dict[tuple[str, str, str], set[str]] = {}
    for example, mutation, findings in judged:
        part, at = _part_around(example.side, mutation.place)
        standing.setdefault((example.side, example.name, part), set()).add(at)
        change = (example.side, example.name, mutation.place, mutation.kind)
        if change not in following and (findings or mutation.kind in _FOLLOWING):
            key = (*change[:3], _shown(findings, mutation.place) or "nothing")
            kinds.setdefault(key, {})[mutation.kind] = None
    found_at: dict[tuple[str, ...], dict[str, tuple[str, str]]] = {}
    for (side, name, place, found), of_place in kinds.items():
        part, at = _part_around(side, place)
        key_in_part = (side, name, part, place.removeprefix(at), _in_part(found, part, at), ", ".join(of_place))
        found_at.setdefault(key_in_part, {})[at] = (place, found)
    names: dict[tuple[str, ...], list[str]] = {}
    for (side, name, part, below, in_part, changes), by_place in found_at.items():
        is_everywhere = by_place.keys() == standing[side, name, part]
        for place, found in [(part + below, in_part)] if is_everywhere else by_place.values():
            names.setdefault((side, place or "the body", changes, found), []).append(name)
    places: dict[tuple[str, ...], list[str]] = {}
    for (side, place, of_examples, found), examples in names.items():
        places.setdefault((side, ", ".join(examples), of_examples, found), []).append(place)
    lines = (" | ".join((*key[:2], ", ".join(those), *key[2:])) for key, those in places.items())
    return "".join(f"{line}\n" for line in lines)


def _following(judged: Iterable[Judged]) -> set[Change]:
    """Return the changes that need no row: an unknown member is drift, and an empty object lacks every member."""
    found: dict[Change, set[frozenset[tuple[str, str]]]] = {}
    expected: dict[Change, frozenset[tuple[str, str]]] = {}
    for example, mutation, findings in judged:
        change = (example.side, example.name, mutation.place, mutation.kind)
        found.setdefault(change, set()).add(frozenset(_labelled(findings)))
        if mutation.kind == "unknown member":
            pointer = f"/{mutation.place}/zq" if mutation.place else "/zq"
            expected[change] = frozenset({(f"{family(example.operation)}-UNKNOWN-FIELDS (drift, warns)", pointer)})
        elif mutation.kind == "missing":
            whole = (*change[:2], mutation.place.rpartition("/")[0], "empty object")
            expected[whole] = expected.get(whole, frozenset()).union(_labelled(findings))
    return {change for change, findings in expected.items() if found.get(change) == {findings}}


def _part_around(side: str, place: str) -> tuple[str, str]:
    """Return the part of a response that contains a place, and where that part stands; for other places nothing."""
    around = ((part, at) for part, those in _PARTS.items() for at in those if f"{place}/".startswith(f"{at}/"))
    return next(around, ("", "")) if side == "response" else ("", "")


def _in_part(found: str, part: str, at: str) -> str:
    """Return findings with their pointers into a part."""
    return re.sub(rf"(?<= /){re.escape(at)}(?=[/; ]|$)", part, found) if part else found


def rows(lines: str) -> Iterator[str]:
    """Yield a row of a table for each of its examples and places."""
    for side, examples, places, *rest in (line.split(" | ") for line in lines.splitlines()):
        for example, place in product(examples.split(", "), places.split(", ")):
            yield " | ".join((side, example, place, *rest)) + "\n"


def _shown(findings: Iterable[Finding], place: str) -> str:
    pointers: dict[str, dict[str, None]] = {}
    for rule, pointer in _labelled(findings):
        shown = re.sub(rf"^/{re.escape(place)}(?=/|$)", "here", pointer) if place else pointer or "here"
        pointers.setdefault(rule, {})[shown or "the body"] = None
    return "; ".join(f"{rule} {' '.join(places)}" for rule, places in sorted(pointers.items()))


def _labelled(findings: Iterable[Finding]) -> Iterator[tuple[str, str]]:
    """Yield the rule of each finding with its firmness, and the pointer without positions."""
    for each in findings:
        firmness = " (drift, warns)" if each.drift and each.soft else " (drift)" if each.drift else ""
        yield f"{each.rule}{firmness or (' (warns)' if each.soft else '')}", _POSITION.sub("/*", each.pointer)
