"""Faults: at least one for every rule that binds the service, each of which changes one thing."""

import fnmatch
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from airworthy.contract.bodies.applications import ASSERTIONS
from airworthy.register import rules
from airworthy.sandbox.dialects.choices import Choices, questions
from airworthy.sandbox.faults import derived, faults, written
from airworthy.sandbox.faults.repairs import repaired_body
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.rejections import COUNTING, REJECTIONS, open_body, rejection_of
from airworthy.sandbox.service import credentials, request_bodies, service
from airworthy.sandbox.v3 import booking_requests, bookings, flights
from airworthy.sandbox.v4 import offers, orders

OPERATIONS = schemas.operations()


@cache
def rejection_names() -> set[str]:
    """Return the names of all rejections of the sandbox."""
    at_operations = {f"{name}@{operation}" for name in REJECTIONS for operation in OPERATIONS}
    of_queries = {
        f"{operation}:query/{name}:{keyword}"
        for operation in OPERATIONS
        for name in ("origin", "destination", "start", "end", "returnStart", "returnEnd", "seats", "cp_reference")
        for keyword in ("required", "pattern", "type")
    }
    of_schemas = {
        f"{operation}:{pointer}:{keyword}"
        for operation, file in request_bodies.OPERATIONS.items()
        for pointer in ("", *(place.pointer for place in schemas.schema_fields(file)))
        for keyword in {*derived.CHANGES, *COUNTING}
    }
    return {*REJECTIONS, *at_operations, *of_queries, *of_schemas}


def test_fault_violates_a_rule_that_exists() -> None:
    known = {rule.id for rule in rules() if rule.binds != "client" and not rule.excluded_reason}

    assert {fault.name: fault.rule for fault in faults().values() if fault.rule not in known} == {}


def test_fault_changes_one_thing() -> None:
    for fault in faults().values():
        ways = ("tolerates", "rewords", "rejects", "wraps", "rewrite", "export", "policy")
        assert sum(bool(getattr(fault, way)) for way in ways) == 1, fault.name
        assert bool(fault.reason) is (fault.verdict != "failed"), fault.name


def test_fault_names_rejections_that_exist() -> None:
    patterns = {pattern for fault in faults().values() for pattern in (*fault.tolerates, *fault.rewords)}

    # Expected: OPERATION:/FIELD:KEYWORD, or a name of rejections.toml.
    assert {each for each in patterns - rejection_names() if not fnmatch.filter(rejection_names(), each)} == set()


def test_fault_names_are_unique() -> None:
    names = [each.name for each in (*written(), *derived.faults())]

    assert len(names) == len(set(names))


def test_faults_are_described_by_what_the_service_does() -> None:
    form = re.compile(r"The (service|payment provider) [a-z].*[^.]")

    assert [fault.name for fault in faults().values() if not form.fullmatch(fault.description)] == []
    assert [name for name in faults() if not re.fullmatch(r"\S+", name)] == []


def test_every_keyword_has_derived_faults() -> None:
    """A rule that has a fault for another of its keywords would not show that nothing checks this one."""
    files = {*request_bodies.OPERATIONS.values(), *derived.RESPONSES.values()}
    used = {keyword for file in files for each in schemas.schema_fields(file) for keyword in each.schema}

    # The table of v4 has faults for unknown passenger types.
    assert used & ASSERTIONS - derived.CHANGES.keys() == {"propertyNames"}, "add the keyword to CHANGES of derived.py"


def test_every_rejection_of_the_handlers_is_in_the_table() -> None:
    named = {
        name
        for module in (offers, orders, credentials, service, request_bodies, flights, booking_requests, bookings)
        for name in re.findall(
            r"(?:reject|rejection)\(\s*f?\"([a-z-]+)", Path(str(module.__file__)).read_text(encoding="utf-8")
        )
    }

    assert named - {"fault", "request-"} <= REJECTIONS.keys()
    assert {f"request-{status}" for status in ("cancelled", "expired", "aborted", "booked")} <= REJECTIONS.keys()
    assert len(named) > 60


def test_open_statuses_of_rejections_are_choices() -> None:
    open_statuses = [rejection.status for rejection in REJECTIONS.values() if isinstance(rejection.status, str)]

    assert set(open_statuses) <= {each.name for each in questions()}


@pytest.mark.parametrize("shape", ["message", "error", "errors", "text", "empty"])
@pytest.mark.parametrize("place", ["code", "message", "error"])
def test_v3_and_v2_rejection_never_has_the_body_of_v4(shape: str, place: str) -> None:
    open_choices: dict[str, Any] = {"rejection_body": shape, "provider_code": place}
    choices = Choices.of(open_choices)
    body = open_body(rejection_of("card-declined", choices).body | {"code": "insufficient_funds"}, choices)

    assert isinstance(body, bytes) is (shape in {"text", "empty"})
    assert "statusCode" not in str(body)
    assert shape == "empty" or "declined" in str(body) or "insufficient_funds" in str(body)


@pytest.mark.parametrize("operation", list(request_bodies.OPERATIONS))
def test_body_is_repaired_wherever_a_member_is_wrong(operation: str) -> None:
    """A handler never gets an invalid body, because every tolerated violation is replaced with a valid value."""
    file = request_bodies.OPERATIONS[operation]
    for field in schemas.schema_fields(file):
        wrong_values: tuple[Any, ...] = ({"0": 1}, "?", 7, [], None)
        for wrong in wrong_values:
            body = with_value(schemas.example(operation), field.pointer, wrong)
            repaired = repaired_body(operation, body, lambda _: True)
            left = {name for name, _ in request_bodies.body_violations(operation, repaired)}
            # What several items break is not repaired, and null stands for any value of a section.
            assert [each for each in left if not each.endswith(tuple(COUNTING)) and "/sections" not in each] == []


def with_value(body: Any, pointer: str, value: Any) -> Any:  # noqa: ANN401
    """Return a body with a value at a pointer, and with the objects and arrays on the way."""
    first_part, _, rest = pointer.removeprefix("/").partition("/")
    if not first_part:
        return value
    if first_part == "*":
        key = next(iter(body), "1") if isinstance(body, dict) else None
        inner = body.get(key) if isinstance(body, dict) else (body or [None])[0]
        changed = with_value(inner, rest, value)
        return {key: changed} if isinstance(body, dict) else [changed]
    holder = body if isinstance(body, dict) else {}
    return holder | {first_part: with_value(holder.get(first_part), rest, value)}
