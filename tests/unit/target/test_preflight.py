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
    "reply",
    [
        response(b'{"fares": []}'),
        response(b'{"statusCode": 404}', "404 Not Found"),
        response(b"oops"),
        response(b"", "204 No Content"),
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n" + b'{"fares": []}',
    ],
)
def test_target_that_responds_is_examined(serve: Serve, reply: bytes) -> None:
    preflight(_client(serve, reply), _profile("v2", "v3", "v4"))


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


def test_preflight_accepts_a_server_error_of_one_operation(serve: Serve) -> None:
    def fails_on_fares(connection: socket.socket, request: bytes) -> None:
        connection.sendall(response(b"{}", "500 Oops" if b"/fares" in request else "404 Not Found"))

    server = serve(fails_on_fares)
    preflight(server.client(), _profile("v4"))


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_preflight_accepts_an_html_error_of_v3_or_v2(serve: Serve, version: str) -> None:
    def shows_errors_to_people(connection: socket.socket, request: bytes) -> None:
        unknown = response(b"<html>No such reference", "404 Not Found")
        connection.sendall(unknown if b"/bookings" in request else response(b'{"results": [], "next_page_id": null}'))

    server = serve(shows_errors_to_people)
    preflight(server.client(), _profile(version))


@pytest.mark.parametrize(("version", "form"), [("v4", b": Bearer "), ("v3", b": canary"), ("v2", b": Bearer ")])
def test_preflight_accepts_a_key_that_is_rejected_only_in_its_form(serve: Serve, version: str, form: bytes) -> None:
    def wants_another_form(connection: socket.socket, request: bytes) -> None:
        connection.sendall(response(b"{}", "200 OK" if b"Authorization" + form in request else "401 Unauthorized"))

    server = serve(wants_another_form)
    preflight(server.client(), _profile(version))
    assert len(server.requests) == 2


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


def test_preflight_skips_interfaces_that_are_not_examined(serve: Serve) -> None:
    def refuses_v3(connection: socket.socket, request: bytes) -> None:
        connection.sendall(response(b"{}", "401 Unauthorized" if b"/v3/" in request else "404 Not Found"))

    server = serve(refuses_v3)
    preflight(server.client(), _profile("v2", "v4"))
    assert len(server.requests) == 2


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


def test_service_that_rejects_everything_is_examined(serve: Serve) -> None:
    server = serve(lambda connection, _: connection.sendall(response(b'{"message": "no"}', "404 Not Found")))
    check_target(replace(_profile("v4", "v3"), base_url=server.base_url, ca_bundle=server.ca_bundle))


def test_service_that_responds_to_a_search_alone_is_examined(serve: Serve) -> None:
    def searches(connection: socket.socket, request: bytes) -> None:
        connection.sendall(response(b"{}", "400 Bad Request" if b"/search" in request else "404 Not Found"))

    server = serve(searches)
    check_target(replace(_profile("v4"), base_url=server.base_url, ca_bundle=server.ca_bundle))
