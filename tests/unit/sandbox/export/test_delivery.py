"""Delivering the export to a folder or an FTP server."""

from pathlib import Path

import pytest

from airworthy.errors import UsageError
from airworthy.sandbox.export.delivery import ExportDeliveryError, ExportDestination

CANARY = "canary-ftp-19d2"


def test_login_is_read_from_the_environment() -> None:
    environ = {"AIRWORTHY_FTP_USER": "acme", "AIRWORTHY_FTP_PASSWORD": CANARY, "OTHER": "x"}
    drop, anonymous = (ExportDestination.at("ftps://drop.example:990/in", each) for each in (environ, {}))

    assert [(each.user, each.password) for each in (drop, anonymous)] == [("acme", CANARY), ("anonymous", "")]
    assert CANARY not in repr(drop)


@pytest.mark.parametrize(
    ("location", "message"),
    [
        (f"ftp://me:{CANARY}@drop.example/in", "user and password come from AIRWORTHY_FTP_USER"),
        (f"ftp://{CANARY}@drop.example/in", "user and password come from AIRWORTHY_FTP_USER"),
        ("sftp://drop.example/in", "expected ftp://HOST:PORT/FOLDER"),
        ("ftp:///in", "expected ftp://HOST:PORT/FOLDER"),
        ("ftp://drop.example/in?x=1", "expected ftp://HOST:PORT/FOLDER"),
        ("ftp://drop.example:99999/in", "expected ftp://HOST:PORT/FOLDER"),
        ("ftp://[::1/in", "expected ftp://HOST:PORT/FOLDER"),
    ],
)
def test_invalid_destination_is_one_line_without_secrets(location: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        ExportDestination.at(location, {})

    assert message in str(raised.value)
    assert CANARY not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_folder_is_created_and_files_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "from").mkdir()
    source = tmp_path / "from" / "cp_routes_all_v3.csv"
    drop = ExportDestination.at(str(tmp_path / "to" / "acme"), {})
    for text in ("old", "new"):
        source.write_text(text)
        drop.deliver([source])

    dropped = list((tmp_path / "to" / "acme").iterdir())
    assert [(path.name, path.read_text()) for path in dropped] == [("cp_routes_all_v3.csv", "new")]


def test_folder_that_cannot_be_created_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(ExportDeliveryError) as raised:
        ExportDestination.at(str(tmp_path / "file" / "below"), {}).deliver([])

    assert str(raised.value) == f"{tmp_path / 'file' / 'below'}: Not a directory"
