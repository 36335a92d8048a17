"""From command-line options to the profile of a target."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, get_args
from urllib.parse import urlsplit

import orjson
import pytest

from airworthy.errors import AirworthyError, UsageError
from airworthy.sandbox import SandboxSettings, dialect
from airworthy.sandbox.faults import chosen
from airworthy.sandbox.profile import profile as published
from airworthy.target.authorities import ca_bundle
from airworthy.target.client import Client
from airworthy.target.profile import VERSIONS, Environment, Profile
from airworthy.target.profile_file import load_profile, profile_from

EMBEDDED: Final = "embedded sandbox"
ENVIRONMENTS: Final = get_args(Environment)
_OK: Final = 200
_PORTS: Final = {"https": 443, "http": 80}
_KEY: Final = "AIRWORTHY_V4_KEY"
_OF_THE_SANDBOX: Final[tuple[str, ...]] = ("dialect", "fault", "lifetimes")
_OF_A_TARGET: Final[tuple[str, ...]] = ("ca_bundle", "allow_plain_http", "environment")
# What any airport sells; the other routes of the sandbox lead to situations that only it has.
_ORDINARY_ROUTES: Final = ("regular", "city", "round_trip", "flights_regular")


def add_options(parser: pytest.Parser) -> None:
    """Add the suite's options."""
    description = "Airworthy: the target and how to treat it (write --profile=FILE for a file outside of the checkout)"
    group = parser.getgroup("airworthy", description)
    group.addoption("--target", metavar="URL", help="base URL of the implementation, without the version")
    group.addoption("--profile", metavar="FILE", type=Path, help="TOML profile of the implementation")
    group.addoption(
        "--environment", choices=ENVIRONMENTS, help="what --target is, if the profile is for another address"
    )
    group.addoption("--ca-bundle", metavar="FILE", type=Path, help="PEM file with the certificates to trust")
    group.addoption("--key-env", metavar="NAME", default=_KEY, help=f"variable with the v4 key of --target ({_KEY})")
    group.addoption("--allow-plain-http", action="store_true", help="examine a base URL without TLS")
    group.addoption("--allow-live-bookings", action="store_true", help="book in a production environment")
    group.addoption("--max-wait", metavar="SECONDS", type=float, help="the longest wait for something to age")
    group.addoption("--max-rps", metavar="N", type=float, help="the most requests a second")
    group.addoption("--reports", metavar="DIR", type=Path, default=Path("reports"), help="where reports go (reports)")
    group.addoption("--run-id", metavar="NAME", help="the name of the run's folder (date and time)")
    group.addoption("--versions", metavar="LIST", help="interfaces to examine, such as v3,v4 (all with credentials)")
    group.addoption("--dialect", metavar="NAME", help="dialect of the embedded sandbox")
    group.addoption("--fault", metavar="NAME", action="append", default=[], help="fault of the embedded sandbox")
    group.addoption("--lifetimes", metavar="NAME=SECONDS", action="append", default=[], help="the sandbox's lifetimes")


def is_external(option: Any) -> bool:  # noqa: ANN401  argparse's namespace
    """Whether the options name a target, and not the embedded sandbox."""
    return bool(option.target or option.profile)


def target_profile(option: Any, environ: Mapping[str, str] = os.environ) -> Profile:  # noqa: ANN401
    """Return the profile of the target that is examined: the one that the options name, else the embedded sandbox.

    Raises `UsageError` as `external_profile` does.
    """
    _refuse_what_does_nothing(option)
    if is_external(option):
        return external_profile(option, environ)
    return adjusted(profile_from(published("https://127.0.0.1"), EMBEDDED), option)


def external_profile(option: Any, environ: Mapping[str, str] = os.environ) -> Profile:  # noqa: ANN401
    """Return the profile of the target that the options name.

    ``--target`` beside ``--profile`` replaces its base URL; if it differs, ``--environment`` says what the new one is,
    so that the guard of production does not depend on what the profile said of another address. ``--target`` alone
    takes credentials from the environment variables, else what the target publishes of itself as a sandbox does, else
    the sandbox's own.

    Raises:
        UsageError: an option, the profile or a variable is wrong.
    """
    ca_bundle(option.ca_bundle)
    if option.profile:
        profile = load_profile(option.profile, environ)
        if option.target:
            profile = _at(_base_url(option, profile), profile, option)
    else:
        profile = _target_alone(option, environ)
    if option.environment:
        profile = replace(profile, environment=option.environment)
    return adjusted(profile, option)


def _at(base_url: str, profile: Profile, option: Any) -> Profile:  # noqa: ANN401
    """Return a profile for another address, which may be another environment."""
    if not option.environment and _address(base_url) != _address(profile.base_url):
        raise UsageError(
            f"--target {base_url}: the profile {profile.source} is for {profile.base_url}; "
            "add --environment test or --environment production"
        )
    return replace(profile, base_url=base_url)


def _address(base_url: str) -> tuple[str | None, int | None, str]:
    parts = urlsplit(base_url)
    return parts.hostname, parts.port or _PORTS.get(parts.scheme), parts.path.rstrip("/")


def adjusted(profile: Profile, option: Any) -> Profile:  # noqa: ANN401
    """Return a profile with what the options say about it."""
    if option.max_rps is not None and option.max_rps <= 0:
        raise UsageError(f"--max-rps {option.max_rps:g}: expected a number above 0")
    if option.max_wait is not None and option.max_wait < 0:
        raise UsageError(f"--max-wait {option.max_wait:g}: expected 0 or more seconds")
    return replace(
        profile,
        ca_bundle=option.ca_bundle or profile.ca_bundle,
        allow_plain_http=option.allow_plain_http or profile.allow_plain_http,
        max_rps=option.max_rps or profile.max_rps,
        versions=_versions(option, profile),
    )


def sandbox_settings(option: Any) -> SandboxSettings:  # noqa: ANN401
    """Return what the embedded sandbox is started with; raises `UsageError` for a name that it does not know."""
    name = option.dialect or SandboxSettings().dialect
    return known(SandboxSettings(name, tuple(option.fault), lifetimes=pairs("--lifetimes", option.lifetimes)))


def known(settings: SandboxSettings) -> SandboxSettings:
    """Return settings whose every name the sandbox knows, before it takes a port; raises `UsageError` for others."""
    dialect(settings.dialect)
    chosen(settings.faults)
    settings.policy()
    settings.extent.checked()
    return settings


def _refuse_what_does_nothing(option: Any) -> None:  # noqa: ANN401
    """Raise `UsageError` for an option that has no say in what is examined, though its user believes that it has."""
    if is_external(option):
        names, whose = _OF_THE_SANDBOX, "the embedded sandbox's, and a target is named"
    else:
        names, whose = _OF_A_TARGET, "a target's, and none is named"
    for name in names:
        if getattr(option, name):
            raise UsageError(f"--{name.replace('_', '-')}: is {whose}")
    if option.key_env != _KEY and (option.profile or not option.target):
        raise UsageError("--key-env: is for --target alone; a profile names its own variables")


def pairs(name: str, given: Iterable[str]) -> dict[str, float]:
    """Return an option's values such as ``offer=5`` as a mapping; raises `UsageError` for anything else."""
    found: dict[str, float] = {}
    for each in given:
        key, _, seconds = each.partition("=")
        try:
            found[key] = float(seconds)
        except ValueError:
            raise UsageError(f"{name} {each}: expected NAME=SECONDS, such as offer=5") from None
    return found


def _versions(option: Any, profile: Profile) -> tuple[str, ...]:  # noqa: ANN401
    if not option.versions:
        return profile.versions
    asked = option.versions.split(",")
    for version in asked:
        if version not in VERSIONS:
            raise UsageError(f"--versions {option.versions}: expected {', '.join(VERSIONS)}")
        if version not in profile.organisation.versions:
            raise UsageError(f"--versions {option.versions}: the profile {profile.source} has no [{version}]")
    return tuple(sorted(set(asked)))


def _base_url(option: Any, profile: Profile) -> str:  # noqa: ANN401
    document = _document(option) | {"v4": {"key": "-", "customer_code": "-"}}
    document["allow_plain_http"] = option.allow_plain_http or profile.allow_plain_http
    return profile_from(document, "--target").base_url


def _document(option: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"base_url": option.target, "allow_plain_http": option.allow_plain_http}


def _target_alone(option: Any, environ: Mapping[str, str]) -> Profile:  # noqa: ANN401
    sandbox = published(option.target)
    document = _document(option)
    given = _from_environment(option.key_env, environ)
    if given:
        routes = {name: route for name, route in sandbox["routes"].items() if name in _ORDINARY_ROUTES}
        supposed = profile_from(document | given | {"routes": routes}, "--target", environ)
    else:
        credentials = {name: sandbox[name] for name in (*VERSIONS, "second_organisation") if name in sandbox}
        supposed = profile_from(document | credentials | {"routes": sandbox["routes"]}, "--target")
    described = _described(supposed, option)
    if described is None or not given:
        return described or supposed
    # A sandbox that is examined with the caller's own credentials still has its clock, its routes and its cards.
    own = supposed.payment if supposed.payment.url else described.payment
    return replace(
        described,
        organisation=supposed.organisation,
        second_organisation=supposed.second_organisation or described.second_organisation,
        versions=supposed.versions,
        payment=replace(own, situations=described.payment.situations),
    )


def _from_environment(key_env: str, environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the credentials that the environment holds, by the names that the reports show instead of them."""
    first = {version: _credentials(version, "", environ) for version in VERSIONS}
    if key_env != _KEY:
        first["v4"] = {"key": {"env": key_env}, "customer_code": {"env": "AIRWORTHY_V4_CUSTOMER_CODE"}}
    document: dict[str, Any] = {version: found for version, found in first.items() if found}
    if not document:
        return {}
    second = {version: _credentials(version, "SECOND_", environ) for version in document}
    document["second_organisation"] = {version: found for version, found in second.items() if found}
    if environ.get("AIRWORTHY_PAYMENT_TOKEN"):
        document["payment"] = {
            "url": environ.get("AIRWORTHY_PAYMENT_URL", ""),
            "token": {"env": "AIRWORTHY_PAYMENT_TOKEN"},
        }
    return document


def _credentials(version: str, whose: str, environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Return an organisation's credentials for an interface as a profile has them: $AIRWORTHY_V3_TOKEN and its like."""
    secret = "key" if version == "v4" else "token"
    prefix = f"AIRWORTHY_{version.upper()}_{whose}"
    if not environ.get(f"{prefix}{secret.upper()}"):
        return None
    return {secret: {"env": f"{prefix}{secret.upper()}"}, "customer_code": {"env": f"{prefix}CUSTOMER_CODE"}}


def _described(profile: Profile, option: Any) -> Profile | None:  # noqa: ANN401
    """Return the profile that the target publishes of itself, or None.

    It came over the wire: it may name no variable, no file, and no other host than its own.
    """
    client = Client(profile.base_url, ca_bundle=option.ca_bundle, timeout=5)
    try:
        response = client.send("GET", "/sandbox/profile").response
        document = orjson.loads((response.body if response else None) or b"null")
        if response is None or response.status != _OK or not isinstance(document, dict):
            return None
        document = {name: value for name, value in document.items() if name not in ("ca_bundle", "waivers")}
        described = profile_from(document | _document(option), f"{profile.base_url}/sandbox/profile")
    except (AirworthyError, ValueError):
        # Not a sandbox of ours. Whether it can be reached at all is for the preflight to say.
        return None
    finally:
        client.close()
    host = urlsplit(profile.base_url).hostname
    named = (described.payment.url, described.advance_url, described.export and described.export.location)
    elsewhere = [url for url in named if url and urlsplit(url).hostname != host]
    return None if elsewhere else described
