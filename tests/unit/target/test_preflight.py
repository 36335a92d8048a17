"""The check before the first scenario."""

import itertools
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.dialects.named import dialects
from airworthy.target.client import Client
from airworthy.target.preflight import check_target, preflight
from airworthy.target.profile import Profile
from airworthy.target.profile_file import profile_from
from airworthy.target.transport import ExchangeError

from .servers import Serve, response

KEY = "canary-key-7f3a"
TOKEN = "canary-token-7f3a"
CREDENTIALS = {
    "v4": {"key": KEY, "customer_code": "ACME"},
    "v3": {"token": TOKEN, "customer_code": "ACME"},
    "v2": {"token": TOKEN, "customer_code": "ACME", "get_key_form": "bare"},
}


def _profile(*versions: str) -> Profile:
    return profile_from({"base_url": "https://x.example"} | {name: CREDENTIALS[name] for name in versions}, "a test")


def _client(serve: Serve, reply: bytes) -> Client:
    server = serve(lambda connection, _: connection.sendall(reply))
    return server.client()


@pytest.mark.parametrize(
    ("reply", "kind", "message"),
    [
        (response(b"<!DOCTYPE html><p>hi"), "HTML", "the target responds with HTML (status 200); correct base_url"),
        (response(b"<HTML>", "404 Not Found"), "HTML", "the target responds with HTML (status 404)"),
        (
            response(b"", "301 Moved", "Location: https://x.example/v4/login?a=b"),
            "down",
            "(status 301) to https://x.example; base_url (or --target) must be the URL that it redirects to",
        ),
        (response(b"{}", "401 Unauthorized"), "key", "rejects the v4 key (status 401); correct [v4] key"),
        (response(b"{}", "403 Forbidden"), "key", "the target rejects the v4 key (status 403)"),
        (response(b"{}", "503 Service Unavailable"), "down", "the target fails every request (status 503)"),
        (response(b"{}", "429 Too Many", "Retry-After: 3600"), "down", "throttles"),
    ],
)
def test_target_that_cannot_be_examined_is_one_line(serve: Serve, reply: bytes, kind: str, message: str) -> None:
    client = _client(serve, reply)
    with pytest.raises(ExchangeError) as caught:
        preflight(client, _profile("v4"))
    assert caught.value.kind == kind
    assert caught.value.exit_code == 3
    line = str(caught.value)
    assert line.startswith(client.base_url)
    assert message in line
    assert "\n" not in line
    assert KEY not in line


OK, NOT_FOUND, HTML = (
    response(b'{"results": [], "next_page_id": null}'),
    response(b'{"message": "no"}', "404 Not Found"),
    b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n%s",
)
UNAUTHORIZED = response(b"{}", "401 Unauthorized")
EXAMINED = {
    "fares": ("v2 v3 v4", b" ", response(b'{"fares": []}'), NOT_FOUND),
    "not found": ("v3 v4", b" ", NOT_FOUND, OK),
    "not JSON": ("v2 v3 v4", b" ", response(b"oops"), OK),
    "no content": ("v2 v3 v4", b" ", response(b"", "204 No Content"), OK),
    "JSON as HTML": ("v2 v3 v4", b" ", HTML % (b"200 OK", b'{"fares": []}'), OK),
    "server error of one operation": ("v4", b"/fares", response(b"{}", "500 Oops"), NOT_FOUND),
    "response to a search alone": ("v4", b"/search", response(b"{}", "400 Bad Request"), NOT_FOUND),
    "HTML error of v2": ("v2", b"/bookings", HTML % (b"404 Not Found", b"<html>No such"), OK),
    "HTML error of v3": ("v3", b"/bookings", HTML % (b"404 Not Found", b"<html>No such"), OK),
    "interface that is not examined": ("v2 v4", b"/v3/", UNAUTHORIZED, NOT_FOUND),
    "another form of the key of v4": ("v4", b"Authorization: Bearer ", OK, UNAUTHORIZED),
    "another form of the key of v3": ("v3", b"Authorization: canary", OK, UNAUTHORIZED),
    "another form of the key of v2": ("v2", b"Authorization: Bearer ", OK, UNAUTHORIZED),
}


@pytest.mark.parametrize(("versions", "part", "reply", "other"), EXAMINED.values(), ids=EXAMINED)
def test_target_that_responds_is_examined(serve: Serve, versions: str, part: bytes, reply: bytes, other: bytes) -> None:
    server = serve(lambda connection, request: connection.sendall(reply if part in request else other))
    check_target(replace(_profile(*versions.split()), base_url=server.base_url, ca_bundle=server.ca_bundle))
    assert {each.split(b"/")[1].decode() for each in server.requests} == set(versions.split())


@pytest.mark.parametrize(("version", "authorization"), [("v3", f"Bearer {TOKEN}"), ("v2", TOKEN)])
def test_preflight_sends_each_interface_its_own_key(serve: Serve, version: str, authorization: str) -> None:
    def refuses_tokens(connection: socket.socket, request: bytes) -> None:
        connection.sendall(response(b"{}", "404 Not Found" if b"/v4/" in request else "401 Unauthorized"))

    server = serve(refuses_tokens)
    with pytest.raises(ExchangeError, match=f"rejects the {version} key") as caught:
        preflight(server.client(), _profile(version, "v4"))
    assert TOKEN not in str(caught.value)
    assert server.requests[0].startswith(f"GET /{version}/bookings?cp_reference=".encode())
    assert f"Authorization: {authorization}\r\n".encode() in server.requests[0]


def _checked(base_url: str, ca_bundle: Path | None, *versions: str) -> str:
    """Return why a target cannot be examined."""
    profile = replace(_profile(*versions or ("v4",)), base_url=base_url, ca_bundle=ca_bundle, timeout_seconds=1.0)
    with pytest.raises(ExchangeError) as caught:
        check_target(profile)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("dialect", dialects())
def test_every_dialect_is_examined_and_names_https_for_plain_http(dialect: str) -> None:
    with SandboxServer(SandboxSettings(dialect)) as sandbox:
        check_target(replace(profile_from(sandbox.profile(), "a test"), ca_bundle=sandbox.ca_bundle))
        problem = _checked(sandbox.base_url.replace("https:", "http:"), sandbox.ca_bundle)
    assert "this port speaks TLS; base_url (or --target) must start with https://" in problem


def test_https_to_a_port_without_tls_names_http(serve: Serve) -> None:
    server = serve(lambda connection, _: connection.sendall(response(b"{}")), tls=False)
    problem = _checked(server.base_url.replace("http:", "https:"), None)
    assert "this port speaks plain HTTP, not TLS; correct the port in base_url" in problem
    assert "allow_plain_http = true" in problem


@pytest.mark.parametrize(
    ("base_url", "other"),
    [("https://x.example/api", "http://x.example:443"), ("http://[::1]", "https://[::1]:80")],
)
def test_other_scheme_is_tried_at_the_same_port(monkeypatch: pytest.MonkeyPatch, base_url: str, other: str) -> None:
    asked: list[str] = []

    def send(client: Client, *_: str, **__: str) -> None:
        asked.append(client.base_url)
        raise ExchangeError("closed", "the target closed the connection")

    monkeypatch.setattr(Client, "send", send)
    with pytest.raises(ExchangeError, match="closed the connection"):
        preflight(Client(base_url), _profile("v4"))
    assert asked == [base_url, other]


def test_certificate_for_another_host_is_named(serve: Serve) -> None:
    server = serve(lambda connection, _: connection.sendall(response(b"{}")))
    problem = _checked(server.base_url.replace("127.0.0.1", "localhost"), server.ca_bundle)
    assert "Hostname mismatch" in problem
    assert "base_url (or --target) must have a host of the certificate" in problem


# As Starlette, FastAPI, NestJS, Spring and ASP.NET do.
@pytest.mark.parametrize("version", ["v4", "v3", "v2"])
@pytest.mark.parametrize(
    "body",
    ["Not Found", '{"detail":"Not Found"}', '{"message":"Cannot GET {path}"}', '{"at":"{now}","path":"{path}"}', ""],
)
def test_wrong_path_is_named(serve: Serve, version: str, body: str) -> None:
    times = itertools.count(1_790_000_000)

    def knows_no_path(connection: socket.socket, request: bytes) -> None:
        text = body.replace("{path}", request.split()[1].decode()).replace("{now}", str(next(times)))
        connection.sendall(response(text.encode(), "404 Not Found"))

    server = serve(knows_no_path)
    problem = _checked(f"{server.base_url}/air", server.ca_bundle, version)
    assert f"the target has no {version} here (status 404); correct the path in base_url" in problem
