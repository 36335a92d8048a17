"""Full runs against misbehaving services end with a verdict, few causes and no traceback."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from collected_suite import CollectedSuite, FinishedRun
from unit.target.servers import Behaviour, response, serving

pytestmark = pytest.mark.exhaustive

CANARIES = ("canary-key-7f3a", "canary-key-second")
TARGET = """
base_url = "{base_url}"
ca_bundle = "{ca_bundle}"
"""
WITH_KEYS = """
[v4]
key = "canary-key-7f3a"
customer_code = "ACME"
[second_organisation.v4]
key = "canary-key-second"
customer_code = "ACME-TOO"
[routes.regular]
origin = "MAD"
destination = "BCN"
[routes.round_trip]
origin = "MAD"
destination = "BCN"
return_after_days = 7
"""
WITH_TOKENS = """
[v3]
token = "canary-key-7f3a"
customer_code = "ACME"
[v2]
token = "canary-key-7f3a"
customer_code = "ACME"
[second_organisation.v3]
token = "canary-key-second"
customer_code = "ACME-TOO"
[payment.accepted]
payment_method = "pm_that_is_ready"
[payment.declined]
payment_method = "pm_that_is_declined"
[routes.flights_regular]
origin = "MAD"
destination = "PMI"
"""
# The emptiest valid response of every operation of v3 and v2.
NOTHING: dict[str, Any] = {
    **{name: [] for name in ("results", "fares", "flights", "requests", "bookings")},
    "next_page_id": None,
    "success": True,
}
WITHOUT_FLIGHTS = {"V23-FLIGHTS-ANSWER", "V3-ROUND-TRIPS-ANSWER"}
PASSED_WITHOUT_FLIGHTS = {"PAYMENT-METHOD-ID", "V23-CURRENT-REVISION", "V23-UNKNOWN-FIELDS"}
NO_FARES = response(b'{"fares": []}')
REPORT = {"results.json", "report.html", "junit.xml", "findings.sarif", "summary.md"}


def error(status: int, text: str) -> bytes:
    body = {"statusCode": status, "error": text, "message": "no"}
    return response(json.dumps(body).encode(), f"{status} {text}")


def always(reply: bytes) -> Behaviour:
    return lambda connection, _: connection.sendall(reply)


def only_for_post(behaviour: Behaviour) -> Behaviour:
    """Respond correctly to GET, so that the run starts."""

    def behave(connection: socket.socket, request: bytes) -> None:
        if request.startswith(b"POST"):
            behaviour(connection, request)
        else:
            connection.sendall(NO_FARES if b"/fares" in request else error(404, "Not Found"))

    return behave


Examine = Callable[..., FinishedRun]


@pytest.fixture
def examine(suite: CollectedSuite, tmp_path: Path) -> Examine:
    """``examine(behaviour)`` runs the full suite against a server with this behaviour."""

    def examine(behaviour: Behaviour, *tables: str) -> FinishedRun:
        profile, folder = tmp_path / "profile.toml", tmp_path / "run"
        with serving(behaviour, tmp_path, tls=True) as server:
            target = TARGET.format(base_url=server.base_url, ca_bundle=server.ca_bundle)
            profile.write_text("".join([target, *(tables or [WITH_KEYS])]))
            ran = suite.run(folder, profile=str(profile), together=1)
        texts = {path.name: path.read_text() for path in folder.iterdir()}
        assert texts.keys() >= REPORT
        assert [name for name, text in texts.items() for canary in CANARIES if canary in text] == []
        assert "Traceback" not in ran.terminal
        assert ran.rules("error") == set()
        return ran

    return examine


def outcome(ran: FinishedRun) -> tuple[int, str]:
    """Return the exit code and the decision."""
    return ran.exit_code, json.loads((ran.folder / "results.json").read_text())["decision"]["outcome"]


def passed(ran: FinishedRun) -> set[str]:
    """Return the rules of the service that passed."""
    return {rule.id for rule in ran.results.rules if rule.verdict == "passed" and rule.binds != "client"}


def test_service_that_rejects_every_request_is_not_certified(examine: Examine) -> None:
    def reject(connection: socket.socket, request: bytes) -> None:
        rejection = response(b'{"message": "no"}', "400 Bad Request")
        connection.sendall(error(400, "Bad Request") if b" /v4/" in request else rejection)

    ran = examine(reject, WITH_KEYS, WITH_TOKENS)

    assert outcome(ran) == (1, "NOT CERTIFIED")
    # One cause, and the one rule whose check does not depend on an accepted search.
    assert ran.rules("failed") == {"V4-SEARCH-OFFERS", *WITHOUT_FLIGHTS}
    # A service that rejects every request must not pass a negative test.
    negatives = {each for each in passed(ran) if ran.rule(each).binds == "both" or not each.startswith("V4-")}
    assert negatives <= {"V4-CURRENT-REVISION", "V4-UNKNOWN-FIELDS", *PASSED_WITHOUT_FLIGHTS}


@pytest.mark.parametrize(
    "status",
    [
        "404 Not Found",
        *[pytest.param(each, marks=pytest.mark.further) for each in ("409 Conflict", "422 Unprocessable Entity")],
    ],
)
def test_v3_and_v2_service_that_rejects_every_request_is_not_certified(examine: Examine, status: str) -> None:
    ran = examine(always(response(b'{"message": "no"}', status)), WITH_TOKENS)

    assert outcome(ran) == (1, "NOT CERTIFIED")
    assert ran.rules("failed") == WITHOUT_FLIGHTS
    assert passed(ran) <= PASSED_WITHOUT_FLIGHTS


@pytest.mark.parametrize("body", [{}, NOTHING], ids=["an empty object", "nothing found"])
def test_v3_and_v2_service_that_accepts_every_request_is_not_certified(examine: Examine, body: dict[str, Any]) -> None:
    ran = examine(always(response(json.dumps(body).encode())), WITH_TOKENS)

    assert outcome(ran) == (1, "NOT CERTIFIED")
    assert ran.rules("failed") >= {"V23-FLIGHTS-REQUIRED", "V23-AUTH-WRONG-KEY", "V23-AUTH-MISSING-KEY"}
    # Without a flight, no rule about booking requests and bookings passes.
    assert not {rule for rule in passed(ran) if rule.startswith(("V3-REQUESTS", "V3-BAGS", "V23-BOOKING", "V2-"))}


def test_service_that_fails_every_post_is_not_certified(examine: Examine) -> None:
    ran = examine(only_for_post(always(error(500, "Internal Server Error"))))

    assert outcome(ran) == (1, "NOT CERTIFIED")
    assert ran.rules("failed") == {"V4-SEARCH-OFFERS", "V4-NO-SERVER-FAULT"}


@pytest.mark.parametrize(
    ("body", "rule"),
    [(b"<html>oops</html>", "V4-JSON-ANSWERS"), (b"[" * 100_000, "V4-SEARCH-OFFERS")],
    ids=["HTML", "nested too deeply"],
)
def test_unreadable_bodies_have_one_cause(examine: Examine, body: bytes, rule: str) -> None:
    ran = examine(only_for_post(always(response(body))))

    assert outcome(ran) == (1, "NOT CERTIFIED")
    assert rule in ran.rules("failed")
    assert ran.rules("failed") <= {rule}
