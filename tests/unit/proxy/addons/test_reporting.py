from pathlib import Path

import pytest

from proxy_addons.observing import Observing
from proxy_addons.reporting import Reporting

from ..material import flow, mistaken
from .bench import context, judging, run

MISTAKE = "adults of a search request is 0, not an integer from 1 to 9"


@pytest.fixture(autouse=True)
def _everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")


def end(folder: str | None) -> None:
    addon, judge = judging()
    reporting = Reporting(addon)
    with context(addon, reporting, airworthy_report=folder):
        run(Observing(addon).response(flow(mistaken())))
        judge.summary.count_unreadable("the judge's process ended")
        reporting.done()


def test_the_tally_is_told_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    end(None)

    assert caplog.messages[:3] == [
        "2 exchanges seen: 1 judged, 1 not judged (the judge's process ended)",
        "findings: 1 violation",
        f"     1 x violation by the client, POST /v4/search: {MISTAKE} [V4-SEARCH-ADULTS]",
    ]


def test_the_report_is_written_where_it_was_asked_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    end(str(tmp_path / "report"))

    assert (tmp_path / "report" / "traffic.html").exists()
    assert "the judge&#39;s process ended" in (tmp_path / "report" / "traffic.html").read_text()
    assert caplog.messages[-1] == f"The report is in {tmp_path / 'report' / 'traffic.html'}."


def test_a_report_that_cannot_be_written_is_one_line(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    end(str(tmp_path / "file"))

    assert caplog.messages[-1] == f"airworthy_report: {tmp_path / 'file'}: File exists"
