"""Each entry of the drift dictionaries is found and names its origin, and the dictionaries are complete."""

import json
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from airworthy.contract import Exchange, Finding, Request
from airworthy.contract.bodies.body import Json, Pointer
from airworthy.documents.bundles import bundle
from airworthy.documents.references import inlined, packaged_documents
from unit.contract.examples import ENDPOINTS, HEADERS, OFFER, RETURNED, SENT, changed, exchange, put, rejected
from unit.contract.judging import last_findings, shown
from unit.contract.mutations import places, with_change
from unit.contract.v3.v3_examples import REQUEST

VERSIONS = ("v2", "v3", "v4")
DICTIONARIES: dict[str, dict[str, Any]] = {
    each: inlined(packaged_documents(), f"revisions/{each}.json") for each in VERSIONS
}


def entries(kind: str, part: str) -> list[tuple[str, dict[str, Any], str]]:
    """Return each value of a part of the entries of a kind, with its version and entry."""
    return [(each, entry, value) for each in VERSIONS for entry in DICTIONARIES[each][kind] for value in entry[part]]


MEMBERS, RETYPED = entries("members", "places"), entries("retyped", "places")
VALUES = [(*each, value) for each in entries("values", "places") for value in each[1]["values"]]
FORMS: dict[str, Json] = {
    "string": "IB3912",
    "number": 12.5,
    "array": [{"first_name": "Ada"}],
    "object": {"adults": 1, "checked": 12.5, "cabin": 0},
}
ERROR = {"message": "no"}


def messages(version: str) -> Iterator[tuple[str, str, Json]]:
    """Yield the example bodies of a version: operation, side, body."""
    for operation, (_, path) in ENDPOINTS.items():
        if path.startswith(f"/{version}/"):
            for side, bodies in (("sent", SENT), ("returned", RETURNED)):
                if operation in bodies:
                    yield operation, side, bodies[operation]
    if version == "v4":
        yield "getOrder", "error", ERROR


def made_with(operation: str, side: str, body: Json) -> Exchange:
    if side == "sent":
        return rejected(exchange(operation, sent=body))
    return exchange(operation, returned=body, status=404 if side == "error" else 200)


def holders(body: Json, holder: Sequence[str], rooted: bool) -> Iterator[Pointer]:
    """Yield the places of the objects that a path of the dictionary matches."""
    for way, value in places(body):
        tail = way if rooted else way[len(way) - len(holder) :]
        alike = len(tail) == len(holder) and all(
            one in ("*", str(part)) for one, part in zip(holder, tail, strict=True)
        )
        if alike and isinstance(value, dict):
            yield way


def member_at(body: Json, way: Pointer) -> Json:
    for part in way:
        body = body[part]
    return body


def drifts_at(version: str, place: str, value: Json, *, instead: bool = False) -> list[Finding]:
    """Return the drift found if a value is put at a place, with ``instead`` only where the place exists."""
    *holder, name = place.strip("/").split("/")
    found = []
    for operation, side, body in messages(version):
        for way in holders(body, holder, place.startswith("/")):
            if instead and name not in member_at(body, way):
                continue
            made = made_with(operation, side, with_change(body, (*way, name), value))
            pointer = "".join(f"/{part}" for part in (*way, name))
            there = [each for each in last_findings(made) if each.pointer == pointer]
            drift = [each for each in there if each.kind == "drift"]
            # Drift is not a violation as well.
            assert not drift or drift == there
            found += drift
    return found


def origin(version: str, entry: dict[str, Any]) -> tuple[str, str]:
    if "version" in entry:
        return "other-version", entry["version"]
    return "earlier-revision", DICTIONARIES[version]["revision"]


def named(entries: list[Any]) -> list[str]:
    return [" ".join(str(part) for part in entry if not isinstance(part, dict)) for entry in entries]


@pytest.mark.parametrize(("version", "entry", "place"), MEMBERS, ids=named(MEMBERS))
def test_member_of_another_revision_or_version(version: str, entry: dict[str, Any], place: str) -> None:
    value = next(iter(entry.get("values", ())), 1)
    found = [each for each in drifts_at(version, place, value) if each.expected == entry.get("now", "")]
    assert found
    assert {(each.drift, each.provenance) for each in found} == {origin(version, entry)}
    assert all(each.actual == value for each in found if "values" in entry)


SUPERSEDING = [each for each in MEMBERS if any(each[1].get("supersedes", ()))]


@pytest.mark.parametrize(("version", "entry", "place"), SUPERSEDING, ids=named(SUPERSEDING))
def test_member_in_place_of_one_that_is_missed_is_one_firm_finding(
    version: str, entry: dict[str, Any], place: str
) -> None:
    *holder, name = place.strip("/").split("/")
    own_sides = {"request": ("sent",), "error": ("error",)}.get(entry.get("side", ""), ("sent", "returned"))
    for operation, side, body in messages(version):
        for way in holders(body, holder, place.startswith("/")) if side in own_sides else ():
            replaced = member_at(body, way).keys() & set(entry["supersedes"])
            if not replaced or not (way or place.startswith("/")):
                continue
            kept = {key: value for key, value in member_at(body, way).items() if key not in replaced}
            found = []
            for added in ({}, {name: 1}):
                judged = last_findings(made_with(operation, side, with_change(body, way, kept | added)))
                found.append([each for each in judged if each.kind != "deprecated" and each.pointer != "status"])
            without, instead = found
            places = [(each.kind, each.pointer, each.provenance) for each in instead]
            drift = ("drift", "".join(f"/{part}" for part in (*way, name)), origin(version, entry)[1])
            assert places == [drift] or (not without and not instead)
            assert not without or not instead[0].soft


@pytest.mark.parametrize(("version", "entry", "place", "value"), VALUES, ids=named(VALUES))
def test_value_of_another_revision_or_version(version: str, entry: dict[str, Any], place: str, value: str) -> None:
    found = drifts_at(version, place, value, instead=True)
    assert {(each.drift, each.provenance, each.actual) for each in found} == {(*origin(version, entry), value)}
    assert {each.expected for each in found} == {entry["values"][value]}


@pytest.mark.parametrize(("version", "entry", "place"), RETYPED, ids=named(RETYPED))
def test_member_with_the_type_of_another_version(version: str, entry: dict[str, Any], place: str) -> None:
    found = drifts_at(version, place, FORMS[entry["form"]["type"]], instead=True)
    assert {(each.drift, each.provenance, each.soft) for each in found} == {("retyped", entry["version"], False)}


def test_type_that_no_revision_has_is_a_violation() -> None:
    body = changed(SENT["createRequests"], put("passengers", {}))
    (finding,) = last_findings(made_with("createRequests", "sent", body))
    assert (finding.kind, finding.pointer) == ("violation", "/passengers")


@pytest.mark.parametrize("version", VERSIONS)
def test_path_of_another_version(version: str) -> None:
    made, owners = exchange("getOrder"), dict[str, list[str]]()
    for each in VERSIONS:
        for path in bundle(each)["paths"].keys() - bundle(version)["paths"].keys():
            owners.setdefault(path, []).append(each)
    for path, versions in owners.items():
        url = f"https://service.example/{version}{path.replace('{', '').replace('}', '')}"
        (finding,) = last_findings(Exchange("1", made.started, 0.1, Request("PUT", url, HEADERS), None))
        drift = (finding.drift, finding.provenance, finding.pointer)
        assert drift == ("other-version", " and ".join(versions), "path")


def names_of(version: str) -> set[str]:
    """Return the names of members and parameters in a version's schemas that are compound words."""
    found = set(re.findall(r'"([a-z][A-Za-z_]+)": \{', json.dumps(bundle(version)["components"]["schemas"])))
    found |= {
        each["name"]
        for path in bundle(version)["paths"].values()
        for operation in path.values()
        for each in operation.get("parameters", ())
        if "name" in each
    }
    return {name for name in found if re.search(r"_|[a-z][A-Z]", name)}


JSON_SCHEMA = {"additionalProperties", "dependentRequired", "patternProperties", "propertyNames"}


@pytest.mark.parametrize("version", VERSIONS)
def test_member_name_of_another_version(version: str) -> None:
    own = {place.rpartition("/")[2] for each, _, place in MEMBERS if each == version}
    owners = {name: other for other, names in DICTIONARIES[version]["otherVersions"].items() for name in names}
    for name in set().union(*map(names_of, VERSIONS)) - names_of(version) - own - JSON_SCHEMA:
        owners.setdefault(name, " and ".join(each for each in VERSIONS if name in names_of(each)))
    for name, other in owners.items():
        found = drifts_at(version, f"/{name}", "x")
        assert ("other-version", other) in {(each.drift, each.provenance) for each in found}, name


# Versions mixed within one conversation


mixed = partial(shown, "kind pointer drift provenance soft")


def test_offer_id_of_v4_in_a_booking_request_of_v3() -> None:
    body = changed(SENT["createRequests"], put("flight_ids", [OFFER]))
    requesting = made_with("createRequests", "sent", body)
    found = mixed(exchange("getOffer"), requesting)
    assert found == [("drift", "/flight_ids/0", "other-version", "v4", False)]
    assert mixed(requesting)[0][:2] == ("violation", "/flight_ids/0")


def test_booking_request_id_of_v3_in_get_order_of_v4() -> None:
    url = f"https://service.example/v4/order/{REQUEST}"
    reading = rejected(exchange("getOrder", url=url), 404, "Not Found")
    found = mixed(exchange("createRequests"), reading)
    assert found == [("drift", "path", "other-version", "v3", False)]
    assert mixed(reading) == [("violation", "path", None, "", False)]


def test_booking_reference_of_v4_in_get_bookings_of_v3() -> None:
    pnr = RETURNED["getReservation"]["pnr"]
    url = f"https://service.example/v3/bookings?cp_reference={pnr}"
    looking = rejected(exchange("getBookings", url=url), 404)
    found = mixed(exchange("getReservation"), looking)
    assert found == [("drift", "query:cp_reference", "other-version", "v4", True)]
    assert mixed(looking) == []


def test_query_parameter_of_the_versions_before_v2() -> None:
    url = "https://service.example/v3/bookings?pnr_reference=CPAB12"
    looking = rejected(exchange("getBookings", url=url), 400)
    assert mixed(looking) == [("drift", "query:pnr_reference", "other-version", "the versions before v2", False)]
