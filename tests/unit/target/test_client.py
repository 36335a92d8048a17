import gzip
import socket
import threading
import time
from typing import Any

import pytest

from airworthy.contract.exchange import Exchange, header
from airworthy.target.client import BODY_LIMIT, Client, Inconclusive, Pace, together
from airworthy.target.secret import Secret
from airworthy.target.transport import NoAnswer

from .servers import Behaviour, Serve, answer

KEY = "canary-key-7f3a"


def replies(*answers: bytes) -> Behaviour:
    left = list(answers)
    return lambda connection, _: connection.sendall(left.pop(0) if len(left) > 1 else left[0])


def test_a_call_becomes_an_exchange_that_listeners_hear(serve: Serve) -> None:
    server = serve(replies(answer(b'{"offers": []}')))
    client = Client(server.base_url, key=Secret(KEY), ca_bundle=server.ca_bundle)
    heard: list[Exchange] = []
    client.listeners.append(heard.append)

    exchange = client.send("POST", "/v4/search", json={"adults": 1}, query={"a": "b c"})

    assert heard == [exchange]
    assert exchange.response is not None
    assert (exchange.response.status, exchange.response.body) == (200, b'{"offers": []}')
    assert exchange.request.url == f"{server.base_url}/v4/search?a=b+c"
    assert header(exchange.request.headers, "Authorization") == KEY
    assert header(exchange.request.headers, "Content-Type") == "application/json"
    assert exchange.request.body == b'{"adults": 1}'
    assert 0 < exchange.elapsed < 5


def test_connections_are_kept(serve: Serve) -> None:
    ports: set[int] = set()

    def note(connection: socket.socket, _: bytes) -> None:
        ports.add(connection.getpeername()[1])
        connection.sendall(answer(b"{}"))

    server = serve(note)
    client = Client(server.base_url, ca_bundle=server.ca_bundle)
    for _ in range(5):
        client.send("GET", "/")

    assert len(ports) == 1


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
def test_negatives_can_be_sent(serve: Serve, arguments: dict[str, Any], sent: bytes, not_sent: bytes) -> None:
    server = serve(replies(answer(b"{}")))
    Client(server.base_url, key=Secret(KEY), ca_bundle=server.ca_bundle).send("POST", "/v4/x", **arguments)

    assert sent in server.requests[0]
    assert not_sent not in server.requests[0]


def test_a_redirect_is_an_answer(serve: Serve) -> None:
    server = serve(replies(answer(b"", "302 Found", "Location: https://elsewhere.invalid/")))
    response = Client(server.base_url, ca_bundle=server.ca_bundle).send("GET", "/").response
    assert response is not None
    assert response.status == 302


def test_a_body_is_decoded(serve: Serve) -> None:
    server = serve(replies(answer(gzip.compress(b"[1]"), "200 OK", "Content-Encoding: gzip")))
    response = Client(server.base_url, ca_bundle=server.ca_bundle).send("GET", "/").response
    assert response is not None
    assert response.body == b"[1]"


def test_the_environment_names_no_proxy(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nonexistent")
    server = serve(replies(answer(b"{}")))
    assert Client(server.base_url, ca_bundle=server.ca_bundle).send("GET", "/").response is not None


def _hang(_: socket.socket, __: bytes) -> None:
    threading.Event().wait(5)


def _drip_head(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for __ in range(100):
        connection.sendall(b"X: y\r\n")
        threading.Event().wait(0.05)


def _drip_body(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
    for __ in range(100):
        connection.sendall(b"x")
        threading.Event().wait(0.05)


@pytest.mark.parametrize("behaviour", [_hang, _drip_head, _drip_body])
def test_an_answer_that_does_not_end_is_left_after_the_timeout(serve: Serve, behaviour: Behaviour) -> None:
    server = serve(behaviour)
    client = Client(server.base_url, ca_bundle=server.ca_bundle, timeout=0.3)
    heard: list[Exchange] = []
    client.listeners.append(heard.append)
    before = time.monotonic()

    with pytest.raises(NoAnswer, match=r"^GET https://127.0.0.1:\d+/v4/x: it gave no whole answer in time$") as caught:
        client.send("GET", "/v4/x", query={"secret": KEY})

    assert time.monotonic() - before < 2
    assert caught.value.trouble == "timeout"
    assert KEY not in str(caught.value)
    assert heard[0].response is None or heard[0].response.body is None


def _close(connection: socket.socket, _: bytes) -> None:
    connection.close()


def _close_mid_body(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    connection.close()


@pytest.mark.parametrize(
    ("behaviour", "trouble"),
    [
        (_close, "closed"),
        (_close_mid_body, "closed"),
        (replies(b"SSH-2.0-OpenSSH\r\n\r\n"), "closed"),
        (replies(answer(b"not gzip", "200 OK", "Content-Encoding: gzip")), "undecodable"),
        (replies(answer(b"x" * (BODY_LIMIT + 1))), "too large"),
        (replies(answer(gzip.compress(b"x" * (BODY_LIMIT + 1)), "200 OK", "Content-Encoding: gzip")), "too large"),
    ],
)
def test_an_answer_that_is_none_says_why(serve: Serve, behaviour: Behaviour, trouble: str) -> None:
    server = serve(behaviour)
    with pytest.raises(NoAnswer) as caught:
        Client(server.base_url, ca_bundle=server.ca_bundle, timeout=5).send("GET", "/v4/x")
    assert caught.value.trouble == trouble
    assert "\n" not in str(caught.value)
    assert caught.value.exchange is not None


def test_a_target_that_cannot_be_reached_says_why(serve: Serve) -> None:
    plain = serve(replies(answer(b"{}")), tls=False)
    trusted = serve(replies(answer(b"{}")))
    with socket.create_server(("127.0.0.1", 0)) as free:
        nobody = f"https://127.0.0.1:{free.getsockname()[1]}"
    cases = {
        "down": Client(nobody),
        "dns": Client("https://no-such-host.invalid"),
        "not TLS": Client(plain.base_url.replace("http:", "https:")),
        "untrusted": Client(trusted.base_url),
    }
    for trouble, client in cases.items():
        with pytest.raises(NoAnswer) as caught:
            client.send("GET", "/")
        assert caught.value.trouble == trouble


def test_throttling_is_waited_for(serve: Serve) -> None:
    busy = answer(b"", "429 Too Many Requests", "Retry-After: 3")
    server = serve(replies(busy, busy, answer(b"{}")))
    pauses: list[float] = []
    response = Client(server.base_url, ca_bundle=server.ca_bundle, pause=pauses.append).send("GET", "/").response
    assert response is not None
    assert response.status == 200
    assert pauses == [3, 3]


@pytest.mark.parametrize("retry_after", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT", "20"])
def test_throttling_without_end_is_inconclusive(serve: Serve, retry_after: str) -> None:
    server = serve(replies(answer(b"", "429 Too Many Requests", f"Retry-After: {retry_after}")))
    pauses: list[float] = []
    with pytest.raises(Inconclusive, match="throttles"):
        Client(server.base_url, ca_bundle=server.ca_bundle, pause=pauses.append).send("GET", "/")
    assert sum(pauses) <= 30


def test_an_operation_that_hangs_is_not_tried_forever(serve: Serve) -> None:
    def closes_on_post(connection: socket.socket, request: bytes) -> None:
        connection.sendall(answer(b"{}")) if b"GET" in request else connection.close()

    server = serve(closes_on_post)
    client = Client(server.base_url, ca_bundle=server.ca_bundle)
    for number in range(3):
        with pytest.raises(NoAnswer, match="closed"):
            client.send("POST", f"/v4/order/{number}a/confirm")
    asked = len(server.requests)

    with pytest.raises(NoAnswer, match=r"POST /v4/order/\{id\}/confirm was left unanswered 3 times: not tried again"):
        client.send("POST", "/v4/order/9a/confirm")
    client.send("GET", "/v4/order/9a")

    assert len(server.requests) == asked + 1


def test_the_pace_is_kept_over_threads() -> None:
    pauses: list[float] = []
    pace = Pace(2, pause=pauses.append)
    for _ in range(4):
        pace.wait()
    assert [round(pause, 1) for pause in pauses] == [0.5, 1.0, 1.5]


def test_calls_are_made_together(serve: Serve) -> None:
    meeting = threading.Barrier(4)

    def meet(connection: socket.socket, _: bytes) -> None:
        meeting.wait(timeout=5)
        connection.sendall(answer(b"{}"))

    server = serve(meet)
    client = Client(server.base_url, ca_bundle=server.ca_bundle)
    exchanges = together([lambda: client.send("POST", "/v4/x")] * 4)
    assert len({exchange.id for exchange in exchanges}) == 4


def test_plain_http_sends_no_key(serve: Serve) -> None:
    server = serve(replies(answer(b"{}")), tls=False)
    client = Client(server.base_url.replace("http:", "https:"), key=Secret(KEY))
    exchange = client.over_plain_http("POST", "/v4/search", json={})
    assert exchange.response is not None
    assert exchange.request.url.startswith("http://")
    assert KEY.encode() not in server.requests[0]
    client.over_plain_http("POST", "/v4/search", json={}, key=client.key)
    assert KEY.encode() in server.requests[1]


def test_plain_http_that_is_refused_is_an_exchange_without_answer(serve: Serve) -> None:
    server = serve(replies(answer(b"{}")))
    exchange = Client(server.base_url).over_plain_http("GET", "/v4/search")
    assert exchange.response is None


def test_plain_http_says_nothing_about_a_target_that_is_examined_without_tls() -> None:
    with pytest.raises(Inconclusive, match="TLS ends elsewhere"):
        Client("http://127.0.0.1:9").over_plain_http("GET", "/")


def test_a_call_may_be_forbidden(serve: Serve) -> None:
    def forbid(method: str, path: str) -> None:
        raise PermissionError(f"{method} {path}")

    server = serve(replies(answer(b"{}")))
    with pytest.raises(PermissionError, match="POST /v4/order"):
        Client(server.base_url, ca_bundle=server.ca_bundle, before=forbid).send("POST", "/v4/order")
    assert not server.requests
