"""The addons in mitmproxy's modes, and what mitmweb shows."""

import json
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import requests
from mitmproxy.utils.emoji import emoji
from mitmproxy.version import VERSION

from airworthy.sandbox import SandboxServer

from .mitm import free_port, mitm

pytestmark = [pytest.mark.exhaustive, pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")]

VALID: Mapping[str, object] = {}
INVALID: Mapping[str, object] = {"adults": 0}
VIOLATION = "violation by the client: POST /v4/search"


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


def test_reverse_regular_and_upstream_proxies_report_violations(folder: Path, sandbox: SandboxServer) -> None:
    regular, port = f"127.0.0.1:{free_port()}", free_port()
    reverse = f"--mode=reverse:{sandbox.base_url}@127.0.0.1:{port}"
    with (
        mitm(folder, f"regular@{regular}", *options(sandbox, reverse)) as first,
        mitm(folder, f"upstream:http://{regular}", "--set=ssl_insecure=true") as second,
    ):
        url = f"http://127.0.0.1:{port}"
        assert search(url, sandbox).status_code == 200
        assert search(url, sandbox, INVALID).status_code == 400
        assert requests.get(f"{url}/v4/4242424242424242?key=very-secret", timeout=60).status_code == 404
        response = search(sandbox.base_url, sandbox, INVALID, proxy=f"http://127.0.0.1:{second.port}")
        assert response.status_code == 400
        forwarded, log = second.end(), first.end()

    assert "very-secret" not in log
    assert "4242424242424242" not in log
    assert "Warning" not in log
    assert "an undocumented operation of v4 404" in log
    assert (log.count(VIOLATION), forwarded.count(VIOLATION)) == (2, 1)
    assert "4 exchanges: 4 judged\n" in log
    assert "1 exchange: 1 judged\n" in forwarded


def test_mitmweb_and_annotated_responses_show_findings(folder: Path, sandbox: SandboxServer) -> None:
    port = free_port()
    # mitmproxy 12 asks for a password, mitmproxy 11 does not know the option.
    password = ("--set=web_password=secret",) if int(VERSION.split(".")[0]) > 11 else ()
    web = ("--set=airworthy_mode=annotate", "--set=web_open_browser=false", f"--set=web_port={port}", *password)
    with mitm(folder, f"reverse:{sandbox.base_url}", *options(sandbox, *web), program="mitmweb") as proxy:
        response = search(f"http://127.0.0.1:{proxy.port}", sandbox, INVALID)
        proxy.wait_for(VIOLATION)
        flows = _get(f"http://127.0.0.1:{port}/flows")
        flow = flows[0]
        view = _get(f"http://127.0.0.1:{port}/flows/{flow['id']}/request/content/Contract.json")

    assert response.headers["Airworthy-Findings"] == 'count=1, violation=1, rules=("V4-SEARCH-ADULTS")'
    assert flow["marked"] == emoji[":x:"]
    assert flow["comment"].startswith(VIOLATION)
    assert "Contract: 1 finding in the request" in json.dumps(view)


def _get(url: str) -> Any:  # noqa: ANN401  JSON
    with urllib.request.urlopen(f"{url}?token=secret", timeout=60) as response:  # noqa: S310  our own mitmweb
        return json.load(response)
