"""The addon that runs the judge, and its options."""

import asyncio
import base64
from pathlib import Path

import pytest
from mitmproxy import exceptions
from mitmproxy.test import taddons

from airworthy.evidence.rotation import Rotation
from airworthy.proxy.advisories import restrictions
from airworthy.proxy.messages import JudgeSettings
from airworthy.traffic.page import render_live
from proxy_addons.judge_control import MODES, JudgeControl
from proxy_addons.observe import ObserveTraffic

from ..material import flow, search
from .bench import context


def settings(**options: object) -> JudgeSettings:
    addon = JudgeControl()
    with context(addon, **options):
        return addon.settings


def test_default_settings() -> None:
    made = settings()

    assert made == JudgeSettings(key=made.key)
    assert len(made.key) == 32
    assert made.key not in repr(made).encode()


def test_settings_from_options(tmp_path: Path) -> None:
    made = settings(
        airworthy_base_urls=["https://a.example", "https://b.example/x"],
        airworthy_payment_providers=["https://pay.example"],
        airworthy_allow_plain_http=True,
        airworthy_evidence=str(tmp_path / "evidence.jsonl"),
    )

    assert made.service.base_urls == ("https://a.example", "https://b.example/x")
    assert made.service.payment_providers == ("https://pay.example",)
    assert made.service.allow_plain_http
    assert made.evidence == tmp_path / "evidence.jsonl"


def test_settings_of_a_fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLEET_KEY", base64.b64encode(bytes(range(40))).decode())
    made = settings(
        airworthy_evidence_dir=str(tmp_path / "evidence"),
        airworthy_rotate=["1h"],
        airworthy_pseudonym_key_env="FLEET_KEY",
    )

    assert made.evidence == tmp_path / "evidence"
    assert made.rotation == Rotation(3600, 64_000_000)
    assert made.key == bytes(range(40))
    assert list((tmp_path / "evidence").iterdir()) == []


def test_settings_from_a_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = tmp_path / "acme.toml"
    profile.write_text(
        'base_url = "https://api.acme.example"\n[v4]\nkey = "$ACME_KEY"\ncustomer_code = "$ACME_CODE"\n'
        '[payment]\nurl = "https://pay.example"\ntoken = "$ACME_TOKEN"\n'
    )
    for name in ("ACME_KEY", "ACME_CODE", "ACME_TOKEN"):
        monkeypatch.setenv(name, f"secret-of-{name}")

    made = settings(airworthy_profile=str(profile))

    assert (made.service.base_urls, made.service.payment_providers) == (
        ("https://api.acme.example",),
        ("https://pay.example",),
    )
    assert made.profile == profile
    addon = JudgeControl()
    with context(addon, airworthy_profile=str(profile)):
        page = render_live(addon.judge.summary.golive, "Acme", ())
    assert "v4: 0 of 20 items are shown" in page
    assert "<h3>v3" not in page
    assert settings(airworthy_profile=str(profile), airworthy_base_urls=["https://b.example"]).service.base_urls == (
        "https://b.example",
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_urls": ["api.example"]}, "airworthy_base_urls: expected an absolute URL"),
        ({"payment_providers": ["ftp://x"]}, "airworthy_payment_providers: expected an absolute URL"),
        ({"base_urls": ["https://x:99999"]}, "expected an absolute URL"),
        ({"evidence": "/nowhere/at/all"}, "airworthy_evidence: /nowhere/at/all: No such file or directory"),
        ({"evidence_dir": "/dev/null/x"}, "airworthy_evidence_dir: /dev/null/x: Not a directory"),
        ({"pseudonym_key_env": "NO_KEY"}, "airworthy_pseudonym_key_env: expected the name of an environment"),
        ({"profile": "/nowhere.toml"}, "/nowhere.toml: cannot be read"),
        ({"evidence": "file", "evidence_dir": "folder"}, "airworthy_evidence and airworthy_evidence_dir exclude each"),
        ({"evidence_dir": ".", "rotate": ["often"]}, "airworthy_rotate: expected a duration"),
    ],
)
def test_wrong_option_is_an_error_in_one_line(
    options: dict[str, object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(exceptions.OptionsError) as error:
        settings(**{f"airworthy_{name}": value for name, value in options.items()})

    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_changed_options_restart_the_judge_and_lose_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon = JudgeControl()

    async def run() -> None:
        with taddons.context(addon) as made:
            await addon.running()
            first = addon.judge.pid
            await ObserveTraffic(addon).response(flow(search()))
            made.options.update(airworthy_base_urls=["https://other.example"])
            await asyncio.sleep(0)
            await ObserveTraffic(addon).response(flow(search()))
            assert addon.judge.pid != first
            made.options.update(airworthy_mode="annotate")
            assert addon.mode == "annotate"
            await addon.done()

    asyncio.run(run())

    assert addon.judge.pid is None
    assert MODES["observe"] in caplog.messages
    counted = addon.judge.summary
    assert (counted.seen, counted.judged, counted.foreign, counted.not_judged) == (2, 1, 1, {})


@pytest.mark.parametrize(("version", "on"), [("12.1.1", False), ("12.1.2", True)])
def test_http2_is_off_if_it_is_not_safe(version: str, on: bool, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon = JudgeControl(restrictions(version))
    with context(addon) as made:

        async def test() -> None:
            await addon.running()
            assert made.options.http2 == on
            if not on:
                with pytest.raises(exceptions.OptionsError, match="HTTP/2 is off"):
                    made.options.update(http2=True)
            await addon.done()

        asyncio.run(test())

    assert caplog.text.count("GHSA-847f-9342-265h") == (not on)
