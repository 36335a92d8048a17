"""TLS, requests that reach no operation, and the sandbox's own endpoints."""

import asyncio
import contextlib
import gc
import socket
import tempfile
import threading
from pathlib import Path

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

from .agency import Agency


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


def test_first_page_and_profile(agency: Agency) -> None:
    page, profile, authority = (agency.ask("GET", path) for path in ("/", "/sandbox/profile", "/sandbox/ca.pem"))

    assert agency.key in page.text
    assert profile.json() | {"ca_bundle": str(agency.server.ca_bundle)} == agency.server.profile()
    for version in ("v4", "v3", "v2"):
        document = agency.ask("GET", f"/{version}/openapi.json").json()
        assert document["servers"][0]["url"] == f"{agency.server.base_url}/{version}"
    assert agency.server.ca_bundle is not None
    assert authority.content == agency.server.ca_bundle.read_bytes()


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
