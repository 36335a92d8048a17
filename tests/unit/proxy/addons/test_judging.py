import asyncio
from pathlib import Path

import pytest
from mitmproxy import exceptions
from mitmproxy.test import taddons

from airworthy.proxy.wire import Settings
from proxy_addons.judging import MODES, Judging
from proxy_addons.observing import Observing

from ..material import flow, mistaken, search
from .bench import context


def settings(**options: object) -> Settings:
    addon = Judging()
    with context(addon, **options):
        return addon._settings


def test_without_options_every_versioned_path_is_the_services() -> None:
    made = settings()

    assert made == Settings(key=made.key)
    assert len(made.key) == 32
    assert made.key not in repr(made).encode()


def test_options_say_whose_traffic_is_judged(tmp_path: Path) -> None:
    made = settings(
        airworthy_base_urls=["https://a.example", "https://b.example/x"],
        airworthy_payment_providers=["https://pay.example"],
        airworthy_allow_plain_http=True,
        airworthy_evidence=str(tmp_path / "evidence.jsonl"),
    )

    assert made.base_urls == ("https://a.example", "https://b.example/x")
    assert made.payment_providers == ("https://pay.example",)
    assert made.allow_plain_http
    assert made.evidence == tmp_path / "evidence.jsonl"


def test_a_profile_says_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = tmp_path / "acme.toml"
    profile.write_text(
        'base_url = "https://api.acme.example"\n[v4]\nkey = "$ACME_KEY"\ncustomer_code = "$ACME_CODE"\n'
        '[payment]\nurl = "https://pay.example"\ntoken = "$ACME_TOKEN"\n'
    )
    for name in ("ACME_KEY", "ACME_CODE", "ACME_TOKEN"):
        monkeypatch.setenv(name, f"secret-of-{name}")

    made = settings(airworthy_profile=str(profile))

    assert (made.base_urls, made.payment_providers) == (("https://api.acme.example",), ("https://pay.example",))
    assert made.profile == profile
    assert settings(airworthy_profile=str(profile), airworthy_base_urls=["https://b.example"]).base_urls == (
        "https://b.example",
    )


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("airworthy_base_urls", ["api.example"], "airworthy_base_urls: 'api.example' is no absolute URL"),
        ("airworthy_payment_providers", ["ftp://x"], "airworthy_payment_providers: 'ftp://x' is no absolute URL"),
        ("airworthy_base_urls", ["https://x:99999"], "is no absolute URL"),
        ("airworthy_evidence", "/nowhere/at/all", "airworthy_evidence: /nowhere/at/all: No such file or directory"),
        ("airworthy_profile", "/nowhere.toml", "/nowhere.toml: cannot be read"),
    ],
)
def test_a_mistake_in_an_option_is_one_line_that_names_it(option: str, value: object, said: str) -> None:
    with context(Judging()) as made, pytest.raises(exceptions.OptionsError) as told:
        made.options.update(**{option: value})

    assert said in str(told.value)
    assert "\n" not in str(told.value)


def test_the_judge_lives_with_the_proxy(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon = Judging()

    async def run() -> None:
        with taddons.context(addon):
            addon.running()
            await Observing(addon).response(flow(mistaken()))
            addon.done()

    asyncio.run(run())

    assert addon.judge.summary.judged == 1
    assert addon.judge.pid is None
    assert MODES["observe"] in caplog.messages


def test_other_settings_take_another_judge_and_lose_nothing() -> None:
    addon = Judging()

    async def run() -> None:
        with taddons.context(addon) as made:
            addon.running()
            first = addon.judge.pid
            await Observing(addon).response(flow(search()))
            made.options.update(airworthy_base_urls=["https://other.example"])
            assert addon.judge.pid != first
            await Observing(addon).response(flow(search()))
            made.options.update(airworthy_mode="annotate")
            assert addon.mode == "annotate"
            addon.done()

    asyncio.run(run())

    counted = addon.judge.summary
    assert (counted.seen, counted.judged, counted.foreign, counted.not_judged) == (2, 1, 1, {})
