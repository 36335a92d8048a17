"""Runs against misbehaving targets end with a verdict or one line, with results and without a traceback."""

import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unit.suite.material import use_features

from .servers import Behaviour, close_in_body, response, serving, time_out

pytest_plugins = ["pytester"]

FEATURE = """
@v4
Feature: Mini

  @V4-ALPHA
  Rule: Offers are searched
    Source: v4, somewhere

    Scenario: A search is sent
      When offers are searched

    Scenario: Another search is sent
      When offers are searched

  @V4-BETA
  Rule: An order is read
    Source: v4, somewhere

    Scenario: An order is read
      When an order is read

  @V4-JSON-ANSWERS
  Rule: Answers are JSON
    Source: v4, somewhere

    Scenario: A search is sent again
      When offers are searched
"""
STEPS = """
from pytest_bdd import scenarios, when
from airworthy.suite.outcomes import comparisons
scenarios("features")

@when("offers are searched")
def _(client):
    place = {"code": "MAD", "type": "AIRPORT"}
    segment = {"origin": place, "destination": place | {"code": "BCN"}, "departureDate": "2027-01-01"}
    body = {"adults": 1, "children": 0, "infants": 0, "tripType": "ONE_WAY", "customerCode": "ACME",
            "outboundSegment": segment, "inboundSegment": None}
    client.send("POST", "/v4/search", json=body)
    comparisons.total += 1

@when("an order is read")
def _(client):
    client.send("GET", "/v4/order/6f9619ff-8b86-4d01-b42d-00cf4fc964ff")
    comparisons.total += 1
"""
PROFILE = """
base_url = "{base_url}"
ca_bundle = "{ca_bundle}"
[v4]
key = "canary-key-7f3a"
customer_code = "ACME"
"""
NOT_FOUND = response(b'{"statusCode": 404, "error": "Not Found", "message": "no such thing"}', "404 Not Found")
MANY_VALUES = response(b"[" + b"[]," * 200_000 + b"[]]")

Examine = Callable[..., tuple[pytest.RunResult, dict[str, Any]]]


@pytest.fixture
def examine(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Examine:
    """``examine(behaviour)`` runs a few scenarios against a server with this behaviour for searches."""
    folder = pytester.mkdir("features")
    (folder / "mini.feature").write_text(FEATURE)
    pytester.makepyfile(test_mini=STEPS)
    use_features(folder, monkeypatch)

    def run(behaviour: Behaviour, *, searches_only: bool = True) -> tuple[pytest.RunResult, dict[str, Any]]:
        def behave(connection: socket.socket, request: bytes) -> None:
            behaviour(connection, request) if b"/search " in request else connection.sendall(NOT_FOUND)

        with serving(behave if searches_only else behaviour, tmp_path, tls=True) as server:
            text = PROFILE.format(base_url=server.base_url, ca_bundle=server.ca_bundle)
            path = pytester.makefile(".toml", acme=text)
            plugins = ["airworthy.suite.plugin", "no:cacheprovider", "no:hypothesispytest"]
            options = [*(f"-p{each}" for each in plugins), "--run-id=run", f"--profile={path}"]
            outcome = pytester.runpytest_inprocess(*options)
        found = json.loads((pytester.path / "reports" / "run" / "results.json").read_text())
        return outcome, {each["id"]: each for each in found["results"]["rules"]}

    return run


def send_ten_megabytes(connection: socket.socket, _: bytes) -> None:
    connection.sendall(response(b"x" * 10 * 1024 * 1024))


@pytest.mark.parametrize(
    ("behaviour", "message"),
    [
        (time_out, "the target did not send a complete response in time"),
        (close_in_body, "the target closed the connection before the response was complete"),
        (send_ten_megabytes, "the response body exceeds 5 MB"),
    ],
)
def test_operation_without_a_complete_response_is_untested(
    examine: Examine, behaviour: Behaviour, message: str
) -> None:
    outcome, found = examine(behaviour)
    assert found["V4-ALPHA"]["verdict"] == "untested"
    assert message in found["V4-ALPHA"]["reason"]
    assert found["V4-BETA"]["verdict"] == "passed"
    assert outcome.ret == 3
    outcome.stdout.fnmatch_lines([f"*untested*{message[:20]}*"])
    outcome.stdout.no_fnmatch_line("*Traceback*")
    outcome.stdout.no_fnmatch_line("*canary-key-7f3a*")


@pytest.mark.parametrize(
    "reply",
    [
        response(b"<html>oops</html>"),
        response(b'{"offers": ['),
    ],
)
def test_body_that_is_not_json_violates_only_that_rule(examine: Examine, reply: bytes) -> None:
    outcome, found = examine(lambda connection, _: connection.sendall(reply))
    assert found["V4-JSON-ANSWERS"]["verdict"] == "failed"
    assert found["V4-ALPHA"]["verdict"] == "passed"
    assert outcome.ret == 1
    outcome.stdout.no_fnmatch_line("*Traceback*")


@pytest.mark.parametrize(
    ("fail", "message"),
    [
        (lambda connection: connection.close(), "the target closed the connection"),
        (lambda connection: connection.sendall(MANY_VALUES), "the response body has more than 327,680 values"),
    ],
    ids=["closes", "large array"],
)
def test_target_that_becomes_unusable_ends_the_run(
    examine: Examine, fail: Callable[[socket.socket], None], message: str
) -> None:
    gone = threading.Event()

    def leave(connection: socket.socket, request: bytes) -> None:
        if b"/search " in request:
            gone.set()
        fail(connection) if gone.is_set() else connection.sendall(NOT_FOUND)

    outcome, found = examine(leave, searches_only=False)
    # An internal error would have another verdict and exit code.
    assert {found[name]["verdict"] for name in ("V4-ALPHA", "V4-BETA")} == {"untested"}
    assert all("the target is gone" in found[name]["reason"] for name in ("V4-ALPHA", "V4-BETA"))
    outcome.assert_outcomes(skipped=1)
    outcome.stdout.fnmatch_lines([f"*the target is gone: GET https://*{message}*"])


def test_throttling_is_inconclusive(examine: Examine) -> None:
    busy = response(b"{}", "429 Too Many Requests", "Retry-After: 3600")
    outcome, found = examine(lambda connection, _: connection.sendall(busy))
    assert found["V4-ALPHA"]["verdict"] == "untested"
    assert "throttles" in found["V4-ALPHA"]["reason"]
    assert outcome.ret == 3


def test_throttled_requests_are_counted(examine: Examine) -> None:
    rejection = response(b'{"statusCode": 400, "error": "Bad Request", "message": "no"}', "400 Bad Request")
    # The first search is that of the preflight.
    replies = iter([rejection, response(b"{}", "429 Too Many Requests")])
    outcome, _ = examine(lambda connection, _: connection.sendall(next(replies, rejection)))
    outcome.stdout.fnmatch_lines(["*throttled the target throttled 1 request; the run slowed down and repeated it"])
