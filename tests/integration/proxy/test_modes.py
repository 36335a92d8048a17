"""The addons in mitmproxy's modes, and what mitmweb shows."""

import json
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import requests
from mitmproxy.utils.emoji import emoji
from mitmproxy.version import VERSION

from airworthy.sandbox import SandboxServer

from .mitm import free_port, mitm

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning"),
]

VALID: Mapping[str, object] = {}
INVALID: Mapping[str, object] = {"adults": 0}
VIOLATION = "violation by the client: POST /v4/search"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer() as server:
        yield server


def options(sandbox: SandboxServer, *more: str) -> list[str]:
    return [f"--set=ssl_verify_upstream_trusted_ca={sandbox.ca_bundle}", *more]


def search(
    url: str, sandbox: SandboxServer, body: Mapping[str, object] = VALID, *, proxy: str | None = None
) -> requests.Response:
    """Send a search; ``body`` overrides fields of a valid one."""
    profile = sandbox.profile()
    route = profile["routes"]["regular"]
    valid = {
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
            json=valid | dict(body),
            headers={"Authorization": profile["v4"]["key"], "Accept": "application/json"},
            proxies={"https": proxy} if proxy else {},
            timeout=60,
        )


def test_reverse_proxy_reports_violations(folder: Path, sandbox: SandboxServer) -> None:
    with mitm(folder, f"reverse:{sandbox.base_url}", *options(sandbox)) as proxy:
        assert search(f"http://127.0.0.1:{proxy.port}", sandbox).status_code == 200
        assert search(f"http://127.0.0.1:{proxy.port}", sandbox, INVALID).status_code == 400
        secret = f"http://127.0.0.1:{proxy.port}/v4/4242424242424242?key=very-secret"
        assert requests.get(secret, timeout=60).status_code == 404
        log = proxy.end()

    assert "very-secret" not in log
    assert "4242424242424242" not in log
    assert "Warning" not in log
    assert "an undocumented operation of v4 404" in log
    assert log.count(VIOLATION) == 1
    assert "3 exchanges: 3 judged\n" in log


def test_regular_proxy_and_upstream_proxy_have_the_same_findings(folder: Path, sandbox: SandboxServer) -> None:
    with (
        mitm(folder, "regular", *options(sandbox)) as first,
        mitm(folder, f"upstream:http://127.0.0.1:{first.port}", "--set=ssl_insecure=true") as second,
    ):
        response = search(sandbox.base_url, sandbox, INVALID, proxy=f"http://127.0.0.1:{second.port}")
        logs = second.end(), first.end()

    assert response.status_code == 400
    assert all(log.count(VIOLATION) == 1 and "1 exchange: 1 judged\n" in log for log in logs)


def test_annotate_adds_a_header_to_responses_of_the_service(folder: Path, sandbox: SandboxServer) -> None:
    with mitm(folder, f"reverse:{sandbox.base_url}", *options(sandbox, "--set=airworthy_mode=annotate")) as proxy:
        url = f"http://127.0.0.1:{proxy.port}"
        values = [search(url, sandbox, body).headers.get("Airworthy-Findings") for body in (VALID, INVALID)]
        page = requests.get(url, timeout=60)

    assert values == ["count=0", 'count=1, violation=1, rules=("V4-SEARCH-ADULTS")']
    assert "Airworthy-Findings" not in page.headers


def test_enforce_rejects_violating_requests(folder: Path, sandbox: SandboxServer) -> None:
    with mitm(folder, f"reverse:{sandbox.base_url}", *options(sandbox, "--set=airworthy_mode=enforce")) as proxy:
        url = f"http://127.0.0.1:{proxy.port}"
        accepted, rejected = search(url, sandbox), search(url, sandbox, INVALID)
        log = proxy.end()

    assert accepted.status_code == 200
    assert rejected.headers["Content-Type"] == "application/problem+json"
    assert rejected.json()["findings"][0]["rule"] == "V4-SEARCH-ADULTS"
    assert "the proxy rejects requests that violate the contract with status 400" in log
    assert "airworthy_on_error=pass" in log
    assert "2 exchanges: 2 judged\n" in log


def test_mitmweb_shows_findings(folder: Path, sandbox: SandboxServer) -> None:
    port = free_port()
    # mitmproxy 12 asks for a password, mitmproxy 11 does not know the option.
    password = ("--set=web_password=secret",) if int(VERSION.split(".")[0]) > 11 else ()
    web = ("--set=web_open_browser=false", f"--set=web_port={port}", *password)
    with mitm(folder, f"reverse:{sandbox.base_url}", *options(sandbox, *web), program="mitmweb") as proxy:
        search(f"http://127.0.0.1:{proxy.port}", sandbox, INVALID)
        proxy.wait_for(VIOLATION)
        flows = _get(f"http://127.0.0.1:{port}/flows")
        flow = flows[0]
        view = _get(f"http://127.0.0.1:{port}/flows/{flow['id']}/request/content/Contract.json")

    assert flow["marked"] == emoji[":x:"]
    assert flow["comment"].startswith(VIOLATION)
    assert "Contract: 1 finding in the request" in json.dumps(view)


def _get(url: str) -> Any:  # noqa: ANN401  JSON
    with urllib.request.urlopen(f"{url}?token=secret", timeout=60) as response:  # noqa: S310  our own mitmweb
        return json.load(response)
