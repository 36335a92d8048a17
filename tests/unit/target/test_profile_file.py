from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import trustme

from airworthy.contract.limits import Lifetimes
from airworthy.errors import UsageError
from airworthy.sandbox.profile import profile as published
from airworthy.target.profile import Profile, Route, TokenCredentials
from airworthy.target.profile_file import load_profile, profile_from
from airworthy.target.secret import Secret

CANARY = "canary-key-7f3a"
ENVIRON = {"V4_KEY": CANARY, "V4_CUSTOMER_CODE": "ACME"}
MINIMAL = """\
base_url = "https://flights.example"
[v4]
key = { env = "V4_KEY" }
customer_code = "$V4_CUSTOMER_CODE"
"""
TOKENS = """\
base_url = "https://flights.example"
[v3]
token = "$V4_KEY"
customer_code = "c"
"""


Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str) -> Path:
        path = tmp_path / "profile.toml"
        path.write_text(text)
        return path

    return write


def test_minimal_profile_has_the_documented_defaults(write: Write) -> None:
    profile = load_profile(write(MINIMAL), ENVIRON)

    assert profile.subject == "flights.example"
    assert profile.environment == "test"
    assert profile.organisation.v4 is not None
    assert profile.organisation.v4.key.reveal() == CANARY
    assert profile.organisation.v4.customer_code.reveal() == "ACME"
    assert profile.lifetimes.offer_seconds == 1800
    assert profile.second_organisation is None
    assert profile.advance_url is None
    assert profile.has_capability("balance")
    assert profile.versions == ("v4",)
    assert not profile.notes
    assert profile.valid_days is None


def test_complete_profile_is_read(write: Write, tmp_path: Path) -> None:
    trustme.CA().cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    text = f"""
subject = "Acme flights"
environment = "production"
ca_bundle = "ca.pem"
max_rps = 5
timeout_seconds = 12.5
versions = ["v4"]
{MINIMAL}
balance = true
[second_organisation.v4]
key = "${{V4_KEY}}"
customer_code = "$V4_CUSTOMER_CODE"
[payment]
url = "https://pay.example/"
token = "$V4_KEY"
payment_intents = true
[payment.accepted]
number = "$V4_KEY"
exp_month = 12
exp_year = 2030
[payment.declined]
payment_method = "$V4_KEY"
[clock]
advance_url = "https://flights.example/clock"
[lifetimes]
offer_seconds = 5
[routes.regular]
origin = "MAD"
destination = "BCN"
days_ahead = 10
[routes.city]
origin = "LON"
destination = "MIL"
origin_type = "CITY"
date = 2030-05-01
return_after_days = 2
[capabilities]
balance = false
[export]
location = "ftp://export.example"
[certificate]
valid_days = 90
[[waivers]]
rule = "V4-MONEY"
owner = "Ann"
reason = "being fixed"
expires = 2030-01-31
"""
    profile = load_profile(write(text), ENVIRON)

    assert profile.ca_bundle == tmp_path / "ca.pem"
    assert (profile.max_rps, profile.timeout_seconds) == (5, 12.5)
    assert profile.organisation.v4 is not None
    assert profile.organisation.v4.balance
    assert profile.second_organisation is not None
    assert profile.second_organisation.v4 is not None
    assert not profile.second_organisation.v4.balance
    assert profile.payment.url == "https://pay.example"
    assert profile.payment.situations["accepted"].exp_year == 2030
    assert profile.payment.situations["declined"].payment_method == Secret(CANARY)
    assert profile.advance_url == "https://flights.example/clock"
    assert profile.lifetimes.offer_seconds == 5
    assert profile.routes["city"] == Route("LON", "MIL", "CITY", day=date(2030, 5, 1), return_after_days=2)
    assert profile.route("round_trip") == profile.routes["regular"]
    assert profile.route("sold_out") is None
    assert not profile.has_capability("balance")
    assert profile.has_capability("card")
    assert profile.valid_days == 90
    assert profile.waivers[0].expires == date(2030, 1, 31)
    assert CANARY not in repr(profile)
    assert {secret.reveal() for secret in profile.secrets()} == {CANARY, "ACME"}


def test_an_interface_with_credentials_is_examined(write: Write) -> None:
    text = f"""{TOKENS}
self_psp = true
post_key_form = "bare"
date_format = "DD/MM/YYYY"
[v2]
token = "{CANARY}-2"
customer_code = "c"
date_format = "%d.%m.%Y"
[second_organisation.v2]
token = "other"
customer_code = "d"
[lifetimes]
request_seconds_min = 4
request_seconds_max = 6
locator_seconds = 10
[routes.regular]
origin = "MAD"
destination = "BCN"
"""
    profile = load_profile(write(text), ENVIRON)
    assert profile.versions == ("v2", "v3")
    assert profile.organisation.v4 is None
    v3, v2 = profile.organisation.v3, profile.organisation.v2
    assert v3 == TokenCredentials(
        Secret(CANARY), Secret("c"), self_psp=True, post_key_form="bare", date_format="%d/%m/%Y"
    )
    assert (v3.authorization("GET"), v3.authorization("post")) == (f"Bearer {CANARY}", CANARY)
    assert v2 is not None
    assert (v2.self_psp, v2.date_format, v2.authorization("POST")) == (False, "%d.%m.%Y", f"Bearer {CANARY}-2")
    assert profile.second_organisation is not None
    assert profile.second_organisation.versions == ("v2",)
    assert profile.lifetimes == Lifetimes(1800, 4, 6, 10)
    # One regular route serves all interfaces.
    assert profile.route("flights_regular") == profile.routes["regular"]
    assert CANARY not in repr(profile)
    assert {f"{CANARY}-2", CANARY, "other", "c", "d"} == {secret.reveal() for secret in profile.secrets()}


def test_booking_on_deposit_follows_the_capability_unless_set(write: Write) -> None:
    capable = "[capabilities]\nself_psp = true\n"
    for text, allowed in ((TOKENS + capable, True), (f"{TOKENS}self_psp = false\n{capable}", False), (TOKENS, False)):
        v3 = load_profile(write(text), ENVIRON).organisation.v3
        assert v3 is not None
        assert v3.self_psp is allowed


def test_a_city_route_is_not_used_for_v3_and_v2(write: Write) -> None:
    text = TOKENS + "[routes.regular]\norigin='LON'\ndestination='MIL'\norigin_type='CITY'\n"
    assert load_profile(write(text), ENVIRON).route("flights_regular") is None


def test_versions_selects_some_of_the_interfaces_with_credentials(write: Write) -> None:
    text = 'versions = ["v4"]\n' + MINIMAL + "[v3]\ntoken = 't'\ncustomer_code = 'c'\n"
    assert load_profile(write(text), ENVIRON).versions == ("v4",)


def test_a_route_has_a_departure_and_a_return_date() -> None:
    assert Route("MAD", "BCN", days_ahead=3).departure_date(date(2026, 12, 30)) == date(2027, 1, 2)
    assert Route("MAD", "BCN", days_ahead=3).return_date(date(2026, 12, 30)) == date(2027, 1, 9)


ROUTE = MINIMAL + "[routes.regular]\norigin = 'MAD'\ndestination = 'BCN'\n"
MISTAKES = {
    "base URL is a number": ("base_url = 3\n", ":1: base_url must be an absolute https:// URL without credentials"),
    "base URL has no scheme": ('base_url = "flights.example"\n', "fragment, got 'flights.example'"),
    "base URL has credentials": (
        'base_url = "https://u:p@flights.example"\n',
        ":1: base_url must be an absolute https://",
    ),
    "base URL ends with a line break": (
        'base_url = "https://flights.example\\n"\n',
        ":1: base_url must be an absolute",
    ),
    "base URL has a version": (
        MINIMAL.replace(".example", ".example/v4/"),
        ":1: base_url must not end with the version, got 'https://flights.example/v4'",
    ),
    "base URL without TLS": (MINIMAL.replace("https:", "http:"), "set allow_plain_http = true"),
    "base URL is misspelt": (
        MINIMAL.replace("base_url", "base_uri"),
        ":1: base_uri is not a key of a profile; did you mean base_url?",
    ),
    "customer code is misspelt": (
        MINIMAL.replace("customer_code", "customer"),
        ":4: [v4] customer is not a key of a profile; did you mean customer_code?",
    ),
    "no credentials": (
        'base_url = "https://flights.example"\n',
        ": v4 is missing; the profile must have credentials for at least one of v2, v3, v4",
    ),
    "token without customer code": (
        MINIMAL + "[v3]\ntoken = 't'\n",
        ':5: [v3] customer_code is missing; it must be { env = "NAME" }',
    ),
    "key in a table for a token": (
        MINIMAL + "[v3]\ntoken = 't'\ncustomer_code = 'c'\nkey = 'k'\n",
        ":8: [v3] key is not a key of a profile; expected one of customer_code, date_format",
    ),
    "unknown key form": (TOKENS + "get_key_form = 'Bearer'\n", ':5: [v3] get_key_form must be "bearer"'),
    "date format without a year": (
        TOKENS + "date_format = 'DD.MM.'\n",
        ":5: [v3] date_format must be a date format with YYYY, MM and DD, such as \"DD/MM/YYYY\", got 'DD.MM.'",
    ),
    "date format with an unknown directive": (TOKENS + "date_format = '%Y%m%d%c'\n", "got '%Y%m%d%c'"),
    "city in a route of v3": (
        TOKENS + "[routes.flights_many]\norigin='MAD'\ndestination='BCN'\norigin_type='CITY'\n",
        ":8: [routes.flights_many] origin_type is not a key of a profile",
    ),
    "minimum above the documented maximum": (
        TOKENS + "[lifetimes]\nrequest_seconds_min = 400\n",
        ":6: [lifetimes] request_seconds_min is wrong: request_seconds_min must not exceed request_seconds_max",
    ),
    "maximum below the documented minimum": (
        TOKENS + "[lifetimes]\nrequest_seconds_max = 60\n",
        ":6: [lifetimes] request_seconds_max is wrong",
    ),
    "origin is not a code": (
        ROUTE.replace("MAD", "Madrid"),
        ":6: [routes.regular] origin must be a three-letter IATA code, got 'Madrid'",
    ),
    "situation is misspelt": (
        ROUTE.replace("regular", "regula"),
        ":5: [routes] regula is not a key of a profile; did you mean regular?",
    ),
    "date and days_ahead": (
        ROUTE + "date = '2027-01-01'\ndays_ahead = 1\n",
        ":9: [routes.regular] days_ahead must be absent if date is given, got 1",
    ),
    "date is not in the calendar": (
        ROUTE + "date = '2027-02-30'\n",
        ":8: [routes.regular] date must be a day of the calendar, got '2027-02-30'",
    ),
    "payment URL without token": (MINIMAL + "[payment]\nurl = 'https://p.example'\n", ":5: [payment] token is missing"),
    "clock without URL": (MINIMAL + "[clock]\n", ":5: [clock] advance_url is missing"),
    "capability is a string": (
        MINIMAL + "[capabilities]\nbalance = 'no'\n",
        ":6: [capabilities] balance must be true or false, got 'no'",
    ),
    "waiver without owner": (MINIMAL + "[[waivers]]\nrule = 'V4-MONEY'\n", ":5: [[waivers]] owner is missing"),
    "request rate is 0": (
        "max_rps = 0\n" + MINIMAL,
        ":1: max_rps must be a number of requests per second above 0, got 0",
    ),
    "request rate is not a number": ("max_rps = nan\n" + MINIMAL, "above 0, got 'nan'"),
    "no versions": ("versions = []\n" + MINIMAL, ":1: versions must be an array of different versions"),
    "version without credentials": (
        "versions = ['v3']\n" + MINIMAL,
        ":1: versions[0] is 'v3', but the profile has no table [v3]",
    ),
    "unknown version": ("versions = ['v5']\n" + MINIMAL, """:1: versions[0] must be "v2", "v3" or "v4", got 'v5'"""),
    "CA bundle does not exist": (
        "ca_bundle = 'none.pem'\n" + MINIMAL,
        ":1: ca_bundle 'none.pem' cannot be read: No such file or directory",
    ),
    "CA bundle is not PEM": (
        "ca_bundle = 'profile.toml'\n" + MINIMAL,
        ":1: ca_bundle 'profile.toml' does not contain a PEM certificate",
    ),
    "not TOML": ("base_url = \n", ":1: is not valid TOML"),
    "variable is not set": (
        MINIMAL.replace("V4_KEY", "UNSET"),
        ":3: [v4] key is invalid: the environment variable UNSET is not set",
    ),
    "secret is another table": (MINIMAL.replace('{ env = "V4_KEY" }', '{ var = "V4_KEY" }'), ":3: [v4] key must be"),
}


@pytest.mark.parametrize(("text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_an_invalid_profile_is_one_line_with_line_and_key(write: Write, text: str, message: str) -> None:
    path = write(text)
    with pytest.raises(UsageError) as caught:
        load_profile(path, ENVIRON)
    assert str(caught.value).startswith(f"{path}:")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        MINIMAL.replace('{ env = "V4_KEY" }', f'["{CANARY}"]'),
        MINIMAL.replace('{ env = "V4_KEY" }', f'{{ env = "{CANARY}" }}'),
        f'base_url = "https://flights.example"\nv4 = "{CANARY}"\n',
        f'environment = "production"\n{MINIMAL}'.replace('{ env = "V4_KEY" }', f'"{CANARY}"'),
    ],
    ids=["key is an array", "variable name is the secret", "table is the secret", "literal in production"],
)
def test_an_error_never_shows_a_secret(write: Write, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_profile(write(text), ENVIRON)
    assert CANARY not in str(caught.value)


def test_a_secret_written_in_the_file_adds_a_note(write: Write) -> None:
    profile = load_profile(write(MINIMAL.replace('{ env = "V4_KEY" }', '"test-key"')), ENVIRON)
    assert "[v4] key is written in the file" in profile.notes[0]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(b"\xff")
    for name, said in {"none": "cannot be read", "folder": "cannot be read", "binary": "is not UTF-8"}.items():
        with pytest.raises(UsageError, match=f"{name}: {said}"):
            load_profile(tmp_path / name)


def test_the_profile_of_the_sandbox_is_valid() -> None:
    profile = profile_from(published("https://127.0.0.1:8443", {"offer": 5}), "embedded sandbox")
    assert isinstance(profile, Profile)
    assert profile.second_organisation is not None
    assert {"regular", "city", "sold_out"} <= set(profile.routes)


def test_a_profile_from_a_server_reads_no_environment_variables() -> None:
    document = {"base_url": "https://x.example", "v4": {"key": "$HOME", "customer_code": "x"}}
    with pytest.raises(UsageError, match="must not name an environment variable"):
        profile_from(document, "https://x.example/sandbox/profile")


def test_a_secret_is_not_shown_by_str_and_repr() -> None:
    secret = Secret(CANARY, "V4_KEY")
    assert f"{secret} {secret!r} {[secret]}" == "$V4_KEY Secret($V4_KEY) [Secret($V4_KEY)]"
    with pytest.raises(TypeError):
        secret.__reduce__()


EXPORT = MINIMAL + TOKENS.partition("\n")[2]


def test_export_has_no_versions_and_formats_by_default(write: Write) -> None:
    export = load_profile(write(f'{EXPORT}[export]\nlocation = "ftps://drop.example/acme"\n'), ENVIRON).export

    assert export is not None
    assert (export.location, export.versions, export.formats) == ("ftps://drop.example/acme", (), ())
    assert (export.user, export.password) == (None, None)


def test_an_export_folder_is_relative_to_the_profile(write: Write, tmp_path: Path) -> None:
    (tmp_path / "drop").mkdir()
    export = load_profile(write(f'{EXPORT}[export]\nlocation = "drop"\ncustomers = ["acme"]\n'), ENVIRON).export

    assert export is not None
    assert (export.location, export.customers) == (str(tmp_path / "drop"), ("acme",))


def test_the_password_of_an_export_is_a_secret_and_the_user_is_not(write: Write) -> None:
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
def test_an_invalid_export_is_one_line(write: Write, table: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        load_profile(write(f"{EXPORT}[export]\n{table}\n"), ENVIRON)

    assert message in str(raised.value)
    assert "canary" not in str(raised.value)


def test_profile_from_a_server_must_not_name_a_folder() -> None:
    with pytest.raises(
        UsageError, match=r"\[export\] location must be an ftp:// or ftps:// URL in a profile from a server"
    ):
        profile_from(published("https://127.0.0.1") | {"export": {"location": "/etc"}}, "wire")
