"""Two runs compared: each change once, by names that both runs have."""

import re
from dataclasses import replace
from typing import Any, Final

import jsonschema_rs
import orjson
import pytest

from airworthy.comparison.changes import Comparison, compare
from airworthy.comparison.rendering import headline, render_html, render_markdown, to_json
from airworthy.comparison.side import of_results
from airworthy.report.results import Failure, FindingCount, Observation, Results, RuleResult, ScenarioResult, Verdict
from airworthy.resources import resource
from unit.report.sample import CURRENCY, DRIFT, HOSTILE, partner, rule, sample

PASSED: Final = ScenarioResult("A search", "passed")


def run(*rules: RuleResult, **more: Any) -> Results:  # noqa: ANN401  any member of the results
    nothing: dict[str, Any] = dict.fromkeys(("capabilities", "findings", "observations", "waivers", "ledger"), ())
    return replace(sample(), subject="Example Air", rules=rules, **nothing | more)


def compared(old: Results, new: Results) -> Comparison:
    return compare(of_results(old, "old"), of_results(new, "new"))


def changes_of(comparison: Comparison) -> list[tuple[str, ...]]:
    return [(each.what, each.subject, each.before, each.after) for each in comparison.changes]


def failing(pointer: str, exchange: str = "x0001") -> RuleResult:
    failure = Failure("it is wrong", "EUR", "USD", "response", pointer, exchange)
    return rule("V4-CURRENCY", "failed", ScenarioResult("A search", "failed", failure=failure), reason="it is wrong")


def test_run_compared_with_itself_has_no_changes() -> None:
    results = run(failing("/price"), findings=(FindingCount(CURRENCY), FindingCount(DRIFT)))
    comparison = compared(results, results)

    assert (comparison.changes, comparison.notes, comparison.broken) == ((), (), False)


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("passed", "failed", "newly broken"),
        ("warning", "failed", "newly broken"),
        ("untested", "failed", "newly tested"),
        ("error", "failed", "newly tested"),
        ("not_applicable", "failed", "newly tested"),
        ("failed", "passed", "fixed"),
        ("failed", "warning", "fixed"),
        ("passed", "warning", "newly warned"),
        ("warning", "passed", "no longer warned"),
        ("passed", "untested", "newly untested"),
        ("failed", "untested", "newly untested"),
        ("passed", "error", "newly untested"),
        ("failed", "not_applicable", "newly untested"),
        ("untested", "passed", "no longer untested"),
        ("not_applicable", "passed", "no longer untested"),
        ("untested", "error", None),
        ("passed", "passed", None),
    ],
)
def test_change_of_a_verdict(before: Verdict, after: Verdict, what: str | None) -> None:
    comparison = compared(run(rule("V4-MONEY", before, PASSED)), run(rule("V4-MONEY", after, PASSED)))

    assert changes_of(comparison) == ([(what, "V4-MONEY", before, after)] if what else [])
    assert comparison.broken is (what == "newly broken")
    assert comparison.new_failures == ("V4-MONEY",) * (after == "failed")


def test_newly_broken_rule_is_shown_once_with_its_place() -> None:
    counted = (FindingCount(CURRENCY, 3),)
    comparison = compared(
        run(rule("V4-CURRENCY", "passed", PASSED)), run(failing("/offers/7/fare/price/currency"), findings=counted)
    )

    assert [(each.what, each.location) for each in comparison.changes] == [
        ("newly broken", "response /offers/*/fare/price/currency")
    ]


def test_rule_is_broken_at_another_place() -> None:
    comparison = compared(run(failing("/offers/0/price")), run(failing("/fare/price")))

    assert [(each.what, each.subject, each.location) for each in comparison.changes] == [
        ("newly broken", "V4-CURRENCY", "response /fare/price"),
        ("fixed", "V4-CURRENCY", "response /offers/*/price"),
    ]
    # A rule that failed before is not a new failure.
    assert (comparison.broken, comparison.new_failures) == (True, ())


def test_array_positions_exchange_ids_messages_and_counts_are_ignored() -> None:
    old = run(failing("/offers/0/price"), findings=(FindingCount(CURRENCY, 3), FindingCount(DRIFT, 1)))
    moved = replace(CURRENCY, pointer="/offers/5/fare/price/currency", message="other words", exchange="x0777")
    new = run(failing("/offers/3/price", "x0999"), findings=(FindingCount(moved, 1), FindingCount(DRIFT, 9)))

    assert compared(old, new).changes == ()


def test_drift_appears_and_disappears() -> None:
    passed = rule("V4-CURRENT-REVISION", "passed", PASSED)
    other = replace(DRIFT, drift="other-version", provenance="v3")
    comparison = compared(
        run(passed, findings=(FindingCount(DRIFT, 2),)), run(passed, findings=(FindingCount(other, 2),))
    )

    assert [(each.what, each.location) for each in comparison.changes] == [
        ("newly drifting", "response /offers/*/connectivityStandard (other-version)"),
        ("no longer drifting", "response /offers/*/connectivityStandard (earlier-revision)"),
    ]
    assert not comparison.broken


def test_different_observations() -> None:
    def observed(*values: tuple[str, str]) -> Results:
        return run(observations=tuple(Observation(place, "status", value, "x1") for place, value in values))

    old = observed(("OPEN-07", "409"), ("OPEN-07", "410"), ("OPEN-08", "a"), ("OPEN-09", "same"))
    new = observed(("OPEN-09", "same"), ("OPEN-07", "409"), ("OPEN-10", "b"))

    assert changes_of(compared(old, new)) == [
        ("observed differently", "OPEN-07", "409; 410", "409"),
        ("observed differently", "OPEN-08", "a", "not observed"),
        ("observed differently", "OPEN-10", "not observed", "b"),
    ]


def test_rules_that_only_one_run_has() -> None:
    old = run(rule("V4-OLD", "passed", PASSED), rule("V4-BOTH", "passed", PASSED))
    new = run(rule("V4-BOTH", "passed", PASSED), rule("V4-NEW", "passed", PASSED), rule("V4-BAD", "failed", PASSED))

    comparison = compared(old, new)
    assert comparison.new_failures == ("V4-BAD",)
    assert changes_of(comparison) == [
        ("newly tested", "V4-BAD", "", "failed"),
        ("rule appeared", "V4-NEW", "", "passed"),
        ("rule disappeared", "V4-OLD", "passed", ""),
    ]


def test_rules_of_another_version_neither_appear_nor_disappear() -> None:
    old = run(rule("V4-OLD", "passed", PASSED))
    scope = replace(old.scope, versions=("v3",))
    comparison = compared(old, run(rule("V3-NEW", "passed", PASSED), rule("V3-BAD", "failed", PASSED), scope=scope))

    assert changes_of(comparison) == [("newly tested", "V3-BAD", "", "failed")]
    assert comparison.notes == ("different versions: v4 before, v3 now",)


def test_filtered_run_is_compared_by_its_rules_only() -> None:
    whole = run(
        rule("V4-A", "failed", PASSED), rule("V4-B", "passed", PASSED), observations=(Observation("OPEN-07", "s", "1"),)
    )
    scope = replace(whole.scope, filtered=True, filtered_why="-k b")
    chosen = run(rule("V4-A", "untested"), rule("V4-B", "passed", PASSED), scope=scope)

    for comparison in (compared(whole, chosen), compared(chosen, run(rule("V4-A", "passed", PASSED), whole.rules[1]))):
        assert comparison.changes == ()
        assert any("different selection" in note for note in comparison.notes)
    comparison = compared(chosen, whole)
    assert changes_of(comparison) == [("newly tested", "V4-A", "not selected", "failed")]
    assert headline(comparison) == "Nothing is newly broken, 1 newly tested and failing"


def test_different_circumstances_are_noted() -> None:
    old = run()
    old = replace(old, scope=replace(old.scope, requirement_set_digest="d" * 64))
    scope = replace(old.scope, contract_digest="e" * 64, requirement_set_digest="f" * 64)
    new = replace(old, subject="Another", scope=scope)

    assert list(compared(old, new).notes) == [
        "different subject: Example Air before, Another now",
        f"different requirement set: {'d' * 12} before, {'f' * 12} now",
        f"different contract: {'b' * 12} before, {'e' * 12} now",
    ]


def test_json_is_complete_and_valid() -> None:
    many = tuple(rule(f"V4-R{number:03}", "passed", PASSED) for number in range(100))
    comparison = compared(run(*many), run(*(replace(each, verdict="failed") for each in many)))
    document = orjson.loads(to_json(comparison))

    schema = orjson.loads((resource("schemas") / "report" / "comparison.json").read_bytes())
    jsonschema_rs.Draft202012Validator(schema).validate(document)
    assert (document["broken"], document["counts"]["newly broken"], len(document["changes"])) == (True, 100, 100)


def test_markdown_is_short_and_escaped() -> None:
    many = tuple(rule(f"V4-R{number:03}", "passed", PASSED) for number in range(100))
    broken = (replace(each, verdict="failed", reason=HOSTILE) for each in many)
    text = render_markdown(compared(run(*many), run(*broken)))

    assert text.startswith("## 100 newly broken\n")
    assert "and 80 more" in text
    rows = [line for line in text.splitlines() if line.startswith("| `V4-R")]
    assert len(rows) == 20
    # The code span of a hostile text is one cell of five.
    assert {row.replace("\\|", "").count("|") for row in rows} == {6}
    assert "\x1b" not in text


def test_page_shows_changes_and_the_trend_of_the_runs() -> None:
    old = replace(run(rule("V4-A", "passed", PASSED), rule("V4-B", "failed", PASSED)), run="first")
    new = replace(run(rule("V4-A", "failed", PASSED, reason=HOSTILE), rule("V4-B", "failed", PASSED)), run="second")

    page = render_html(compared(old, new), [old, new])
    trend = page.partition("Trend (2)")[2]
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", row) for row in re.findall("<tr>.*?</tr>", trend, re.DOTALL)]

    assert "<h2>Newly broken (1)</h2>" in page
    assert "<script" not in page
    assert [row[:5] for row in rows] == [
        ["run", "decision", "failed newly", "failed", "error"],
        ["first", "NOT CERTIFIED", "", "1", "0"],
        ["second", "NOT CERTIFIED", "V4-A", "2", "0"],
    ]


def test_runs_of_a_partner_are_compared_in_the_words_of_the_list() -> None:
    items = partner()
    worse = replace(items, rules=(replace(items.rules[0], verdict="failed"), *items.rules[1:]))

    comparison = compared(items, worse)

    assert changes_of(comparison) == [("newly broken", "GOLIVE-1", "shown", "violated")]
    assert '<th scope="col">violated newly</th>' in render_html(comparison, [items, worse])
