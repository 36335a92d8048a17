"""Every page is accessible and fits into every window, with hostile texts in it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from airworthy.report.page import render_html
from airworthy.report.write import write_reports
from airworthy.traffic import page as traffic
from command_line import Command
from integration.report.browsing import opened
from unit.report.sample import HOSTILE, partner, with_evidence
from unit.report.test_explored import explored
from unit.traffic.test_renderers import hostile

SHOWN: Final[tuple[tuple[Literal["light", "dark"], int], ...]] = (("light", 1280), ("dark", 390))
WIDTHS: Final = (320, 390, 768, 1280, 1920)


def run(folder: Path) -> None:
    write_reports(with_evidence(folder, HOSTILE), folder)


def exploration(folder: Path) -> None:
    """An exploration of every interface, with a flaky finding."""
    results = explored(repeated=1, text=HOSTILE)
    results = replace(results, scope=replace(results.scope, versions=("v4", "v3", "v2")))
    write_reports(replace(results, integrity=with_evidence(folder, HOSTILE).integrity), folder)


def of_partner(folder: Path) -> None:
    (folder / "report.html").write_text(render_html(partner(HOSTILE), {}), encoding="utf-8")


def of_traffic(folder: Path) -> None:
    (folder / "report.html").write_text(traffic.render_html(hostile(), HOSTILE), encoding="utf-8")


PAGES: Final[Mapping[str, Callable[[Path], None]]] = {
    "run": run,
    "exploration": exploration,
    "partner": of_partner,
    "traffic": of_traffic,
}


def expect_usable(browser: Browser, path: Path) -> None:
    """Fail if a page is cut off in a window, or if axe-core finds anything, such as text with little contrast."""
    with opened(browser, path.as_uri()) as page:
        for button in page.locator("#expand").all():
            button.click()
            expect(page.locator("details.rule:not([open])")).to_have_count(0)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        for scheme, width in SHOWN:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            found = Axe().run(page).response["violations"]
            assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", PAGES)
def test_page_is_accessible_and_fits_into_every_window(browser: Browser, tmp_path: Path, name: str) -> None:
    PAGES[name](tmp_path)

    expect_usable(browser, tmp_path / "report.html")


def test_page_of_an_export_is_accessible_and_fits_into_every_window(
    airworthy: Command, browser: Browser, tmp_path: Path
) -> None:
    rows = "MAD;BCN;2027-03-01\n" * 1_000 + "<script>alert(1)</script>;BCN;01.03.2027\n"
    header = "departureAirport;arrivalAirport;departureDate\n"
    (tmp_path / "cp_routes_all_v3.csv").write_text(header + rows)
    ran = airworthy("export-check", tmp_path, "--format", "html")
    (tmp_path / "export.html").write_text(ran.out, encoding="utf-8")

    assert (ran.code, "<script" in ran.out) == (1, False)
    assert "1,000 times, first at line 2" in ran.out
    expect_usable(browser, tmp_path / "export.html")
