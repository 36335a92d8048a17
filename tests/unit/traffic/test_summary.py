"""The summary of traffic is bounded, and does not depend on the order of its parts."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from airworthy.contract import Finding
from airworthy.errors import UsageError
from airworthy.resources import resource
from airworthy.traffic import Summary
from airworthy.traffic.document import from_json, to_json
from airworthy.traffic.golive.progress import ItemProgress, Sighting
from airworthy.traffic.page import first_exchanges
from airworthy.traffic.summary import MOST_REASONS, OTHER_REASONS, outcome

from .material import SEARCH, START, exchange, finding


def tallied(*seen: tuple[int, list[Finding]], most_rows: int = 1000) -> Summary:
    summary = Summary(most_rows=most_rows)
    for number, findings in seen:
        summary.add(exchange(number), [replace(each, exchange=f"x{number}") for each in findings], SEARCH)
    return summary


def test_same_place_is_one_row_with_its_first_exchange() -> None:
    summary = tallied((7, [finding("/a/3/b")]), (2, [finding("/a/0/b")]), (5, [finding("/a/9/b")]))

    [row] = summary.rows()
    assert (row.operation, row.place, row.count) == (SEARCH, "/a/*/b", 3)
    assert (row.finding.exchange, row.finding.pointer) == ("x2", "/a/0/b")
    assert [(moment - START).seconds for moment in (row.first, row.last)] == [2, 7]


def test_warning_does_not_hide_a_violation_of_the_same_place() -> None:
    [row] = tallied((1, [replace(finding("/a"), soft=True)]), (2, [finding("/a")])).rows()

    assert (row.finding.soft, row.finding.exchange, row.count) == (False, "x2", 2)


def test_drift_rows_differ_by_class_provenance_and_operation() -> None:
    summary = Summary()
    drifts = [
        finding("/a", "drift", drift="unknown-field"),
        finding("/a", "drift", drift="other-version", provenance="v3"),
        finding("/a", "drift", drift="other-version", provenance="v2"),
    ]
    summary.add(exchange(1), drifts, SEARCH)
    summary.add(exchange(2), drifts[:1], "POST /v4/offer")

    assert [(row.operation, row.finding.drift, row.finding.provenance, row.count) for row in summary.rows()] == [
        (SEARCH, "other-version", "v2", 1),
        (SEARCH, "other-version", "v3", 1),
        ("POST /v4/offer", "unknown-field", "", 1),
        (SEARCH, "unknown-field", "", 1),
    ]


def test_many_unknown_names_do_not_evict_documented_ones() -> None:
    summary = tallied((0, [finding("/adults")]), most_rows=50)
    for number in range(1, 2001):
        summary.add(exchange(number), [finding(f"/noise{number}", "drift", drift="unknown-field")], SEARCH)
    summary.add(exchange(3000), [finding("/children")], SEARCH)

    assert len(summary.rows()) == 50
    assert [row.place for row in summary.rows()[:2]] == ["/adults", "/children"]
    assert summary.kinds == {"violation": 2, "drift": 2000}
    assert summary.unlisted == 2000 - 48
    assert outcome(summary).headline.startswith("At least 50 distinct findings")


def test_number_of_reasons_is_bounded() -> None:
    summary = Summary()
    for number in range(1000):
        summary.count_unreadable(f"reason {number}")

    assert len(summary.not_judged) == MOST_REASONS + 1
    assert summary.not_judged[OTHER_REASONS] == 1000 - MOST_REASONS
    assert summary.seen == summary.not_judged.total() == 1000


def test_order_of_the_parts_does_not_decide_which_reasons_remain() -> None:
    parts = [Summary() for _ in range(10)]
    for number in range(1000):
        parts[number * 7 % 10].count_unreadable(f"reason {number % 90}")
    totals = [Summary(), Summary()]
    for total, order in zip(totals, (parts, reversed(parts)), strict=True):
        for part in order:
            total.merge(part)

    assert totals[0].not_judged == totals[1].not_judged


def test_unreadable_exchange_is_not_judged() -> None:
    summary = tallied((1, [finding("", "unreadable", message="too large")]), (2, []))
    summary.count_foreign()

    assert (summary.seen, summary.judged, summary.foreign) == (3, 1, 1)
    assert summary.not_judged == {"too large": 1}


@given(st.data())
def test_parts_merge_in_any_order(data: st.DataObject) -> None:
    seen = data.draw(
        st.lists(
            st.tuples(
                st.integers(0, 20),
                st.lists(
                    st.builds(
                        finding,
                        st.sampled_from([f"/{name}" for name in "abcdefgh"]),
                        st.sampled_from(["violation", "drift", "deprecated", "unreadable"]),
                        message=st.sampled_from(["one", "two"]),
                    ),
                    max_size=3,
                ),
            ),
            max_size=12,
        )
    )
    whole = tallied(*seen, most_rows=4)
    parts: dict[int, list[Any]] = {0: [], 1: [], 2: []}
    for each in seen:
        parts[data.draw(st.integers(0, 2))].append(each)
    merged = Summary(most_rows=4)
    for part in data.draw(st.permutations(list(parts.values()))):
        merged.merge(tallied(*part, most_rows=4))

    assert to_json(merged) == to_json(whole)


def full() -> Summary:
    summary = tallied((1, [finding("/a", soft=True), finding("/b", "drift", drift="retyped", provenance="v3")]))
    summary.count_unreadable("cut off")
    summary.count_foreign()
    summary.unrecorded = 1
    summary.golive.versions["v3"] += 1
    violation = Sighting(START, ("x9", "x10"), finding("/a"), "it is wrong")
    gap = Sighting(START, ("x1",), reason="cut off")
    progress = ItemProgress((Sighting(START, ("x9",)),), (violation,), gaps=(gap,))
    summary.golive.record.add("GOLIVE-INFANTS", "v3", progress)
    return summary


def test_document_is_valid_and_read_back() -> None:
    schema = json.loads((resource("schemas") / "report" / "traffic.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)

    for summary in (Summary(), full()):
        text = to_json(summary)
        Draft202012Validator(schema).validate(json.loads(text))
        assert to_json(from_json(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [(b"nonsense", "not JSON"), (b"{}", "format"), (to_json(Summary()).replace(b'"seen": 0', b'"seen": "0"'), "/seen")],
)
def test_invalid_document_is_a_usage_error(text: bytes, message: str) -> None:
    with pytest.raises(UsageError, match=rf"^mine\.json: .*{message}"):
        from_json(text, "mine.json")


@pytest.mark.parametrize(
    ("findings", "code", "tone"),
    [
        ([], 0, "passed"),
        ([finding("/a", "drift", drift="unknown-field")], 0, "passed"),
        ([finding("/a", soft=True)], 0, "warning"),
        ([finding("/a", "deprecated")], 0, "warning"),
        ([finding("/a", "drift", drift="earlier-revision")], 1, "failed"),
        ([finding("/a")], 1, "failed"),
        ([finding("/a", rule="GOLIVE-EXPIRY")], 0, "passed"),
        ([finding("/a", "unreadable", message="cut off")], 3, "untested"),
    ],
)
def test_exit_code_is_that_of_the_worst_finding(findings: list[Finding], code: int, tone: str) -> None:
    result = outcome(tallied((1, findings)))

    assert (result.exit_code, result.tone) == (code, tone)


def test_outcome_names_the_sides_at_fault() -> None:
    summary = tallied((1, [finding("/a"), finding("/b"), finding("/a", side="response")]), (2, [finding("/a")]))

    result = outcome(summary)
    assert result.headline == "3 distinct findings in 2 exchanges"
    assert (
        result.lead
        == "The traffic does not conform to the contract: 2 findings for the client, 1 finding for the service."
    )


def test_outcome_without_judged_exchanges() -> None:
    summary, provider = Summary(), tallied((1, []))
    assert outcome(summary).lead == "The traffic contains no exchanges."
    assert outcome(provider).exit_code == 0
    for each in (summary, provider):
        each.count_foreign()
        assert outcome(each).lead == "The base URL does not match any of 1 exchange."
    assert outcome(provider).headline == "Nothing of the service was judged"
    summary.count_unreadable("cut off")
    assert outcome(summary).lead == "1 of 2 entries could not be judged: cut off."
    assert outcome(summary).exit_code == 3


def test_outcome_names_violated_items_of_the_go_live_list() -> None:
    summary = tallied((1, []))
    summary.golive.versions["v4"] = 1
    violation = Sighting(START, ("1",), reason="the order comes too late")
    summary.golive.record.add("GOLIVE-EXPIRY", "v4", ItemProgress(violations=(violation,)))

    violated = "the go-live list is violated: GOLIVE-EXPIRY (v4)"
    assert outcome(summary).headline == f"No findings in 1 exchange, and {violated}"


def test_card_data_comes_first_however_rare_it_is() -> None:
    leak = finding("/card", rule="V4-CARD-DATA")
    summary = tallied((1, [finding("/a")]), (2, [finding("/a")]), (3, [leak]))

    assert [row.finding.rule for row in summary.rows()] == ["V4-CARD-DATA", "V4-SEARCH-ADULTS"]
    assert first_exchanges(summary)[0] == ("x3", exchange(3).started)
