"""The page of a traffic as a person uses it: filtered, on a phone, on paper, and with hostile texts in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from airworthy.traffic import Summary
from airworthy.traffic.page import render_html
from integration.report.browsing import opened
from unit.traffic.material import SEARCH, exchange, finding
from unit.traffic.test_renderers import HOSTILE, hostile


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The opened page; an error of the browser or a network request fails the test."""
    summary = hostile()
    for number in range(3):
        summary.add(exchange(number), [finding("/adults"), finding("/a", "deprecated", side="response")], SEARCH)
    path = tmp_path / "traffic.html"
    path.write_text(render_html(summary, HOSTILE), encoding="utf-8")
    with opened(browser, path.as_uri()) as page:
        yield page


def test_findings_are_filtered_by_kind_side_and_text(page: Page) -> None:
    expect(page.locator("#count")).to_have_text("4 findings")
    page.get_by_role("button", name="2 violations").click()
    expect(page.locator("#count")).to_have_text("2 of 4 findings")
    page.locator("#area").select_option("request")
    assert page.locator(".rule:visible .where").all_text_contents() == ["POST /v4/search request /adults"]
    expect(page.get_by_role("heading", name="Service")).to_be_hidden()
    page.get_by_role("button", name="Reset").click()
    page.locator("#search").fill("deprecated")
    expect(page.locator("#count")).to_have_text("1 of 4 findings")


def test_opened_finding_shows_expected_value_and_time(page: Page) -> None:
    page.get_by_text("POST /v4/search request /adults").click()

    opened = page.locator(".rule[open]")
    expect(opened).to_contain_text("3, 2026-11-02 09:00:00 to 09:00:02 UTC")
    expect(opened).to_contain_text("client")


def test_page_without_findings_has_no_filter(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "traffic.html"
    path.write_text(render_html(Summary(), "empty.har", {}), encoding="utf-8")
    with opened(browser, path.as_uri()) as page:
        expect(page.get_by_text("No findings.").first).to_be_visible()
        for hidden in ("#toolbar", "#nothing"):
            expect(page.locator(hidden)).to_be_hidden()


def test_findings_are_open_in_print_without_filters(page: Page) -> None:
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")

    assert page.locator("details.rule[open]").count() == 3
    expect(page.locator("#toolbar")).to_be_hidden()
