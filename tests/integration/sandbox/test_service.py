"""The service in test mode, end to end over TLS."""

from typing import Any

import pytest

from airworthy.sandbox import SandboxServer, SandboxSettings

from .agency import Agency, agency_of, passenger


def test_supplier_failure_is_a_server_error(agency: Agency) -> None:
    assert agency.search_response("GVA", "OSL").status_code == 500


@pytest.mark.parametrize(
    ("change", "expected"),
    [({"passengers": [passenger(1), passenger(3)]}, 400), ({"paymentMethod": {"card": True, "balance": False}}, 200)],
)
def test_create_order_rejects_invalid_bodies(agency: Agency, change: dict[str, Any], expected: int) -> None:
    assert agency.order(agency.offer().json(), **change).status_code == expected


def test_carrier_credentials_are_not_echoed(agency: Agency) -> None:
    contact = agency.opened()["customerContact"] | {"carrierPortalCredentials": {"username": "a", "password": "canary"}}

    assert "canary" not in agency.order(agency.offer().json(), customerContact=contact).text


@pytest.mark.parametrize(
    ("route", "more", "expected"),
    [
        (("MAD", "LHR"), {}, 400),
        (("MAD", "LHR"), {"type": "PASSPORT"}, 200),
        (("MAD", "LPA"), {"type": "NIF"}, 400),
        (("MAD", "LPA"), {"type": "NIF", "locality": "350160"}, 200),
    ],
)
def test_strict_dialect_requires_what_is_listed(route: tuple[str, str], more: dict[str, str], expected: int) -> None:
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
        first = agency_of(server)
        with first.session:
            assert first.order(first.offer(*route).json(), passengers=[traveller]).status_code == expected
