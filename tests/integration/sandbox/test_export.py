"""The content export by real FTP: served to whoever logs in, and dropped on a partner's server."""

import ftplib
import os
import signal
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import trustme
from pyftpdlib.handlers import TLS_FTPHandler

from airworthy.errors import UsageError
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.export.delivery import ExportDeliveryError, ExportDestination
from airworthy.sandbox.export.files import ExportExtent
from integration.export.servers import PASSWORD, USER, serving, with_tls

from .agency import started_sandbox

SETTINGS = SandboxSettings(extent=ExportExtent(days=1))
FILES = 12
# What the user may do on a partner's server.
MAY = "elradfmw"


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    with SandboxServer(SETTINGS, ftp_port=0) as running:
        yield running


def logged_in(export: dict[str, Any], client: ftplib.FTP) -> ftplib.FTP:
    """Log in at the place of an export with the user and the password."""
    host, port = export["location"].removeprefix("ftp://").rstrip("/").split(":")
    client.connect(host, int(port), timeout=60)
    client.login(export["user"], export["password"])
    return client


@pytest.fixture
def export(server: SandboxServer) -> dict[str, Any]:
    """Where the export is, and who may read it."""
    published: dict[str, Any] = server.profile()["export"]
    return published


def content(client: ftplib.FTP, name: str) -> bytes:
    chunks: list[bytes] = []
    client.retrbinary(f"RETR {name}", chunks.append)
    return b"".join(chunks)


# Served


def test_export_is_served_by_ftp(export: dict[str, Any]) -> None:
    with logged_in(export, ftplib.FTP()) as client:
        names = client.nlst()
        routes = content(client, "cp_routes_all_v3.csv")

    assert len(names) == FILES
    assert routes.startswith(b"departureAirport;arrivalAirport;departureDate\nMAD;BCN;")


def test_export_is_served_by_ftps(server: SandboxServer, export: dict[str, Any]) -> None:
    secure = ftplib.FTP_TLS(context=ssl.create_default_context(cafile=server.ca_bundle))
    with logged_in(export, secure) as client:
        secure.prot_p()
        assert content(client, "cp_flights_all_v3.csv").count(b"\n") > 100


def test_two_clients_read_the_export_simultaneously(export: dict[str, Any]) -> None:
    with logged_in(export, ftplib.FTP()) as one, logged_in(export, ftplib.FTP()) as other:
        assert content(one, "cp_routes_all_v2.csv") == content(other, "cp_routes_all_v2.csv")


@pytest.mark.parametrize(
    "command",
    [
        *("DELE cp_routes_all_v3.csv", "MKD x", "STOR x", "RNFR cp_routes_all_v3.csv"),
        *("RETR ../../../etc/passwd", "RETR /etc/passwd"),
    ],
)
def test_ftp_clients_cannot_change_or_leave_the_folder(export: dict[str, Any], command: str) -> None:
    with logged_in(export, ftplib.FTP()) as client, pytest.raises(ftplib.error_perm, match="550"):
        client.voidcmd(command)


@pytest.mark.parametrize(("user", "password"), [("export", "wrong"), ("anonymous", "me@example.com")])
def test_ftp_login_requires_the_published_credentials(export: dict[str, Any], user: str, password: str) -> None:
    with ftplib.FTP() as client, pytest.raises(ftplib.error_perm, match="530"):
        logged_in(export | {"user": user, "password": password}, client)


def test_new_fault_changes_the_export_at_the_next_login(server: SandboxServer) -> None:
    faults = f"{server.base_url}/sandbox/faults"
    requests.post(faults, json={"names": ["export-iso-dates"]}, verify=str(server.ca_bundle), timeout=60)
    with logged_in(server.profile()["export"], ftplib.FTP()) as client:
        wrong = content(client, "cp_flights_all_v3.csv")
    requests.post(faults, json={"names": []}, verify=str(server.ca_bundle), timeout=60)
    with logged_in(server.profile()["export"], ftplib.FTP()) as client:
        right = content(client, "cp_flights_all_v3.csv")

    assert wrong.splitlines()[1].split(b";")[2].count(b"-") == 2
    assert right.splitlines()[1].split(b";")[2].count(b".") == 2


def test_profile_and_page_contain_the_export_location(server: SandboxServer, export: dict[str, Any]) -> None:
    published = requests.get(f"{server.base_url}/sandbox/profile", verify=str(server.ca_bundle), timeout=60).json()
    page = requests.get(f"{server.base_url}/", verify=str(server.ca_bundle), timeout=60).text

    assert published["export"] == export
    assert export["customers"] == ["firstota", "secondota"]
    for text in (server.summary(), page):
        assert export["location"] in text
        assert export["password"] in text


def test_profile_and_page_omit_the_export_without_ftp() -> None:
    with SandboxServer(SETTINGS) as server:
        assert "export" not in server.profile()
        assert "content export" not in server.summary()


def test_ftp_server_stops_while_a_client_is_connected() -> None:
    with SandboxServer(SETTINGS, ftp_port=0) as server:
        client = logged_in(server.profile()["export"], ftplib.FTP())
        address = client.sock.getpeername() if client.sock else ("", 0)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=60)
    client.close()


def test_export_is_written_on_the_first_request() -> None:
    with SandboxServer(SETTINGS, ftp_port=0) as server:
        assert not server.delivery.export.folder.exists()


def test_used_ftp_port_is_a_usage_error(export: dict[str, Any]) -> None:
    used = int(export["location"].rstrip("/").rpartition(":")[2])
    with pytest.raises(UsageError, match=f"port {used} on 127.0.0.1"):
        SandboxServer(SETTINGS, ftp_port=used)


# Dropped


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file to deliver, beside the folder of a partner's server."""
    (tmp_path / "to").mkdir()
    file = tmp_path / "cp_routes_all_v3.csv"
    file.write_text("new")
    return file


def drop(port: int, folder: str = "", scheme: str = "ftp", password: str = PASSWORD) -> ExportDestination:
    environ = {"AIRWORTHY_FTP_USER": USER, "AIRWORTHY_FTP_PASSWORD": password}
    return ExportDestination.at(f"{scheme}://127.0.0.1:{port}/{folder}", environ)


def keeping(commands: list[str]) -> dict[str, Any]:
    """Return the setting of a server that keeps the commands that it receives, with base names as arguments."""

    def log_cmd(_: object, command: str, argument: str, *__: object) -> None:
        commands.append(f"{command} {Path(argument).name}")

    return {"log_cmd": log_cmd}


def test_export_is_delivered_to_an_ftp_folder(tmp_path: Path) -> None:
    (tmp_path / "in" / "acme").mkdir(parents=True)
    with serving(tmp_path, may=MAY) as port, SandboxServer(SETTINGS, destination=drop(port, "in/acme")) as server:
        delivered = requests.post(f"{server.base_url}/sandbox/export", verify=str(server.ca_bundle), timeout=60)
        made = {path.name: path.read_bytes() for path in server.delivery.export.folder.iterdir()}

    assert delivered.json() == {"files": sorted(made), "problem": ""}
    assert {path.name: path.read_bytes() for path in (tmp_path / "in" / "acme").iterdir()} == made
    assert len(made) == FILES


def test_delivered_file_is_renamed_when_complete(tmp_path: Path, source: Path) -> None:
    (tmp_path / "to" / source.name).write_text("old")
    commands: list[str] = []
    with serving(tmp_path / "to", may=MAY, **keeping(commands)) as port:
        drop(port).deliver([source])

    assert [each for each in commands if each[:4] in ("STOR", "RNFR", "RNTO")] == [
        "STOR cp_routes_all_v3.csv.part",
        "RNFR cp_routes_all_v3.csv.part",
        "RNTO cp_routes_all_v3.csv",
    ]
    assert [(path.name, path.read_text()) for path in (tmp_path / "to").iterdir()] == [(source.name, "new")]


def test_export_is_delivered_by_ftps(tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with serving(tmp_path / "to", TLS_FTPHandler, MAY, **with_tls(authority.issue_cert("127.0.0.1"))) as port:
        drop(port, scheme="ftps").deliver([source])
        with pytest.raises(ExportDeliveryError, match="SSL/TLS required"):
            drop(port).deliver([source])

    assert [path.name for path in (tmp_path / "to").iterdir()] == [source.name]


def test_export_is_not_delivered_to_an_untrusted_server(tmp_path: Path) -> None:
    commands: list[str] = []
    settings = with_tls(trustme.CA().issue_cert("127.0.0.1")) | keeping(commands)
    with (
        serving(tmp_path, TLS_FTPHandler, MAY, **settings) as port,
        pytest.raises(ExportDeliveryError, match="certificate verify failed"),
    ):
        drop(port, scheme="ftps").deliver([])
    assert not any(PASSWORD in each for each in commands)


def test_failed_delivery_logs_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nobody = unused.getsockname()[1]
    with SandboxServer(SETTINGS, destination=drop(nobody, "in")) as server:
        delivered = requests.post(f"{server.base_url}/sandbox/export", verify=str(server.ca_bundle), timeout=60)

    assert delivered.status_code == 502
    assert delivered.json()["problem"] == f"ftp://127.0.0.1:{nobody}/in: Connection refused"
    assert len(delivered.json()["files"]) == FILES
    line = f"airworthy: the content export was not delivered: {delivered.json()['problem']}\n"
    assert set(capsys.readouterr().err.splitlines(keepends=True)) == {line}


@pytest.mark.parametrize(
    ("folder", "password", "may", "message"),
    [
        ("", "wrong", MAY, "530 Authentication failed."),
        ("elsewhere", PASSWORD, MAY, "550 No such file or directory."),
        ("", PASSWORD, "elr", "550 Not enough privileges."),
        ("a%0d%0aDELE%20x", PASSWORD, MAY, "an illegal newline character should not be contained"),
    ],
)
def test_failed_delivery_includes_the_message(source: Path, folder: str, password: str, may: str, message: str) -> None:
    with serving(source.parent / "to", may=may) as port, pytest.raises(ExportDeliveryError) as raised:
        drop(port, folder, password=password).deliver([source])

    assert str(raised.value) == f"ftp://127.0.0.1:{port}/{folder}: {message}"
    assert os.listdir(source.parent / "to") == []  # noqa: PTH208


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ({"ftp_PASS": lambda handler, line: handler.respond(f"530 \x1b[31mnot {line}")}, "530 [31mnot ***"),
        ({"ftp_STOR": lambda handler, *_: handler.close()}, "the server has closed the connection"),
    ],
    ids=["parrot", "vanishing"],
)
def test_hostile_server_is_one_line_without_the_password(
    tmp_path: Path, source: Path, commands: dict[str, Any], message: str
) -> None:
    with serving(tmp_path, may=MAY, **commands) as port, pytest.raises(ExportDeliveryError) as raised:
        drop(port).deliver([source])

    assert str(raised.value) == f"ftp://127.0.0.1:{port}/: {message}"


# On the command line


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_command_serves_delivers_and_cleans_up(tmp_path: Path, end: signal.Signals) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    options = ("--export-days", "1", "--ftp", "--ftp-port", "0", "--drop", tmp_path / "drop")
    with started_sandbox(*options, environment={"TMPDIR": str(temporary)}) as (running, profile):
        assert running.stderr
        message = running.stderr.readline()
        with logged_in(profile["export"], ftplib.FTP()) as client:
            names = client.nlst()
        assert list(temporary.iterdir())
        running.send_signal(end)
        rest = running.stderr.read()

    assert message == f"airworthy: delivered {FILES} files to {tmp_path / 'drop'}\n"
    assert sorted(names) == sorted(path.name for path in (tmp_path / "drop").iterdir())
    assert (running.returncode, rest) == (0, "")
    assert list(temporary.iterdir()) == []
