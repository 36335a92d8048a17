"""Recognise traffic of another revision or version, by the dictionaries in ``schemas/revisions``."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from typing import Any, Literal, cast

from jsonschema_rs import Draft202012Validator

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.body import Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.limits import OFFER_LIFETIME
from airworthy.contract.conversation.v3.memory import REQUESTS, named
from airworthy.contract.findings.finding import DriftClass
from airworthy.contract.http.credentials import BASIC, BEARER
from airworthy.contract.http.operations import SERVED
from airworthy.contract.http.transaction import Transaction, member
from airworthy.documents.references import packaged_documents

_COMPOUND = re.compile(r"_|[a-z][A-Z]")
_PARAMETER = re.compile(r"\{[^}]*\}")

BodyKind = Literal["request", "response", "error"]


@dataclass(frozen=True, slots=True)
class Drift:
    """One sign of another revision or version in an exchange.

    ``explains`` has the pointers of defects with the same root cause, which are not reported. A drift is ``tolerable``
    if a response has it in addition to what the documents require: additional fields are open (OPEN-46).
    """

    kind: DriftClass
    provenance: str
    message: str
    expected: str
    actual: str
    place: Pointer = ()
    where: str = ""
    explains: frozenset[str] = frozenset()
    tolerable: bool = False

    @property
    def pointer(self) -> str:
        """The location as findings show it."""
        return self.where or wording.pointer(self.place)


@cache
def former_values() -> frozenset[str]:
    """Return the values of earlier revisions and other versions, which a service may still accept (OPEN-47)."""
    documents = packaged_documents()
    entries = [each for version in SERVED for each in documents[f"revisions/{version}.json"]["values"]]
    return frozenset(value for each in entries for value in each["values"])


class Revisions:
    """The names and values that earlier revisions of a version and the other versions use.

    ``document`` is ``schemas/revisions/<version>.json``, ``interfaces`` has the OpenAPI documents of all versions.
    """

    def __init__(self, version: str, document: Mapping[str, Any], interfaces: Mapping[str, Json]) -> None:
        self._version = version
        self._revision: str = document["revision"]
        self._members = [_Entry(entry) for entry in document["members"]]
        self._values = [_Entry(entry) for entry in document["values"]]
        self._retyped = [(_Entry(each), Draft202012Validator(each["form"])) for each in document["retyped"]]
        self._windows: Sequence[Mapping[str, Any]] = document["windows"]
        self._headers: Sequence[Mapping[str, str]] = document["headers"]
        own = {place.rpartition("/")[2] for entry in document["members"] for place in entry["places"]}
        names = _of_others(version, interfaces, _names).items()
        # A word such as "code" does not say by itself whose it is.
        self._names = {name: other for name, other in names if _COMPOUND.search(name) and name not in own}
        self._names |= {name: other for other, those in document["otherVersions"].items() for name in those}
        paths = _of_others(version, interfaces, lambda each: each["paths"])
        self._paths = [(_pattern(_PARAMETER.sub("*", path)), other) for path, other in paths.items()]
        self.removed: frozenset[str] = frozenset(document["removedVersions"])

    def member(
        self, place: Pointer, value: Json, side: BodyKind, documented: Iterable[str] = (), *, noun: str = "field"
    ) -> Drift:
        """Return what a member beside documented ones is. Additional members are open (OPEN-46, OPEN-47)."""
        name = _name(place)
        for entry in self._members:
            if entry.matches(place, side):
                actual = value if isinstance(value, str) and value in entry.values else ""
                origin = entry.version or self._revision
                here = self._version if entry.version else "the current revision"
                replacement = f"has {entry.now} instead" if entry.now else "does not have it"
                return Drift(
                    "other-version" if entry.version else "earlier-revision",
                    origin,
                    f"{name} belongs to {origin}; {here} {replacement}",
                    entry.now,
                    actual,
                    place,
                    explains=_pointers(place, *(_beside(place, other) for other in entry.supersedes)),
                    tolerable=side != "request" and (value is None or not entry.forbidden),
                )
        if version := self._names.get(str(place[-1])):
            text, known = f"{name} belongs to {version}, not to {self._version}", f"a field of {self._version}"
            explains, tolerable = _pointers(place), side != "request"
            return Drift("other-version", version, text, known, "", place, explains=explains, tolerable=tolerable)
        meant = [each for each in documented if _folded(each) == _folded(str(place[-1]))]
        advice = f"; did you mean {meant[0]}?" if len(meant) == 1 else ""
        text = f"{name} is not a documented {noun} at this location{advice}"
        return Drift("unknown-field", "", text, f"a documented {noun}", "", place, tolerable=True)

    def value(self, defect: Defect, side: BodyKind) -> Drift | None:
        """Return the revision of a value that violates an enumeration or a type, or None."""
        name, value = _name(defect.path), defect.value
        if defect.keyword == "enum" and isinstance(value, str):
            for entry in self._values:
                if entry.matches(defect.path, side) and value in entry.values:
                    return self._former(entry, defect, f"{name} is {value}, a value of", entry.values[value], value)
        elif defect.keyword == "type":
            for entry, form in self._retyped:
                if entry.matches(defect.path, side) and form.is_valid(value):
                    drift = self._former(entry, defect, f"{name} has the type that it had in", entry.now, defect.actual)
                    return replace(drift, kind="retyped")
        return None

    def _former(self, entry: "_Entry", defect: Defect, former: str, now: str, actual: str) -> Drift:
        origin, kind = entry.version or self._revision, "other-version" if entry.version else "earlier-revision"
        here = f"{self._version} has" if entry.version else "it is now"
        text, explains = f"{former} {origin}; {here} {now}", _pointers(defect.path)
        return Drift(cast("DriftClass", kind), origin, text, now, actual, defect.path, explains=explains)

    def window(self, transaction: Transaction, conversation: Conversation) -> Iterator[Drift]:
        """Yield a rejection by the shorter time window of an earlier revision, in that revision's format (OPEN-71)."""
        order = conversation.v4.order(transaction.url.path_values.get("orderId"))
        if order is None or order.created is None or not transaction.rejected:
            return
        age, body = transaction.started - order.created, transaction.response_body.value
        is_in_former_format = isinstance(member(body, "type"), str) and member(body, "statusCode") is None
        for window in self._windows if is_in_former_format else ():
            is_over = timedelta(minutes=window["minutes"]) <= age < OFFER_LIFETIME
            if is_over and window["operation"] == transaction.operation:
                minutes = age // timedelta(minutes=1)
                text = f"the order is rejected {minutes} minutes after its creation, as in {self._revision}"
                actual, expected = f"{transaction.status}", f"{window['now']} instead of {window['minutes']} minutes"
                kind: DriftClass = "earlier-revision"
                yield Drift(kind, self._revision, text, expected, actual, where="status", tolerable=True)

    def headers(self, sent: Sequence[tuple[str, str]]) -> Iterator[Drift]:
        """Yield the headers that are sent in the format of another version. Only warns (OPEN-34)."""
        for entry in self._headers:
            for name, value in sent:
                if name.lower() == entry["name"].lower() and value.lower().startswith(entry["prefix"].lower()):
                    scheme, here = entry["prefix"].strip(), self._version
                    text = (
                        f"{entry['name']} has the scheme {scheme} of {entry['version']}; {here} expects {entry['now']}"
                    )
                    where = f"header:{entry['name']}"
                    version, actual = entry["version"], f"{scheme} …"
                    yield Drift("other-version", version, text, entry["now"], actual, where=where, tolerable=True)

    def path(self, path: str) -> Drift | None:
        """Return the version of a path that is not an operation of this version, or None."""
        for pattern, version in self._paths:
            if pattern.fullmatch("/" + path.strip("/")):
                here = self._version
                text, known = f"the path is an operation of {version}, not of {here}", f"an operation of {here}"
                return Drift("other-version", version, text, known, f"a path of {version}", where="path")
        return None


class _Entry:
    """One entry of a dictionary: the locations of a name or value, and its replacement."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.now: str = entry.get("now", "")
        self.version: str = entry.get("version", "")
        self.side: str | None = entry.get("side")
        self.values: Any = entry.get("values", ())
        self.forbidden: bool = entry.get("forbidden", False)
        self.supersedes: tuple[str, ...] = tuple(entry.get("supersedes", ()))
        self._patterns = [_pattern(place) for place in entry["places"]]

    def matches(self, place: Pointer, side: BodyKind) -> bool:
        if self.side is not None and self.side != side:
            return False
        path = "/" + "/".join(str(part) for part in place)
        return any(pattern.search(path) for pattern in self._patterns)


def _pattern(place: str) -> re.Pattern[str]:
    rooted = place.startswith("/")
    body = "/".join("[^/]+" if part == "*" else re.escape(part) for part in place.strip("/").split("/"))
    return re.compile(rf"\A/{body}\Z" if rooted else rf"(?:\A|/){body}\Z")


def _of_others(version: str, interfaces: Mapping[str, Json], found: Callable[[Json], Iterable[str]]) -> dict[str, str]:
    """Return what other versions have and a version does not, each with the versions that have it: ``v2 and v3``."""
    shown = {each: {*found(interfaces[each])} for each in SERVED}
    foreign = set().union(*shown.values()) - shown[version]
    return {name: " and ".join(each for each in SERVED if name in shown[each]) for name in foreign}


def _names(node: Json) -> Iterator[str]:
    """Yield the names of the members and parameters in a part of an OpenAPI document."""
    if isinstance(node, dict):
        yield from node.get("properties", ())
        yield from [node["name"]] if "in" in node else ()
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _names(each)


def _beside(place: Pointer, name: str) -> Pointer:
    return (*place[:-1], name) if name else place[:-1]


def _name(place: Pointer) -> str:
    last = place[-1] if place else ""
    return last if isinstance(last, str) and wording.is_name(last) else "a member"


def _folded(name: str) -> str:
    return name.casefold().replace("_", "").replace("-", "")


def _pointers(*places: Pointer) -> frozenset[str]:
    return frozenset(map(wording.pointer, places))


def scheme_of_the_key(transaction: Transaction) -> Iterator[Drift]:
    """Yield the scheme before a key of v4, which the examples send bare (OPEN-34); Bearer and Basic aside."""
    scheme, _, key = (transaction.sent_header("Authorization") or "").strip().partition(" ")
    if transaction.url.version == "v4" and key.strip() and scheme.lower() not in (BASIC, BEARER):
        text, where = "the request sends its key with a scheme", "header:Authorization"
        yield Drift("unknown-value", "", text, "the bare key", "a scheme and a key", where=where, tolerable=True)


def respelling(transaction: Transaction) -> Iterator[Drift]:
    """Yield that only the normal form of the path is documented. Only warns (OPEN-75)."""
    operation = transaction.url.operation
    if transaction.url.respelled and operation:
        text = "the path is not the documented one, but some servers read it as such"
        yield Drift("unknown-operation", "", text, operation.path, "another spelling", where="path", tolerable=True)


def mixed_versions(transaction: Transaction, conversation: Conversation) -> Iterator[Drift]:
    """Yield the ids in a request that only another version has shown, and a search that was made in another version.

    Only warns by itself: v2 and v3 may number separately, so the same id may identify different things.
    That v4 is separate is documented (v4, Versioning, item 2).
    """
    here = transaction.url.version
    for each in named(transaction):
        if conversation.knows(here, each):
            continue
        for there in SERVED:
            if there != here and conversation.knows(there, each):
                text = f"the {each.subject} was created in {there}, but is used in {here}"
                expected, actual = f"a {each.subject} of {here}", f"one of {there}"
                drift = Drift("other-version", there, text, expected, actual, each.place, each.where, tolerable=True)
                yield replace(drift, explains=frozenset({drift.pointer}))
                break
        else:
            if transaction.operation in REQUESTS and each.subject == "flight":
                yield from _searched_elsewhere(transaction, conversation, each.place)
    if transaction.operation == "getOffer":
        yield from _searched_elsewhere(transaction, conversation, ("outboundSegment",))


def _searched_elsewhere(transaction: Transaction, conversation: Conversation, place: Pointer) -> Iterator[Drift]:
    """Yield that a client which searches in another version only books in this one (v4, Versioning, item 2)."""
    here, there = transaction.url.version, conversation.searches.elsewhere(transaction)
    if there:
        text = f"the client searches in {there}, but books the flight in {here}"
        yield Drift(
            "other-version", there, text, f"a flight found in {here}", f"a search in {there}", place, tolerable=True
        )
