"""A mistake in a profile is one line with the file, the line and the key, and without secrets."""

from pathlib import Path

import pytest

from airworthy.errors import UsageError
from airworthy.target.profile_file import load_profile, profile_from
from airworthy.target.secret import Secret

from .profiles import CANARY, ENVIRON, EXPORT, MINIMAL, TOKENS, Write

ROUTE = MINIMAL + "[routes.regular]\norigin = 'MAD'\ndestination = 'BCN'\n"
DROP = EXPORT + "location = 'ftp://drop.example'\n"
MISTAKES = [
    ("base_url = 3\n", ":1: base_url must be an absolute https:// URL without credentials"),
    ('base_url = "flights.example"\n', "fragment, got 'flights.example'"),
    ('base_url = "https://u:p@flights.example"\n', ":1: base_url must be an absolute https://"),
    ('base_url = "https://flights.example\\n"\n', ":1: base_url must be an absolute"),
    (
        MINIMAL.replace(".example", ".example/v4/"),
        ":1: base_url must not end with the version, got 'https://flights.example/v4'",
    ),
    (
        MINIMAL.replace(".example", ".example/air/v4/search"),
        "got 'https://flights.example/air/v4/search'; write 'https://flights.example/air'",
    ),
    (MINIMAL.replace("https:", "http:"), "set allow_plain_http = true"),
    (MINIMAL.replace("base_url", "base_uri"), ":1: base_uri is not a key of a profile; did you mean base_url?"),
    (
        MINIMAL.replace("customer_code", "customer"),
        ":4: [v4] customer is not a key of a profile; did you mean customer_code?",
    ),
    (
        'base_url = "https://flights.example"\n',
        ": v4 is missing; the profile must have credentials for at least one of v2, v3, v4",
    ),
    (MINIMAL + "[v3]\ntoken = 't'\n", ':5: [v3] customer_code is missing; it must be { env = "NAME" }'),
    (
        MINIMAL + "[v3]\ntoken = 't'\ncustomer_code = 'c'\nkey = 'k'\n",
        ":8: [v3] key is not a key of a profile; expected one of customer_code, date_format",
    ),
    (TOKENS + "get_key_form = 'Bearer'\n", ':5: [v3] get_key_form must be "bearer"'),
    (
        TOKENS + "date_format = 'DD.MM.'\n",
        ":5: [v3] date_format must be a date format with YYYY, MM and DD, such as \"DD/MM/YYYY\", got 'DD.MM.'",
    ),
    (TOKENS + "date_format = '%Y%m%d%c'\n", "got '%Y%m%d%c'"),
    (
        TOKENS + "[routes.flights_many]\norigin='MAD'\ndestination='BCN'\norigin_type='CITY'\n",
        ":8: [routes.flights_many] origin_type is not a key of a profile",
    ),
    (
        TOKENS + "[lifetimes]\nrequest_seconds_min = 400\n",
        ":6: [lifetimes] request_seconds_min is wrong: request_seconds_min must not exceed request_seconds_max",
    ),
    (TOKENS + "[lifetimes]\nrequest_seconds_max = 60\n", ":6: [lifetimes] request_seconds_max is wrong"),
    (ROUTE.replace("MAD", "Madrid"), ":6: [routes.regular] origin must be a three-letter IATA code, got 'Madrid'"),
    (ROUTE.replace("regular", "regula"), ":5: [routes] regula is not a key of a profile; did you mean regular?"),
    (
        ROUTE + "date = '2027-01-01'\ndays_ahead = 1\n",
        ":9: [routes.regular] days_ahead must be absent if date is given, got 1",
    ),
    (ROUTE + "date = '2027-02-30'\n", ":8: [routes.regular] date must be a day of the calendar, got '2027-02-30'"),
    (MINIMAL + "[payment]\nurl = 'https://p.example'\n", ":5: [payment] token is missing"),
    (MINIMAL + "[clock]\n", ":5: [clock] advance_url is missing"),
    (MINIMAL + "[capabilities]\nbalance = 'no'\n", ":6: [capabilities] balance must be true or false, got 'no'"),
    (MINIMAL + "[[waivers]]\nrule = 'V4-MONEY'\n", ":5: [[waivers]] owner is missing"),
    ("max_rps = 0\n" + MINIMAL, ":1: max_rps must be a number of requests per second above 0, got 0"),
    ("max_rps = nan\n" + MINIMAL, "above 0, got 'nan'"),
    ("versions = []\n" + MINIMAL, ":1: versions must be an array of different versions"),
    ("versions = ['v3']\n" + MINIMAL, ":1: versions[0] is 'v3', but the profile has no table [v3]"),
    ("versions = ['v5']\n" + MINIMAL, """:1: versions[0] must be "v2", "v3" or "v4", got 'v5'"""),
    (
        "ca_bundle = 'none.pem'\n" + MINIMAL,
        ":1: ca_bundle 'none.pem' cannot be read: No such file or directory (relative to the profile: /",
    ),
    ("ca_bundle = 'profile.toml'\n" + MINIMAL, ":1: ca_bundle 'profile.toml' does not contain a PEM certificate"),
    (
        "base_url = https://flights.example\n",
        ":1: is not valid TOML: Invalid value in column 12: base_url = https://flights.example",
    ),
    ("[v4\n", ":1: is not valid TOML: Expected ']' at the end of a table declaration in column 4: [v4"),
    ("versions = [\n'v4'\n", ":2: is not valid TOML: Unclosed array at the end of the file"),
    (f"base_url = {'x' * 500}\n", f"in column 12: base_url = {'x' * 68}…"),
    (MINIMAL.replace("V4_KEY", "UNSET"), ":3: [v4] key is invalid: the environment variable UNSET is not set"),
    (MINIMAL.replace("V4_KEY", "EMPTY"), ":3: [v4] key is invalid: the environment variable EMPTY is empty"),
    (
        MINIMAL.replace("V4_KEY", "TWO_LINES"),
        ":3: [v4] key is invalid: the environment variable TWO_LINES has a line break, or a space at its start or end",
    ),
    (
        MINIMAL.replace('{ env = "V4_KEY" }', '"\u201dkey\u201d"'),
        ":3: [v4] key is invalid: it has a character that is not ASCII",
    ),
    (MINIMAL.replace('{ env = "V4_KEY" }', '{ var = "V4_KEY" }'), ":3: [v4] key must be"),
    (MINIMAL.replace('{ env = "V4_KEY" }', f'["{CANARY}"]'), ":3: [v4] key must be"),
    (MINIMAL.replace("V4_KEY", CANARY), ":3: [v4] key"),
    (f'base_url = "https://flights.example"\nv4 = "{CANARY}"\n', ":2: v4 must be"),
    (f'environment = "production"\n{MINIMAL}'.replace('{ env = "V4_KEY" }', f'"{CANARY}"'), ":4: [v4] key"),
    (EXPORT + "location = 'x'\n", ":9: [export] location must be an existing folder or an FTP URL, got 'x'"),
    (
        f"{EXPORT}location = 'ftp://me:{CANARY}@drop.example'\n",
        ":9: [export] location must be a folder (relative to the profile), or an ftp://",
    ),
    (
        EXPORT + "location = 'https://drop.example'\n",
        ":9: [export] location must be a folder (relative to the profile), or an ftp://",
    ),
    (DROP + f"password = '{CANARY}'\n", "[export] user is missing"),
    (DROP + "versions = ['v4']\n", '"v2" or "v3"'),
    (DROP + "folder = 'x'\n", "is not a key of a profile"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_invalid_profile_is_one_line_with_line_and_key(write: Write, text: str, message: str) -> None:
    path = write(text)
    with pytest.raises(UsageError) as caught:
        load_profile(path, ENVIRON | {"EMPTY": "", "TWO_LINES": "a key\n"})
    assert str(caught.value).startswith(f"{path}:")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        f'key = "{CANARY}',
        f"key = {CANARY}",
        f'key "{CANARY}"',
        f"{CANARY} =",
        f'  "{CANARY}"',
        f"[{CANARY}",
        f'base_url = "https://x.example" key = "{CANARY}"',
        f"base_url = https://user:{CANARY}@x.example",
        f"accepted = {{ number = {CANARY}",
        f"env = {CANARY}",
    ],
)
def test_line_that_is_not_toml_is_shown_without_secrets(write: Write, line: str) -> None:
    with pytest.raises(UsageError, match=r"^\S+profile.toml:5: is not valid TOML: .* in column \d+") as caught:
        load_profile(write(MINIMAL + line + "\n"), ENVIRON)
    assert CANARY not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("folder", "name", "found"),
    [("src/tests", "airworthy.toml", "../../airworthy.toml"), (".", "other/airworthy.toml", "deploy/airworthy.toml")],
)
def test_file_in_another_folder_is_suggested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, name: str, found: str
) -> None:
    for each in ("deploy/airworthy.toml", "airworthy.toml", "src/tests/none"):
        (tmp_path / each).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / each).touch()
    monkeypatch.chdir(tmp_path / folder)
    with pytest.raises(UsageError, match=f"^{name}: cannot be read: .*; did you mean {found}[?]$"):
        load_profile(Path(name))


def test_byte_order_mark_of_an_editor_is_ignored(write: Write) -> None:
    assert load_profile(write(f"\ufeff{MINIMAL}"), ENVIRON).base_url == "https://flights.example"


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(b"\xff")
    for name, said in {"none": "cannot be read", "folder": "cannot be read", "binary": "is not UTF-8"}.items():
        with pytest.raises(UsageError, match=f"{name}: {said}"):
            load_profile(tmp_path / name)


def test_profile_from_a_server_reads_no_environment_variables() -> None:
    document = {"base_url": "https://x.example", "v4": {"key": "$HOME", "customer_code": "x"}}
    with pytest.raises(UsageError, match="must not name an environment variable"):
        profile_from(document, "https://x.example/sandbox/profile")


def test_secret_written_in_the_file_adds_a_note(write: Write) -> None:
    profile = load_profile(write(MINIMAL.replace('{ env = "V4_KEY" }', '"test-key"')), ENVIRON)
    assert "[v4] key is written in the file" in profile.notes[0]


def test_secret_is_not_shown_by_str_and_repr() -> None:
    secret = Secret(CANARY, "V4_KEY")
    assert f"{secret} {secret!r} {[secret]}" == "$V4_KEY Secret($V4_KEY) [Secret($V4_KEY)]"
    with pytest.raises(TypeError):
        secret.__reduce__()
