"""Explorations in every form of the report."""

import json
import re
from dataclasses import replace
from io import BytesIO

import pytest
from pypdf import PdfReader

from airworthy.contract.life_cycles import LIFE_CYCLES
from airworthy.report.document import from_json, to_json
from airworthy.report.exploration import Explored, ExploredFinding, ExploredStep
from airworthy.report.explored import diagrams, never_reached, reached, transitions_of
from airworthy.report.junit import render_junit
from airworthy.report.page import exchanges_shown, render_html
from airworthy.report.pdf import render_pdf
from airworthy.report.results import FindingCount, Results
from airworthy.report.sarif import render_sarif
from airworthy.report.summary import render_markdown

from .sample import CURRENCY, HOSTILE, sample

STEPS = (ExploredStep("the client stores an offer", ("x0001",)), ExploredStep("31 min pass", ()))
OPENS, BOOKS = "order: none, createOrder, OPEN", "order: OPEN, confirmOrder, BOOKED"


def explored(*, repeated: int = 3, text: str = "") -> Results:
    """Return results of a run with an exploration that found what the scenarios found, too."""
    steps = (*STEPS, ExploredStep(f"the client searches{text}", ("x0002",)))
    found = ExploredFinding(CURRENCY, steps, repeated, 3)
    exploration = Explored("v4", 7, 61.5, 90, 700, {OPENS: 80}, (found,), "")
    return replace(sample(), explored=(exploration,), transitions={OPENS: 4, BOOKS: 2})


@pytest.mark.parametrize(("repeated", "words"), [(3, "failed in 3 of 3 repetitions"), (1, "flaky: failed in 1 of 3")])
def test_finding_that_is_not_repeated_only_warns(repeated: int, words: str) -> None:
    (each,) = explored(repeated=repeated).explored
    (found,) = each.findings
    assert each.found[0].repetition.startswith(words)
    assert found.soft is (repeated < 3)
    assert ("flaky" in found.message) is found.soft


def test_explored_finding_is_marked_in_junit_and_sarif() -> None:
    results = explored()
    rules = tuple(each for each in results.rules if each.id == CURRENCY.rule)
    results = replace(results, findings=(FindingCount(CURRENCY),), rules=rules)
    no_scenario = replace(results, rules=tuple(replace(each, scenarios=()) for each in results.rules))
    assert "Explored: failed in 3 of 3 repetitions\n  1. the client stores an offer" in render_junit(no_scenario, {})
    (run,) = json.loads(render_sarif(no_scenario))["runs"]
    marked = [each["properties"]["explored"] for each in run["results"] if "explored" in each["properties"]]
    assert marked == [
        ["Explored: failed in 3 of 3 repetitions", *("1. the client stores an offer", "2. 31 min pass"), marked[0][3]]
    ]
    assert "explored" not in render_sarif(sample()).decode()


@pytest.mark.parametrize(
    ("repeated", "ended", "outcome", "code", "lead"),
    [
        (3, "the run was interrupted", "VIOLATIONS FOUND", 1, "90 random conversations show 1 violation."),
        (1, "", "NO VIOLATION FOUND", 0, "90 random conversations show no violation, 1 flaky or not repeated."),
        (1, "the run was interrupted", "INCOMPLETE", 3, "90 random conversations show no violation, 1 flaky"),
    ],
)
def test_exploration_without_scenarios_has_one_outcome(
    repeated: int, ended: str, outcome: str, code: int, lead: str
) -> None:
    results = explored(repeated=repeated)
    (each,) = results.explored
    alone = replace(
        results,
        scope=replace(results.scope, versions=("v4",), filtered=True),
        explored=(replace(each, ended=ended),),
        rules=tuple(replace(rule, scenarios=()) for rule in results.rules),
    )
    decision = json.loads(to_json(alone))["decision"]
    assert (decision["outcome"], decision["exit_code"]) == (outcome, code)
    assert ([each["reason"] for each in decision["blocks"] if each["cause"] == "untested"] != []) is bool(ended)
    pdf = "".join(page.extract_text() for page in PdfReader(BytesIO(render_pdf(alone))).pages)
    for text in (render_html(alone, {}), render_markdown(alone, {}), re.sub(r"\s+", " ", pdf)):
        assert lead in text
        assert "An exploration alone certifies nothing." in text
        assert outcome in text
        assert "NOT CERTIFIED" not in text
    assert "NOT CERTIFIED" in render_html(results, {})


def test_page_tells_the_conversation_and_draws_the_life_cycles() -> None:
    page = render_html(explored(), {})
    assert re.search(r"<td class=\"number\">90</td><td class=\"number\">700</td>", page)
    assert "<code>--seed 7</code>" in page
    assert page.index("the client stores an offer") < page.index("31 min pass") < page.index("the client searches")
    assert page.count('<svg class="cycle"') == sum("v4" in each.interfaces for each in LIFE_CYCLES)
    assert {"x0001", "x0002"} <= exchanges_shown(explored())
    assert 'id="explored"' not in render_html(sample(), {})
    assert HOSTILE[:25] not in render_html(explored(text=HOSTILE), {})
    assert from_json(to_json(explored())) == explored()


def test_diagram_shows_what_reached_a_transition() -> None:
    order = next(each for each in diagrams(explored()) if each.life_cycle.resource == "order")
    reach = {order.life_cycle.name(each.transition): each.reach for each in order.lines}
    assert (reach[OPENS], reach[BOOKS]) == ("both", "scenarios")
    assert set(reach.values()) == {"both", "scenarios", "never"}
    assert order.reached == 2
    assert all(0 <= each.x - each.column // 2 < each.x + each.column // 2 < order.width for each in order.boxes)
    assert diagrams(sample()) == []


def test_transitions_of_an_interface() -> None:
    assert reached(explored().explored[0]) == (1, len(transitions_of(("v4",))))
    assert BOOKS not in never_reached(explored())
    assert "order: FAILED, getOrder, FAILED" in never_reached(explored())
    cancels = [each for each in transitions_of(("v3",)) if "cancelRequest" in each]
    assert cancels
    assert not set(cancels) & set(transitions_of(("v2",)))
