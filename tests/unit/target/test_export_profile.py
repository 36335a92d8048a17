"""The content export in a profile."""

from pathlib import Path

import pytest

from airworthy.errors import UsageError
from airworthy.sandbox.dashboard.profile import profile as published
from airworthy.target.profile_file import load_profile, profile_from

from .profiles import ENVIRON, MINIMAL, TOKENS, Write

EXPORT = MINIMAL + TOKENS.partition("\n")[2]


def test_export_has_no_versions_and_formats_by_default(write: Write) -> None:
    export = load_profile(write(f'{EXPORT}[export]\nlocation = "ftps://drop.example/acme"\n'), ENVIRON).export

    assert export is not None
    assert (export.location, export.versions, export.formats) == ("ftps://drop.example/acme", (), ())
    assert (export.user, export.password) == (None, None)


def test_export_folder_is_relative_to_the_profile(write: Write, tmp_path: Path) -> None:
    (tmp_path / "drop").mkdir()
    export = load_profile(write(f'{EXPORT}[export]\nlocation = "drop"\ncustomers = ["acme"]\n'), ENVIRON).export

    assert export is not None
    assert (export.location, export.customers) == (str(tmp_path / "drop"), ("acme",))


def test_password_of_an_export_is_a_secret_and_the_user_is_not(write: Write) -> None:
    login = 'location = "ftp://drop.example"\nuser = "export"\npassword = "$FTP_PASSWORD"\nversions = ["v3", "v2"]\n'
    profile = load_profile(write(f"{EXPORT}[export]\n{login}"), ENVIRON | {"FTP_PASSWORD": "canary-ftp"})

    assert profile.export is not None
    assert profile.export.versions == ("v2", "v3")
    hidden = [secret.reveal() for secret in profile.secrets()]
    assert "canary-ftp" in hidden
    assert "export" not in hidden


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('location = "nowhere"', "[export] location must be an existing folder or an FTP URL, got 'nowhere'"),
        (
            'location = "ftp://me:canary@drop.example"',
            "[export] location must be a folder (relative to the profile), or an ftp://",
        ),
        (
            'location = "https://drop.example"',
            "[export] location must be a folder (relative to the profile), or an ftp://",
        ),
        ('location = "ftp://drop.example"\npassword = "canary"', "[export] user is missing"),
        ('location = "ftp://drop.example"\nversions = ["v4"]', '"v2" or "v3"'),
        ('location = "ftp://drop.example"\nfolder = "x"', "is not a key of a profile"),
    ],
)
def test_invalid_export_is_one_line(write: Write, table: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        load_profile(write(f"{EXPORT}[export]\n{table}\n"), ENVIRON)

    assert message in str(raised.value)
    assert "canary" not in str(raised.value)


def test_profile_from_a_server_must_not_name_a_folder() -> None:
    with pytest.raises(
        UsageError, match=r"\[export\] location must be an ftp:// or ftps:// URL in a profile from a server"
    ):
        profile_from(published("https://127.0.0.1") | {"export": {"location": "/etc"}}, "wire")
