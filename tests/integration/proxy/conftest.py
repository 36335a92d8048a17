"""Fixtures of the tests of the proxy."""

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from .mitm import Service


@pytest.fixture(scope="session", autouse=True)
def _confdir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have mitmproxy create its certificate authority once, outside the home directory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AIRWORTHY_TEST_CONFDIR", str(tmp_path_factory.mktemp("mitmproxy")))
        yield


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of the authority that signed the certificate of the service."""
    made = trustme.CA()
    folder = tmp_path_factory.mktemp("authority")
    made.cert_pem.write_to_path(str(folder / "ca.pem"))
    made.issue_cert("127.0.0.1", "localhost").private_key_and_cert_chain_pem.write_to_path(str(folder / "service.pem"))
    return folder / "ca.pem"


@pytest.fixture(scope="session")
def trust(authority: Path) -> str:
    """Return the option by which mitmproxy trusts the service."""
    return f"--set=ssl_verify_upstream_trusted_ca={authority}"


@pytest.fixture(scope="module")
def service(authority: Path) -> Iterator[Service]:
    yield from running(authority, "http/1.1")


@pytest.fixture(scope="module")
def http2_service(authority: Path) -> Iterator[Service]:
    yield from running(authority, "h2")


def running(authority: Path, protocol: str) -> Iterator[Service]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.with_name("service.pem"))
    context.set_alpn_protocols([protocol])
    made = Service(context)
    yield made
    made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proxy")
