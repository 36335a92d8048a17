"""The addon that writes the report when the proxy ends."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.contract import Contract
from airworthy.contract.http.operations import SERVED
from airworthy.evidence import Recorder
from airworthy.proxy.report import write_report
from airworthy.traffic import Summary
from proxy_addons.observe import ObserveTraffic
from proxy_addons.report import Report

from ..material import flow, search_without_adults
from .bench import context, controlled, run

MISTAKE = "adults of a search request is 0, not an integer from 1 to 9"


@pytest.fixture(autouse=True)
def _everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")


def end(folder: str | None) -> None:
    addon, judge = controlled()
    reporting = Report(addon)
    with context(addon, reporting, airworthy_report=folder):
        run(ObserveTraffic(addon).response(flow(search_without_adults())))
        judge.summary.count_unreadable("the judge process ended")

        async def done() -> None:
            await reporting.done()

        run(done())


def test_summary_is_logged_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    end(None)

    name = re.escape(f"     1 x violation by the client, POST /v4/search at /adults: {MISTAKE} [V4-SEARCH-ADULTS] ")
    assert re.fullmatch(name + r"\(first: exchange \S+ at 2026-11-02 09:00:00 UTC\)", caplog.messages[2])
    assert caplog.messages[:2] == [
        "2 exchanges: 1 judged, 1 not judged (the judge process ended)",
        "findings: 1 violation",
    ]


def test_report_is_written_into_the_folder(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    end(str(tmp_path / "report"))

    assert (tmp_path / "report" / "traffic.html").exists()
    assert "the judge process ended" in (tmp_path / "report" / "traffic.html").read_text()
    assert caplog.messages[-1] == f"Report written to {tmp_path / 'report' / 'traffic.html'}"


def test_report_shows_the_exchanges_in_the_evidence(tmp_path: Path) -> None:
    contract, mistaken = Contract.load(SERVED), replace(search_without_adults(), id="mistake")
    with Recorder(tmp_path / "evidence.jsonl", contract) as recorder:
        recorder.append(mistaken)
        summary = Summary()
        summary.add(mistaken, contract.judge(mistaken), "POST /v4/search")

    for name, shown in (("evidence.jsonl", ["mistake"]), ("", ["mistake"]), ("absent", [])):
        page = write_report(summary, tmp_path / "report", "x", tmp_path / name).read_text()
        assert re.findall(r"exchange (\S+),", page) == shown
        assert ("the proxy recorded no evidence" in page) is not bool(shown)


def test_report_that_cannot_be_written_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    end(str(tmp_path / "file"))

    assert caplog.messages[-1] == f"airworthy_report: {tmp_path / 'file'}: File exists"
