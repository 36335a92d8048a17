"""The page with the go-live list, in a browser while the proxy runs."""

from pathlib import Path

import pytest
import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from . import corpus
from .mitm import Service, exchange, free_port, mitm

HOSTILE = "<script>document.title='broken'</script>"


@pytest.fixture
def service(service: Service) -> Service:
    body = b'{"statusCode": 400, "error": "Bad Request", "message": "no"}'
    head = b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
    service.responses = [head + body]
    return service


def test_page_shows_each_item_as_it_is_decided(service: Service, trust: str, tmp_path: Path, browser: Browser) -> None:
    port = free_port()
    options = [
        f"--set=airworthy_golive_port={port}",
        *(f"--set=airworthy_base_urls={service.url}{each}" for each in ("", f"/{HOSTILE}")),
    ]
    with mitm(tmp_path, f"reverse:{service.url}", *options, trust) as proxy, browser.new_context() as context:
        url = f"http://127.0.0.1:{port}/"
        proxy.wait_for(f"Go-live list at {url}")
        assert requests.get(url, headers={"Host": "attacker.example"}, timeout=10).status_code == 400
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(url)
        expect(page.locator("main .subject")).to_have_text(f"{service.url}, {service.url}/{HOSTILE}")
        expect(page.locator("main")).to_contain_text(
            f"Send requests for {service.url} to http://127.0.0.1:{proxy.port}"
        )
        expect(page.locator("main")).to_contain_text("The traffic contains no operation")

        exchange(proxy.port, corpus.REQUESTS["as documented"].replace(b'"adults": 1', b'"adults": 0'))

        first = page.locator("main li").first
        expect(first).to_contain_text("violated")
        expect(first).to_contain_text("adults of a search request is 0")
        expect(first).to_contain_text("Correct the client, then record anew")
        expect(page.locator("main li").filter(has_text="GOLIVE-INFANTS")).to_contain_text("Make a booking with infants")
        assert page.title() != "broken"
        assert Axe().run(page).response["violations"] == []
        assert complaints == []

        proxy.end()
        expect(page.locator("#connection.banner")).to_have_text(
            "The proxy does not respond. This is what it showed last."
        )
