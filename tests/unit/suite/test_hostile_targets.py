"""Runs against misbehaving targets end with a verdict or one line, with results and without a traceback."""

import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unit.target.servers import Behaviour, close_in_body, response, serving, time_out

from .material import STEPS, MiniSuite, rule

READ = """
@when("an order is read")
def _(client): client.send("GET", "/v4/order/6f9619ff-8b86-4d01-b42d-00cf4fc964ff")
"""
PROFILE = """
base_url = "{base_url}"
ca_bundle = "{ca_bundle}"
[v4]
key = "canary-key-7f3a"
customer_code = "ACME"
[routes.regular]
origin = "MAD"
destination = "BCN"
"""
NOT_FOUND = response(b'{"statusCode": 404, "error": "Not Found", "message": "no such thing"}', "404 Not Found")
MANY_VALUES = response(b"[" + b"[]," * 200_000 + b"[]]")

Examine = Callable[..., tuple[pytest.RunResult, dict[str, Any]]]


@pytest.fixture
def examine(mini: MiniSuite, tmp_path: Path) -> Examine:
    """``examine(behaviour)`` runs a few scenarios against a server with this behaviour for searches."""
    mini.use(rule("V4-ALPHA", "When offers are searched"), rule("V4-BETA", "When an order is read"))
    mini.pytester.makepyfile(test_mini=STEPS + READ)

    def examine(behaviour: Behaviour, *, searches_only: bool = True) -> tuple[pytest.RunResult, dict[str, Any]]:
        def behave(connection: socket.socket, request: bytes) -> None:
            behaviour(connection, request) if b"/search " in request else connection.sendall(NOT_FOUND)

        with serving(behave if searches_only else behaviour, tmp_path, tls=True) as server:
            text = PROFILE.format(base_url=server.base_url, ca_bundle=server.ca_bundle)
            outcome = mini.run(f"--profile={mini.pytester.makefile('.toml', acme=text)}")
        return outcome, mini.results()["rules"]

    return examine


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


def test_throttled_requests_are_counted(examine: Examine) -> None:
    rejection = response(b'{"statusCode": 400, "error": "Bad Request", "message": "no"}', "400 Bad Request")
    # The first search is that of the preflight.
    replies = iter([rejection, response(b"{}", "429 Too Many Requests")])
    outcome, _ = examine(lambda connection, _: connection.sendall(next(replies, rejection)))
    outcome.stdout.fnmatch_lines(["*throttled the target throttled 1 request; the run slowed down and repeated it"])
