"""The log of requests on the terminal and in memory."""

import json
import re
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.dashboard.request_log import MAX_REQUESTS, RequestLog
from airworthy.sandbox.payment_provider.provider import CARDS

from .agency import Agency, agency_of, started_sandbox

SECRETS = ("test-key-", "test-token-", "rk_test", *(card.number for card in CARDS), "canary")


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return []


@pytest.fixture(scope="module")
def server(lines: list[str]) -> Iterator[SandboxServer]:
    """A sandbox that records its requests."""
    with SandboxServer(log=RequestLog(lines.append)) as running:
        yield running


@pytest.fixture
def logged(agency: Agency, lines: list[str]) -> Agency:
    """The first organisation, after the log of earlier tests was emptied."""
    lines.clear()
    return agency


def last(agency: Agency) -> dict[str, Any]:
    """Return the newest request, with headers and bodies."""
    number = agency.state()["log"]["requests"][-1]["number"]
    found: dict[str, Any] = agency.ask("GET", f"/sandbox/requests/{number}").json()
    return found


def test_each_request_is_one_line(logged: Agency, lines: list[str]) -> None:
    offer = logged.offer().json()
    passengers = [{"number": 1, "type": "child", "title": "MS", "name": "A", "firstLastName": "B", "gender": "FEMALE"}]
    logged.order(offer, passengers=passengers)
    logged.order(offer, paymentMethod={})
    logged.send("PATCH", "/order")
    logged.send("GET", "/order/canary", secret="canary")

    assert lines[1:] == [
        "POST /v4/offer 200",
        "POST /v4/order 400 /passengers/0/birthDate: missing for a child",
        "POST /v4/order 400 /paymentMethod: expected exactly one of {card: true} and {balance: true}",
        "PATCH /v4/order 405 There is no such operation",
        "GET /v4/order/canary 404 The id is not a UUID",
    ]


def test_rejection_by_a_fault_names_the_fault(logged: Agency, lines: list[str]) -> None:
    logged.ask("POST", "/sandbox/faults", json={"names": ["search-not-nine-adults"]})
    logged.search_response(adults=9)
    logged.ask("POST", "/sandbox/faults", json={"names": []})

    assert lines[1:-1] == ["POST /v4/search 400 fault:search-not-nine-adults"]


def test_request_without_effect_is_explained(logged: Agency, lines: list[str]) -> None:
    logged.search_response(travelClass="BUSINESS")

    assert lines == ["POST /v4/search 200 /travelClass: expected ECONOMY"]


def test_line_is_bounded_and_escaped(logged: Agency, lines: list[str]) -> None:
    assert logged.server.ca_bundle
    host, port = "127.0.0.1", int(logged.server.base_url.rpartition(":")[2])
    trusting = ssl.create_default_context(cafile=str(logged.server.ca_bundle))
    with (
        socket.create_connection((host, port), timeout=60) as plain,
        trusting.wrap_socket(plain, server_hostname=host) as connection,
    ):
        path = b"/v4/%1b[31m/\"'<b>/4242424242424242/" + b"x" * 5000
        connection.sendall(b"GET " + path + b"?canary=canary HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        while connection.recv(65_536):
            pass

    (line,) = lines
    assert line.startswith("GET /v4/%1b[31m/\"'<b>/[masked]/xxx")
    assert line.endswith("… 404 There is no such resource")
    assert len(line) < 300
    assert line.isprintable()


def test_reads_of_the_own_pages_are_not_recorded(logged: Agency, lines: list[str]) -> None:
    for path in ("/", "/sandbox/state", "/sandbox/clock", "/sandbox/dashboard.js", "/sandbox/profile"):
        logged.ask("GET", path)
    logged.ask("POST", "/sandbox/clock", json={"seconds": -1})

    assert lines == ['POST /sandbox/clock 400 expected {"seconds": n} with n from 0 to 31622400']


def test_recorded_request_has_its_bodies_and_rule(logged: Agency) -> None:
    logged.order(logged.offer().json(), selectedBaggage=[])
    found = last(logged)

    assert found["rule"] == "V4-ORDER-BAGGAGE-PER-PASSENGER"
    assert found["path"] == "/v4/order"
    assert found["query"].startswith("offerId=")
    assert json.loads(found["sent"]["body"])["selectedBaggage"] == []
    assert json.loads(found["received"]["body"])["statusCode"] == 400
    assert ["authorization", "[masked]"] in found["sent"]["headers"]
    assert ["content-type", "application/json"] in found["received"]["headers"]


def test_nothing_recorded_contains_credentials_or_card_data(logged: Agency, lines: list[str]) -> None:
    card = "4242424242424242"
    log = logged.state()["log"]
    before = log["requests"][-1]["number"] if log["requests"] else 0
    form = {"type": "card", "card[number]": card, "card[exp_month]": "12", "card[exp_year]": "2040", "card[cvc]": "987"}
    for changes in ({}, {"card[number]": card[:-1] + "1"}, {"metadata[token]": "canary"}):
        auth = ("rk_test_sandbox_first", "")
        logged.ask("POST", "/payment/v1/payment_methods", data=form | changes, auth=auth)
    secure = {"cryptogram": "canary", "version": "2.2.0", "electronic_commerce_indicator": "05"}
    logged.confirm(logged.opened(), payment_method=card, three_d_secure=secure)
    logged.send("POST", "/search", {"name": card, card: 1, "password": "canary"}, api_key="canary")
    logged.ask("GET", "/v3/flights", headers={"Authorization": "Bearer canary"})
    logged.ask("GET", "/v3/flights", headers={"Cookie": "canary", "X-Api-Key": "canary"})
    numbers = [each["number"] for each in logged.state()["log"]["requests"] if each["number"] > before]
    everything = json.dumps([logged.ask("GET", f"/sandbox/requests/{each}").json() for each in numbers])

    assert len(numbers) > 8
    shown = everything + "".join(lines)
    assert [secret for secret in SECRETS if secret in shown] == []
    # An id may contain these digits by chance.
    assert re.findall(r"(?<![\w-])(?:987|2040)(?![\w-])", shown) == []


def test_newer_requests_are_sent_once(logged: Agency) -> None:
    logged.send("GET", "/nothing")
    first = logged.state()["log"]
    number = first["requests"][-1]["number"]
    assert logged.state(after=number, log=first["id"])["log"]["requests"] == []
    # A page that was loaded before a restart gets everything.
    assert logged.state(after=10**9, log="another")["log"] == first


def test_only_the_last_requests_are_kept(logged: Agency) -> None:
    for _ in range(MAX_REQUESTS + 5):
        logged.send("GET", "/nothing")
    kept = logged.state()["log"]["requests"]

    assert len(kept) == MAX_REQUESTS
    assert logged.ask("GET", f"/sandbox/requests/{kept[0]['number'] - 1}").status_code == 404


@pytest.mark.parametrize("dialect", ["demanding", "normalizing"])
def test_bodies_are_shown_however_they_are_transferred(dialect: str) -> None:
    with SandboxServer(SandboxSettings(dialect=dialect), log=RequestLog()) as server:
        first = agency_of(server)
        with first.session:
            first.search()
            assert '"offers": [' in last(first)["received"]["body"]


def test_embedded_sandbox_records_nothing() -> None:
    with SandboxServer() as server:
        first = agency_of(server)
        with first.session:
            first.send("GET", "/nothing")
            assert first.state()["log"] is None
            assert first.ask("GET", "/sandbox/requests/1").status_code == 404


@pytest.mark.parametrize("options", [(), ("--quiet",)])
def test_command_prints_a_line_for_each_request(tmp_path: Path, options: tuple[str, ...]) -> None:
    authority = tmp_path / "ca.pem"
    with started_sandbox("--ca-file", authority, *options) as (running, profile):
        url = f"{profile['base_url']}/v4/nothing?canary"
        assert requests.get(url, verify=str(authority), timeout=60).status_code == 404
        running.terminate()
        _, errors = running.communicate(timeout=60)

    assert errors == ("" if options else "GET /v4/nothing 404 There is no such resource\n")
