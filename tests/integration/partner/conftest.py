"""Demo partners whose traffic with a sandbox is recorded."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

import pytest
import requests

from airworthy.contract import Contract, Exchange, Request, Response, ServiceAddress
from airworthy.contract.http.operations import SERVED
from airworthy.evidence.recorder import Recorder
from airworthy.partner.certification import certify_partner
from airworthy.report.results import Results
from airworthy.sandbox import SandboxServer
from airworthy.target.profile import Profile, secret_placeholders
from airworthy.target.profile_file import profile_from
from partner.__main__ import cards_of, connect
from partner.go_live import make_test_bookings


class RecordPartner(Protocol):
    """Returns the evidence of a demo partner with some defects."""

    def __call__(self, version: str, *defects: str) -> Path: ...


class Certify(Protocol):
    """Returns the results of recordings."""

    def __call__(self, *recordings: Path, **settings: Any) -> Results: ...  # noqa: ANN401  as certify_partner


@pytest.fixture(scope="package")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


@pytest.fixture(scope="package")
def profile(sandbox: SandboxServer) -> Profile:
    return profile_from(sandbox.profile(), "sandbox", {})


@pytest.fixture(scope="package")
def partner(sandbox: SandboxServer, profile: Profile, tmp_path_factory: pytest.TempPathFactory) -> RecordPartner:
    """Each partner makes its bookings once for all tests."""
    folder, made = tmp_path_factory.mktemp("partners"), set[Path]()

    def record(version: str, *defects: str) -> Path:
        path = folder / f"{'-'.join((version, *defects))}.jsonl"
        if path not in made:
            record_partner(sandbox, profile, path, version, *defects)
            made.add(path)
        return path

    return record


def record_partner(sandbox: SandboxServer, profile: Profile, path: Path, version: str, *defects: str) -> None:
    """Record the test bookings of a demo partner in a sandbox."""

    def advance(seconds: float) -> None:
        sandbox.service.clock.advance(seconds)

    client = connect(sandbox.profile(), version, lambda: advance(3600), defects=defects)
    contract = Contract.load(SERVED, ServiceAddress((profile.base_url,), (str(profile.payment.url),)))
    sessions = (client.service.session, client.payments.session)
    with Recorder(path, contract, secrets=secret_placeholders(profile)) as recorder:
        for session in sessions:
            session.send = _recording(session.send, recorder)  # type: ignore[method-assign]
        today = datetime.now(UTC).date()
        make_test_bookings(client, cards_of(sandbox.profile()), today, advance, lambda _: None)
    for session in sessions:
        session.close()


def _recording(send: Callable[..., requests.Response], recorder: Recorder) -> Callable[..., requests.Response]:
    def recorded(prepared: requests.PreparedRequest, **options: Any) -> requests.Response:  # noqa: ANN401  as in requests
        started, began = datetime.now(UTC), time.monotonic()
        response = send(prepared, **options)
        body = prepared.body or b""
        body = body if isinstance(body, bytes) else str(body).encode()
        request = Request(str(prepared.method), str(prepared.url), tuple(prepared.headers.items()), body)
        received = Response(response.status_code, tuple(response.headers.items()), response.content)
        recorder.append(Exchange(uuid4().hex, started, time.monotonic() - began, request, received))
        return response

    return recorded


@pytest.fixture
def certify(profile: Profile, tmp_path: Path) -> Certify:
    def certified(*recordings: Path, **settings: Any) -> Results:  # noqa: ANN401  as certify_partner
        return certify_partner(recordings, tmp_path / "reports", **{"profile": profile, **settings})[0]

    return certified
