"""Run the judge while the proxy runs."""

import asyncio
import logging
import os
import secrets
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, TypeVar

from mitmproxy import addonmanager, ctx, exceptions, hooks, http
from mitmproxy.version import VERSION

from airworthy.contract import ServiceAddress
from airworthy.errors import UsageError
from airworthy.evidence.pseudonyms import pseudonym_key
from airworthy.evidence.rotation import parse_rotation
from airworthy.private_files import require_writable_file, require_writable_folder
from airworthy.proxy.advisories import Restrictions, restrictions
from airworthy.proxy.garbage import relax_garbage_collector
from airworthy.proxy.judge_process import JudgeProcess
from airworthy.proxy.messages import JudgeResult, JudgeSettings
from airworthy.target.profile import Profile
from airworthy.target.profile_file import load_profile
from airworthy.target.urls import absolute_url, service_url
from airworthy.traffic.golive.items import golive_settings

GARBAGE_THRESHOLD = 5_000
MODES = {
    "observe": "Airworthy observes: it judges the traffic and changes nothing",
    "annotate": "Airworthy annotates: a header of each response reports what was found",
    "enforce": "Airworthy enforces: the proxy rejects requests that violate the contract with status 400",
}

# The options that decide how the judge works: the name, the type, the default and the help of each.
_SETTINGS: tuple[tuple[str, Any, Any, str], ...] = (
    (
        "airworthy_base_urls",
        Sequence[str],
        [],
        """
        The services whose traffic is judged: absolute URLs without the version. By default, every path with a segment
        v2, v3 or v4 belongs to the service.
        """,
    ),
    (
        "airworthy_payment_providers",
        Sequence[str],
        [],
        """
        The payment providers whose traffic is judged: absolute URLs. By default, every path that ends like one of the
        payment provider belongs to it.
        """,
    ),
    ("airworthy_allow_plain_http", bool, False, "Do not report plain HTTP, because TLS ends before the proxy."),
    (
        "airworthy_profile",
        Optional[str],
        None,
        """
        Profile of the service (TOML): its base URL and payment provider, unless an option names them, and the secrets
        to redact in the evidence.
        """,
    ),
    (
        "airworthy_evidence",
        Optional[str],
        None,
        "File to which each exchange with the service is appended, redacted, as evidence.",
    ),
    (
        "airworthy_evidence_dir",
        Optional[str],
        None,
        "Folder for the evidence, as compressed files in one hash chain, instead of airworthy_evidence.",
    ),
    (
        "airworthy_rotate",
        Sequence[str],
        [],
        """
        When a file in airworthy_evidence_dir is closed: an age such as 30s, 5m or 1h, and a size before compression
        such as 64MB, whichever comes first. The defaults are 5m and 64MB.
        """,
    ),
    (
        "airworthy_pseudonym_key_env",
        Optional[str],
        None,
        """
        Environment variable with the key for the pseudonyms in the evidence (Base64, at least 32 bytes). Proxies that
        share a key write the same pseudonyms. By default, each proxy creates a key when it starts.
        """,
    ),
)

Value = TypeVar("Value")

logger = logging.getLogger(__name__)


@dataclass
class AirworthyJudgedHook(hooks.Hook):
    """A flow has findings, or advanced the go-live list. Its response may already have been forwarded."""

    name = "airworthy_judged"
    flow: http.HTTPFlow
    result: JudgeResult


class JudgeControl:
    """Starts the judge with the proxy and closes it at the end; the other addons hand their flows to it."""

    def __init__(self, restricted: Restrictions | None = None) -> None:
        self.judge: JudgeProcess[http.HTTPFlow] = JudgeProcess(
            lambda flow, result: ctx.master.addons.trigger(AirworthyJudgedHook(flow, result))
        )
        self.mode = "observe"
        self.on_error = "pass"
        self._restrictions = restricted or restrictions(VERSION)
        # The key of the pseudonyms, unless an option names a shared one.
        self._key = secrets.token_bytes(32)
        self.settings = JudgeSettings(key=self._key)
        # The last start or close of the judge, None while the proxy does not run.
        self._change: asyncio.Future[None] | None = None

    @property
    def subject(self) -> str:
        """The service or proxy modes in the title of a report."""
        return ", ".join(self.settings.service.base_urls) or ", ".join(ctx.options.mode)

    @property
    def blocks(self) -> bool:
        """Whether a request that cannot be judged must not reach the service."""
        return self.mode == "enforce" and self.on_error == "block"

    def load(self, loader: addonmanager.Loader) -> None:
        loader.add_option(
            "airworthy_mode",
            str,
            "observe",
            """
            What happens to the traffic. observe: it is forwarded unchanged. annotate: each judged response gets a
            header that reports what was found. enforce: the proxy rejects requests that violate the contract.
            """,
            choices=list(MODES),
        )
        for name, typespec, default, text in _SETTINGS:
            loader.add_option(name, typespec, default, text)

    def configure(self, updated: set[str]) -> None:
        self.mode = validated_choice("airworthy_mode", MODES)
        if self._change and ctx.options.http2 and self._restrictions.http2:
            raise exceptions.OptionsError(self._restrictions.http2)
        if updated.isdisjoint(name for name, *_ in _SETTINGS):
            return
        try:
            path = Path(name).expanduser().resolve() if (name := ctx.options.airworthy_profile) else None
            profile = load_profile(path) if path else None
            settings = _settings(path, profile, self._key)
        except UsageError as error:
            raise exceptions.OptionsError(str(error)) from None
        # The judge knows them, too, but counts nothing before the first exchange.
        self.judge.summary.golive.settings = golive_settings(profile)
        changed = settings != self.settings
        self.settings = settings
        if changed and self._change:
            self._change = asyncio.ensure_future(self.judge.start(settings))

    def running(self) -> asyncio.Future[None]:
        relax_garbage_collector(GARBAGE_THRESHOLD)
        if self._restrictions.http2:
            ctx.options.http2 = False
            logger.info(self._restrictions.http2)
        logger.info(MODES[self.mode])
        self._change = asyncio.ensure_future(self.judge.start(self.settings))
        return self._change

    # mitmproxy cannot wait for an asynchronous `done` when it unloads a script, but at its end it awaits what a
    # synchronous one returns.
    def done(self) -> asyncio.Future[None]:
        self._change = asyncio.ensure_future(self.judge.close())
        return self._change

    def when_closed(self, then: Callable[[], None]) -> asyncio.Future[None]:
        """Call ``then`` after the judge has been closed, and return a future that is done after that."""

        async def wait() -> None:
            if self._change:
                await self._change
            then()

        return asyncio.ensure_future(wait())


class ControlledAddon:
    """An addon that uses the judge of a `JudgeControl`."""

    def __init__(self, control: JudgeControl) -> None:
        self._control = control


def validated_choice(option: str, choices: Collection[str]) -> str:
    """Return an option's value: mitmproxy itself validates choices on the command line only."""
    value: str = getattr(ctx.options, option)
    if value not in choices:
        raise exceptions.OptionsError(f"{option}: expected one of {', '.join(choices)}, got {value!r}")
    return value


def _settings(path: Path | None, profile: Profile | None, key: bytes) -> JudgeSettings:
    """Return the settings that the options describe. Raises `UsageError` with the name of a wrong option."""
    options = ctx.options
    base_urls = tuple(options.airworthy_base_urls) or ((profile.base_url,) if profile else ())
    provider = (profile.payment.url,) if profile and profile.payment.url else ()
    providers = tuple(options.airworthy_payment_providers) or provider
    for url in base_urls:
        service_url("airworthy_base_urls", url)
    for url in providers:
        absolute_url("airworthy_payment_providers", url)
    allow_plain_http = options.airworthy_allow_plain_http or bool(profile and profile.allow_plain_http)
    return JudgeSettings(
        ServiceAddress(base_urls, providers, allow_plain_http),
        profile=path,
        evidence=_evidence(),
        rotation=_named("airworthy_rotate", parse_rotation) if options.airworthy_evidence_dir else None,
        key=_named("airworthy_pseudonym_key_env", lambda name: pseudonym_key(name, os.environ) if name else key),
    )


def _evidence() -> Path | None:
    file, folder = ctx.options.airworthy_evidence, ctx.options.airworthy_evidence_dir
    if file and folder:
        raise UsageError("airworthy_evidence and airworthy_evidence_dir exclude each other: choose one of them")
    if not (file or folder):
        return None
    path = Path(file or folder).expanduser().resolve()
    try:
        (require_writable_file if file else require_writable_folder)(path)
    except OSError as error:
        raise UsageError(f"airworthy_evidence{'' if file else '_dir'}: {path}: {error.strerror}") from None
    return path


def _named(option: str, read: Callable[[Any], Value]) -> Value:
    """Return what an option's value is read as. Raises `UsageError` with the name of the option."""
    try:
        return read(getattr(ctx.options, option))
    except UsageError as error:
        raise UsageError(f"{option}: {error}") from None
