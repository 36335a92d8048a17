"""Running sandboxes and their clients."""

from collections.abc import Iterator
from typing import TypeVar

import pytest
import stripe

from airworthy.sandbox import SandboxServer

from .agency import Agency, agencies
from .flights_client import FlightsClient, flights_clients
from .sandbox_client import SandboxClient

Client = TypeVar("Client", bound=SandboxClient)


def _open(client: Client) -> Iterator[Client]:
    """Yield a client, and close its connections afterwards."""
    with client.session:
        yield client


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with SandboxServer() as running:
        yield running


@pytest.fixture
def sandbox(server: SandboxServer) -> SandboxServer:
    """A running sandbox without faults."""
    agency = agencies(server)[0]
    agency.ask("POST", "/sandbox/faults", json={"names": []})
    agency.session.close()
    return server


@pytest.fixture
def agency(sandbox: SandboxServer) -> Iterator[Agency]:
    """The first organisation, which may pay by balance."""
    yield from _open(agencies(sandbox)[0])


@pytest.fixture
def other_agency(sandbox: SandboxServer) -> Iterator[Agency]:
    """The second organisation, which may not do so."""
    yield from _open(agencies(sandbox)[1])


@pytest.fixture
def client(sandbox: SandboxServer) -> Iterator[FlightsClient]:
    """The first organisation, which may book on deposit."""
    yield from _open(flights_clients(sandbox)[0])


@pytest.fixture
def other_client(sandbox: SandboxServer) -> Iterator[FlightsClient]:
    """The second organisation, which may not do so."""
    yield from _open(flights_clients(sandbox)[1])


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
