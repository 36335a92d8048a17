"""The report at the end of the proxy, and the commands that show what has been found so far."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from mitmproxy import exceptions

from airworthy.contract import Contract
from airworthy.contract.http.operations import SERVED
from airworthy.evidence.recorder import Recorder
from airworthy.proxy.report import write_report
from airworthy.traffic import Summary
from proxy_addons.mark import MarkFlows
from proxy_addons.observe import ObserveTraffic
from proxy_addons.report import Commands, Report

from ..material import flow, search_without_adults
from .bench import context, controlled, reported, run

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


def test_summary_is_shown(caplog: pytest.LogCaptureFixture) -> None:
    addon, _ = controlled()
    with context(addon, Commands(addon)) as made:
        run(ObserveTraffic(addon).response(flow(search_without_adults())))
        text = made.master.commands.execute("airworthy.summary")

    assert text.startswith("1 exchange: 1 judged\nfindings: 1 violation\n")
    assert text in caplog.text


def test_report_is_written(tmp_path: Path) -> None:
    addon, _ = controlled()
    with context(addon, Commands(addon)) as made:
        run(ObserveTraffic(addon).response(flow(search_without_adults())))
        made.master.commands.call_strings("airworthy.report", [str(tmp_path / "new")])

    assert json.loads((tmp_path / "new" / "traffic.json").read_bytes())["seen"] == 1
    assert "V4-SEARCH-ADULTS" in (tmp_path / "new" / "traffic.html").read_text()


def test_report_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    addon, _ = controlled()
    with context(addon, Commands(addon)) as made, pytest.raises(exceptions.CommandError, match="File exists"):
        made.master.commands.call_strings("airworthy.report", [str(tmp_path / "file")])


def test_findings_of_flows_are_returned() -> None:
    addon, _ = controlled()
    commands = Commands(addon)
    seen = reported(search_without_adults(), addon, commands, MarkFlows())
    (line,) = commands.findings([seen, flow(search_without_adults())])

    assert line.startswith("violation in the request: adults of a search request is 0")
    assert line.endswith("[V4-SEARCH-ADULTS]")
