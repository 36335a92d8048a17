"""The content export by real FTP: served to whoever logs in, and dropped on a partner's server."""

import ftplib
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
import trustme

from airworthy.errors import UsageError
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.export.delivery import ExportDeliveryError, ExportDestination
from airworthy.sandbox.export.files import ExportExtent

from .ftp_site import PASSWORD, USER, ftp_site

SETTINGS = SandboxSettings(extent=ExportExtent(days=1))
FILES = 12


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with SandboxServer(SETTINGS, ftp_port=0) as running:
        yield running


def logged_in(server: SandboxServer, client: ftplib.FTP) -> ftplib.FTP:
    export = server.profile()["export"]
    host, port = export["location"].removeprefix("ftp://").rstrip("/").split(":")
    client.connect(host, int(port), timeout=10)
    client.login(export["user"], export["password"])
    return client


def content(client: ftplib.FTP, name: str) -> bytes:
    chunks: list[bytes] = []
    client.retrbinary(f"RETR {name}", chunks.append)
    return b"".join(chunks)


# Served


def test_the_export_is_read_by_ftp(server: SandboxServer) -> None:
    with logged_in(server, ftplib.FTP()) as client:
        names = client.nlst()
        routes = content(client, "cp_routes_all_v3.csv")

    assert len(names) == FILES
    assert routes.startswith(b"departureAirport;arrivalAirport;departureDate\nMAD;BCN;")


def test_the_export_is_read_by_ftps_with_the_sandboxs_certificate(server: SandboxServer) -> None:
    secure = ftplib.FTP_TLS(context=ssl.create_default_context(cafile=server.ca_bundle))
    with logged_in(server, secure) as client:
        secure.prot_p()
        assert content(client, "cp_flights_all_v3.csv").count(b"\n") > 100


def test_two_read_at_once(server: SandboxServer) -> None:
    with logged_in(server, ftplib.FTP()) as one, logged_in(server, ftplib.FTP()) as other:
        assert content(one, "cp_routes_all_v2.csv") == content(other, "cp_routes_all_v2.csv")


@pytest.mark.parametrize("change", ["DELE cp_routes_all_v3.csv", "MKD x", "STOR x", "RNFR cp_routes_all_v3.csv"])
def test_nothing_in_the_folder_can_be_changed(server: SandboxServer, change: str) -> None:
    with logged_in(server, ftplib.FTP()) as client, pytest.raises(ftplib.error_perm, match="550"):
        client.voidcmd(change)


@pytest.mark.parametrize("path", ["../../../etc/passwd", "/etc/passwd"])
def test_nothing_outside_of_the_folder_can_be_read(server: SandboxServer, path: str) -> None:
    with logged_in(server, ftplib.FTP()) as client, pytest.raises(ftplib.error_perm, match="550"):
        content(client, path)


@pytest.mark.parametrize(("user", "password"), [("export", "wrong"), ("anonymous", "me@example.com")])
def test_nobody_else_is_let_in(server: SandboxServer, user: str, password: str) -> None:
    host, port = server.profile()["export"]["location"].removeprefix("ftp://").rstrip("/").split(":")
    with ftplib.FTP() as client:
        client.connect(host, int(port), timeout=10)
        with pytest.raises(ftplib.error_perm, match="530"):
            client.login(user, password)


def test_a_fault_that_is_switched_on_shows_at_the_next_login(server: SandboxServer) -> None:
    faults = f"{server.base_url}/sandbox/faults"
    requests.post(faults, json={"names": ["export-iso-dates"]}, verify=str(server.ca_bundle), timeout=10)
    with logged_in(server, ftplib.FTP()) as client:
        wrong = content(client, "cp_flights_all_v3.csv")
    requests.post(faults, json={"names": []}, verify=str(server.ca_bundle), timeout=10)
    with logged_in(server, ftplib.FTP()) as client:
        right = content(client, "cp_flights_all_v3.csv")

    assert wrong.splitlines()[1].split(b";")[2].count(b"-") == 2
    assert right.splitlines()[1].split(b";")[2].count(b".") == 2


def test_where_it_is_served_is_published_and_shown() -> None:
    with SandboxServer(SETTINGS, ftp_port=0) as server:
        published = requests.get(f"{server.base_url}/sandbox/profile", verify=str(server.ca_bundle), timeout=10).json()
        page = requests.get(f"{server.base_url}/", verify=str(server.ca_bundle), timeout=10).text
        export = server.profile()["export"]

        assert published["export"] == export
        assert export["customers"] == ["firstota", "secondota"]
        for text in (server.summary(), page):
            assert export["location"] in text
            assert export["password"] in text


def test_without_ftp_nothing_is_said_of_it() -> None:
    with SandboxServer(SETTINGS) as server:
        assert "export" not in server.profile()
        assert "content export" not in server.summary()


def test_it_ends_at_once_whoever_is_connected() -> None:
    with SandboxServer(SETTINGS, ftp_port=0) as server:
        client = logged_in(server, ftplib.FTP())
        address = client.sock.getpeername() if client.sock else ("", 0)
        before = time.monotonic()
    assert time.monotonic() - before < 5
    client.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=1)


def test_nothing_is_written_before_somebody_asks() -> None:
    with SandboxServer(SETTINGS, ftp_port=0) as server:
        assert not server.delivery.export.folder.exists()


def test_a_port_that_is_taken_is_one_line() -> None:
    with SandboxServer(SETTINGS, ftp_port=0) as server:
        taken = int(server.profile()["export"]["location"].rstrip("/").rpartition(":")[2])
        with pytest.raises(UsageError, match=f"port {taken} on 127.0.0.1"):
            SandboxServer(SETTINGS, ftp_port=taken)


# Dropped


def drop(address: str, folder: str = "", scheme: str = "ftp", password: str = PASSWORD) -> ExportDestination:
    environ = {"AIRWORTHY_FTP_USER": USER, "AIRWORTHY_FTP_PASSWORD": password}
    return ExportDestination.at(f"{scheme}://{address}/{folder}", environ)


def test_the_export_is_dropped_into_a_folder_of_a_server(tmp_path: Path) -> None:
    (tmp_path / "in" / "acme").mkdir(parents=True)
    with ftp_site(tmp_path) as site, SandboxServer(SETTINGS, destination=drop(site.address, "in/acme")) as server:
        delivered = requests.post(f"{server.base_url}/sandbox/export", verify=str(server.ca_bundle), timeout=20)
        made = {path.name: path.read_bytes() for path in server.delivery.export.folder.iterdir()}

    assert delivered.json() == {"files": sorted(made), "problem": ""}
    assert {path.name: path.read_bytes() for path in (tmp_path / "in" / "acme").iterdir()} == made
    assert len(made) == FILES


def test_a_file_has_its_name_only_once_it_is_complete(tmp_path: Path) -> None:
    source = tmp_path / "from" / "cp_routes_all_v3.csv"
    source.parent.mkdir()
    source.write_text("new")
    (tmp_path / "to").mkdir()
    (tmp_path / "to" / source.name).write_text("old")
    with ftp_site(tmp_path / "to") as site:
        drop(site.address).deliver([source])

    assert [each for each in site.commands if each[:4] in ("STOR", "RNFR", "RNTO")] == [
        "STOR cp_routes_all_v3.csv.part",
        "RNFR cp_routes_all_v3.csv.part",
        "RNTO cp_routes_all_v3.csv",
    ]
    assert [(path.name, path.read_text()) for path in (tmp_path / "to").iterdir()] == [(source.name, "new")]


def test_it_is_dropped_over_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    source = tmp_path / "cp_routes_all_v3.csv"
    source.write_text("x")
    (tmp_path / "to").mkdir()
    with ftp_site(tmp_path / "to", certificate=authority.issue_cert("127.0.0.1")) as site:
        drop(site.address, scheme="ftps").deliver([source])
        with pytest.raises(ExportDeliveryError, match="SSL/TLS required"):
            drop(site.address).deliver([source])

    assert [path.name for path in (tmp_path / "to").iterdir()] == [source.name]


def test_a_server_that_nobody_trusts_gets_nothing(tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    with (
        ftp_site(tmp_path / "to", certificate=trustme.CA().issue_cert("127.0.0.1")) as site,
        pytest.raises(ExportDeliveryError, match="certificate verify failed"),
    ):
        drop(site.address, scheme="ftps").deliver([])
    assert not any(PASSWORD in each for each in site.commands)


def test_what_goes_wrong_is_one_line_and_the_sandbox_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{unused.getsockname()[1]}"
    with SandboxServer(SETTINGS, destination=drop(nobody, "in")) as server:
        delivered = requests.post(f"{server.base_url}/sandbox/export", verify=str(server.ca_bundle), timeout=20)

    assert delivered.status_code == 502
    assert delivered.json()["problem"] == f"ftp://{nobody}/in: Connection refused"
    assert len(delivered.json()["files"]) == FILES
    line = f"airworthy: the content export was not delivered: ftp://{nobody}/in: Connection refused\n"
    assert set(capsys.readouterr().err.splitlines(keepends=True)) == {line}


@pytest.mark.parametrize(
    ("folder", "password", "may", "said"),
    [
        ("", "wrong", "elradfmw", "530 Authentication failed."),
        ("elsewhere", PASSWORD, "elradfmw", "550 No such file or directory."),
        ("", PASSWORD, "elr", "550 Not enough privileges."),
        ("a%0d%0aDELE%20x", PASSWORD, "elradfmw", "an illegal newline character should not be contained"),
    ],
)
def test_what_a_server_refuses_is_said_in_its_words(
    tmp_path: Path, folder: str, password: str, may: str, said: str
) -> None:
    source = tmp_path / "cp_routes_all_v3.csv"
    source.write_text("x")
    (tmp_path / "to").mkdir()
    with ftp_site(tmp_path / "to", may=may) as site, pytest.raises(ExportDeliveryError) as raised:
        drop(site.address, folder, password=password).deliver([source])

    assert str(raised.value) == f"ftp://{site.address}/{folder}: {said}"
    assert os.listdir(tmp_path / "to") == []  # noqa: PTH208


def test_a_server_that_repeats_the_password_does_not_put_it_on_the_terminal(tmp_path: Path) -> None:
    def parrot(handler: object, line: str) -> None:
        handler.respond(f"530 \x1b[31mnot {line}")  # type: ignore[attr-defined]

    with ftp_site(tmp_path, ftp_PASS=parrot) as site, pytest.raises(ExportDeliveryError) as raised:
        drop(site.address).deliver([])

    assert str(raised.value) == f"ftp://{site.address}/: 530 [31mnot ***"


def test_a_server_that_vanishes_is_said_in_one_line(tmp_path: Path) -> None:
    source = tmp_path / "cp_routes_all_v3.csv"
    source.write_text("x")

    def vanish(handler: object, *_: object) -> None:
        handler.close()  # type: ignore[attr-defined]

    with ftp_site(tmp_path, ftp_STOR=vanish) as site, pytest.raises(ExportDeliveryError) as raised:
        drop(site.address).deliver([source])

    assert str(raised.value) == f"ftp://{site.address}/: the server has closed the connection"


# On the command line


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_and_drops_and_clears_up_at_its_end(tmp_path: Path, end: signal.Signals) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    command = [sys.executable, "-m", "airworthy.cli", "sandbox", "--json", "--port", "0", "--export-days", "1"]
    with subprocess.Popen(  # noqa: S603
        [*command, "--ftp", "--ftp-port", "0", "--drop", str(tmp_path / "drop")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(temporary)},
    ) as running:
        assert running.stdout
        assert running.stderr
        shown = running.stdout.readline()
        while not shown.endswith("\n}\n"):
            shown += running.stdout.readline()
        export = json.loads(shown)["export"]
        said = running.stderr.readline()
        host, _, port = export["location"].removeprefix("ftp://").rstrip("/").partition(":")
        with ftplib.FTP() as client:
            client.connect(host, int(port), timeout=10)
            client.login(export["user"], export["password"])
            names = client.nlst()
        assert list(temporary.iterdir())
        running.send_signal(end)
        rest = running.stderr.read()

    assert said == f"airworthy: delivered {FILES} files to {tmp_path / 'drop'}\n"
    assert sorted(names) == sorted(path.name for path in (tmp_path / "drop").iterdir())
    assert (running.returncode, rest) == (0, "")
    assert list(temporary.iterdir()) == []
