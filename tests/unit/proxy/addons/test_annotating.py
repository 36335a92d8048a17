import pytest

from proxy_addons.annotating import Annotating

from ..material import flow, mistaken, search
from .bench import context, judging, run

HEADER = "Airworthy-Findings"


def annotated(mode: str = "annotate", failing: str = "", wrong: bool = True, path: str = "/v4/search") -> str | None:
    addon, judge = judging()
    judge.failing = failing
    with context(addon, airworthy_mode=mode):
        seen = flow(mistaken() if wrong else search())
        seen.request.path = path
        run(Annotating(addon).response(seen))
    assert seen.response
    return seen.response.headers.get(HEADER)


def test_an_answer_tells_what_was_found() -> None:
    assert annotated() == 'count=1, violation=1, rules=("V4-SEARCH-ADULTS")'


def test_an_answer_tells_that_nothing_was_found() -> None:
    assert annotated(wrong=False) == "count=0"


def test_an_answer_tells_that_it_was_not_judged() -> None:
    assert annotated(failing="the judge took too long") == "judged=?0"


@pytest.mark.parametrize(("mode", "path"), [("observe", "/v4/search"), ("enforce", "/v4/search"), ("annotate", "/")])
def test_other_answers_tell_nothing(mode: str, path: str) -> None:
    assert annotated(mode=mode, path=path) is None
