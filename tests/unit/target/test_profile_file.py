from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
import trustme

from airworthy.errors import UsageError
from airworthy.sandbox.profile import profile as published
from airworthy.target.profile import Lifetimes, Profile, Route, TokenCredentials
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


def test_a_minimal_profile_has_the_documents_defaults(write: Write) -> None:
    profile = load_profile(write(MINIMAL), ENVIRON)

    assert profile.subject == "flights.example"
    assert profile.environment == "test"
    assert profile.organisation.v4 is not None
    assert profile.organisation.v4.key.reveal() == CANARY
    assert profile.organisation.v4.customer_code.reveal() == "ACME"
    assert profile.lifetimes.offer_seconds == 1800
    assert profile.second_organisation is None
    assert profile.advance_url is None
    assert profile.offers("balance")
    assert profile.versions == ("v4",)
    assert not profile.notes


def test_everything_that_a_profile_may_say_is_read(write: Write, tmp_path: Path) -> None:
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
    assert not profile.offers("balance")
    assert profile.offers("card")
    assert profile.waivers[0].expires == date(2030, 1, 31)
    assert CANARY not in repr(profile)
    assert {secret.reveal() for secret in profile.secrets()} == {CANARY, "ACME"}


def test_credentials_of_each_interface_make_it_examined(write: Write) -> None:
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
    # What flies regularly may be named once for all interfaces.
    assert profile.route("flights_regular") == profile.routes["regular"]
    assert CANARY not in repr(profile)
    assert {f"{CANARY}-2", CANARY, "other", "c", "d"} == {secret.reveal() for secret in profile.secrets()}


def test_what_the_target_can_do_the_organisation_may_unless_it_says_otherwise(write: Write) -> None:
    capable = "[capabilities]\nself_psp = true\n"
    for text, may in ((TOKENS + capable, True), (f"{TOKENS}self_psp = false\n{capable}", False), (TOKENS, False)):
        v3 = load_profile(write(text), ENVIRON).organisation.v3
        assert v3 is not None
        assert v3.self_psp is may


def test_v3_and_v2_know_no_cities(write: Write) -> None:
    text = TOKENS + "[routes.regular]\norigin='LON'\ndestination='MIL'\norigin_type='CITY'\n"
    assert load_profile(write(text), ENVIRON).route("flights_regular") is None


def test_versions_may_be_fewer_than_the_credentials(write: Write) -> None:
    text = 'versions = ["v4"]\n' + MINIMAL + "[v3]\ntoken = 't'\ncustomer_code = 'c'\n"
    assert load_profile(write(text), ENVIRON).versions == ("v4",)


def test_routes_know_their_days() -> None:
    assert Route("MAD", "BCN", days_ahead=3).departure(date(2026, 12, 30)) == date(2027, 1, 2)
    assert Route("MAD", "BCN", days_ahead=3).way_back(date(2026, 12, 30)) == date(2027, 1, 9)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("base_url = 3\n", ":1: base_url = 3: expected an absolute https:// URL"),
        ('base_url = "flights.example"\n', ':1: base_url = "flights.example": expected an absolute https:// URL'),
        ('base_url = "https://u:p@flights.example"\n', "expected an absolute https:// URL without credentials"),
        (MINIMAL.replace(".example", ".example/v4/"), "expected the URL without the version at its end"),
        (MINIMAL.replace("https:", "http:"), "set allow_plain_http = true"),
        (MINIMAL.replace("base_url", "base_uri"), ":1: base_uri is not a key of a profile; did you mean base_url?"),
        (MINIMAL.replace("customer_code", "customer"), "v4.customer_code is missing"),
        (
            'base_url = "https://flights.example"\n',
            "v4 is missing: expected credentials for one of v2, v3, v4 at least",
        ),
        (MINIMAL + "[v3]\ntoken = 't'\n", ":5: v3.customer_code is missing"),
        (MINIMAL + "[v3]\ntoken = 't'\ncustomer_code = 'c'\nkey = 'k'\n", ":8: v3.key is not a key of a profile"),
        (TOKENS + "get_key_form = 'Bearer'\n", ':5: v3.get_key_form = "Bearer": expected "bearer"'),
        (TOKENS + "date_format = 'DD.MM.'\n", ':5: v3.date_format = "DD.MM."'),
        (TOKENS + "date_format = '%Y%m%d%c'\n", ':5: v3.date_format = "%Y%m%d%c"'),
        (
            TOKENS + "[routes.flights_many]\norigin='MAD'\ndestination='BCN'\norigin_type='CITY'\n",
            ":8: routes.flights_many.origin_type is not",
        ),
        (
            TOKENS + "[lifetimes]\nrequest_seconds_min = 400\n",
            ":6: lifetimes.request_seconds_min: a request's shortest",
        ),
        (TOKENS + "[lifetimes]\nrequest_seconds_max = 60\n", ":6: lifetimes.request_seconds_max: a request's shortest"),
        (
            MINIMAL + "[routes.regular]\norigin = 'MADRID'\ndestination = 'BCN'\n",
            ':6: routes.regular.origin = "MADRID"',
        ),
        (
            MINIMAL + "[routes.regula]\norigin = 'MAD'\n",
            ":5: routes.regula is not a key of a profile; did you mean regular",
        ),
        (
            MINIMAL + "[routes.regular]\norigin='MAD'\ndestination='BCN'\ndate='2027-01-01'\ndays_ahead=1\n",
            ":9: routes.r",
        ),
        (
            MINIMAL + "[routes.regular]\norigin='MAD'\ndestination='BCN'\ndate='2027-02-30'\n",
            "is no day of the calendar",
        ),
        (MINIMAL + "[payment]\nurl = 'https://p.example'\n", ":5: payment.token is missing"),
        (MINIMAL + "[clock]\n", ":5: clock.advance_url is missing"),
        (MINIMAL + "[capabilities]\nbalance = 'no'\n", ':6: capabilities.balance = "no": expected true or false'),
        (MINIMAL + "[[waivers]]\nrule = 'x'\n", ":5: waivers[0].owner is missing"),
        ("max_rps = 0\n" + MINIMAL, ":1: max_rps = 0: expected the most requests a second, above 0"),
        ("max_rps = nan\n" + MINIMAL, ':1: max_rps = "nan": expected'),
        ("versions = []\n" + MINIMAL, ":1: versions = []: expected"),
        ("versions = ['v3']\n" + MINIMAL, ':1: versions[0] = "v3": the profile has no [v3]'),
        ("versions = ['v5']\n" + MINIMAL, ':1: versions[0] = "v5": expected a version'),
        ("ca_bundle = 'none.pem'\n" + MINIMAL, ':1: ca_bundle = "none.pem": cannot be read: No such file or directory'),
        ("ca_bundle = 'profile.toml'\n" + MINIMAL, "holds no PEM certificate"),
        ("base_url = \n", ":1: is not valid TOML"),
        (MINIMAL.replace("V4_KEY", "UNSET"), ":3: v4.key: the environment variable UNSET is not set"),
        (MINIMAL.replace('{ env = "V4_KEY" }', '{ var = "V4_KEY" }'), ":3: v4.key"),
    ],
)
def test_a_mistake_is_named_by_its_place(write: Write, text: str, said: str) -> None:
    path = write(text)
    with pytest.raises(UsageError) as caught:
        load_profile(path, ENVIRON)
    assert str(caught.value).startswith(f"{path}:")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        MINIMAL.replace('{ env = "V4_KEY" }', f'["{CANARY}"]'),
        MINIMAL.replace('{ env = "V4_KEY" }', f'{{ env = "{CANARY}" }}'),
        f'base_url = "https://flights.example"\nv4 = "{CANARY}"\n',
        f'environment = "production"\n{MINIMAL}'.replace('{ env = "V4_KEY" }', f'"{CANARY}"'),
    ],
)
def test_a_mistake_never_shows_a_secret(write: Write, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_profile(write(text), ENVIRON)
    assert CANARY not in str(caught.value)


def test_a_secret_that_is_written_out_is_noted(write: Write) -> None:
    profile = load_profile(write(MINIMAL.replace('{ env = "V4_KEY" }', '"test-key"')), ENVIRON)
    assert "v4.key is written out" in profile.notes[0]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(b"\xff")
    for name, said in {"none": "cannot be read", "folder": "cannot be read", "binary": "is not UTF-8"}.items():
        with pytest.raises(UsageError, match=f"{name}: {said}"):
            load_profile(tmp_path / name)


def test_what_the_sandbox_publishes_is_a_profile() -> None:
    profile = profile_from(published("https://127.0.0.1:8443", {"offer": 5}), "embedded sandbox")
    assert isinstance(profile, Profile)
    assert profile.second_organisation is not None
    assert {"regular", "city", "sold_out"} <= set(profile.routes)


def test_what_came_over_the_wire_reads_no_variables() -> None:
    document = {"base_url": "https://x.example", "v4": {"key": "$HOME", "customer_code": "x"}}
    with pytest.raises(UsageError, match="may not name an environment variable"):
        profile_from(document, "https://x.example/sandbox/profile")


def test_a_secret_hides_itself() -> None:
    secret = Secret(CANARY, "V4_KEY")
    assert f"{secret} {secret!r} {[secret]}" == "$V4_KEY Secret($V4_KEY) [Secret($V4_KEY)]"
    with pytest.raises(TypeError):
        secret.__reduce__()


EXPORT = MINIMAL + TOKENS.partition("\n")[2]


def test_an_export_without_a_word_on_versions_is_for_those_that_are_examined(write: Write) -> None:
    export = load_profile(write(f'{EXPORT}[export]\nlocation = "ftps://drop.example/acme"\n'), ENVIRON).export

    assert export is not None
    assert (export.location, export.versions, export.customers) == ("ftps://drop.example/acme", ("v3",), ())
    assert (export.user, export.password) == (None, None)


def test_an_export_is_a_folder_beside_the_profile(write: Write, tmp_path: Path) -> None:
    (tmp_path / "drop").mkdir()
    export = load_profile(write(f'{EXPORT}[export]\nlocation = "drop"\ncustomers = ["acme"]\n'), ENVIRON).export

    assert export is not None
    assert (export.location, export.customers) == (str(tmp_path / "drop"), ("acme",))


def test_an_exports_password_is_a_secret_and_its_user_is_an_ordinary_word(write: Write) -> None:
    login = 'location = "ftp://drop.example"\nuser = "export"\npassword = "$FTP_PASSWORD"\nversions = ["v3", "v2"]\n'
    profile = load_profile(write(f"{EXPORT}[export]\n{login}"), ENVIRON | {"FTP_PASSWORD": "canary-ftp"})

    assert profile.export is not None
    assert profile.export.versions == ("v2", "v3")
    hidden = [secret.reveal() for secret in profile.secrets()]
    assert "canary-ftp" in hidden
    assert "export" not in hidden


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ('location = "nowhere"', 'export.location = "nowhere": is no folder'),
        ('location = "ftp://me:canary@drop.example"', "expected a folder (relative to the profile), or an ftp://"),
        ('location = "https://drop.example"', "expected a folder (relative to the profile), or an ftp://"),
        ('location = "ftp://drop.example"\npassword = "canary"', "export.user is missing"),
        ('location = "ftp://drop.example"\nversions = ["v4"]', '"v2" or "v3"'),
        ('location = "ftp://drop.example"\nfolder = "x"', "is not a key of a profile"),
    ],
)
def test_a_mistake_about_the_export_is_one_line(write: Write, table: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        load_profile(write(f"{EXPORT}[export]\n{table}\n"), ENVIRON)

    assert said in str(raised.value)
    assert "canary" not in str(raised.value)


def test_a_profile_from_the_wire_names_no_folder() -> None:
    with pytest.raises(UsageError, match=r"export\.location: may not name a folder here"):
        profile_from(published("https://127.0.0.1") | {"export": {"location": "/etc"}}, "wire")
