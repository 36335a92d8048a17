"""A sandbox that other machines reach: its address, its names, and the authority that survives restarts."""

import datetime
import json
import os
import socket
import ssl
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
import stripe
import trustme
import urllib3
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from airworthy.errors import UsageError
from airworthy.sandbox import SandboxServer
from airworthy.sandbox.http.authority import CERTIFICATE, PRIVATE
from command_line import Command

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - what is tested


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxServer]:
    """A sandbox as a partner runs it in a container."""
    folder = tmp_path_factory.mktemp("container") / "authority"
    with SandboxServer(host=EVERY_ADDRESS, names=["Sandbox", "192.0.2.7"], ca_folder=folder) as server:
        yield server


def port_of(server: SandboxServer) -> int:
    return int(server.base_url.rpartition(":")[2])


def ask(server: SandboxServer, name: str, host: str, trusted: Path | None = None) -> int:
    """Move the clock by the certificate name and Host header of a client, and return the status."""
    with urllib3.HTTPSConnectionPool(
        "127.0.0.1",
        port_of(server),
        ca_certs=str(trusted or server.ca_bundle),
        server_hostname=name,
        assert_hostname=name,
        retries=False,
    ) as pool:
        headers = {"Host": host, "Content-Type": "application/json"}
        return pool.request("POST", "/sandbox/clock", body=b'{"seconds": 0}', headers=headers).status


@pytest.mark.parametrize("name", ["sandbox", "192.0.2.7", "localhost", "127.0.0.1"])
def test_clients_use_every_name(container: SandboxServer, name: str) -> None:
    assert ask(container, name, f"{name}:{port_of(container)}") == 200


@pytest.mark.parametrize("host", ["evil.example", "sandbox.evil.example", "192.0.2.8", "0.0.0.0", ""])  # noqa: S104
def test_other_hosts_stay_rejected(container: SandboxServer, host: str) -> None:
    assert ask(container, "sandbox", host) in (400, 403)


def test_name_of_another_sandbox_is_rejected() -> None:
    with SandboxServer() as server:
        assert ask(server, "localhost", "sandbox") == 403


def test_origin_that_clients_use_is_published(container: SandboxServer) -> None:
    assert container.base_url == f"https://sandbox:{port_of(container)}"
    assert container.profile()["clock"]["advance_url"].startswith(container.base_url)
    with SandboxServer(host=EVERY_ADDRESS, tls=False) as unnamed:
        assert unnamed.base_url == f"http://127.0.0.1:{port_of(unnamed)}"


def test_payment_provider_at_its_own_address_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    with SandboxServer(payment_port=0) as server:
        monkeypatch.setattr(stripe, "ca_bundle_path", str(server.ca_bundle))
        own, usual = server.profile()["payment"]["url"], f"{server.base_url}/payment"
        one, two = (stripe.StripeClient("rk_test_sandbox_first", base_addresses={"api": url}) for url in (own, usual))
        payment: Any = {"amount": 100, "currency": "eur", "payment_method": "pm_card_authenticationRequired"}
        payment |= {"confirm": True, "return_url": "https://shop.example"}
        intent = one.v1.payment_intents.create(payment, {"idempotency_key": "once"})
        assert two.v1.payment_intents.create(payment, {"idempotency_key": "once"}).id == intent.id

        assert own == f"https://127.0.0.1:{urlsplit(own).port}" != server.base_url
        challenge = str(intent.to_dict()["next_action"]["redirect_to_url"]["url"])
        assert challenge.startswith(f"{own}/3d-secure/")
        trusted = str(server.ca_bundle)
        page = requests.get(challenge, verify=trusted, timeout=10)
        assert (page.status_code, "Authenticate" in page.text) == (200, True)
        assert requests.get(f"{own}/v4/search", verify=trusted, timeout=10).status_code == 404
        assert f"host: '127.0.0.1', port: {urlsplit(own).port}, protocol: 'https'" in server.summary()


def test_authority_survives_restarts(container: SandboxServer) -> None:
    assert container.ca_bundle
    folder = container.ca_bundle.parent
    certificate = container.ca_bundle.read_bytes()
    assert container.ca_bundle == folder / CERTIFICATE
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / PRIVATE)] == [0o700, 0o600]
    assert b"PRIVATE KEY" not in certificate
    with SandboxServer(ca_folder=folder, names=["other"]) as restarted:
        assert restarted.ca_bundle
        assert restarted.ca_bundle.read_bytes() == certificate
        assert ask(restarted, "other", "other", trusted=container.ca_bundle) == 200


def expired_authority() -> bytes:
    """Return an authority whose certificate has expired, as another tool may have issued it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Expired")])
    begin = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, begin, begin + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    form, encryption = serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    return key.private_bytes(pem, form, encryption) + certificate.public_bytes(pem)


def damaged_authorities() -> dict[str, bytes]:
    one, other = trustme.CA(), trustme.CA()
    key, certificate = one.private_key_pem.bytes(), one.cert_pem.bytes()
    leaf = one.issue_cert("localhost")
    return {
        "empty": b"",
        "text": b"\xffnothing\n",
        "key only": key,
        "certificate only": certificate,
        "cut off": (key + certificate)[:-50],
        "key of another authority": other.private_key_pem.bytes() + certificate,
        "encrypted key": key.replace(b"-----\n", b"-----\nProc-Type: 4,ENCRYPTED\n", 1) + certificate,
        "certificate of a server": leaf.private_key_pem.bytes() + leaf.cert_chain_pems[0].bytes(),
    }


@pytest.mark.parametrize(("name", "content"), damaged_authorities().items(), ids=damaged_authorities())
def test_damaged_authority_is_a_usage_error(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / PRIVATE).write_bytes(content)

    with pytest.raises(UsageError, match="expected the key and certificate of an authority; delete the file"):
        SandboxServer(ca_folder=tmp_path)
    assert (tmp_path / PRIVATE).read_bytes() == content, name


def test_expired_authority_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / PRIVATE).write_bytes(expired_authority())

    with pytest.raises(UsageError, match=r"ca-private\.pem: the certificate authority has expired; delete the file"):
        SandboxServer(ca_folder=tmp_path)


def test_unreadable_authority_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / PRIVATE).mkdir()
    with pytest.raises(UsageError, match=r"ca-private\.pem: the certificate authority cannot be read: Is a directory"):
        SandboxServer(ca_folder=tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"file/ca-private\.pem: the certificate authority cannot be"):
        SandboxServer(ca_folder=tmp_path / "file")
    with pytest.raises(UsageError, match="the certificate cannot be written"):
        SandboxServer(ca_file=tmp_path)


# On the command line


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[SandboxServer]:
    """The sandboxes that the command creates; they do not run."""
    servers: list[SandboxServer] = []

    def run(server: SandboxServer) -> None:
        servers.append(server)
        server.close()

    monkeypatch.setattr(SandboxServer, "run", run)
    return servers


def test_command_for_a_container(airworthy: Command, tmp_path: Path, started: list[SandboxServer]) -> None:
    options = ("--host", EVERY_ADDRESS, "--port", "0", "--name", "sandbox", "--ca-dir", str(tmp_path / "kept"))

    shown = airworthy("sandbox", *options)
    assert shown.code == 0
    assert f"  CA certificate {tmp_path / 'kept' / 'ca.pem'}\n" in shown.out
    assert f"  dashboard      https://sandbox:{port_of(started[0])}/\n" in shown.out
    assert shown.err == "airworthy: --host 0.0.0.0: everyone who reaches this machine can use the sandbox\n"

    shown = airworthy("sandbox", *options, "--ca-file", tmp_path / "named.pem", "--json")
    assert shown.code == 0
    assert json.loads(shown.out)["ca_bundle"] == str(tmp_path / "named.pem")
    assert (tmp_path / "named.pem").read_bytes() == (tmp_path / "kept" / "ca.pem").read_bytes()


def test_loopback_address_needs_no_warning(airworthy: Command, started: list[SandboxServer]) -> None:
    shown = airworthy("sandbox", "--port", "0")
    assert (shown.code, shown.err) == (0, "")
    assert started


def test_taken_port_is_one_line(airworthy: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        shown = airworthy("sandbox", "--port", port)

    expected = f"port {port} on 127.0.0.1 is in use; choose another port, or 0 for a free one"
    assert (shown.code, shown.err) == (2, f"airworthy: {expected}\n")


def test_key_is_private_under_any_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        SandboxServer(ca_folder=tmp_path / "kept").close()
    finally:
        os.umask(before)

    modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "kept", tmp_path / "kept" / PRIVATE)]
    assert modes == [0o700, 0o600]
    # Both parts belong together, and no password is needed.
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tmp_path / "kept" / PRIVATE)
