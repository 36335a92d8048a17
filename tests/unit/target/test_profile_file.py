"""A profile in a TOML file, its defaults, its content export, and the variables that stand for its secrets."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import trustme

from airworthy.contract.conversation.limits import Lifetimes
from airworthy.errors import UsageError
from airworthy.sandbox.dashboard.profile import profile as published
from airworthy.target.profile import (
    Organisation,
    Payment,
    PaymentSituation,
    Profile,
    ProfileExport,
    Route,
    TokenCredentials,
    V4Credentials,
    secret_placeholders,
)
from airworthy.target.profile_file import load_profile, profile_from
from airworthy.target.secret import Secret

from .profiles import CANARY, ENVIRON, EXPORT, MINIMAL, TOKENS, Write


def test_minimal_profile_has_the_documented_defaults(write: Write) -> None:
    profile = load_profile(write(MINIMAL), ENVIRON)

    assert profile.subject == "flights.example"
    assert profile.environment == "test"
    assert profile.organisation == Organisation(V4Credentials(Secret(CANARY), Secret("ACME")))
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
    of_v4 = V4Credentials(Secret(CANARY), Secret("ACME"))
    assert profile.organisation == Organisation(replace(of_v4, balance=True, declares_balance=True))
    assert profile.second_organisation == Organisation(of_v4)
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
    assert set(secret_placeholders(profile)) == {CANARY, "ACME"}


def test_interface_with_credentials_is_examined(write: Write) -> None:
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
    v3 = TokenCredentials(Secret(CANARY), Secret("c"), self_psp=True, post_key_form="bare", date_format="%d/%m/%Y")
    assert (v3.authorization("GET"), v3.authorization("post")) == (f"Bearer {CANARY}", CANARY)
    v2 = TokenCredentials(Secret(f"{CANARY}-2"), Secret("c"), date_format="%d.%m.%Y")
    assert v2.authorization("POST") == f"Bearer {CANARY}-2"
    assert profile.organisation == Organisation(v3=v3, v2=v2)
    assert profile.second_organisation == Organisation(v2=TokenCredentials(Secret("other"), Secret("d")))
    assert profile.lifetimes == Lifetimes(1800, 4, 6, 10)
    # One regular route serves all interfaces.
    assert profile.route("flights_regular") == profile.routes["regular"]
    assert CANARY not in repr(profile)
    assert {f"{CANARY}-2", CANARY, "other", "c", "d"} == set(secret_placeholders(profile))
    assert load_profile(write(f'versions = ["v3"]\n{text}'), ENVIRON).versions == ("v3",)


def test_booking_on_deposit_follows_the_capability_unless_set(write: Write) -> None:
    capable = "[capabilities]\nself_psp = true\n"
    for text, allowed in ((TOKENS + capable, True), (f"{TOKENS}self_psp = false\n{capable}", False), (TOKENS, False)):
        credentials = TokenCredentials(Secret(CANARY), Secret("c"), self_psp=allowed)
        assert load_profile(write(text), ENVIRON).organisation == Organisation(v3=credentials)


def test_city_route_is_not_used_for_v3_and_v2(write: Write) -> None:
    text = TOKENS + "[routes.regular]\norigin='LON'\ndestination='MIL'\norigin_type='CITY'\n"
    assert load_profile(write(text), ENVIRON).route("flights_regular") is None


def test_regular_route_shows_what_the_target_never_has(write: Write) -> None:
    text = MINIMAL + "[routes.regular]\norigin='MAD'\ndestination='BCN'\n"
    assert load_profile(write(text), ENVIRON).route("no_baggage") is None
    profile = load_profile(write(text + "[capabilities]\nbaggage = false\ninfants = false\n"), ENVIRON)
    assert profile.route("no_baggage") == profile.route("flights_no_infants") == profile.routes["regular"]
    assert profile.route("flights_no_bags") is None


def test_route_has_a_departure_and_a_return_date() -> None:
    assert Route("MAD", "BCN", days_ahead=3).departure_date(date(2026, 12, 30)) == date(2027, 1, 2)
    assert Route("MAD", "BCN", days_ahead=3).return_date(date(2026, 12, 30)) == date(2027, 1, 9)


def test_profile_of_the_sandbox_is_valid() -> None:
    profile = profile_from(published("https://127.0.0.1:8443", {"offer": 5}), "embedded sandbox")
    assert isinstance(profile, Profile)
    assert profile.second_organisation is not None
    assert {"regular", "city", "sold_out"} <= set(profile.routes)


def test_password_of_an_export_is_a_secret_and_the_user_is_not(write: Write, tmp_path: Path) -> None:
    def read(table: str) -> Profile:
        return load_profile(write(f"{EXPORT}{table}\n"), ENVIRON | {"FTP_PASSWORD": "canary-ftp"})

    login = 'location = "ftp://drop.example"\nuser = "export"\npassword = "$FTP_PASSWORD"\nversions = ["v3", "v2"]'
    profile = read(login)
    assert profile.export is not None
    assert profile.export.versions == ("v2", "v3")
    hidden = secret_placeholders(profile)
    assert "canary-ftp" in hidden
    assert "export" not in hidden

    (tmp_path / "drop").mkdir()
    for location, found in (("ftps://drop.example/acme",) * 2, ("drop", str(tmp_path / "drop"))):
        assert read(f'location = "{location}"\ncustomers = ["acme"]').export == ProfileExport(
            found, customers=("acme",)
        )


def test_profile_from_a_server_must_not_name_a_folder() -> None:
    with pytest.raises(
        UsageError, match=r"\[export\] location must be an ftp:// or ftps:// URL in a profile from a server"
    ):
        profile_from(published("https://127.0.0.1") | {"export": {"location": "/etc"}}, "wire")


PROFILE = Profile(
    source="acme.toml",
    base_url="https://service.example",
    versions=("v3", "v4"),
    organisation=Organisation(
        v4=V4Credentials(Secret("the-key", "ACME_KEY"), Secret("FIRST-OTA")),
        v3=TokenCredentials(Secret("the-token"), Secret("FIRST-OTA")),
    ),
)


def test_secret_is_shown_as_its_variable_or_as_one_named_after_its_key() -> None:
    shown = secret_placeholders(PROFILE)
    assert shown["the-key"] == ("$ACME_KEY",)
    assert shown["the-token"] == ("$AIRWORTHY_V3_TOKEN",)
    assert shown["FIRST-OTA"] == ("$AIRWORTHY_V4_CUSTOMER_CODE", "$AIRWORTHY_V3_CUSTOMER_CODE")


def test_second_organisation_and_the_payment_provider_have_placeholders() -> None:
    second = Organisation(v4=V4Credentials(Secret("second-key"), Secret("SECOND-OTA")))
    payment = Payment("https://pay.example", Secret("rk_1"), situations={"card": PaymentSituation(Secret("4242" * 4))})
    shown = secret_placeholders(replace(PROFILE, second_organisation=second, payment=payment))
    assert shown["second-key"] == ("$AIRWORTHY_V4_SECOND_KEY",)
    assert shown["SECOND-OTA"] == ("$AIRWORTHY_V4_SECOND_CUSTOMER_CODE",)
    assert shown["rk_1"] == ("$AIRWORTHY_PAYMENT_TOKEN",)
    assert shown["4242" * 4] == ("…",)
