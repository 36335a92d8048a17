import socket

import pytest

from airworthy.target.client import Client
from airworthy.target.preflight import preflight
from airworthy.target.secret import Secret
from airworthy.target.transport import NoAnswer

from .servers import Serve, answer

KEY = "canary-key-7f3a"


def _client(serve: Serve, reply: bytes) -> Client:
    server = serve(lambda connection, _: connection.sendall(reply))
    return Client(server.base_url, key=Secret(KEY), ca_bundle=server.ca_bundle, timeout=2)


@pytest.mark.parametrize(
    "reply",
    [
        answer(b'{"fares": []}'),
        answer(b'{"statusCode": 404}', "404 Not Found"),
        answer(b"oops"),
        answer(b"", "204 No Content"),
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n" + b'{"fares": []}',
    ],
)
def test_a_service_that_answers_is_fit_to_be_examined(serve: Serve, reply: bytes) -> None:
    preflight(_client(serve, reply))


@pytest.mark.parametrize(
    ("reply", "trouble", "said"),
    [
        (answer(b"<!DOCTYPE html><p>hi"), "HTML", "answers HTML (status 200)"),
        (answer(b"<HTML>", "404 Not Found"), "HTML", "answers HTML (status 404)"),
        (answer(b"", "301 Moved", "Location: https://x.example"), "down", "redirects (status 301)"),
        (answer(b"{}", "401 Unauthorized"), "key", "refuses the key (status 401)"),
        (answer(b"{}", "403 Forbidden"), "key", "refuses the key (status 403)"),
        (answer(b"{}", "503 Service Unavailable"), "down", "fails on every call (status 503)"),
        (answer(b"{}", "429 Too Many", "Retry-After: 3600"), "down", "throttles"),
    ],
)
def test_a_target_that_is_not_fit_gives_one_line(serve: Serve, reply: bytes, trouble: str, said: str) -> None:
    client = _client(serve, reply)
    with pytest.raises(NoAnswer) as caught:
        preflight(client)
    assert caught.value.trouble == trouble
    assert caught.value.exit_code == 3
    line = str(caught.value)
    assert line.startswith(client.base_url)
    assert said in line
    assert "\n" not in line
    assert KEY not in line


def test_a_fault_of_one_operation_is_left_to_the_scenarios(serve: Serve) -> None:
    def fails_on_fares(connection: socket.socket, request: bytes) -> None:
        connection.sendall(answer(b"{}", "500 Oops" if b"/fares" in request else "404 Not Found"))

    server = serve(fails_on_fares)
    preflight(Client(server.base_url, ca_bundle=server.ca_bundle))


def test_a_key_that_is_refused_only_bare_is_left_to_the_scenarios(serve: Serve) -> None:
    def wants_bearer(connection: socket.socket, request: bytes) -> None:
        connection.sendall(answer(b"{}", "200 OK" if b"Bearer " in request else "401 Unauthorized"))

    server = serve(wants_bearer)
    preflight(Client(server.base_url, key=Secret(KEY), ca_bundle=server.ca_bundle))
