"""Places of private values in an exchange, for redaction."""

import pytest

from airworthy.contract import CompiledSchema, Contract, Exchange, PrivatePlace, Request, Response
from unit.contract.examples import HEADERS, ORDER, SENT, START, changed, exchange, put
from unit.contract.v3 import v3_examples

CONTACT = {
    "/customerContact/name": "name",
    "/customerContact/lastNames": "name",
    "/customerContact/email": "email",
    "/customerContact/countryCode": "country",
    "/customerContact/phone/number": "phone",
    "/customerContact/phone/countryCode": "country",
    "/customerContact/address": "address",
    "/customerContact/cityName": "address",
    "/customerContact/zipCode": "address",
}
PASSENGER = {
    "/passengers/0/name": "name",
    "/passengers/0/firstLastName": "name",
    "/passengers/0/birthDate": "birth-date",
    "/passengers/0/nationalityCountryCode": "country",
    "/passengers/0/identification/identificationNumber": "document-number",
    "/passengers/0/identification/expirationDate": "document-date",
    "/passengers/0/identification/issueCountryCode": "country",
}


def bodies(found: list[PrivatePlace], side: str) -> dict[str, str]:
    return {pointer: kind for where, pointer, kind in found if where == side and not pointer.startswith("header:")}


def test_private_values_of_create_order(contract: Contract) -> None:
    found = contract.sensitive(exchange("createOrder"))
    assert bodies(found, "request") == CONTACT | PASSENGER
    assert bodies(found, "response") == CONTACT | PASSENGER


def test_private_values_of_a_reservation(contract: Contract) -> None:
    found = contract.sensitive(exchange("getReservation"))
    assert bodies(found, "response") == CONTACT | {
        "/pnr": "booking-reference",
        "/email": "email",
        "/passengers/0/name": "name",
        "/passengers/0/firstLastName": "name",
        "/passengers/0/birthDate": "birth-date",
        "/passengers/0/nationalityCountryCode": "country",
    }


def test_private_values_of_a_search_and_a_confirmation(contract: Contract) -> None:
    assert bodies(contract.sensitive(exchange("searchOffers")), "request") == {"/customerCode": "customer-code"}
    assert bodies(contract.sensitive(exchange("searchOffers")), "response") == {}
    assert bodies(contract.sensitive(exchange("confirmOrder")), "request") == {"/payment_method": "payment-reference"}


@pytest.mark.parametrize("url", ["https://service.example/v4/search", "https://elsewhere.example/any"])
def test_secret_headers(contract: Contract, url: str) -> None:
    headers = (("authorization", "k"), ("Cookie", "c"), ("Accept", "*/*"))
    made = Exchange("1", START, 0.1, Request("GET", url, headers), Response(200, (("Set-Cookie", "s"),), b"{}"))
    assert [place for place in contract.sensitive(made) if place[1].startswith("header:")] == [
        ("request", "header:authorization", "secret"),
        ("request", "header:Cookie", "secret"),
        ("response", "header:Set-Cookie", "secret"),
    ]


def test_member_with_an_unexpected_form_is_private_as_a_whole(contract: Contract) -> None:
    sent = changed(
        SENT["createOrder"],
        put("customerContact", "Ada, ada@example.com"),
        put("passengers[0].identification", ["XDA123456"]),
        put("passengers[0].nickname", "Countess"),
        put("a/b~c", {"x": 1}),
    )
    found = bodies(contract.sensitive(exchange("createOrder", sent=sent)), "request")
    assert found["/customerContact"] == "name"
    assert found["/passengers/0/identification"] == "document-number"
    assert found["/passengers/0/nickname"] == "unknown"
    assert "/a~1b~0c" not in found


def test_member_names_are_escaped_in_pointers(contract: Contract) -> None:
    sent = changed(SENT["createOrder"], put("passengers[0].a/b~c", "x"))
    assert (
        bodies(contract.sensitive(exchange("createOrder", sent=sent)), "request")["/passengers/0/a~1b~0c"] == "unknown"
    )


def test_unreadable_body_is_private_as_a_whole(contract: Contract) -> None:
    found = contract.sensitive(exchange("createOrder", sent=b'{"name": "Ada', returned=b'{"name": "Ada'))
    assert bodies(found, "request") == {"": "unreadable"}
    assert bodies(found, "response") == {"": "unreadable"}
    assert bodies(contract.sensitive(exchange("searchOffers", returned=b"<html>")), "response") == {}


def test_private_values_with_another_success_status(contract: Contract) -> None:
    assert bodies(contract.sensitive(exchange("getOrder", status=201)), "response") == CONTACT | PASSENGER


BOOKER = {
    "/first_name": "name",
    "/last_name": "name",
    "/email": "email",
    "/phonenumber": "phone",
    "/address": "address",
    "/city_name": "address",
    "/country_code": "country",
    "/postal_code": "address",
}


def test_private_values_of_a_v3_booking(whole_contract: Contract) -> None:
    found = whole_contract.sensitive(v3_examples.exchange("createBookings"))
    assert bodies(found, "request") == BOOKER | {
        "/customer_code": "customer-code",
        "/payment_method": "payment-reference",
    }
    returned = bodies(found, "response")
    assert {pointer.removeprefix("/bookings/0"): kind for pointer, kind in returned.items()} == {
        **{pointer: kind for pointer, kind in BOOKER.items() if pointer != "/city_name"},
        "/cp_reference": "booking-reference",
        "/passengers/0/first_name": "name",
        "/passengers/0/last_name": "name",
        "/passengers/0/date_of_birth": "birth-date",
    }


@pytest.mark.parametrize("status", [200, 201])
def test_private_values_of_v2_booking_requests_and_bookings(whole_contract: Contract, status: int) -> None:
    requested = whole_contract.sensitive(v3_examples.exchange("createRequestsV2", status=status))
    assert bodies(requested, "response")["/requests/0/customer/vat_number"] == "document-number"
    booked = whole_contract.sensitive(v3_examples.exchange("createBookingsV2", status=status))
    assert bodies(booked, "request")["/passengers/0/date_of_birth"] == "birth-date"
    assert bodies(booked, "response")["/bookings/0/email"] == "email"
    retrieved = whole_contract.sensitive(v3_examples.exchange("getBookingsV2"))
    assert ("request", "query:cp_reference", "booking-reference") in retrieved


def test_private_values_under_arbitrary_names() -> None:
    shape = CompiledSchema(
        {
            "type": "object",
            "patternProperties": {"^x_": {"type": "string", "x-sensitive": "name"}},
            "additionalProperties": {"type": "object", "properties": {"mail": {"x-sensitive": "email"}, "no": {}}},
        }
    )
    value = {"x_1": "Ada", "other": {"mail": "a@example.com", "no": 1, "more": 2}, "wrong": "b@example.com"}
    assert {(*mark.path, mark.kind) for mark in shape.private_values(value)} == {
        ("x_1", "name"),
        ("other", "mail", "email"),
        ("other", "more", "unknown"),
        ("wrong", "email"),
    }
    defects, unknown = shape.examine(value)
    assert [defect.path for defect in defects] == [("wrong",)]
    assert unknown == [("other", "more")]


def test_carrier_portal_credentials_are_secret(contract: Contract) -> None:
    credentials = {"username": "u", "password": "p"}
    sent = changed(SENT["createOrder"], put("customerContact.carrierPortalCredentials", credentials))
    found = bodies(contract.sensitive(exchange("createOrder", sent=sent)), "request")
    assert found["/customerContact/carrierPortalCredentials/password"] == "secret"
    order = exchange("getOrder", returned={"id": ORDER, "customerContact": {"carrierPortalCredentials": ["u", "p"]}})
    assert bodies(contract.sensitive(order), "response") == {"/customerContact/carrierPortalCredentials": "secret"}


def test_private_values_of_a_payment_method_request(contract: Contract) -> None:
    form = (
        b"type=card&card%5Bnumber%5D=4242424242424242&card%5Bexp_month%5D=12&card%5Bexp_year%5D=2030&card%5Bcvc%5D=123"
    )
    request = Request("POST", "https://payment.example/v1/payment_methods", HEADERS[:1], form)
    made = Exchange("1", START, 0.1, request, Response(200, (), b'{"id": "pm_1", "card": {"last4": "4242"}}'))
    assert bodies(contract.sensitive(made), "request") == dict.fromkeys(
        ("/card[number]", "/card[exp_month]", "/card[exp_year]", "/card[cvc]"), "card"
    )
    assert bodies(contract.sensitive(made), "response") == {"/id": "payment-reference", "/card": "card"}
