"""The service in test mode, end to end over TLS."""

from typing import Any

import pytest
import requests

from airworthy.sandbox import SandboxServer, SandboxSettings

from .agency import Agency, agencies, passenger
from .flights_client import SECURE


def status(response: requests.Response) -> tuple[int, int]:
    """Return the status code and the one in the error body."""
    return response.status_code, response.json()["statusCode"]


def test_get_offer_costs_more_than_search_on_its_route(agency: Agency) -> None:
    found = agency.search("BCN", "PMI")["offers"][0]["fare"]["price"]["totalAmount"]

    assert agency.offer("BCN", "PMI").json()["cheapestFare"]["totalPrice"]["amount"] > found


def test_search_without_results_is_empty(agency: Agency) -> None:
    assert agency.search("CIA", "EDI")["offers"] == []
    assert agency.search("QQQ", "BCN")["offers"] == []
    assert agency.search(travelClass="BUSINESS")["offers"] == []
    assert agency.search(adults=9, children=9)["offers"] == []


def test_supplier_failure_is_a_server_error(agency: Agency) -> None:
    assert agency.search_response("GVA", "OSL").status_code == 500


def test_search_between_cities_uses_all_their_airports(agency: Agency) -> None:
    found = agency.search("LON", "MIL", kind="CITY")
    ends = {offer["outboundSegment"]["sections"][0]["origin"] for offer in found["offers"]}

    assert len(ends) > 1
    assert ends <= {"LHR", "LGW", "STN"}


def test_birth_date_of_adults_is_optional_on_its_route(agency: Agency) -> None:
    without = passenger(1) | {"birthDate": "1990-01-01"}
    del without["birthDate"]

    assert agency.order(agency.offer("BCN", "NCE").json(), passengers=[without]).status_code == 200
    assert status(agency.order(agency.offer().json(), passengers=[without])) == (400, 400)


def test_authenticated_payment_of_a_card_that_needs_verification_books(agency: Agency) -> None:
    paid = agency.confirm(agency.opened(), payment_method="pm_card_authenticationRequired", three_d_secure=SECURE)

    assert paid.json()["status"] == "BOOKED"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"passengers": [passenger(1), passenger(3)]}, 400),
        ({"paymentMethod": {"card": True, "balance": False}}, 200),
    ],
)
def test_create_order_rejects_invalid_bodies(agency: Agency, change: dict[str, Any], expected: int) -> None:
    assert agency.order(agency.offer().json(), **change).status_code == expected


def test_carrier_credentials_are_not_echoed(agency: Agency) -> None:
    contact = agency.opened()["customerContact"] | {
        "carrierPortalCredentials": {"username": "amelia", "password": "canary"}
    }

    assert "canary" not in agency.order(agency.offer().json(), customerContact=contact).text


@pytest.mark.parametrize("number", ["not-a-uuid", "00000000-0000-4000-8000-000000000000"])
def test_unknown_and_malformed_ids_are_not_found(agency: Agency, number: str) -> None:
    for path in (f"/order/{number}", f"/reservation/{number}", f"/offer/{number}/baggage"):
        assert status(agency.send("GET", path)) == (404, 404)
    assert agency.send("GET", f"/offer/{number}/fares").json() == {"fares": []}
    assert status(agency.send("GET", "/reservation", orderId=number)) == (404, 404)


@pytest.mark.parametrize(
    ("route", "more", "expected"),
    [
        (("MAD", "LHR"), {}, 400),
        (("MAD", "LHR"), {"type": "PASSPORT"}, 200),
        (("MAD", "LPA"), {"type": "NIF"}, 400),
        (("MAD", "LPA"), {"type": "NIF", "locality": "350160"}, 200),
    ],
)
def test_strict_dialect_requires_what_the_offer_lists(
    route: tuple[str, str], more: dict[str, str], expected: int
) -> None:
    traveller = passenger(1)
    if "type" in more:
        traveller["identification"] = {
            "type": more["type"],
            "identificationNumber": "X0000000",
            "expirationDate": "2099-01-01",
            "issueCountryCode": "ES",
        }
    if "locality" in more:
        traveller["localityCodeOfResidency"] = more["locality"]
    with SandboxServer(SandboxSettings(dialect="strict")) as server:
        first, _ = agencies(server)
        with first.session:
            assert first.order(first.offer(*route).json(), passengers=[traveller]).status_code == expected
