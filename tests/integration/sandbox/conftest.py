"""Running sandboxes and their clients."""

from collections.abc import Iterator

import pytest
import stripe

from airworthy.sandbox import SandboxServer
from airworthy.sandbox.faults import FaultHooks
from unit.sandbox.local_client import LocalClient

from .agency import Agency, agency_of


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


@pytest.fixture
def sandbox(server: SandboxServer) -> SandboxServer:
    """A running sandbox without faults."""
    server.service.hooks = FaultHooks()
    return server


@pytest.fixture
def agency(sandbox: SandboxServer) -> Iterator[Agency]:
    """The first organisation's client of v4."""
    first = agency_of(sandbox)
    with first.session:
        yield first


@pytest.fixture
def client(sandbox: SandboxServer) -> LocalClient:
    """The same organisation's client of v3 and v2, which needs no network."""
    return LocalClient(sandbox.service)


@pytest.fixture
def provider(agency: Agency, monkeypatch: pytest.MonkeyPatch) -> stripe.StripeClient:
    """The payment provider's official client, with the token of the first organisation."""
    return provider_client(agency, "rk_test_sandbox_first", monkeypatch)


@pytest.fixture
def other_provider(agency: Agency, monkeypatch: pytest.MonkeyPatch) -> stripe.StripeClient:
    """The same client with the token of the second organisation."""
    return provider_client(agency, "rk_test_sandbox_second", monkeypatch)


def provider_client(agency: Agency, token: str, monkeypatch: pytest.MonkeyPatch) -> stripe.StripeClient:
    monkeypatch.setattr(stripe, "ca_bundle_path", str(agency.server.ca_bundle))
    return stripe.StripeClient(
        token,
        base_addresses={"api": agency.server.profile()["payment"]["url"]},
        http_client=stripe.RequestsClient(session=agency.session),
    )
