"""The HTTP client of the suite."""

import contextlib
import gzip
import signal
import socket
import ssl
import threading
from typing import Any

import pytest

from airworthy.contract.http.exchange import Exchange, header
from airworthy.target.client import BODY_LIMIT, Client, InconclusiveError, run_concurrently
from airworthy.target.secret import Secret
from airworthy.target.transport import ExchangeError, explain

from .hostile import HOSTILE, HostileResponse
from .servers import Behaviour, Serve, close_in_body, hang, replies, response, time_out

KEY = "canary-key-7f3a"


def test_listeners_receive_the_exchange_of_a_request_with_its_decoded_body(serve: Serve) -> None:
    server = serve(replies(response(gzip.compress(b'{"offers": []}'), "200 OK", "Content-Encoding: gzip")))
    received: list[Exchange] = []
    client = server.client(key=Secret(KEY), listeners=[received.append])

    exchange = client.send("POST", "/v4/search", json={"adults": 1}, query={"a": "b c"})

    assert received == [exchange]
    assert exchange.response is not None
    assert (exchange.response.status, exchange.response.body) == (200, b'{"offers": []}')
    assert exchange.request.url == f"{server.base_url}/v4/search?a=b+c"
    assert header(exchange.request.headers, "Authorization") == KEY
    assert header(exchange.request.headers, "Content-Type") == "application/json"
    assert exchange.request.body == b'{"adults": 1}'
    assert exchange.elapsed > 0


@pytest.mark.parametrize(
    ("arguments", "sent", "not_sent"),
    [
        ({"key": None}, b"Accept: application/json", b"Authorization"),
        ({"key": "wrong"}, b"Authorization: wrong", KEY.encode()),
        ({"headers": {"accept": None}}, b"Authorization", b"Accept: "),
        ({"headers": {"Content-Type": "text/plain"}, "body": b"{oops"}, b"{oops", b"application/json\r\nContent"),
        ({"form": {"card[number]": "1"}}, b"card%5Bnumber%5D=1", b"{"),
    ],
)
def test_invalid_request_is_sent_as_given(
    serve: Serve, arguments: dict[str, Any], sent: bytes, not_sent: bytes
) -> None:
    server = serve(replies(response(b"{}")))
    server.client(key=Secret(KEY)).send("POST", "/v4/x", **arguments)

    assert sent in server.requests[0]
    assert not_sent not in server.requests[0]


def test_proxy_of_the_environment_is_not_used(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nonexistent")
    assert serve(replies(response(b"{}"))).client().send("GET", "/").response is not None


def endless_interim_responses(connection: socket.socket, _: bytes) -> None:
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


def endless_empty_body(connection: socket.socket, _: bytes) -> None:
    """Send gzip members that decode to nothing, so that the limit of the body's size is never reached."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
    while True:
        connection.sendall(gzip.compress(b"") * 100)


# Every single read of the last two succeeds: only the deadline of the exchange ends them.
@pytest.mark.parametrize("behaviour", [hang, endless_interim_responses, endless_empty_body])
def test_endless_response_ends_at_the_timeout(serve: Serve, behaviour: Behaviour) -> None:
    received: list[Exchange] = []
    client = serve(behaviour).client(timeout=0.3, listeners=[received.append])

    message = r"the target did not send a complete response in time \(timeout_seconds = 0.3\)"
    with pytest.raises(ExchangeError, match=rf"^GET https://127.0.0.1:\d+/v4/x: {message}$") as caught:
        client.send("GET", "/v4/x", query={"secret": KEY})

    assert caught.value.kind == "timeout"
    assert KEY not in str(caught.value)
    assert received[0].response is None or received[0].response.body is None


def test_connection_that_timed_out_is_not_used_again(serve: Serve) -> None:
    def respond_on_retry(connection: socket.socket, request: bytes) -> None:
        connection.sendall(response(b"{}")) if b"/second" in request else time_out(connection, request)

    client = serve(respond_on_retry).client()
    with pytest.raises(ExchangeError, match="in time"):
        client.send("GET", "/first")

    assert client.send("GET", "/second").response is not None


@pytest.mark.usefixtures("ctrl_c")
def test_interrupted_request_is_told(serve: Serve) -> None:
    def interrupt(connection: socket.socket, request: bytes) -> None:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        hang(connection, request)

    received: list[Exchange] = []
    client = serve(interrupt).client(listeners=[received.append])
    with pytest.raises(KeyboardInterrupt):
        client.send("POST", "/v4/order", json={})

    assert [(each.request.method, each.response) for each in received] == [("POST", None)]


def close(connection: socket.socket, _: bytes) -> None:
    connection.close()


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (close, "closed"),
        (close_in_body, "closed"),
        (replies(b"SSH-2.0-OpenSSH\r\n\r\n"), "closed"),
        (replies(response(b"not gzip", "200 OK", "Content-Encoding: gzip")), "undecodable"),
        (replies(response(b"x" * (BODY_LIMIT + 1))), "too large"),
        (replies(response(gzip.compress(b"x" * (BODY_LIMIT + 1)), "200 OK", "Content-Encoding: gzip")), "too large"),
        # Followed, it would be a loop.
        (replies(response(b"x" * (BODY_LIMIT + 1), "302 Found", "Location: /v4/x")), "too large"),
    ],
    ids=["closes", "closes in the body", "not HTTP", "not gzip", "too large", "too large once decoded", "redirect"],
)
def test_incomplete_response_is_explained(serve: Serve, behaviour: Behaviour, kind: str) -> None:
    with pytest.raises(ExchangeError) as caught:
        serve(behaviour).client().send("GET", "/v4/x")
    assert caught.value.kind == kind
    assert "\n" not in str(caught.value)
    assert caught.value.exchange is not None


def test_unreachable_target_is_explained(serve: Serve) -> None:
    plain = serve(replies(response(b"{}")), tls=False)
    trusted = serve(replies(response(b"{}")))
    with socket.create_server(("127.0.0.1", 0)) as free:
        nobody = f"https://127.0.0.1:{free.getsockname()[1]}"
    cases = {
        "down": Client(nobody),
        "dns": Client("https://no-such-host.invalid"),
        "not TLS": Client(plain.base_url.replace("http:", "https:")),
        "untrusted": Client(trusted.base_url),
    }
    for kind, client in cases.items():
        with pytest.raises(ExchangeError) as caught:
            client.send("GET", "/")
        assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("code", "problem"),
    [(9, "not valid yet"), (10, "has expired"), (64, "is for another host"), (19, "is not trusted")],
)
def test_certificate_that_is_rejected_is_explained(code: int, problem: str) -> None:
    error = ssl.SSLCertVerificationError()
    error.verify_code, error.verify_message = code, "as OpenSSL says"
    kind, explanation = explain(error, "x.example", "base_url", 30)
    assert (kind, problem in explanation) == ("untrusted", True)


@pytest.mark.parametrize(
    ("method", "path", "is_repeated"), [("GET", "/v4/order/1", True), ("POST", "/v4/order", False)]
)
def test_request_on_a_connection_that_was_closed_is_repeated(
    serve: Serve, method: str, path: str, is_repeated: bool
) -> None:
    used = set[socket.socket]()

    def serve_once(connection: socket.socket, _: bytes) -> None:
        connection.close() if connection in used else connection.sendall(response(b"{}"))
        used.add(connection)

    client = serve(serve_once).client()
    client.send("GET", "/v4/order/1")
    with contextlib.nullcontext() if is_repeated else pytest.raises(ExchangeError, match="closed the connection"):
        assert client.send(method, path).response
    # By now the client knows.
    for _ in range(2):
        assert client.send("POST", "/v4/order").response


def test_operation_that_failed_three_times_is_not_sent_again(serve: Serve) -> None:
    def closes_on_post(connection: socket.socket, request: bytes) -> None:
        connection.sendall(response(b"{}")) if b"GET" in request else connection.close()

    server = serve(closes_on_post)
    client = server.client()
    for number in range(3):
        with pytest.raises(ExchangeError, match="closed"):
            client.send("POST", f"/v4/order/{number}a/confirm")
    sent = len(server.requests)

    with pytest.raises(ExchangeError, match=r"POST /v4/order/\{id\}/confirm: not sent, because it failed 3 times"):
        client.send("POST", "/v4/order/9a/confirm")
    client.send("GET", "/v4/order/9a")

    assert len(server.requests) == sent + 1


def test_requests_are_sent_concurrently(serve: Serve) -> None:
    meeting = threading.Barrier(4)

    def meet(connection: socket.socket, _: bytes) -> None:
        meeting.wait(timeout=60)
        connection.sendall(response(b"{}"))

    client = serve(meet).client()
    exchanges = client.send_at_once([lambda: client.send("POST", "/v4/x")] * 4)
    assert len({exchange.id for exchange in exchanges}) == 4


def test_request_arrives_while_the_one_before_is_processed() -> None:
    is_started = threading.Event()

    def first() -> bool:
        is_started.set()
        return True

    assert run_concurrently([first, is_started.is_set], apart=0.2) == [True, True]


def test_listeners_receive_the_success_of_simultaneous_requests_first(serve: Serve) -> None:
    succeeded = threading.Event()

    def refuse_first(connection: socket.socket, request: bytes) -> None:
        if b"/book" in request:
            succeeded.wait(timeout=60)
        connection.sendall(response(b"{}" if b"/book" in request else rb'{"succes\u0073": false}'))

    received: list[str] = []
    client = serve(refuse_first).client(
        listeners=[lambda exchange: received.append(exchange.request.url.rpartition("/")[2])]
    )

    def cancel() -> None:
        client.send("POST", "/v3/cancel")
        succeeded.set()

    client.send_at_once([cancel, lambda: client.send("POST", "/v3/book")])
    assert received == ["book", "cancel"]


def test_plain_http_sends_no_key(serve: Serve) -> None:
    server = serve(replies(response(b"{}")), tls=False)
    client = Client(server.base_url.replace("http:", "https:"), key=Secret(KEY))
    exchange = client.over_plain_http("POST", "/v4/search", json={})
    assert exchange.response is not None
    assert exchange.request.url.startswith("http://")
    assert KEY.encode() not in server.requests[0]
    client.over_plain_http("POST", "/v4/search", json={}, key=client.key)
    assert KEY.encode() in server.requests[1]

    assert Client(serve(replies(response(b"{}"))).base_url).over_plain_http("GET", "/").response is None
    assert Client("https://[::1]:1/api").over_plain_http("GET", "/").request.url == "http://[::1]:1/api/"
    with pytest.raises(InconclusiveError, match="tested without TLS"):
        Client(server.base_url).over_plain_http("GET", "/")


def test_request_can_be_prevented(serve: Serve) -> None:
    def forbid(method: str, path: str) -> None:
        raise PermissionError(f"{method} {path}")

    server = serve(replies(response(b"{}")))
    with pytest.raises(PermissionError, match="POST /v4/order"):
        server.client(before=forbid).send("POST", "/v4/order")
    assert not server.requests


@pytest.mark.parametrize("hostile_response", HOSTILE.values(), ids=HOSTILE)
def test_hostile_response_is_a_response_or_an_exchange_error(serve: Serve, hostile_response: HostileResponse) -> None:
    def behave(connection: socket.socket, _: bytes) -> None:
        spoiled = hostile_response(200, b'{"offers": [], "total": {"amounts": [1]}}')
        connection.sendall(spoiled) if isinstance(spoiled, bytes) else spoiled(connection)

    received: list[Exchange] = []
    client = Client(serve(behave, tls=False).base_url, listeners=[received.append])
    failures: list[str] = []
    with contextlib.closing(client):
        try:
            client.send("GET", "/v4/x")
        except ExchangeError as error:
            failures.append(error.kind)
    assert set(failures) <= {"closed", "undecodable", "too large"}
    assert len(received) == 1


def test_connection_is_reused_and_informational_responses_are_skipped(serve: Serve) -> None:
    ports: set[int] = set()

    def respond(connection: socket.socket, request: bytes) -> None:
        ports.add(connection.getpeername()[1])
        hints = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"
        connection.sendall(hints * 3 + response(request.split()[1]))

    client = serve(respond).client()
    bodies = [received.body for path in ("/1", "/2", "/3") if (received := client.send("GET", path).response)]
    assert bodies == [b"/1", b"/2", b"/3"]
    assert len(ports) == 1
