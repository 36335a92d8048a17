"""Running sandboxes and their clients."""

from collections.abc import Iterator

import pytest
import stripe

from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.dialects.named import dialects

from .agency import Agency, agencies
from .flights_client import FlightsClient, flights_clients


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


@pytest.fixture
def sandbox(server: SandboxServer) -> SandboxServer:
    """A running sandbox without faults."""
    agency = agencies(server)[0]
    agency.session.post(f"{server.base_url}/sandbox/faults", json={"names": []}, timeout=60)
    agency.session.close()
    return server


@pytest.fixture
def agency(sandbox: SandboxServer) -> Iterator[Agency]:
    """The first organisation, which may pay by balance."""
    first, _ = agencies(sandbox)
    with first.session:
        yield first


@pytest.fixture
def other_agency(sandbox: SandboxServer) -> Iterator[Agency]:
    """The second organisation, which may not do so."""
    _, second = agencies(sandbox)
    with second.session:
        yield second


@pytest.fixture(params=list(dialects()))
def dialect_agency(request: pytest.FixtureRequest) -> Iterator[Agency]:
    """The first organisation at a sandbox of each dialect."""
    with SandboxServer(SandboxSettings(dialect=request.param)) as running:
        first, _ = agencies(running)
        with first.session:
            yield first


@pytest.fixture
def client(sandbox: SandboxServer) -> Iterator[FlightsClient]:
    """The first organisation, which may book on deposit."""
    first, _ = flights_clients(sandbox)
    with first.session:
        yield first


@pytest.fixture
def other_client(sandbox: SandboxServer) -> Iterator[FlightsClient]:
    """The second organisation, which may not do so."""
    _, second = flights_clients(sandbox)
    with second.session:
        yield second


@pytest.fixture
def provider(agency: Agency, monkeypatch: pytest.MonkeyPatch) -> stripe.StripeClient:
    """The payment provider's official client, with the token of the first organisation."""
    return provider_client(agency, "rk_test_sandbox_first", monkeypatch)


@pytest.fixture
def other_provider(other_agency: Agency, monkeypatch: pytest.MonkeyPatch) -> stripe.StripeClient:
    """The same client with the token of the second organisation."""
    return provider_client(other_agency, "rk_test_sandbox_second", monkeypatch)


def provider_client(agency: Agency, token: str, monkeypatch: pytest.MonkeyPatch) -> stripe.StripeClient:
    monkeypatch.setattr(stripe, "ca_bundle_path", str(agency.server.ca_bundle))
    return stripe.StripeClient(
        token,
        base_addresses={"api": agency.server.profile()["payment"]["url"]},
        http_client=stripe.RequestsClient(session=agency.session),
    )
