"""Has a judge at hand while the proxy runs."""

import logging
import secrets
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Optional
from urllib.parse import urlsplit

from mitmproxy import addonmanager, ctx, exceptions, http

from airworthy.errors import UsageError
from airworthy.proxy.collector import spare_the_collector
from airworthy.proxy.process import JudgeProcess
from airworthy.proxy.wire import Settings, Verdict
from airworthy.target.profile_file import load_profile
from proxy_addons.hooks import AirworthyVerdictHook

YOUNG_OBJECTS = 5_000
MODES = {
    "observe": "airworthy observes: it judges what passes, and changes nothing",
    "annotate": "airworthy annotates: it tells what it has found in a header of each answer",
    "enforce": "airworthy enforces: requests that break the contract are answered 400 here and never reach the service",
}


class Judging:
    """Starts the judge with the proxy and lets it finish with the proxy; other addons put their flows to it."""

    def __init__(self) -> None:
        self.judge: JudgeProcess[http.HTTPFlow] = JudgeProcess(_heard)
        self.mode = "observe"
        self._settings = Settings(key=secrets.token_bytes(32))
        self._running = False

    @property
    def subject(self) -> str:
        """Whose traffic it is, for the title of a report."""
        return ", ".join(self._settings.base_urls) or ", ".join(ctx.options.mode)

    def load(self, loader: addonmanager.Loader) -> None:
        loader.add_option(
            "airworthy_mode",
            str,
            "observe",
            """
            What becomes of the traffic. observe: nothing. annotate: each judged answer gets a header with what was
            found. enforce: a request that breaks the contract is answered by the proxy and never reaches the service.
            """,
            choices=list(MODES),
        )
        loader.add_option(
            "airworthy_base_urls",
            Sequence[str],
            [],
            """
            Whose traffic is judged: absolute URLs without the version. Without any, every path with a segment v2, v3 or
            v4 is the service's.
            """,
        )
        loader.add_option(
            "airworthy_payment_providers",
            Sequence[str],
            [],
            """
            Where the payment provider is called: absolute URLs. Without any, every path that ends in the provider's is
            taken for it.
            """,
        )
        loader.add_option(
            "airworthy_allow_plain_http",
            bool,
            False,
            "Plain HTTP is no finding, since TLS ends elsewhere.",
        )
        loader.add_option(
            "airworthy_profile",
            Optional[str],  # type: ignore[arg-type]
            None,
            """
            Profile of the service (TOML): its base URL and payment provider, where no option names them, and the
            secrets that the evidence must not hold.
            """,
        )
        loader.add_option(
            "airworthy_evidence",
            Optional[str],  # type: ignore[arg-type]
            None,
            "File for the evidence: each exchange of the service, redacted. It is continued where it exists.",
        )

    def configure(self, updated: set[str]) -> None:
        self.mode = chosen("airworthy_mode", MODES)
        if updated.isdisjoint(_SETTINGS):
            return
        try:
            settings = _settings(self._settings.key)
        except UsageError as error:
            raise exceptions.OptionsError(str(error)) from None
        if settings != self._settings and self._running:
            self.judge.close()
            self.judge.start(settings)
        self._settings = settings

    def running(self) -> None:
        self._running = True
        spare_the_collector(YOUNG_OBJECTS)
        logging.info(MODES[self.mode])
        self.judge.start(self._settings)

    def done(self) -> None:
        if self._running:
            self.judge.close()
        self._running = False


_SETTINGS = {
    "airworthy_base_urls",
    "airworthy_payment_providers",
    "airworthy_allow_plain_http",
    "airworthy_profile",
    "airworthy_evidence",
}


def chosen(option: str, choices: Collection[str]) -> str:
    """Return an option's value: mitmproxy itself checks choices on the command line only."""
    value: str = getattr(ctx.options, option)
    if value not in choices:
        raise exceptions.OptionsError(f"{option}: expected one of {', '.join(choices)}, not {value!r}")
    return value


def _heard(flow: http.HTTPFlow, verdict: Verdict) -> None:
    ctx.master.addons.trigger(AirworthyVerdictHook(flow, verdict))


def _settings(key: bytes) -> Settings:
    """Read the options. Raises `UsageError`, which names the one to change."""
    options = ctx.options
    path = Path(options.airworthy_profile).expanduser().resolve() if options.airworthy_profile else None
    profile = load_profile(path) if path else None
    base_urls = tuple(options.airworthy_base_urls) or ((profile.base_url,) if profile else ())
    provider = (profile.payment.url,) if profile and profile.payment.url else ()
    providers = tuple(options.airworthy_payment_providers) or provider
    for name, urls in (("airworthy_base_urls", base_urls), ("airworthy_payment_providers", providers)):
        for url in urls:
            _check_url(name, url)
    return Settings(
        base_urls=base_urls,
        payment_providers=providers,
        allow_plain_http=options.airworthy_allow_plain_http or bool(profile and profile.allow_plain_http),
        profile=path,
        evidence=_evidence(options.airworthy_evidence),
        key=key,
    )


def _check_url(option: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise UsageError(f"{option}: {url!r} is no absolute URL, such as https://api.example.com")


def _evidence(name: str | None) -> Path | None:
    if not name:
        return None
    path = Path(name).expanduser().resolve()
    try:
        with path.open("ab"):
            return path
    except OSError as error:
        raise UsageError(f"airworthy_evidence: {path}: {error.strerror}") from None
