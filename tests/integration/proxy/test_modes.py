"""Every way in which mitmproxy stands in the traffic, and what it shows."""

import json
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import requests
from mitmproxy.utils.emoji import emoji

from airworthy.sandbox import SandboxServer

from .mitm import free_port, mitm

RIGHT: Mapping[str, object] = {}
WRONG: Mapping[str, object] = {"adults": 0}
MISTAKE = "violation by the client: POST /v4/search"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer() as server:
        yield server


def options(sandbox: SandboxServer, *more: str) -> list[str]:
    return [f"--set=ssl_verify_upstream_trusted_ca={sandbox.ca_bundle}", *more]


def search(
    url: str, sandbox: SandboxServer, body: Mapping[str, object] = RIGHT, *, proxy: str | None = None
) -> requests.Response:
    """Search as a client does, with mistakes where ``body`` makes some."""
    profile = sandbox.profile()
    route = profile["routes"]["regular"]
    right = {
        "adults": 1,
        "children": 0,
        "infants": 0,
        "tripType": "ONE_WAY",
        "customerCode": profile["v4"]["customer_code"],
        "outboundSegment": {
            "origin": {"code": route["origin"], "type": "AIRPORT"},
            "destination": {"code": route["destination"], "type": "AIRPORT"},
            "departureDate": "2027-06-01",
        },
        "inboundSegment": None,
    }
    with requests.Session() as session:
        session.trust_env, session.verify = False, False
        return session.post(
            f"{url}/v4/search",
            json=right | dict(body),
            headers={"Authorization": profile["v4"]["key"], "Accept": "application/json"},
            proxies={"https": proxy} if proxy else {},
            timeout=30,
        )


pytestmark = pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")


def test_a_reverse_proxy_tells_the_mistakes_of_client_and_service(folder: Path, sandbox: SandboxServer) -> None:
    with mitm(folder, f"reverse:{sandbox.base_url}", *options(sandbox)) as proxy:
        assert search(f"http://127.0.0.1:{proxy.port}", sandbox).status_code == 200
        assert search(f"http://127.0.0.1:{proxy.port}", sandbox, WRONG).status_code == 400
        log = proxy.end()

    assert log.count(MISTAKE) == 1
    assert "2 exchanges seen: 2 judged\n" in log
    assert "findings: 1 violation\n" in log


def test_a_regular_proxy_and_one_upstream_of_it_see_the_same(folder: Path, sandbox: SandboxServer) -> None:
    with (
        mitm(folder, "regular", *options(sandbox)) as first,
        mitm(folder, f"upstream:http://127.0.0.1:{first.port}", "--set=ssl_insecure=true") as second,
    ):
        answer = search(sandbox.base_url, sandbox, WRONG, proxy=f"http://127.0.0.1:{second.port}")
        logs = second.end(), first.end()

    assert answer.status_code == 400
    assert all(log.count(MISTAKE) == 1 and "1 exchanges seen: 1 judged\n" in log for log in logs)


def test_answers_are_annotated(folder: Path, sandbox: SandboxServer) -> None:
    with mitm(folder, f"reverse:{sandbox.base_url}", *options(sandbox, "--set=airworthy_mode=annotate")) as proxy:
        url = f"http://127.0.0.1:{proxy.port}"
        told = [search(url, sandbox, body).headers.get("Airworthy-Findings") for body in (RIGHT, WRONG)]
        page = requests.get(url, timeout=30)

    assert told == ["count=0", 'count=1, violation=1, rules=("V4-SEARCH-ADULTS")']
    assert "Airworthy-Findings" not in page.headers


def test_what_breaks_the_contract_never_reaches_the_service(folder: Path, sandbox: SandboxServer) -> None:
    with mitm(folder, f"reverse:{sandbox.base_url}", *options(sandbox, "--set=airworthy_mode=enforce")) as proxy:
        url = f"http://127.0.0.1:{proxy.port}"
        right, wrong = search(url, sandbox), search(url, sandbox, WRONG)
        log = proxy.end()

    assert right.status_code == 200
    assert wrong.headers["Content-Type"] == "application/problem+json"
    assert wrong.json()["findings"][0]["rule"] == "V4-SEARCH-ADULTS"
    assert "requests that break the contract are answered 400 here" in log
    assert "airworthy_on_error=pass" in log
    assert "2 exchanges seen: 2 judged\n" in log


def test_mitmweb_shows_findings(folder: Path, sandbox: SandboxServer) -> None:
    port = free_port()
    web = ("--set=web_open_browser=false", f"--set=web_port={port}")
    with mitm(folder, f"reverse:{sandbox.base_url}", *options(sandbox, *web), program="mitmweb") as proxy:
        search(f"http://127.0.0.1:{proxy.port}", sandbox, WRONG)
        proxy.says(MISTAKE)
        shown = json.loads(_get(f"http://127.0.0.1:{port}/flows"))
        flow = shown[0]
        view = json.loads(_get(f"http://127.0.0.1:{port}/flows/{flow['id']}/request/content/Contract.json"))

    assert flow["marked"] == emoji[":x:"]
    assert flow["comment"].startswith(MISTAKE)
    assert view["description"] == "Contract: 1 finding on the request"


def _get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310  our own mitmweb
        return str(answer.read().decode())
