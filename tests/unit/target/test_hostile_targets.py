"""Targets that misbehave: a clear verdict or one clear line, results written, no traceback."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from airworthy import register
from airworthy.resources import Resource, resource
from airworthy.suite import aggregate, selection

from .servers import Behaviour, answer, serving

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
scenarios("features")

@when("offers are searched")
def _(client):
    place = {"code": "MAD", "type": "AIRPORT"}
    segment = {"origin": place, "destination": place | {"code": "BCN"}, "departureDate": "2027-01-01"}
    body = {"adults": 1, "children": 0, "infants": 0, "tripType": "ONE_WAY", "customerCode": "ACME",
            "outboundSegment": segment, "inboundSegment": None}
    client.send("POST", "/v4/search", json=body)

@when("an order is read")
def _(client): client.send("GET", "/v4/order/6f9619ff-8b86-4d01-b42d-00cf4fc964ff")
"""
PROFILE = """
base_url = "{base_url}"
ca_bundle = "{ca_bundle}"
timeout_seconds = 0.5
[v4]
key = "canary-key-7f3a"
customer_code = "ACME"
"""
NOT_FOUND = answer(b'{"statusCode": 404, "error": "Not Found", "message": "no such thing"}', "404 Not Found")

Examine = Callable[..., tuple[pytest.RunResult, dict[str, Any]]]


@pytest.fixture
def examine(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Examine]:
    """``examine(behaviour)`` runs a few scenarios against a server whose searches behave so."""
    folder = pytester.mkdir("features")
    (folder / "mini.feature").write_text(FEATURE)
    pytester.makepyfile(test_mini=STEPS)

    def local(name: Resource) -> Path:
        return folder if name == "features" else resource(name)

    for module in (register, aggregate, selection):
        monkeypatch.setattr(module, "resource", local)
    register.rules.cache_clear()

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

    yield run
    register.rules.cache_clear()


def _hang(_: socket.socket, __: bytes) -> None:
    threading.Event().wait(3)


def _close_mid_body(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    connection.close()


def _ten_megabytes(connection: socket.socket, _: bytes) -> None:
    connection.sendall(answer(b"x" * 10 * 1024 * 1024))


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (_hang, "it gave no whole answer in time"),
        (_close_mid_body, "it closed the connection before its answer was whole"),
        (_ten_megabytes, "its answer exceeds 5 MB"),
    ],
)
def test_an_operation_that_gives_no_answer_is_an_error_in_bounded_time(
    examine: Examine, behaviour: Behaviour, said: str
) -> None:
    before = time.monotonic()
    outcome, found = examine(behaviour)
    assert time.monotonic() - before < 10
    assert found["V4-ALPHA"]["verdict"] == "error"
    assert said in found["V4-ALPHA"]["reason"]
    assert found["V4-BETA"]["verdict"] == "passed"
    assert outcome.ret == 4
    outcome.stdout.fnmatch_lines([f"*Why*{said[:20]}*"])
    outcome.stdout.no_fnmatch_line("*Traceback*")
    outcome.stdout.no_fnmatch_line("*canary-key-7f3a*")


@pytest.mark.parametrize(
    "reply",
    [
        answer(b"<html>oops</html>"),
        answer(b'{"offers": ['),
    ],
)
def test_an_answer_that_is_no_json_breaks_the_rule_that_says_so(examine: Examine, reply: bytes) -> None:
    outcome, found = examine(lambda connection, _: connection.sendall(reply))
    assert found["V4-JSON-ANSWERS"]["verdict"] == "failed"
    assert found["V4-ALPHA"]["verdict"] == "passed"
    assert outcome.ret == 1
    outcome.stdout.no_fnmatch_line("*Traceback*")


def test_a_target_that_goes_away_stops_the_run(examine: Examine) -> None:
    gone = threading.Event()

    def leave(connection: socket.socket, request: bytes) -> None:
        if b"/search " in request:
            gone.set()
        connection.close() if gone.is_set() else connection.sendall(NOT_FOUND)

    outcome, found = examine(leave, searches_only=False)
    # Neither is the suite's fault, which would have another exit code.
    assert {found[name]["verdict"] for name in ("V4-ALPHA", "V4-BETA")} == {"untested"}
    assert all("the target is gone" in found[name]["reason"] for name in ("V4-ALPHA", "V4-BETA"))
    outcome.assert_outcomes(skipped=1)
    outcome.stdout.fnmatch_lines(["*the target is gone: GET https://*it closed the connection*"])


def test_throttling_is_inconclusive(examine: Examine) -> None:
    busy = answer(b"{}", "429 Too Many Requests", "Retry-After: 3600")
    outcome, found = examine(lambda connection, _: connection.sendall(busy))
    assert found["V4-ALPHA"]["verdict"] == "untested"
    assert "throttles" in found["V4-ALPHA"]["reason"]
    assert outcome.ret == 3
