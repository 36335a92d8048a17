"""TLS, requests that reach no operation, and the sandbox's own endpoints."""

import asyncio
import contextlib
import gc
import socket
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
import requests
import uvicorn
from starlette.types import Receive, Scope, Send

from airworthy.errors import UsageError
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.app import create_app
from airworthy.sandbox.http.listening import listening_socket
from airworthy.sandbox.service.plain_http_guard import PlainHttpGuard
from airworthy.sandbox.service.request_bodies import MAX_BODY

from .agency import Agency, agencies


@pytest.mark.parametrize(
    ("dialect", "expected"),
    [("documented", None), ("strict", None), ("terse", None), ("lenient", 308), ("talkative", 400)],
)
def test_plain_http_is_never_served(dialect: str, expected: int | None) -> None:
    with SandboxServer(SandboxSettings(dialect=dialect)) as server, requests.Session() as session:
        session.trust_env = False
        url = server.base_url.replace("https", "http")
        if expected is None:
            with pytest.raises(requests.RequestException):
                session.get(url, timeout=60)
        else:
            assert session.get(url, timeout=60, allow_redirects=False).status_code == expected


def test_plain_http_is_served_with_the_fault() -> None:
    with SandboxServer(SandboxSettings(faults=("plain-http-served",))) as server, requests.Session() as session:
        session.trust_env = False
        assert session.get(server.base_url.replace("https", "http"), timeout=60).status_code == 200


def test_sandbox_without_tls_serves_plain_http() -> None:
    with SandboxServer(tls=False) as server, requests.Session() as session:
        session.trust_env = False
        assert server.base_url.startswith("http://")
        assert server.profile()["allow_plain_http"] is True
        assert session.get(server.base_url, timeout=60).status_code == 200


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'{"adults": NaN}', 400),
        (b"[" * 10_000, 400),
        (b"\xff\xfe", 400),
        (b" " * (MAX_BODY + 1), 413),
    ],
)
@pytest.mark.parametrize("path", ["/search", "/offer"])
def test_body_that_is_not_json_or_too_large_is_rejected(agency: Agency, path: str, raw: bytes, expected: int) -> None:
    response = agency.ask("POST", f"/v4{path}", data=raw, headers={"Authorization": agency.key})

    assert (response.status_code, response.json()["statusCode"]) == (expected, expected)


@pytest.mark.parametrize(
    ("method", "path", "expected"),
    [
        ("GET", "/v4/search", 405),
        ("DELETE", "/v4/order", 405),
        ("GET", "/v4/nothing", 404),
        ("POST", "/v1/search", 404),
        ("POST", "/v1.1/search", 404),
    ],
)
def test_undocumented_path_or_method_is_rejected(agency: Agency, method: str, path: str, expected: int) -> None:
    response = agency.ask(method, path)

    assert (response.status_code, response.json()["statusCode"]) == (expected, expected)


@pytest.mark.parametrize(
    ("header", "expected"),
    [(None, 401), ("wrong", 401), ("Bearer {key}", 401), ("bearer wrong", 401), ("{key}", 404), ("{key} ", 404)],
)
def test_keys_are_checked(agency: Agency, header: str | None, expected: int) -> None:
    headers = {} if header is None else {"Authorization": header.format(key=agency.key)}
    path = "/v4/order/00000000-0000-4000-8000-000000000000"

    assert agency.ask("GET", path, headers=headers).status_code == expected


def test_first_page_and_profile(agency: Agency) -> None:
    page, profile, openapi, authority = (
        agency.ask("GET", path) for path in ("/", "/sandbox/profile", "/v4/openapi.json", "/sandbox/ca.pem")
    )

    assert agency.key in page.text
    assert profile.json() | {"ca_bundle": str(agency.server.ca_bundle)} == agency.server.profile()
    assert openapi.json()["servers"][0]["url"] == f"{agency.server.base_url}/v4"
    assert agency.server.ca_bundle is not None
    assert authority.content == agency.server.ca_bundle.read_bytes()


@pytest.mark.parametrize("path", ["/sandbox/clock", "/sandbox/faults"])
@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"seconds": "x", "names": 1}', b'{"seconds": -1, "names": ["gremlins"]}']
)
def test_invalid_control_request_is_rejected(agency: Agency, path: str, body: bytes) -> None:
    response = agency.ask("POST", path, data=body)

    assert response.status_code == 400
    assert response.json()["message"]


def test_clock_is_shown_and_moved(agency: Agency) -> None:
    before: dict[str, Any] = agency.ask("GET", "/sandbox/clock").json()
    after = agency.ask("POST", "/sandbox/clock", json={"seconds": 60}).json()

    assert after["moved"] == before["moved"] + 60
    assert after["now"] > before["now"]


def test_shortened_lifetime_runs_on_the_real_clock() -> None:
    with SandboxServer(SandboxSettings(lifetimes={"offer": 1e-6})) as server:
        first, _ = agencies(server)
        with first.session:
            offer = first.offer().json()
            assert first.order(offer).status_code == 404


def test_invalid_settings_leave_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    with pytest.raises(UsageError):
        SandboxServer(SandboxSettings(dialect="nonsense"))

    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_files_of_a_sandbox_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    with SandboxServer() as sandbox:
        sandbox.outbox.mkdir()
        (sandbox.outbox / "CPAAAAAA.eml").write_text("To: somebody")

    assert list(tmp_path.iterdir()) == []


def test_request_in_progress_ends_in_silence_with_the_server(caplog: pytest.LogCaptureFixture) -> None:
    begun, aborted = threading.Event(), threading.Event()

    async def application(_scope: Scope, _receive: Receive, _send: Send) -> None:
        begun.set()
        await asyncio.to_thread(aborted.wait, 10)

    config = uvicorn.Config(application, log_config=None, access_log=False, http="h11", ws="none", lifespan="off")
    listener = listening_socket("127.0.0.1", 0)
    server = PlainHttpGuard(config, lambda: create_app().state.service, None)
    thread = threading.Thread(target=server.run, args=([listener],))
    with socket.create_connection(listener.getsockname()) as client:
        client.settimeout(10)
        thread.start()
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert begun.wait(10)
        server.should_exit = True
        with contextlib.suppress(ConnectionResetError):
            client.recv(1)
    aborted.set()
    thread.join(10)
    assert caplog.text == ""
