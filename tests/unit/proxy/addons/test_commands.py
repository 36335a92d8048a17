"""The commands of mitmproxy that show what has been found."""

import json
from pathlib import Path

import pytest
from mitmproxy import exceptions

from proxy_addons.commands import Commands
from proxy_addons.mark import MarkFlows
from proxy_addons.observe import ObserveTraffic

from ..material import flow, raw, search_without_adults
from .bench import context, controlled, judged_event, run


def test_summary_is_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
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
    with context(addon, commands, MarkFlows()) as made:
        seen = flow(search_without_adults())
        made.master.addons.trigger(judged_event(seen, raw(search_without_adults())))
        (line,) = commands.findings([seen, flow(search_without_adults())])

    assert line.startswith("violation in the request: adults of a search request is 0")
    assert line.endswith("[V4-SEARCH-ADULTS]")
