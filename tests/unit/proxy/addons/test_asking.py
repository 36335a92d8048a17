import json
from pathlib import Path

import pytest
from mitmproxy import exceptions

from proxy_addons.asking import Asking
from proxy_addons.marking import Marking
from proxy_addons.observing import Observing

from ..material import flow, mistaken, wire
from .bench import context, judging, run, verdict_on


def test_the_summary_is_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    addon, _ = judging()
    with context(addon, Asking(addon)) as made:
        run(Observing(addon).response(flow(mistaken())))
        text = made.master.commands.execute("airworthy.summary")

    assert text.startswith("1 exchanges seen: 1 judged\nfindings: 1 violation\n")
    assert text in caplog.text


def test_the_report_is_written(tmp_path: Path) -> None:
    addon, _ = judging()
    with context(addon, Asking(addon)) as made:
        run(Observing(addon).response(flow(mistaken())))
        made.master.commands.call_strings("airworthy.report", [str(tmp_path / "new")])

    assert json.loads((tmp_path / "new" / "traffic.json").read_bytes())["seen"] == 1
    assert "V4-SEARCH-ADULTS" in (tmp_path / "new" / "traffic.html").read_text()


def test_a_report_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    addon, _ = judging()
    with context(addon, Asking(addon)) as made, pytest.raises(exceptions.CommandError, match="File exists"):
        made.master.commands.call_strings("airworthy.report", [str(tmp_path / "file")])


def test_the_findings_of_flows_are_told() -> None:
    addon, _ = judging()
    asking = Asking(addon)
    with context(addon, asking, Marking()) as made:
        seen = flow(mistaken())
        made.master.addons.trigger(verdict_on(seen, wire(mistaken())))
        (line,) = asking.findings([seen, flow(mistaken())])

    assert line.startswith("violation of the request: adults of a search request is 0")
    assert line.endswith("[V4-SEARCH-ADULTS]")
