"""The addon that reports findings in a response header."""

import pytest

from proxy_addons.annotate import Annotate

from ..material import flow, search, search_without_adults
from .bench import context, controlled, run

HEADER = "Airworthy-Findings"


def annotated(mode: str = "annotate", failing: str = "", wrong: bool = True, path: str = "/v4/search") -> str | None:
    addon, judge = controlled()
    judge.failing = failing
    with context(addon, airworthy_mode=mode):
        seen = flow(search_without_adults() if wrong else search())
        seen.request.path = path
        run(Annotate(addon).response(seen))
    assert seen.response
    return seen.response.headers.get(HEADER)


def test_header_reports_a_violation() -> None:
    assert annotated() == 'count=1, violation=1, rules=("V4-SEARCH-ADULTS")'


def test_header_reports_that_nothing_was_found() -> None:
    assert annotated(wrong=False) == "count=0"


def test_header_reports_that_the_response_was_not_judged() -> None:
    assert annotated(failing="the judge took too long") == "judged=?0"


@pytest.mark.parametrize(("mode", "path"), [("observe", "/v4/search"), ("enforce", "/v4/search"), ("annotate", "/")])
def test_other_modes_and_foreign_traffic_get_no_header(mode: str, path: str) -> None:
    assert annotated(mode=mode, path=path) is None
