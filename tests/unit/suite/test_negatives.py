"""Negatives: a wrong value for every keyword of every request schema, each of which breaks exactly one rule."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from airworthy.contract import Contract
from airworthy.contract.bodies.applications import ASSERTIONS
from airworthy.contract.findings.drift import former_values
from airworthy.contract.http.operations import SERVED, Operation
from airworthy.suite.negatives import NO_5XX, DerivedNegative, body_negatives, query_negatives
from airworthy.suite.request_members import MISSING
from unit.contract.examples import SENT, THREE_D, exchange

# Negatives that are not derived: operation, end of the pointer, keyword (* matches all), and the reason.
NOT_DERIVED: tuple[tuple[str, str, str, str], ...] = (
    ("verifyFlight", "*", "*", "the operation is deprecated and no longer judged (OPEN-40)"),
    ("*", "*", "maxItems", "about several items: the features have scenarios for too many"),
    ("*", "*", "not", "3D Secure results of a failed authentication: the features have scenarios (OPEN-52)"),
    ("getOffer", "/travelClass", "*", "another travel class is open (OPEN-54)"),
    ("createOrder", "/carrierPortalCredentials/username", "type", "its type is not documented"),
    ("createOrder", "/carrierPortalCredentials/password", "type", "its type is not documented"),
    ("*", "/flights/*", "type", "the type of ids in v2 is open (OPEN-99)"),
    ("*", "/requests/*", "type", "the type of ids in v2 is open (OPEN-99)"),
    ("createBookingsV2", "/card_token", "*", "deprecated, its effect is open"),
    ("confirmOrder", "/paymentMethod/balance", "type", "a second member of paymentMethod is open (OPEN-69)"),
    ("createOrder", "/paymentMethod/balance", "type", "a second member of paymentMethod is open (OPEN-69)"),
)

CREDENTIALS = {"username": "agency", "password": "secret"}


def bodies(operation: str) -> Iterator[Any]:
    """Yield accepted bodies that together have every documented member."""
    body = SENT[operation]
    yield body
    if operation in ("confirmOrder", "createBookings", "createBookingsV2"):
        yield body | {"three_d_secure": THREE_D}
    if operation == "createOrder":
        passenger = body["passengers"][0] | {"phone": {"number": "600123456", "countryCode": "ES"}}
        passenger |= {"countryCodeOfResidence": "ES"}
        contact = body["customerContact"] | {"carrierPortalCredentials": CREDENTIALS}
        selected = body["selectedBaggage"][0]
        bags = selected | {"inboundSegmentBaggageSelection": selected["outboundSegmentBaggageSelection"]}
        yield body | {"passengers": [passenger], "customerContact": contact, "selectedBaggage": [bags]}
    if operation == "createBookingsV2":
        booker = {name: body[name] for name in ("first_name", "last_name", "gender", "email", "phonenumber")}
        yield {name: value for name, value in body.items() if name != "customer_code"} | {"customer_data": booker}
    if operation in ("searchOffers", "getOffer"):
        yield body | {"tripType": "ROUND_TRIP", "inboundSegment": body["outboundSegment"]}


def operation(name: str) -> Operation:
    return next(each for each in Contract.load(SERVED).operations() if each.id == name)


def negatives(name: str) -> list[DerivedNegative]:
    found = {each.key: each for body in bodies(name) for each in body_negatives(operation(name), body)}
    return list(found.values())


def keywords(schema: Mapping[str, Any], pointer: str = "") -> Iterator[tuple[str, str]]:
    """Yield every keyword of a request schema with the pointer of the member that it restricts."""
    yield from ((pointer, each) for each in schema if each in ASSERTIONS - {"required"} and pointer)
    yield from ((f"{pointer}/{name}", "required") for name in schema.get("required", ()))
    for name, member in schema.get("properties", {}).items():
        if isinstance(member, Mapping):
            yield from keywords(member, f"{pointer}/{name}")
    for each in ("items", "additionalProperties"):
        if isinstance(schema.get(each), Mapping):
            yield from keywords(schema[each], f"{pointer}/*")
    for part in schema.get("allOf", ()):
        if part.get("x-binds") != "client":
            yield from keywords(part, pointer)


def reason(name: str, pointer: str, keyword: str) -> str:
    fitting = (
        why
        for of, end, broken, why in NOT_DERIVED
        if of in ("*", name)
        and (end == "*" or pointer.endswith(end) or f"{end}/" in pointer)
        and broken in ("*", keyword)
    )
    return next(fitting, "")


def test_every_keyword_has_a_negative_or_a_reason() -> None:
    unexplained, used = [], set()
    for name in SENT:
        request = operation(name).request
        assert request is not None
        derived = {(each.pointer, each.keyword) for each in negatives(name)}
        reasons = {each: reason(name, *each) for each in keywords(request.document) if each not in derived}
        unexplained += [(name, *each) for each, why in reasons.items() if not why]
        used |= set(reasons.values())

    advice = "add the keyword to KEYWORDS of airworthy/suite/negatives.py, its member to an example, or a reason here"
    assert unexplained == [], advice
    assert {why for *_, why in NOT_DERIVED} - used == set()


@pytest.mark.parametrize("name", SENT)
def test_negative_breaks_exactly_its_rule(name: str) -> None:
    """A rejection proves nothing about a rule if the request also breaks another one."""
    request = operation(name).request
    assert request is not None

    for body in bodies(name):
        counts = Counter(each.key for each in body_negatives(operation(name), body))
        assert [key for key, count in counts.items() if count > 1] == []
    for each in negatives(name):
        if not each.is_open:
            assert [(found.rule, found.keyword) for found in request.defects(each.sent)] == [(each.rule, each.keyword)]
            assert broken_rules(name, each.sent) == {each.rule}, each.shown
        assert each.status == "400" or (each.status in ("4xx", NO_5XX) and each.reason)


def broken_rules(name: str, sent: object) -> set[str]:
    """Return the rules that a client violates with a request."""
    findings = Contract.load(SERVED).judge(exchange(name, sent=sent, returned={}, status=400))
    return {found.rule for found in findings if found.side == "request" and found.kind == "violation"}


def test_negatives_of_create_order() -> None:
    found = {each.shown: each.status for each in negatives("createOrder")}

    assert found['/passengers/*/title is "ms" (another letter case)'] == "400"
    assert found['/passengers/*/number is "1" (text for a number)'] == "400"
    assert found['/passengers/*/birthDate is "01/04/1990" (DD/MM/YYYY)'] == "400"
    assert found["/customerContact/email is missing"] == "400"
    assert found['/paymentMethod is {"card":false} (the alternative is false)'] == "4xx"
    assert found['/paymentMethod is {"voucher":true} (an unlisted alternative)'] == "4xx"
    # A service may still accept values of an earlier revision, and reject a day that does not exist as it likes.
    assert [shown for shown in found if any(text in shown for text in ("ADULT", "cash", "02-30"))] == []


def test_every_enumeration_has_an_unlisted_value() -> None:
    derived = {name: negatives(name) for name in SENT}
    enumerated = {(name, each.pointer) for name in SENT for each in derived[name] if each.keyword == "enum"}
    unlisted = {
        (name, each.pointer): each for name in SENT for each in derived[name] if "unlisted value" in each.change
    }

    assert unlisted.keys() == enumerated
    # A service may still accept values of an earlier revision.
    assert {each.value for each in unlisted.values()}.isdisjoint(former_values())


def test_negative_of_a_limit_exceeds_it_by_one() -> None:
    values = {(each.pointer, each.change): each.value for each in negatives("searchOffers")}

    assert values["/adults", "below the minimum"] == 0
    assert values["/adults", "above the maximum"] == 10
    assert values["/children", "a negative number"] == -1


def test_no_negative_changes_letter_case_or_sets_optional_members_to_null() -> None:
    order = negatives("createOrder")

    assert [each.shown for each in order if each.value in ("es", "Es")] == []
    assert [each.shown for each in order if each.value is None and each.pointer.endswith("/middleName")] == []


@pytest.mark.parametrize(("kept", "other"), [("customer_code", "customer_data"), ("customer_data", "customer_code")])
def test_no_negative_adds_the_customer_that_a_service_may_ignore(kept: str, other: str) -> None:
    accepted = [body for body in bodies("createBookingsV2") if kept in body and other not in body]
    derived = [each for body in accepted for each in body_negatives(operation("createBookingsV2"), body)]

    assert f"/{kept}" in {each.pointer for each in derived}
    assert [each.shown for each in derived if other in each.sent] == []


def test_negatives_of_search_parameters() -> None:
    query = {"origin": "MAD", "destination": "PMI", "start": "2027-03-14", "end": "2027-03-16", "seats": "1"}
    found = {(each.pointer, each.value): each for each in query_negatives(operation("searchFlights"), query)}

    assert found["query:start", "14/03/2027"].status == "4xx"
    assert found["query:seats", "1.5"].sent == query | {"seats": "1.5"}
    assert found["query:origin", MISSING].status == "400"
    # Other airport codes are open (OPEN-78).
    changed = {pointer for pointer, value in found if value is not MISSING}
    assert changed == {"query:start", "query:end", "query:seats"}


def test_several_items_are_changed_in_turn() -> None:
    body = SENT["createOrder"]
    first = body["passengers"][0]
    several = body | {"passengers": [first, first | {"number": 2}, first | {"number": 3}]}
    turns = [
        next(at for at in range(3) if each.sent["passengers"][at] != several["passengers"][at])
        for each in body_negatives(operation("createOrder"), several, "passengers")
        if each.pointer == "/passengers/*/title"
    ]

    assert turns == [(turns[0] - at) % 3 for at in range(len(turns))]
    assert len(turns) > 3
    of_passengers = body_negatives(operation("createOrder"), several, "passengers")
    elsewhere = {(each.pointer, each.value) for each in of_passengers if not each.pointer.startswith("/passengers")}
    assert elsewhere == {(f"/{name}", MISSING) for name in ("selectedBaggage", "customerContact", "paymentMethod")}


def test_item_that_may_lack_a_member_has_no_turn() -> None:
    body = SENT["createOrder"]
    adult = body["passengers"][0]
    infant = adult | {"number": 2, "type": "infant", "birthDate": "2026-09-01"}
    family = body | {"passengers": [infant, {name: adult[name] for name in adult if name != "birthDate"}, infant]}
    changed = [
        each.sent["passengers"]
        for each in body_negatives(operation("createOrder"), family, "passengers")
        if each.pointer == "/passengers/*/birthDate"
    ]

    assert changed
    assert all(passengers[1] == family["passengers"][1] for passengers in changed)
