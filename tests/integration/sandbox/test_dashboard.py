"""The dashboard as a person uses it in a browser: live, with hostile text in every field, on a phone, by keyboard."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, Page, expect

from airworthy.sandbox import SandboxServer
from airworthy.sandbox.dashboard.request_log import RequestLog
from integration.report.browsing import opened
from unit.sandbox.local_client import LocalClient

from .agency import Agency

HOSTILE = "<img src=x onerror=alert(1)>\"'&lt;{{7*7}}</script><script>alert(2)</script>"
OpenPage = Callable[[], Page]


@pytest.fixture(scope="module")
def server() -> Iterator[SandboxServer]:
    """A sandbox that records its requests and serves its content export."""
    with SandboxServer(log=RequestLog(), ftp_port=0) as running:
        yield running


@pytest.fixture
def open_page(browser: Browser, sandbox: SandboxServer) -> Iterator[OpenPage]:
    """``open_page()`` opens the dashboard; an error of the browser or a foreign request fails the test."""
    with ExitStack() as stack:

        def open_dashboard() -> Page:
            # The page shows why the sandbox rejects a change; the browser reports it too.
            page = stack.enter_context(opened(browser, sandbox.base_url, tolerated="status of 400"))
            page.context.grant_permissions(["clipboard-read", "clipboard-write"])
            expect(page.locator("#now")).to_contain_text("UTC")
            return page

        yield open_dashboard
    if sandbox.settings.dialect != "documented":
        sandbox.restart("documented")


def cut_off(page: Page) -> list[str]:
    """Return the elements that reach beyond the window, and whether the page scrolls sideways."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
            .filter((each) => !each.closest(".skip, datalist, thead") && each.checkVisibility())
            .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5
                || each.tagName === "PRE" && each.scrollWidth > each.clientWidth + 1)
            .map((each) => `${each.tagName} ${each.className} ${each.id}`)
            .concat(document.documentElement.scrollWidth > innerWidth ? ["page"] : [])"""
    )
    return found


def test_requests_appear_with_reason_rule_and_bodies(agency: Agency, open_page: OpenPage) -> None:
    page = open_page()
    offer = agency.offer().json()
    agency.order(offer, selectedBaggage=[])
    entry = page.locator("#request-list > details").filter(has_text="/selectedBaggage: expected one item").first
    expect(entry).to_contain_text("V4-ORDER-BAGGAGE-PER-PASSENGER")
    entry.locator("summary").focus()
    page.keyboard.press("Enter")

    expect(entry.get_by_label("Request", exact=True)).to_contain_text('"selectedBaggage": []')
    expect(entry.get_by_label("Request", exact=True)).to_contain_text("authorization: [masked]")
    expect(entry.get_by_label("Response", exact=True)).to_contain_text('"statusCode": 400')
    expect(entry).to_contain_text("airworthy rules V4-ORDER-BAGGAGE-PER-PASSENGER")
    page.get_by_label("Rejected only").check()
    expect(page.locator("#request-list > details:visible").filter(has_text="/v4/offer")).to_have_count(0)
    page.get_by_role("button", name="Pause").click()
    agency.send("GET", "/while-paused")
    page.get_by_label("Rejected only").uncheck()
    with page.expect_response(re.compile("/sandbox/state")):
        pass
    expect(page.get_by_text("/v4/while-paused")).to_have_count(0)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_text("/v4/while-paused")).to_be_visible()


def test_orders_bookings_and_emails_appear(agency: Agency, client: LocalClient, open_page: OpenPage) -> None:
    page = open_page()
    order = agency.opened()
    agency.confirm(order, payment_method="pm_card_visa")
    reference = client.booked()["cp_reference"]
    page.get_by_role("tab", name="Requests").press("ArrowRight")

    expect(page.locator("#orders li").filter(has_text=order["id"])).to_contain_text("BOOKED")
    booking = page.locator("#bookings li").filter(has_text=reference)
    expect(booking).to_contain_text("AWAITING_PNR_AIRLINE")
    email = page.locator("#emails li").filter(has_text=reference)
    email.locator("summary").click()
    expect(email.get_by_label("Text of the e-mail")).to_contain_text("is confirmed")
    page.get_by_role("button", name="+2 hours").click()
    expect(booking).to_contain_text("CONFIRMED")
    expect(email.get_by_label("Text of the e-mail")).to_be_visible()
    booking.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your booking")


def test_buttons_move_the_clock(sandbox: SandboxServer, open_page: OpenPage) -> None:
    page = open_page()
    for name, seconds in (("+30 minutes", 1800), ("+2 hours", 7200), ("+1 day", 86_400)):
        before = sandbox.service.clock.moved
        with page.expect_response(re.compile("/sandbox/clock")):
            page.get_by_role("button", name=name).click()
        assert sandbox.service.clock.moved == before + seconds
    expect(page.locator("#moved")).to_contain_text("moved forward by")


def test_dialect_and_faults_are_switched(agency: Agency, open_page: OpenPage) -> None:
    page = open_page()
    agency.opened()
    expect(page.locator("#orders code")).not_to_have_count(0)
    page.get_by_role("tab", name="Orders").click()
    page.get_by_label("How the service behaves").select_option("strict")
    expect(page.locator("#dialect-description")).to_contain_text("Rejects everything")
    page.get_by_role("button", name="Switch and restart").click()
    expect(page.locator("#orders")).to_have_text("No orders yet.")
    assert agency.server.settings.dialect == "strict"

    page.get_by_label("Violate one documented rule").fill("search-in-dollars")
    page.keyboard.press("Enter")
    expect(page.locator("#faults li")).to_contain_text("search-in-dollars")
    assert "USD" in agency.search_response().text
    page.get_by_label("Violate one documented rule").fill("gremlins")
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_role("alert")).to_contain_text("unknown fault 'gremlins'")
    page.get_by_role("button", name="Switch off search-in-dollars").click()
    expect(page.locator("#faults")).to_have_text("No fault is switched on.")
    expect(page.get_by_role("alert")).to_be_hidden()


def test_credentials_cards_and_commands_are_copied(agency: Agency, open_page: OpenPage) -> None:
    page = open_page()
    page.locator("dd").filter(has_text=agency.key).get_by_role("button", name="Copy").click()
    assert page.evaluate("navigator.clipboard.readText()") == agency.key
    page.locator(".program").first.get_by_role("button").click()
    command = page.evaluate("navigator.clipboard.readText()")
    assert command == page.locator(".program pre").first.text_content()
    assert command.startswith("curl --cacert ca.pem https://")


def test_hostile_text_stays_text(agency: Agency, client: LocalClient, open_page: OpenPage) -> None:
    headers = {"User-Agent": HOSTILE, "Authorization": agency.key, "Content-Type": "application/json"}
    url = f"{agency.server.base_url}/v4/{HOSTILE}"
    agency.ask("POST", url, params={HOSTILE: HOSTILE}, json={HOSTILE: [HOSTILE]}, headers=headers)
    agency.ask("GET'!", "/v4/search", headers=headers)
    agency.send("POST", "/search", {HOSTILE: HOSTILE, "tripType": HOSTILE})
    hostile = client.travellers()[0] | {"first_name": HOSTILE, "last_name": HOSTILE}
    client.book(*client.requested(passengers=[hostile]), first_name=HOSTILE, email="canary+b@example.com")
    page = open_page()
    expect(page.locator("#request-list > details")).not_to_have_count(0)
    for summary in page.locator("#request-list summary").all():
        summary.click()
    expect(page.locator(".exchange pre").first).to_be_visible()

    assert page.locator("main script, main img, main iframe, [onerror]").count() == 0
    expect(page.get_by_label("Request", exact=True).filter(has_text="<img src=x onerror=").first).to_be_visible()
    assert cut_off(page) == []


def test_nothing_is_cut_off(agency: Agency, open_page: OpenPage) -> None:
    agency.order(agency.offer().json(), paymentMethod={"card": "x" * 200})
    agency.confirm(agency.opened())
    agency.send("GET", "/" + "long" * 100)
    page = open_page()
    page.get_by_label("Violate one documented rule").fill("search-in-dollars")
    page.keyboard.press("Enter")
    expect(page.locator("#faults li code")).to_have_count(1)
    for summary in page.locator("#request-list summary").all()[:4]:
        summary.click()
    expect(page.locator(".exchange pre")).to_have_count(8)

    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert cut_off(page) == [], width
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(background) != light


def test_page_forbids_foreign_content(agency: Agency) -> None:
    response = agency.ask("GET", "")
    policy = response.headers["content-security-policy"]

    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"\son\w+=|<style|style=|javascript:", response.text)
    assert not re.search(r"<script(?! src)", response.text)


def test_page_says_when_the_sandbox_stops(browser: Browser) -> None:
    context = browser.new_context(ignore_https_errors=True)
    with SandboxServer() as server:
        page = context.new_page()
        page.goto(server.base_url)
        expect(page.locator("#no-requests")).to_contain_text("does not record requests")
    expect(page.get_by_role("status")).to_have_text("The sandbox does not respond.")
    context.close()


def test_page_is_readable_without_scripts(browser: Browser, agency: Agency) -> None:
    context = browser.new_context(java_script_enabled=False, ignore_https_errors=True)
    page = context.new_page()
    page.goto(agency.server.base_url)
    expect(page.get_by_text(agency.key).first).to_be_visible()
    expect(page.locator("#controls")).to_be_hidden()
    expect(page.get_by_text("Without JavaScript")).to_be_visible()
    context.close()
