"""The files for CI systems and code hosts: JUnit, Markdown and SARIF."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from airworthy.report.junit import render_junit
from airworthy.report.results import Results
from airworthy.report.sarif import render_sarif
from airworthy.report.summary import render_markdown
from airworthy.report.write import write_reports

from .sample import CURRENCY, QUOTE, partner, rule, sample, with_evidence


def test_junit_counts(tmp_path: Path) -> None:
    write_reports(with_evidence(tmp_path), tmp_path)
    root = ET.parse(tmp_path / "junit.xml").getroot()  # noqa: S314 - we wrote it
    assert [suite.get("name") for suite in root] == ["v4 Search Offers", "v4 Transport", "waivers"]
    counts = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "8", "failures": "2", "errors": "1", "skipped": "2"}
    failure = root.find(".//failure")
    assert failure is not None
    assert failure.text is not None
    source = f'Source: "{QUOTE}" (v4, Limits)'
    for part in ("Rule: V4-CURRENCY", source, "Expected: EUR", "Exchange: x0002", "Repeat with: curl"):
        assert part in failure.text
    assert "".join(root.find(".//system-out").itertext()).startswith("warning: ")  # type: ignore[union-attr]


def texts(results: Results, rule_id: str, outcome: str) -> list[tuple[str, str]]:
    """Return the message and the text of an outcome in each test case of a rule."""
    root = ET.fromstring(render_junit(results, {}))  # noqa: S314 - we wrote it
    found = root.findall(f".//testcase[@classname='{rule_id}']/{outcome}")
    return [(each.get("message", ""), each.text or "") for each in found]


UNWAIVED = replace(sample(), waivers=())
# What was not selected, does not apply or is waived is skipped.
FILTERED = replace(
    UNWAIVED,
    scope=replace(UNWAIVED.scope, filtered=True),
    rules=tuple(replace(each, scenarios=()) for each in UNWAIVED.rules),
)
STALE = replace(sample(), rules=(rule("V4-SEARCH-FARE", "passed"),))
ELSEWHERE = replace(sample(), rules=(rule("V4-CURRENCY", "failed"),))


@pytest.mark.parametrize(
    ("results", "rule_id", "outcome", "message", "text"),
    [
        (UNWAIVED, "V4-SEARCH-OFFERS", "error", "untested: no route ", ""),
        (FILTERED, "V4-SEARCH-OFFERS", "skipped", "untested: no route", "untested: "),
        (UNWAIVED, "V4-CONTENT-TYPE", "skipped", "not applicable: excluded", "not applicable: "),
        (sample(), "V4-SEARCH-OFFERS", "skipped", "untested, but waived by Support  until 2027-01-31: no route ", ""),
        (STALE, "V4-SEARCH-FARE", "failure", "the waiver by Support expired on 2026-01-31", ""),
        (ELSEWHERE, "V4-CURRENCY", "failure", 'currency of a price is "USD", not EUR', ""),
        (
            partner(),
            "GOLIVE-2",
            "error",
            "untested: no recorded booking has checked bags ",
            "no recorded booking has checked bags \nBook an offer with one piece of checked baggage",
        ),
    ],
    ids=["untested", "not selected", "not applicable", "waived", "stale waiver", "violated elsewhere", "of a partner"],
)
def test_junit_has_an_outcome_for_each_rule(
    results: Results, rule_id: str, *, outcome: str, message: str, text: str
) -> None:
    [found] = texts(results, rule_id, outcome)
    assert found[0] == message
    assert found[1].startswith(text)


def test_summary_contains_the_decision() -> None:
    text = render_markdown(sample(), {})
    assert text.startswith("## ❌ NOT CERTIFIED\n")
    assert "| Interface | Conclusion | failed | error | untested | warning | passed | not applicable |" in text
    assert "| `v4: Offers, orders and reservations` | violated, 1 waived | 1 | 1 | 1 | 1 | 1 | 1 |" in text
    assert "| `v3: Booking requests and bookings` | not examined |" in text
    assert '1. **failed**: `currency of a price is "USD", not EUR` (fails 1 rule)\n   - Rules: `V4-CURRENCY`\n' in text
    assert "Drift: 1 locations, 2 occurrences." in text


def test_summary_of_a_partner_uses_the_words_of_the_list() -> None:
    text = render_markdown(partner(), {})
    assert "1. **violated**: `confirmed twice`\n   - Rules: `GOLIVE-3`\n" in text
    assert (
        "2. **not shown**: `no recorded booking has checked bags`\n"
        "   - Rules: `GOLIVE-2`\n   - What to do: `Book an offer with one" in text
    )
    assert "412 exchanges judged in 8.5 s; run `20261121-083000`" in text


def test_sarif_lists_defects_and_untested_rules() -> None:
    [run] = json.loads(render_sarif(sample()))["runs"]
    assert [(each["ruleId"], each["level"]) for each in run["results"]] == [
        ("V4-CURRENCY", "error"),
        ("V4-CURRENCY", "error"),
        ("V4-SEARCH-OFFERS", "warning"),
        ("V4-CURRENT-REVISION", "warning"),
        ("V4-MONEY", "error"),
    ]
    assert [run["tool"]["driver"]["rules"][each["ruleIndex"]]["id"] for each in run["results"]] == [
        each["ruleId"] for each in run["results"]
    ]
    assert f'Source: "{QUOTE}" (v4, Limits).' in run["tool"]["driver"]["rules"][0]["help"]["text"]
    [suppressed] = [each for each in run["results"] if "suppressions" in each]
    assert (suppressed["ruleId"], suppressed["suppressions"][0]["status"]) == ("V4-SEARCH-OFFERS", "accepted")
    first = run["results"][0]
    assert first["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == f"v4 response {CURRENCY.pointer}"
    assert first["properties"]["expected"] == "EUR"
