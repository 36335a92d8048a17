"""The suite's command-line options, and the profile of the target that they select."""

import math
import os
import re
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, get_args
from urllib.parse import urlsplit

import orjson
import pytest

from airworthy.errors import AirworthyError, UsageError, did_you_mean
from airworthy.register import rules
from airworthy.report.results import EMBEDDED
from airworthy.sandbox import SandboxSettings, dialect
from airworthy.sandbox.dashboard.profile import profile as published
from airworthy.sandbox.faults import chosen
from airworthy.suite.run_options import KEY, MAX_BOOKINGS, RUN_OPTIONS
from airworthy.target.client import Client
from airworthy.target.profile import VERSIONS, Environment, Profile
from airworthy.target.profile_file import load_profile, profile_from
from airworthy.target.urls import DEFAULT_PORTS, trusted_authorities

ENVIRONMENTS: Final = get_args(Environment)
_DURATION: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)([smh])")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}
_SANDBOX_OPTIONS: Final[tuple[str, ...]] = ("dialect", "fault", "lifetimes")
_TARGET_OPTIONS: Final[tuple[str, ...]] = ("ca_bundle", "allow_plain_http", "environment")
# Any service may offer these routes; the other routes of the sandbox lead to situations that only the sandbox has.
_ORDINARY_ROUTES: Final = ("regular", "city", "round_trip", "flights_regular")


def add_options(parser: pytest.Parser) -> None:
    """Add the suite's options."""
    description = "Airworthy: the target and limits for it (use --profile=FILE for a file outside of the checkout)"
    group = parser.getgroup("airworthy", description)
    defaults = {"--key-env": KEY, "--reports": Path("reports")}
    for name, option in RUN_OPTIONS.items():
        form: dict[str, Any] = {"metavar": option.metavar}
        if not option.metavar:
            form = {"action": "store_true"}
        elif option.is_repeatable:
            form |= {"action": "append", "default": []}
        else:
            choices = ENVIRONMENTS if name == "--environment" else None
            form |= {"type": option.type, "choices": choices, "default": defaults.get(name)}
        group.addoption(name, help=option.help, **form)


@dataclass(frozen=True, slots=True)
class ExplorationBudget:
    """How much is explored: for a time, or a number of conversations, but perhaps only ``until_found``.

    ``seed`` repeats an exploration.
    """

    seconds: float | None = None
    conversations: int | None = None
    seed: int | None = None
    until_found: bool = False

    def share(self, interfaces: int) -> "ExplorationBudget":
        """Return the budget of one of several interfaces; the time is for all of them."""
        return replace(self, seconds=self.seconds and self.seconds / interfaces)


def budget(option: Namespace) -> ExplorationBudget | None:
    """Return how much a run explores, or None if it does not. Raise `UsageError` for an option without effect."""
    if option.explore is None and option.conversations is None:
        for name in ("seed", "max_bookings", "until_found"):
            if getattr(option, name) not in (None, False):
                raise UsageError(f"--{name.replace('_', '-')}: requires --explore or --conversations")
        return None
    for name in ("conversations", "max_bookings"):
        if (value := getattr(option, name)) is not None and value < 1:
            raise UsageError(f"--{name.replace('_', '-')} {value}: expected a number above 0")
    seconds = None
    if option.explore is not None:
        found = _DURATION.fullmatch(option.explore)
        if not found or not float(found[1]):
            raise UsageError(f"{option.explore}: expected a duration of the exploration such as 90s, 5m or 1h")
        seconds = float(found[1]) * _UNITS[found[2]]
    return ExplorationBudget(seconds, option.conversations, option.seed, option.until_found)


def max_bookings(option: Namespace) -> int | None:
    """Return how many bookings explorations may make; by default, any number in the embedded sandbox only."""
    if option.max_bookings is None and is_external(option):
        return MAX_BOOKINGS
    return option.max_bookings and int(option.max_bookings)


def bookings_of(interface: str, versions: Sequence[str], option: Namespace) -> float:
    """Return how many bookings the exploration of one of several interfaces may make: they share ``--max-bookings``."""
    limit = max_bookings(option)
    return math.inf if limit is None else (limit + versions.index(interface)) // len(versions)


def is_external(option: Namespace) -> bool:
    """Return whether the options name a target. If not, the embedded sandbox is the target."""
    return bool(option.target or option.profile)


def target_profile(option: Namespace) -> Profile:
    """Return the profile of the target that the options name, or of the embedded sandbox.

    Raises:
        UsageError: an option, the profile or an environment variable is wrong.
    """
    _reject_unused_options(option)
    if is_external(option):
        return external_profile(option)
    return with_options(profile_from(published("https://127.0.0.1"), EMBEDDED), option)


def external_profile(option: Namespace, environ: Mapping[str, str] = os.environ) -> Profile:
    """Return the profile of the target that the options name.

    ``--target`` with ``--profile`` replaces the base URL of the profile. If the address differs, ``--environment`` is
    required, because the profile does not say whether the new address is a production environment.

    With ``--target`` alone, the credentials come from environment variables. Without these, they come from the profile
    that the target publishes if it is a sandbox, and otherwise from the embedded sandbox.

    Raises:
        UsageError: an option, the profile or an environment variable is wrong.
    """
    trusted_authorities(option.ca_bundle)
    if option.profile:
        profile = _checked(load_profile(option.profile, environ))
        if option.target:
            profile = _with_base_url(profile, option)
    else:
        profile = _target_alone(option, environ)
    if option.environment:
        profile = replace(profile, environment=option.environment)
    return with_options(profile, option)


def _checked(profile: Profile) -> Profile:
    """Return the profile of a run. Raise `UsageError` for a waived rule that does not exist, or a date in the past."""
    known = {each.id for each in rules()}
    for waiver in profile.waivers:
        if waiver.rule not in known:
            advice = did_you_mean(waiver.rule, known, "`airworthy rules` lists all rules")
            raise UsageError(f"{profile.source}: [[waivers]] rule is unknown, got {waiver.rule!r}; {advice}")
    # The current day where it begins last on earth, because the time zone of the target is not known.
    today = (datetime.now(UTC) - timedelta(hours=12)).date()
    for name, route in profile.routes.items():
        if route.day and route.day < today:
            raise UsageError(f"{profile.source}: [routes.{name}] date is in the past, got '{route.day}'")
    return profile


def _with_base_url(profile: Profile, option: Namespace) -> Profile:
    """Return a profile with another base URL. Raise `UsageError` if its environment is not known."""
    document = _document(option) | {"v4": {"key": "-", "customer_code": "-"}}
    document["allow_plain_http"] = option.allow_plain_http or profile.allow_plain_http
    base_url = profile_from(document, "--target").base_url
    if not option.environment and _address(base_url) != _address(profile.base_url):
        raise UsageError(
            f"--target {base_url}: the profile {profile.source} is for {profile.base_url}; "
            "add --environment test or --environment production"
        )
    return replace(profile, base_url=base_url)


def _address(base_url: str) -> tuple[str | None, int | None, str]:
    parts = urlsplit(base_url)
    return parts.hostname, parts.port or DEFAULT_PORTS.get(parts.scheme), parts.path.rstrip("/")


def with_options(profile: Profile, option: Namespace) -> Profile:
    """Return a profile with the values that the options override."""
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


def sandbox_settings(option: Namespace) -> SandboxSettings:
    """Return the settings of the embedded sandbox. Raise `UsageError` if an option has an unknown name."""
    name = option.dialect or SandboxSettings().dialect
    return validated(SandboxSettings(name, tuple(option.fault), lifetimes=parse_lifetimes(option.lifetimes)))


def validated(settings: SandboxSettings) -> SandboxSettings:
    """Return valid settings. Raise `UsageError` for an unknown name, before the sandbox opens a port."""
    dialect(settings.dialect)
    chosen(settings.faults)
    settings.policy()
    settings.extent.checked()
    return settings


def _reject_unused_options(option: Namespace) -> None:
    if is_external(option):
        names, problem = _SANDBOX_OPTIONS, "is only for the embedded sandbox; remove it or --target and --profile"
    else:
        names, problem = _TARGET_OPTIONS, "requires --target or --profile"
    for name in names:
        if getattr(option, name):
            raise UsageError(f"--{name.replace('_', '-')}: {problem}")
    if option.key_env != KEY and (option.profile or not option.target):
        raise UsageError("--key-env: requires --target without --profile; a profile names its own variables")


def parse_lifetimes(values: Iterable[str]) -> dict[str, float]:
    """Return the seconds in values of ``--lifetimes`` such as ``offer=5``. Raise `UsageError` for any other form."""
    lifetimes: dict[str, float] = {}
    for each in values:
        key, _, seconds = each.partition("=")
        try:
            lifetimes[key] = float(seconds)
        except ValueError:
            raise UsageError(f"--lifetimes {each}: expected NAME=SECONDS, such as offer=5") from None
    return lifetimes


def _versions(option: Namespace, profile: Profile) -> tuple[str, ...]:
    if not option.versions:
        return profile.versions
    versions = option.versions.split(",")
    for version in versions:
        if version not in VERSIONS:
            raise UsageError(f"--versions {option.versions}: expected {', '.join(VERSIONS)}")
        if version not in profile.organisation.versions:
            raise UsageError(f"--versions {option.versions}: the profile {profile.source} has no [{version}]")
    return tuple(sorted(set(versions)))


def _document(option: Namespace) -> dict[str, Any]:
    return {"base_url": option.target, "allow_plain_http": option.allow_plain_http}


def _target_alone(option: Namespace, environ: Mapping[str, str]) -> Profile:
    sandbox = published(option.target)
    document = _document(option)
    given = _from_environment(option.key_env, environ)
    if given:
        routes = {name: route for name, route in sandbox["routes"].items() if name in _ORDINARY_ROUTES}
        assumed = profile_from(document | given | {"routes": routes}, "--target", environ)
    else:
        credentials = {name: sandbox[name] for name in (*VERSIONS, "second_organisation") if name in sandbox}
        assumed = profile_from(document | credentials | {"routes": sandbox["routes"]}, "--target")
    sandbox_profile = _sandbox_profile(assumed, option)
    if sandbox_profile is None or not given:
        return sandbox_profile or assumed
    # The credentials of the user do not replace the clock, the routes and the cards of a sandbox.
    payment = assumed.payment if assumed.payment.url else sandbox_profile.payment
    return replace(
        sandbox_profile,
        organisation=assumed.organisation,
        second_organisation=assumed.second_organisation or sandbox_profile.second_organisation,
        versions=assumed.versions,
        payment=replace(payment, situations=sandbox_profile.payment.situations),
    )


def _from_environment(key_env: str, environ: Mapping[str, str]) -> dict[str, Any]:
    """Return the credentials in the environment as a profile document, which names the variables that contain them."""
    first = {version: _credentials(version, "", environ) for version in VERSIONS}
    if key_env != KEY:
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


def _credentials(version: str, owner: str, environ: Mapping[str, str]) -> dict[str, Any] | None:
    """Return an interface's profile table, which names environment variables; None if no secret is set."""
    secret = "key" if version == "v4" else "token"
    prefix = f"AIRWORTHY_{version.upper()}_{owner}"
    if not environ.get(f"{prefix}{secret.upper()}"):
        return None
    return {secret: {"env": f"{prefix}{secret.upper()}"}, "customer_code": {"env": f"{prefix}CUSTOMER_CODE"}}


def _sandbox_profile(profile: Profile, option: Namespace) -> Profile | None:
    """Return the profile that the target publishes if it is a sandbox, or None.

    The profile is untrusted input: it must not name environment variables, files or other hosts.
    """
    client = Client(profile.base_url, ca_bundle=option.ca_bundle, timeout=5)
    try:
        response = client.send("GET", "/sandbox/profile").response
        document = orjson.loads((response.body if response else None) or b"null")
        if response is None or response.status != HTTPStatus.OK or not isinstance(document, dict):
            return None
        document = {name: value for name, value in document.items() if name not in ("ca_bundle", "waivers")}
        published_profile = profile_from(document | _document(option), f"{profile.base_url}/sandbox/profile")
    except (AirworthyError, ValueError):
        # The target is not a sandbox. If it cannot be reached, the preflight reports that.
        return None
    finally:
        client.close()
    host = urlsplit(profile.base_url).hostname
    export = published_profile.export
    urls = (published_profile.payment.url, published_profile.advance_url, export and export.location)
    return None if any(url and urlsplit(url).hostname != host for url in urls) else published_profile
