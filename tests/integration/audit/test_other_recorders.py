"""Recordings that others make, such as a browser, and a whole run as one: nothing is found against the service."""

import json
from itertools import islice
from pathlib import Path
from typing import Literal

import pytest
from mitmproxy.addons.savehar import SaveHar
from playwright.sync_api import Browser

from airworthy.audit import AuditResult, AuditSettings, audit
from airworthy.contract import ServiceAddress
from airworthy.evidence.recorder import read
from airworthy.sandbox import SandboxServer
from conformance.v4 import samples
from integration.conftest import FullRun
from unit.audit.recordings import entry, har, lines
from unit.proxy.material import flow

pytestmark = pytest.mark.exhaustive

SEARCH = samples.sample("searchOffers")

_FETCH = """async ({key, body}) => {
  const headers = {"Authorization": key, "Content-Type": "application/json", "Accept": "application/json"};
  for (const adults of [1, 0]) {
    const response = await fetch("/v4/search", {method: "POST", headers, body: JSON.stringify({...body, adults})});
    await response.text();
  }
}"""


def audited(path: Path, *base_urls: str) -> AuditResult:
    return audit(AuditSettings((path,), ServiceAddress(base_urls), lines=True), jobs=1)


@pytest.mark.parametrize("content", ["embed", "omit"])
def test_har_of_a_browser(browser: Browser, tmp_path: Path, content: Literal["embed", "omit"]) -> None:
    path = tmp_path / "browser.har"
    with SandboxServer() as server:
        profile = server.profile()
        credentials = profile["v4"]
        body = json.loads(SEARCH.request.body or b"") | {"customerCode": credentials["customer_code"]}
        context = browser.new_context(ignore_https_errors=True, record_har_path=path, record_har_content=content)
        page = context.new_page()
        page.goto(server.base_url)
        page.evaluate(_FETCH, {"key": credentials["key"], "body": body})
        context.close()

    found = audited(path, server.base_url)

    findings = lines(found, "side", "kind", "message")
    expected = [("request", "violation", "adults of a search request is 0, not an integer from 1 to 9")]
    if content == "omit":
        expected = [
            (side, "unreadable", f"the recording does not contain the {side} body") for side in ("request", "response")
        ] * 2
    assert findings == expected
    assert found.summary.operations == {"POST /v4/search": 2}
    assert found.summary.foreign >= 1


def test_har_of_mitmproxy(tmp_path: Path) -> None:
    path = tmp_path / "mitmproxy.har"
    path.write_text(json.dumps(SaveHar().make_har([flow(each) for each in samples.conversation()])), encoding="utf-8")

    found = audited(path)

    assert (found.summary.seen, found.summary.judged, lines(found)) == (9, 9, [])


def test_recorded_run_has_only_the_deliberate_violations_of_the_suite(full_run: FullRun, tmp_path: Path) -> None:
    path = tmp_path / "traffic.har"
    # They concern every interface; `test_rejudgement` judges all.
    records = islice(read(full_run().folder / "evidence.jsonl"), 1_800)
    path.write_bytes(har(entry(record.exchange) for record in records))

    summary = audit(AuditSettings((path,)), jobs=1).summary

    assert [row for row in summary.rows() if row.finding.side == "response"] == []
    assert summary.not_judged == {}
    assert summary.seen == summary.judged + summary.foreign > 1000
    assert summary.foreign < 50
    assert {"v2", "v3", "v4"} == set(summary.golive.versions)
