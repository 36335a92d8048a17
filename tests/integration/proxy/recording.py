"""A pytest plugin that writes the findings of each exchange to the file named by the variable `JUDGED`."""

import os
import pickle
from pathlib import Path
from typing import Any, Final

import pytest

from airworthy.contract import Exchange, Finding
from airworthy.suite.capture import Capture
from airworthy.suite.examination import Examination, ExchangeJudge

JUDGED: Final = "AIRWORTHY_TEST_JUDGED"


def pytest_configure(config: pytest.Config) -> None:
    """Record what every examination of this run finds."""
    begin = Examination.__init__
    file = Path(os.environ[JUDGED]).open("ab")  # noqa: SIM115  it is closed with the run
    config.add_cleanup(file.close)

    def beginning(self: Examination, judge: ExchangeJudge, *others: Any) -> None:  # noqa: ANN401
        def judging(exchange: Exchange, capture: Capture) -> list[Finding]:
            found = judge(exchange, capture)
            pickle.dump((exchange.request.method, exchange.request.url, found), file)
            return found

        begin(self, judging, *others)

    Examination.__init__ = beginning  # type: ignore[method-assign, assignment]
