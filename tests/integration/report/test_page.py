"""The page as a person uses it: filtered, opened by a link, on a phone, on paper, and with hostile texts in it."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from airworthy.contract.life_cycles import LIFE_CYCLES
from airworthy.register import rules as registered_rules
from airworthy.report.page import render_html
from airworthy.report.pdf import render_pdf
from airworthy.target.records import Wait
from collected_suite import FinishedRun
from integration.report.browsing import opened
from integration.report.test_every_page import exploration, run
from unit.report.sample import rule, sample


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    run(folder)
    return folder / "report.html"


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    """The opened report; an error of the browser or a network request fails the test."""
    with opened(browser, report.as_uri()) as page:
        yield page


def shown(page: Page) -> list[str]:
    return [rule.get_attribute("id") or "" for rule in page.locator(".rule:visible").all()]


def test_rules_are_filtered_by_verdict_area_and_text(page: Page) -> None:
    expect(page.locator("#count")).to_have_text("6 rules")
    page.get_by_role("button", name="1 failed").click()
    assert shown(page) == ["rule-V4-CURRENCY"]
    expect(page.locator("#count")).to_have_text("1 of 6 rules")
    page.get_by_role("button", name="1 untested").click()
    assert shown(page) == ["rule-V4-CURRENCY", "rule-V4-SEARCH-OFFERS"]
    page.get_by_role("button", name="Reset").click()
    page.locator("#area").select_option("v4/Transport")
    assert shown(page) == ["rule-V4-MONEY", "rule-V4-CURRENT-REVISION", "rule-V4-CONTENT-TYPE"]
    expect(page.get_by_role("heading", name="v4 Search Offers")).to_be_hidden()
    page.locator("#search").fill("keyERROR  money")
    assert shown(page) == ["rule-V4-MONEY"]
    page.locator("#search").fill("nothing like this")
    expect(page.get_by_text("No rule matches the filter.")).to_be_visible()
    page.locator("#search").press("Escape")
    expect(page.locator("#count")).to_have_text("6 rules")


def test_coverage_shows_what_the_run_did_with_each_operation(page: Page) -> None:
    page.get_by_text("1 of 9 operations used").click()
    expect(page.get_by_text("8 never used")).to_be_visible()
    search = page.locator("#coverage tr", has_text="POST /v4/search")
    expect(search).to_contain_text("200: 2")
    search.get_by_role("link", name="V4-CURRENCY").click()
    expect(page.locator("#rule-V4-CURRENCY > summary")).to_be_focused()


def test_failure_is_open_and_shows_the_line_at_fault(page: Page) -> None:
    marked = page.locator("#rule-V4-CURRENCY .line.marked")
    expect(marked).to_have_text('"currency": "USD",')
    marked.locator("xpath=ancestor::pre").evaluate("message => message.scrollIntoView()")
    expect(marked).to_be_in_viewport()
    expect(page.locator("#rule-V4-CURRENCY .why").first).to_be_visible()
    expect(page.locator("#rule-V4-CURRENCY .repeat code")).to_contain_text("curl --include")


def test_command_is_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = page.locator("#rule-V4-CURRENCY .repeat button").first
    button.click()
    expect(button).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl --include --request POST https://service.example/v4/search ")


def test_blocking_reason_links_to_a_rule_that_the_filter_hides(page: Page) -> None:
    page.get_by_role("button", name="1 passed").click()
    assert shown(page) == ["rule-V4-SEARCH-FARE"]
    page.locator(".blocks").get_by_role("link", name="V4-CURRENCY").click()
    expect(page.locator("#rule-V4-CURRENCY")).to_have_attribute("open", "")
    expect(page.locator("#rule-V4-CURRENCY > summary")).to_be_focused()
    expect(page.locator("#rule-V4-CURRENCY > summary")).to_be_in_viewport()


def test_page_is_usable_by_keyboard(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the results")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_focused()
    page.keyboard.type("V4-CURRENCY")
    # A finding of the second rule names the scenario of the first one.
    assert shown(page) == ["rule-V4-CURRENCY", "rule-V4-CURRENT-REVISION"]
    for _ in range(4):
        page.keyboard.press("Tab")
    expect(page.locator("#rule-V4-CURRENCY > summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#rule-V4-CURRENCY .why").first).to_be_hidden()


@pytest.mark.parametrize("width", [320, 390])
def test_many_reasons_and_the_longest_id_fit_on_a_phone(browser: Browser, tmp_path: Path, width: int) -> None:
    longest = max((each.id for each in registered_rules()), key=len)
    reasons = [rule(f"V4-{number}", "failed", reason=f"reason {number}") for number in range(29)]
    path = tmp_path / "many.html"
    results = replace(
        sample(), rules=(rule(longest, "failed", reason="the first reason"), *reasons), findings=(), waivers=()
    )
    path.write_text(render_html(results, {}), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.goto(path.as_uri())
    expect(page.locator(".blocks > li:visible")).to_have_count(20)
    page.get_by_text("and 10 more reasons").click()
    expect(page.locator(".blocks > li:visible")).to_have_count(30)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [390, 1280])
def test_waits_have_one_scale(browser: Browser, tmp_path: Path, width: int) -> None:
    waits = (Wait("an offer", 162.0, "clock"), Wait("a booking", 7320.0, "clock"), Wait("an order", 1754.0, "waited"))
    path = tmp_path / "waits.html"
    path.write_text(render_html(replace(sample(), waits=waits), {}), encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.goto(path.as_uri())
    page.locator("#timing summary").click()
    boxes = [each.bounding_box() for each in page.locator(".timeline svg").all()]
    assert len(boxes) == 1 + len(waits)
    assert len({(round(box["x"]), round(box["width"])) for box in boxes if box}) == 1


@pytest.fixture
def explored_page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The opened report of an exploration."""
    exploration(tmp_path)
    with opened(browser, (tmp_path / "report.html").as_uri()) as page:
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        yield page


def test_page_of_an_exploration_tells_how_to_repeat_each_step(explored_page: Page) -> None:
    steps = explored_page.locator(".conversation > ol > li")
    expect(steps).to_have_count(3)
    expect(steps.first.locator(".repeat code")).to_contain_text("curl --include --request POST")
    expect(steps.nth(2).locator(".line.marked")).to_have_text('"currency": "USD",')
    expect(explored_page.locator(".conversation")).to_contain_text("Flaky: failed in 1 of 3 repetitions")
    numbered = steps.evaluate_all("items => items.map((each) => getComputedStyle(each).listStyleType)")
    assert numbered == ["decimal"] * 3


def test_labels_of_a_life_cycle_overlap_nothing_and_are_complete(explored_page: Page) -> None:
    diagrams = explored_page.locator("svg.cycle")
    assert diagrams.count() == len(LIFE_CYCLES)
    assert [each.evaluate(COLLISIONS) for each in diagrams.all()] == [[]] * len(LIFE_CYCLES)


def test_rules_that_did_not_pass_are_open_in_print(page: Page) -> None:
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("#rule-V4-SEARCH-OFFERS .body")).to_be_visible()
    expect(page.locator("#toolbar")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator("#rule-V4-SEARCH-OFFERS")).not_to_have_attribute("open", "")


def test_page_is_complete_without_script(browser: Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    expect(page.locator("#toolbar")).to_be_hidden()
    expect(page.locator(".rule")).to_have_count(6)
    expect(page.locator("#rule-V4-CURRENCY .why").first).to_be_visible()
    context.close()


def test_reports_of_a_full_run_are_small(browser: Browser, certified_run: FinishedRun) -> None:
    assert (certified_run.folder / "report.html").stat().st_size < 3_000_000
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((certified_run.folder / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollHeight") <= 4000
    page.close()
    pages = PdfReader(io.BytesIO(render_pdf(certified_run.results))).pages
    assert 2 <= len(pages) <= 4


# Return the labels of a diagram that meet another label or a box, or are partly outside.
COLLISIONS = """(svg) => {
  const labels = [...svg.querySelectorAll("text")];
  const boxes = [...svg.querySelectorAll("rect")];
  const { x, y, width, height } = svg.viewBox.baseVal;
  const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  const within = (a, b, at, size) => a[at] >= b[at] && a[at] + a[size] <= b[at] + b[size];
  const inside = (a, b) => within(a, b, "x", "width") && within(a, b, "y", "height");
  const wrong = (label) => {
    const at = label.getBBox();
    const isState = label.matches(".state");
    const meets = boxes.filter((box) => meet(at, box.getBBox()));
    const others = labels.filter((other) => other !== label && meet(at, other.getBBox()));
    const fits = isState ? meets.length === 1 && inside(at, meets[0].getBBox()) : meets.length === 0;
    return !fits || others.length > 0 || !inside(at, { x, y, width, height });
  };
  return labels.filter(wrong).map((label) => label.textContent);
}"""
