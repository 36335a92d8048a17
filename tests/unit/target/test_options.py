"""The target and the credentials that the options select."""

import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from airworthy.errors import UsageError
from airworthy.sandbox import SandboxServer
from airworthy.sandbox.dashboard.profile import profile as published
from airworthy.suite.options import external_profile
from airworthy.target.profile import Organisation, TokenCredentials, V4Credentials
from airworthy.target.secret import Secret

from .servers import Serve, response

KEY = "canary-key-7f3a"


def _options(**given: object) -> Namespace:
    absent = dict.fromkeys(("target", "profile", "environment", "ca_bundle", "max_wait", "max_rps", "versions"))
    return Namespace(**absent | {"key_env": "AIRWORTHY_V4_KEY", "allow_plain_http": False} | given)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(ftp_port=0) as server:
        yield server


def test_credentials_of_the_environment_override_those_of_a_sandbox(sandbox: SandboxServer) -> None:
    environ = {
        "AIRWORTHY_V4_KEY": KEY,
        "AIRWORTHY_V4_CUSTOMER_CODE": "ACME",
        "AIRWORTHY_V4_SECOND_KEY": "other",
        "AIRWORTHY_V4_SECOND_CUSTOMER_CODE": "OTHER",
        "AIRWORTHY_PAYMENT_URL": "https://pay.example",
        "AIRWORTHY_PAYMENT_TOKEN": "rk",
    }
    options = _options(target=sandbox.base_url, ca_bundle=sandbox.ca_bundle, max_rps=7.0)
    profile = external_profile(options, environ)
    assert profile.organisation == Organisation(V4Credentials(Secret(KEY), Secret("ACME")))
    assert profile.second_organisation == Organisation(V4Credentials(Secret("other"), Secret("OTHER")))
    assert profile.payment.url == "https://pay.example"
    # The rest of the profile that a sandbox publishes still applies.
    for each in (profile, external_profile(options, {})):
        assert (each.advance_url, each.max_rps) == (f"{sandbox.base_url}/sandbox/clock", 7)
        assert each.ca_bundle == sandbox.ca_bundle
        assert "sold_out" in each.routes
        assert "accepted" in each.payment.situations


def test_target_that_is_not_a_sandbox_has_no_situations_of_a_sandbox() -> None:
    environ = {"AIRWORTHY_V4_KEY": KEY, "AIRWORTHY_V4_CUSTOMER_CODE": "ACME"}
    profile = external_profile(_options(target="https://127.0.0.1:9"), environ)
    assert set(profile.routes) == {"regular", "city", "flights_regular"}
    assert profile.advance_url is None


def test_credentials_of_the_environment_select_the_interfaces(sandbox: SandboxServer) -> None:
    environ = {
        "AIRWORTHY_V3_TOKEN": KEY,
        "AIRWORTHY_V3_CUSTOMER_CODE": "ACME",
        "AIRWORTHY_V3_SECOND_TOKEN": "other",
        "AIRWORTHY_V3_SECOND_CUSTOMER_CODE": "OTHER",
        "AIRWORTHY_V2_TOKEN": "elder",
        "AIRWORTHY_V2_CUSTOMER_CODE": "ACME",
    }
    profile = external_profile(_options(target=sandbox.base_url, ca_bundle=sandbox.ca_bundle), environ)
    assert profile.versions == ("v2", "v3")
    assert profile.organisation.v3 is not None
    assert profile.organisation.v3.token == Secret(KEY)
    assert profile.organisation.v3.token.name == "$AIRWORTHY_V3_TOKEN"
    assert profile.second_organisation == Organisation(v3=TokenCredentials(Secret("other"), Secret("OTHER")))


def test_versions_selects_interfaces(tmp_path: Path) -> None:
    path = tmp_path / "acme.toml"
    path.write_text(
        'base_url = "https://x.example"\n'
        'v4 = {key = "k", customer_code = "c"}\n'
        'v3 = {token = "t", customer_code = "c"}\n'
    )
    assert external_profile(_options(profile=path, versions="v3"), {}).versions == ("v3",)
    assert external_profile(_options(profile=path), {}).versions == ("v3", "v4")
    with pytest.raises(UsageError, match=r"--versions v2,v4: the profile .*acme.toml has no \[v2\]"):
        external_profile(_options(profile=path, versions="v2,v4"), {})


def test_export_of_a_sandbox_is_at_the_host_of_the_base_url(sandbox: SandboxServer) -> None:
    for url in (sandbox.base_url, sandbox.base_url.replace("127.0.0.1", "localhost")):
        export = external_profile(_options(target=url, ca_bundle=sandbox.ca_bundle), {}).export
        assert export is not None
        assert export.location.startswith(f"ftp://{url.removeprefix('https://').partition(':')[0]}:")
        assert (export.versions, export.formats) == (("v2", "v3"), ("routes", "flights"))
        assert export.customers == ("firstota", "secondota")


@pytest.mark.parametrize("location", ["ftp://elsewhere.example/", "/etc"])
def test_published_urls_on_another_host_are_ignored(serve: Serve, location: str) -> None:
    document = json.dumps(published("https://elsewhere.example") | {"export": {"location": location}}).encode()
    server = serve(lambda connection, _: connection.sendall(response(document)))
    profile = external_profile(_options(target=server.base_url, ca_bundle=server.ca_bundle), {})
    assert profile.base_url == server.base_url
    assert (profile.advance_url, profile.payment.url, profile.export) == (None, None, None)


OLD = 'base_url = "https://old.example"\n[v4]\nkey = "k"\ncustomer_code = "c"\n'
# A production profile must not contain secrets.
IN_ENVIRONMENT = OLD.replace('"k"', '"$KEY"').replace('"c"', '"$KEY"')


@pytest.mark.parametrize("environment", ["test", "production"])
def test_target_overrides_the_base_url_of_the_profile(tmp_path: Path, environment: str) -> None:
    path = tmp_path / "acme.toml"
    path.write_text(OLD)
    options = _options(profile=path, target="https://new.example/api/", environment=environment)
    profile = external_profile(options, {})
    assert profile.base_url == "https://new.example/api"
    assert profile.environment == environment
    assert profile.organisation == Organisation(V4Credentials(Secret("k"), Secret("c")))


@pytest.mark.parametrize("environment", ["test", "production"])
@pytest.mark.parametrize("url", ["https://new.example", "https://old.example:8443", "https://old.example/api"])
def test_target_at_another_address_requires_an_environment(tmp_path: Path, environment: str, url: str) -> None:
    path = tmp_path / "acme.toml"
    path.write_text(f'environment = "{environment}"\n{IN_ENVIRONMENT}')
    with pytest.raises(UsageError, match=f"--target {url}: .* is for https://old.example; add --environment test or"):
        external_profile(_options(profile=path, target=url), {"KEY": "k"})
    for same in ("https://old.example", "https://OLD.example:443/"):
        assert external_profile(_options(profile=path, target=same), {"KEY": "k"}).environment == environment
