"""Positives: every optional member, value of an enumeration and limit of every request schema is accepted."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from airworthy.documents.references import parts
from airworthy.suite.positives import DerivedPositive, body_positives, changed_together, reason_left_out, rounds
from airworthy.suite.request_members import first_keyword
from unit.contract.examples import SENT
from unit.suite.test_negatives import bodies, operation

# Optional members that the examples lack.
_DOCUMENT = {
    **dict.fromkeys(("middle_name", "birth_country", "passport_country_of_issue", "nationality"), "ES"),
    "passport_number": "X1",
    "passport_expiry_date": "2031-11-01",
}
_BOOKER = dict.fromkeys(("address", "city_name", "country_code", "postal_code"), "ES")
_COMPANY = {"registration_number": "1", "vat_number": "2", "is_company": False}


def complete(name: str) -> Iterator[Any]:
    """Yield accepted bodies that together have every optional member."""
    for body in bodies(name):
        added: dict[str, Any] = {}
        if name in ("createRequests", "createBookingsV2"):
            added["passengers"] = [body["passengers"][0] | _DOCUMENT]
        if "customer_data" in body:
            added["customer_data"] = body["customer_data"] | _BOOKER | _COMPANY
        if name in ("searchOffers", "getOffer"):
            added["travelClass"] = "ECONOMY"
        if name == "getOffer":
            section = body["outboundSegment"]["sections"][0] | {"travelClass": "ECONOMY"}
            ways = ("outboundSegment", "inboundSegment") if body.get("inboundSegment") else ("outboundSegment",)
            added |= {way: {"sections": [section]} for way in ways}
        if name == "createOrder":
            added["passengers"] = [body["passengers"][0] | {"middleName": "B"}]
            added["selectedBaggage"] = [body["selectedBaggage"][0] | {"inboundSegmentBaggageSelection": []}]
        yield body | added


def positives(name: str) -> list[DerivedPositive]:
    found = {each.key: each for body in complete(name) for each in body_positives(operation(name), body)}
    return list(found.values())


def documented(schema: Mapping[str, Any], pointer: str = "") -> Iterator[tuple[str, str]]:
    """Yield the pointer and the kind of change of everything that a schema allows a client to do."""
    found = [part.schema for part in parts(schema)]
    required = {name for part in found for name in part.get("required", ())}
    members = {name: each for part in found for name, each in part.get("properties", {}).items()}
    for name, member in members.items():
        if isinstance(member, Mapping):
            if name not in required:
                yield f"{pointer}/{name}", "left out"
            if len(first_keyword(member, "enum") or ()) > 1:
                yield f"{pointer}/{name}", "the value"
            if first_keyword(member, "maximum") is not None:
                yield f"{pointer}/{name}", "maximum"
            yield from documented(member, f"{pointer}/{name}")
    for each in ("items", "additionalProperties"):
        if isinstance(first_keyword(schema, each), Mapping):
            yield from documented(first_keyword(schema, each), f"{pointer}/*")


# Whether a client sends them depends on other members.
_CONDITIONAL = {
    *("/tripType", "/paymentMethod/card", "/paymentMethod/balance", "/payment_method", "/customer_code"),
    *("/customer_data", "/passengers/*/bags", "/passengers/*/luggage"),
    *("/bags/*/checked/*/price", "/bags/*/cabin/*/price"),
}


@pytest.mark.parametrize("name", [each for each in SENT if each not in ("verifyFlight", "confirmOrder")])
def test_everything_documented_is_derived_or_open(name: str) -> None:
    request = operation(name).request
    assert request is not None
    kinds = ((each.pointer, each.change) for each in positives(name))
    derived = {(pointer, "the value" if kind.startswith("the value") else kind) for pointer, kind in kinds}
    missing = [
        (pointer, change)
        for pointer, change in dict.fromkeys(documented(request.document))
        if (pointer, change) not in derived
        and not reason_left_out(name, pointer, change)
        and pointer not in _CONDITIONAL
    ]

    assert missing == []


@pytest.mark.parametrize("name", SENT)
def test_positives_together_are_as_documented(name: str) -> None:
    request = operation(name).request
    assert request is not None
    for body in complete(name):
        groups = rounds(list(body_positives(operation(name), body)))
        assert [each for each in groups if not request.is_valid(changed_together(body, each))] == []


def test_members_of_one_object_are_left_out_together_and_one_by_one() -> None:
    groups = rounds(positives("createBookings"))
    left_out = [[each.pointer for each in group if each.is_left_out] for group in groups]

    assert sorted(left_out[0]) == ["/address", "/city_name", "/country_code", "/external_id", "/postal_code"]
    assert sorted(left_out[1:]) == [[each] for each in sorted(left_out[0])]


def test_birthday_is_the_nearest_leap_day() -> None:
    shown = {each.shown for each in positives("createOrder")}

    assert '/passengers/*/birthDate is "1992-02-29"' in shown
