"""The reason why a run ended."""

from pathlib import Path
from typing import Any, cast

import pytest

from airworthy.suite.results_collector import ResultsCollector


@pytest.mark.parametrize(
    ("ended", "reason"),
    [
        (KeyboardInterrupt(), "the run was interrupted"),
        (KeyboardInterrupt("the target is gone: nothing listens there"), "the target is gone: nothing listens there"),
        (pytest.Session.Interrupted("stopping after 1 failures"), "stopping after 1 failures"),
    ],
    ids=["by its user", "by a worker", "by pytest"],
)
def test_interrupted_run_has_a_reason(tmp_path: Path, ended: BaseException, reason: str) -> None:
    nothing = cast("Any", None)
    results_collector = ResultsCollector(nothing, tmp_path, b"", nothing)
    with pytest.raises(type(ended)) as raised:
        raise ended
    results_collector.pytest_keyboard_interrupt(raised)
    assert results_collector.stopped == reason
