"""An export on an FTP server, read by a real client from a real server, and what goes wrong there: one line each."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
import trustme
from pyftpdlib.handlers import FTPHandler, TLS_FTPHandler

from airworthy.errors import TargetError, UsageError
from airworthy.export import Access, ExportReport, check_folder, ftp, open_location
from airworthy.target.secret import Secret

from .servers import PASSWORD, USER, CutOff, ImplicitTls, saying, serving, with_tls

HEADER = "departureAirport;arrivalAirport;departureDate\n"
ACCESS = Access(Secret(USER, "FTP_USER"), Secret(PASSWORD, "FTP_PASSWORD"), silence=5)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file that is right, a file that is not, and what is no file of the export."""
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


def check(url: str, access: Access = ACCESS) -> ExportReport:
    return check_folder(open_location(url, access))


def assert_is_the_folder(report: ExportReport) -> None:
    (finding,) = report.findings
    assert (finding.file, finding.line, finding.value) == ("cp_routes_Ä b_v3.csv", 2, "2027-03-01")
    assert (report.rows, report.interruptions) == (20_001, ())


@pytest.mark.parametrize("path", ["", "/", "/for%20us", "/for us/"])
def test_a_folder(folder: Path, path: str) -> None:
    with serving(folder) as port:
        assert_is_the_folder(check(f"ftp://127.0.0.1:{port}{path}"))


def test_a_file(folder: Path) -> None:
    with serving(folder) as port:
        report = check(f"ftp://127.0.0.1:{port}/for%20us/cp_routes_all_v3.csv")

    assert (report.findings, report.rows, [each.file for each in report.files]) == (
        (),
        20_000,
        ["cp_routes_all_v3.csv"],
    )


def test_nobody_logs_in(folder: Path) -> None:
    with serving(folder) as port:
        assert_is_the_folder(check(f"ftp://127.0.0.1:{port}", Access(silence=5)))


def test_a_server_that_lists_names_only(folder: Path) -> None:
    old = {name: facts for name, facts in FTPHandler.proto_cmds.items() if name not in ("MLSD", "MLST")}
    (folder / "for us" / "cp_routes_folder_v3.csv").rmdir()
    with serving(folder, proto_cmds=old) as port:
        assert_is_the_folder(check(f"ftp://127.0.0.1:{port}/for us"))


def test_an_empty_folder_has_no_all_content_file(tmp_path: Path) -> None:
    with serving(tmp_path) as port:
        (finding,) = check(f"ftp://127.0.0.1:{port}").findings

    assert finding.rule == "EXPORT-ALL-CONTENT"


def test_the_sizes_of_files_are_known_once_they_are_listed(folder: Path) -> None:
    with serving(folder) as port:
        location = open_location(f"ftp://127.0.0.1:{port}", ACCESS)
        location.names()

    assert location.size("cp_routes_all_v3.csv") == (folder / "cp_routes_all_v3.csv").stat().st_size
    assert location.size("another") is None


# TLS


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_tls_from_the_login_on(folder: Path, certificates: trustme.CA, tmp_path: Path, host: str) -> None:
    bundle = tmp_path / "authority.pem"
    certificates.cert_pem.write_to_path(str(bundle))
    with serving(folder, TLS_FTPHandler, **with_tls(certificates.issue_cert(host))) as port:
        assert_is_the_folder(check(f"ftps://{host}:{port}", replace(ACCESS, ca_bundle=bundle)))


def test_tls_from_the_first_byte_on(
    folder: Path, certificates: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "authority.pem"
    certificates.cert_pem.write_to_path(str(bundle))
    with serving(folder, ImplicitTls, **with_tls(certificates.issue_cert("localhost"))) as port:
        monkeypatch.setattr(ftp, "_PORT_OF_IMPLICIT_TLS", port)
        assert_is_the_folder(check(f"ftps://localhost:{port}", replace(ACCESS, ca_bundle=bundle)))


def test_a_certificate_that_nobody_vouches_for(folder: Path, certificates: trustme.CA) -> None:
    with (
        serving(folder, TLS_FTPHandler, **with_tls(certificates.issue_cert("localhost"))) as port,
        pytest.raises(TargetError, match=r"^ftps://localhost:\d+: its certificate is not trusted: .*--ca-bundle"),
    ):
        check(f"ftps://localhost:{port}")


def test_a_certificate_of_somebody_else(folder: Path, certificates: trustme.CA, tmp_path: Path) -> None:
    bundle = tmp_path / "authority.pem"
    certificates.cert_pem.write_to_path(str(bundle))
    with (
        serving(folder, TLS_FTPHandler, **with_tls(certificates.issue_cert("other.example"))) as port,
        pytest.raises(TargetError, match="its certificate is not trusted: Hostname mismatch"),
    ):
        check(f"ftps://localhost:{port}", replace(ACCESS, ca_bundle=bundle))


def test_a_bundle_that_is_none(tmp_path: Path) -> None:
    bundle = tmp_path / "authority.pem"
    bundle.write_text("no certificate")

    with pytest.raises(UsageError, match=r"authority\.pem: expected a PEM file with authorities"):
        check("ftps://localhost:1", replace(ACCESS, ca_bundle=bundle))


def test_a_server_without_tls_gets_no_password() -> None:
    heard: list[str] = []

    def answer(command: str) -> bytes:
        heard.append(command)
        return b"502 unknown\r\n"

    with saying(answer) as port, pytest.raises(TargetError, match="502 unknown"):
        check(f"ftps://127.0.0.1:{port}")

    assert heard == ["AUTH TLS"]


# What goes wrong


def test_a_login_that_is_refused(folder: Path) -> None:
    wrong = replace(ACCESS, password=Secret("wr0ng-word", "FTP_PASSWORD"))
    with serving(folder) as port, pytest.raises(TargetError) as raised:
        check(f"ftp://127.0.0.1:{port}", wrong)

    assert str(raised.value).startswith(f"ftp://127.0.0.1:{port}: the server refuses the login: 530 ")
    assert "wr0ng" not in str(raised.value)


def test_a_server_that_repeats_the_password() -> None:
    def answer(command: str) -> bytes:
        return b"331 go on\r\n" if command.startswith("USER") else f"530 not {command}\x1b[2J\r\n".encode()

    with saying(answer) as port, pytest.raises(TargetError) as raised:
        check(f"ftp://127.0.0.1:{port}")

    assert str(raised.value).endswith(r"530 not PASS $FTP_PASSWORD\x1b[2J")


def test_a_folder_that_is_not_there(folder: Path) -> None:
    with serving(folder) as port, pytest.raises(UsageError, match=r"/nowhere: the server has no such folder: 550"):
        check(f"ftp://127.0.0.1:{port}/nowhere")


def test_a_file_that_is_not_there(folder: Path) -> None:
    with serving(folder) as port:
        report = check(f"ftp://127.0.0.1:{port}/cp_routes_nobody_v3.csv")

    (interruption,) = report.interruptions
    assert interruption.startswith("cp_routes_nobody_v3.csv: the server does not give it: 550 ")
    assert report.exit_code == 3


def test_nobody_listens(folder: Path) -> None:
    with serving(folder) as port:
        pass
    with pytest.raises(TargetError, match=f"^ftp://127.0.0.1:{port}: Connection refused$"):
        check(f"ftp://127.0.0.1:{port}")


def test_a_server_that_is_gone_in_the_middle_of_a_file(folder: Path) -> None:
    with serving(folder, dtp_handler=CutOff, use_sendfile=False) as port:
        report = check(f"ftp://127.0.0.1:{port}")

    first, second = report.interruptions
    assert first.startswith("cp_routes_all_v3.csv: ")
    assert "the server is gone" in first or "reset" in first
    assert second.startswith("cp_routes_Ä b_v3.csv: ")
    # What was cut off is held against nobody.
    assert (report.findings, report.exit_code) == ((), 3)


@pytest.mark.parametrize(
    ("greeting", "why"),
    [
        (b"", "the server says nothing for 0.2 s"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP/1.1 400"),
        (b"220-" + b"x" * 10_000 + b"\r\n", "got more than 8192 bytes"),
        (b"220-\r\n" * 5_000, "the server is gone"),
        (b"421 busy\r\n", "421 busy"),
    ],
)
def test_a_server_that_speaks_otherwise(greeting: bytes, why: str) -> None:
    with saying(lambda _: b"", greeting) as port, pytest.raises(TargetError, match=why):
        check(f"ftp://127.0.0.1:{port}", Access(silence=0.2))


def test_a_server_that_hangs_up() -> None:
    with saying(lambda _: None) as port, pytest.raises(TargetError, match=r"the server is gone$"):
        check(f"ftp://127.0.0.1:{port}")


def test_a_transfer_is_bounded_in_time(folder: Path) -> None:
    with serving(folder) as port:
        location = open_location(f"ftp://127.0.0.1:{port}", replace(ACCESS, at_most=1e-9))

        with pytest.raises(TargetError, match="the transfer takes longer than it may"):
            check_folder(location)


def test_a_listing_is_bounded_in_size(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ftp, "_LONGEST_LISTING", 100)
    with serving(folder) as port, pytest.raises(TargetError, match="the listing has more than 100 bytes"):
        check(f"ftp://127.0.0.1:{port}")


def test_a_folder_with_line_ends_in_its_name_is_no_command() -> None:
    heard: list[str] = []

    def answer(command: str) -> bytes:
        heard.append(command)
        return b"230 welcome\r\n"

    with saying(answer) as port, pytest.raises(TargetError):
        check(f"ftp://127.0.0.1:{port}/a%0d%0aDELE%20b")

    assert not any("DELE" in each for each in heard)


@pytest.mark.skipif(os.name == "nt", reason="names are no bytes there")
def test_a_name_that_is_no_utf_8(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"cp_routes_\xff_v3.csv")).write_text(HEADER)
    with serving(tmp_path, encoding="utf8", unicode_errors="surrogateescape") as port:
        report = check(f"ftp://127.0.0.1:{port}")

    assert [each.file for each in report.files] == [r"cp_routes_\udcff_v3.csv"]
    assert report.interruptions == ()
