"""Read an export from a real FTP server; every failure is one line."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
import trustme
from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler

from airworthy.errors import TargetError, UsageError
from airworthy.export import ExportReport, FtpAccess, check_folder, location, open_location
from airworthy.target.secret import Secret

from .servers import PASSWORD, USER, CutOff, ImplicitTls, replying, serving, with_tls

HEADER = "departureAirport;arrivalAirport;departureDate\n"
ACCESS = FtpAccess(Secret(USER, "FTP_USER"), Secret(PASSWORD, "FTP_PASSWORD"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a valid file, an invalid file and other files."""
    drop = tmp_path / "drop"
    (drop / "for us" / "cp_routes_folder_v3.csv").mkdir(parents=True)
    for place in (drop, drop / "for us"):
        (place / "cp_routes_all_v3.csv").write_text(HEADER + "MAD;BCN;01.03.2027\n" * 20_000)
        (place / "cp_routes_Ä b_v3.csv").write_text(HEADER + "MAD;BCN;2027-03-01\n")
        (place / "notes.txt").write_text("nothing")
    return drop


@pytest.fixture
def certificates() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def bundle(certificates: trustme.CA, tmp_path: Path) -> Path:
    certificates.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    return tmp_path / "authority.pem"


def check(url: str, access: FtpAccess = ACCESS) -> ExportReport:
    return check_folder(open_location(url, access))


def assert_is_the_folder(report: ExportReport) -> None:
    (finding,) = report.findings
    assert (finding.file, finding.line, finding.value) == ("cp_routes_Ä b_v3.csv", 2, "2027-03-01")
    assert (report.rows, report.interruptions) == (20_001, ())


@pytest.mark.parametrize(
    ("path", "access"), [*((each, ACCESS) for each in ("", "/", "/for%20us", "/for us/")), ("", FtpAccess())]
)
def test_folder_is_checked_with_a_login_and_without(folder: Path, path: str, access: FtpAccess) -> None:
    with serving(folder) as port:
        assert_is_the_folder(check(f"ftp://127.0.0.1:{port}{path}", access))


def test_single_file_is_checked(folder: Path) -> None:
    with serving(folder) as port:
        report = check(f"ftp://127.0.0.1:{port}/for%20us/cp_routes_all_v3.csv")

    assert (report.findings, report.rows, [each.file for each in report.files]) == (
        (),
        20_000,
        ["cp_routes_all_v3.csv"],
    )


def test_server_without_mlsd(folder: Path) -> None:
    old = {name: facts for name, facts in FTPHandler.proto_cmds.items() if name not in ("MLSD", "MLST")}
    (folder / "for us" / "cp_routes_folder_v3.csv").rmdir()
    with serving(folder, proto_cmds=old) as port:
        assert_is_the_folder(check(f"ftp://127.0.0.1:{port}/for us"))


def test_empty_folder_lacks_the_all_content_file(tmp_path: Path) -> None:
    with serving(tmp_path) as port:
        (finding,) = check(f"ftp://127.0.0.1:{port}").findings

    assert finding.rule == "EXPORT-ALL-CONTENT"


def test_listing_provides_file_sizes(folder: Path) -> None:
    with serving(folder) as port:
        location = open_location(f"ftp://127.0.0.1:{port}", ACCESS)
        location.names()

    assert location.size("cp_routes_all_v3.csv") == (folder / "cp_routes_all_v3.csv").stat().st_size
    assert location.size("another") is None


# TLS


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_explicit_tls(folder: Path, certificates: trustme.CA, bundle: Path, host: str) -> None:
    with serving(folder, TLS_FTPHandler, **with_tls(certificates.issue_cert(host))) as port:
        assert_is_the_folder(check(f"ftps://{host}:{port}", replace(ACCESS, ca_bundle=bundle)))


def test_implicit_tls(folder: Path, certificates: trustme.CA, bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(folder, ImplicitTls, **with_tls(certificates.issue_cert("localhost"))) as port:
        monkeypatch.setattr(location, "_PORT_OF_IMPLICIT_TLS", port)
        assert_is_the_folder(check(f"ftps://localhost:{port}", replace(ACCESS, ca_bundle=bundle)))


@pytest.mark.parametrize(
    ("host", "is_known", "problem"),
    [("localhost", False, ".*--ca-bundle"), ("other.example", True, "Hostname mismatch")],
)
def test_certificate_that_is_not_trusted(
    folder: Path, certificates: trustme.CA, bundle: Path, *, host: str, is_known: bool, problem: str
) -> None:
    with (
        serving(folder, TLS_FTPHandler, **with_tls(certificates.issue_cert(host))) as port,
        pytest.raises(TargetError, match=rf"^ftps://localhost:\d+: its certificate is not trusted: {problem}"),
    ):
        check(f"ftps://localhost:{port}", replace(ACCESS, ca_bundle=bundle if is_known else None))


def test_ca_bundle_without_certificates(tmp_path: Path) -> None:
    bundle = tmp_path / "authority.pem"
    bundle.write_text("no certificate")

    with pytest.raises(UsageError, match=r"authority\.pem: expected a PEM file with certificates of authorities"):
        check("ftps://localhost:1", replace(ACCESS, ca_bundle=bundle))


def test_server_without_tls_does_not_receive_the_password() -> None:
    commands: list[str] = []

    def reply_to(command: str) -> bytes:
        commands.append(command)
        return b"502 unknown\r\n"

    with replying(reply_to) as port, pytest.raises(TargetError, match="502 unknown"):
        check(f"ftps://127.0.0.1:{port}")

    assert commands == ["AUTH TLS"]


# What goes wrong


def test_rejected_login(folder: Path) -> None:
    wrong = replace(ACCESS, password=Secret("wr0ng-word", "FTP_PASSWORD"))
    with serving(folder) as port, pytest.raises(TargetError) as raised:
        check(f"ftp://127.0.0.1:{port}", wrong)

    assert str(raised.value).startswith(f"ftp://127.0.0.1:{port}: the server rejects the login: 530 ")
    assert "wr0ng" not in str(raised.value)


def test_password_in_a_reply_is_masked() -> None:
    def reply_to(command: str) -> bytes:
        return b"331 go on\r\n" if command.startswith("USER") else f"530 not {command}\x1b[2J\r\n".encode()

    with replying(reply_to) as port, pytest.raises(TargetError) as raised:
        check(f"ftp://127.0.0.1:{port}")

    assert str(raised.value).endswith(r"530 not PASS $FTP_PASSWORD\u001b[2J")


def test_missing_folder(folder: Path) -> None:
    with serving(folder) as port, pytest.raises(UsageError, match=r"/nowhere: no such folder on the server: 550"):
        check(f"ftp://127.0.0.1:{port}/nowhere")


def test_missing_file(folder: Path) -> None:
    with serving(folder) as port:
        report = check(f"ftp://127.0.0.1:{port}/cp_routes_nobody_v3.csv")

    (interruption,) = report.interruptions
    assert interruption.startswith("cp_routes_nobody_v3.csv: the server does not send it: 550 ")
    assert report.exit_code == 3


def test_refused_connection(folder: Path) -> None:
    with serving(folder) as port:
        pass
    with pytest.raises(TargetError, match=f"^ftp://127.0.0.1:{port}: Connection refused$"):
        check(f"ftp://127.0.0.1:{port}")


def test_connection_lost_in_the_middle_of_a_file(folder: Path) -> None:
    with serving(folder, dtp_handler=CutOff, use_sendfile=False) as port:
        report = check(f"ftp://127.0.0.1:{port}")

    first, second = report.interruptions
    assert first.startswith("cp_routes_all_v3.csv: ")
    assert "the server closed the connection" in first or "reset" in first
    assert second.startswith("cp_routes_Ä b_v3.csv: ")
    # The truncated row is not a finding.
    assert (report.findings, report.exit_code) == ((), 3)


@pytest.mark.parametrize(
    ("greeting", "reply", "access", "why"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", ACCESS, "HTTP/1.1 400"),
        (b"220-" + b"x" * 10_000 + b"\r\n", b"", ACCESS, "got more than 8192 bytes"),
        (b"220-\r\n" * 5_000, b"", ACCESS, "the server closed the connection"),
        (b"421 busy\r\n", b"", ACCESS, "421 busy"),
        (b"220 at your service\r\n", None, ACCESS, "the server closed the connection$"),
        (b"", b"", FtpAccess(timeout=0.2), r"no response .* for 0\.2 s"),
    ],
)
def test_server_that_does_not_speak_ftp(greeting: bytes, reply: bytes | None, access: FtpAccess, why: str) -> None:
    with replying(lambda _: reply, greeting) as port, pytest.raises(TargetError, match=why):
        check(f"ftp://127.0.0.1:{port}", access)


def test_transfer_time_is_limited(folder: Path) -> None:
    with serving(folder) as port:
        location = open_location(f"ftp://127.0.0.1:{port}", replace(ACCESS, max_time=1e-9))

        with pytest.raises(TargetError, match="the transfer exceeds the maximum time"):
            check_folder(location)


def test_listing_size_is_limited(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(location, "_LONGEST_LISTING", 100)
    with serving(folder) as port, pytest.raises(TargetError, match="the listing has more than 100 bytes"):
        check(f"ftp://127.0.0.1:{port}")


def test_line_end_in_a_folder_name_does_not_inject_a_command() -> None:
    commands: list[str] = []

    def reply_to(command: str) -> bytes:
        commands.append(command)
        return b"230 welcome\r\n"

    with replying(reply_to) as port, pytest.raises(TargetError):
        check(f"ftp://127.0.0.1:{port}/a%0d%0aDELE%20b")

    assert not any("DELE" in each for each in commands)


@pytest.mark.skipif(os.name == "nt", reason="file names are not bytes on Windows")
def test_file_name_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"cp_routes_\xff_v3.csv")).write_text(HEADER)
    with serving(tmp_path, encoding="utf8", unicode_errors="surrogateescape") as port:
        report = check(f"ftp://127.0.0.1:{port}")

    assert [each.file for each in report.files] == [r"cp_routes_\udcff_v3.csv"]
    assert report.interruptions == ()
