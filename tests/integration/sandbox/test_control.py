"""The dialect and the faults are switched while the sandbox runs, and a 405 names the allowed methods."""

import re
from collections.abc import Iterator

import pytest
import requests

from airworthy.documents.references import packaged_documents
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.http import schemas
from unit.sandbox.local_client import LocalClient

from .agency import Agency, agency_of


@pytest.fixture
def fresh() -> Iterator[Agency]:
    """The first organisation at a sandbox of its own."""
    with SandboxServer(SandboxSettings(faults=("search-in-dollars",)), ftp_port=0) as server:
        first = agency_of(server)
        with first.session:
            yield first


def post(agency: Agency, path: str, body: object) -> requests.Response:
    return agency.ask("POST", f"/sandbox/{path}", json=body)


def test_switch_of_the_dialect_restarts_the_service(fresh: Agency) -> None:
    order = fresh.opened()
    reference = LocalClient(fresh.server.service).booked()["cp_reference"]
    post(fresh, "clock", {"seconds": 7200})
    before = fresh.state()
    assert [before["orders"][0]["id"], before["bookings"][0]["id"]] == [order["id"], reference]
    assert before["emails"][0]["subject"] == f"Your booking {reference}"

    assert post(fresh, "dialect", {"name": "strict"}).json() == {"name": "strict"}

    after = fresh.state()
    assert (after["orders"], after["bookings"], after["emails"]) == ([], [], [])
    assert (after["dialect"], after["faults"], after["moved"]) == ("strict", ["search-in-dollars"], 7200)
    assert fresh.send("GET", f"/order/{order['id']}").status_code == 404
    assert fresh.send("GET", "/order/x").status_code == 400
    assert "USD" in fresh.search_response().text
    assert fresh.server.settings.dialect == "strict"


def test_switch_changes_routes_plain_http_and_the_content_export(fresh: Agency) -> None:
    server = fresh.server
    before = {path.name for path in server.delivery.export.refresh()}
    url = server.base_url.replace("https", "http")

    post(fresh, "dialect", {"name": "talkative"})
    assert requests.get(url, timeout=60, allow_redirects=False).status_code == 400
    post(fresh, "dialect", {"name": "lenient"})
    assert requests.get(url, timeout=60, allow_redirects=False).status_code == 308

    after = {path.name for path in server.delivery.export.refresh()}
    assert before != after
    assert fresh.ask("GET", "/sandbox/profile").json() == {
        name: value for name, value in server.profile().items() if name != "ca_bundle"
    }


@pytest.mark.parametrize("path", ["/sandbox/clock", "/sandbox/faults", "/sandbox/dialect"])
@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"{}", b"[" * 100_000, b'{"seconds": "x", "names": 1, "name": null}', b'{"name": ["strict"]}'),
        b'{"seconds": -1, "names": ["gremlins"], "name": "gremlin"}',
    ],
)
def test_invalid_change_is_rejected_and_changes_nothing(agency: Agency, path: str, body: bytes) -> None:
    service = agency.server.service
    response = agency.ask("POST", path, data=body)

    assert response.status_code == 400
    assert response.json()["message"]
    assert agency.server.service is service


def test_state_shows_what_was_ordered_and_booked(agency: Agency, client: LocalClient) -> None:
    order = agency.opened()
    agency.confirm(order, payment_method="pm_card_visa")
    booking = client.booked()
    found = agency.state()

    newest = found["orders"][0]
    assert (newest["id"], newest["status"], newest["route"]) == (order["id"], "BOOKED", "MAD-BCN")
    assert re.fullmatch(r"[A-Z0-9]{6}", newest["locator"])
    newest = found["bookings"][0]
    assert (newest["id"], newest["version"], newest["route"]) == (booking["cp_reference"], "v3", "MAD-PMI")
    assert found["emails"][0]["attachments"] == [f"ticket-{booking['cp_reference']}-{booking['id']}.html"]
    assert "is confirmed" in found["emails"][0]["text"]


def test_passenger_page_shows_the_booking(agency: Agency, client: LocalClient) -> None:
    booking = client.booked("createBookingsV2")
    found, unknown, asked = (
        agency.ask("GET", "/lookup", params=query)
        for query in ({"reference": booking["cp_reference"]}, {"reference": "<b>"}, {})
    )

    assert (found.status_code, unknown.status_code, asked.status_code) == (200, 404, 200)
    assert "Palma de Mallorca" in found.text
    assert "<b>" not in unknown.text
    assert "default-src 'none'" in found.headers["content-security-policy"]


# 405


def paths() -> list[str]:
    documents = {version: packaged_documents()[f"{version}/openapi.json"] for version in schemas.VERSIONS}
    interfaces = [f"/{version}{path}" for version, document in documents.items() for path in document["paths"]]
    own = ("clock", "faults", "dialect", "export", "profile", "state", "ca.pem", "dashboard.js", "requests/1")
    return [*interfaces, "/", "/lookup", *(f"/sandbox/{name}" for name in own)]


@pytest.mark.parametrize("path", paths())
def test_405_lists_the_allowed_methods(agency: Agency, path: str) -> None:
    url = agency.server.base_url + re.sub(r"\{\w+\}", "1", path)
    refused = {
        method: response
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "NONSENSE")
        if (response := agency.ask(method, url)).status_code == 405
    }

    assert {"PUT", "DELETE", "OPTIONS", "NONSENSE"} <= refused.keys()
    allowed = {frozenset(response.headers["Allow"].split(", ")) for response in refused.values()}
    assert len(allowed) == 1
    assert allowed.pop() == {"GET", "HEAD", "POST"} - refused.keys()


def test_405_of_a_dialect_lists_no_method(monkeypatch: pytest.MonkeyPatch, agency: Agency) -> None:
    choices = Choices.of({"unknown_path": 405, "reservation_without_query": 405})
    monkeypatch.setattr(agency.server.service, "choices", choices)

    for path in ("/nothing", "/reservation"):
        response = agency.send("GET", path)
        assert (response.status_code, response.headers["Allow"]) == (405, "")
