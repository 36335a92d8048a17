"""The files for CI systems and code hosts (JUnit, Markdown, SARIF), and that every form names each violation once."""

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from airworthy.cli.certification import Certification
from airworthy.cli.certify import partner_lines
from airworthy.contract.findings.finding import Finding
from airworthy.report.junit import render_junit
from airworthy.report.page import render_html
from airworthy.report.pdf import render_pdf
from airworthy.report.results import FindingCount, Results, failure_of
from airworthy.report.sarif import render_sarif
from airworthy.report.summary import render_markdown
from airworthy.report.write import write_reports

from .sample import CURRENCY, QUOTE, partner, rule, sample, with_evidence
from .test_pdf import text_of


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


NUMBER = 12
FIRST = "V4-0 at /0/adults: 0 is wrong (expected 1); in exchange x0"
SECOND = "V4-1 at /1/adults: 1 is wrong (expected one); 1,200 times, first in exchange x1"


def refused() -> Results:
    """Return the results of a partner one of whose items has many violations, and the second of them many times."""
    found = [
        Finding(f"V4-{each}", "violation", "request", f"/{each}/adults", f"{each} is wrong", "1", "", f"x{each}")
        for each in range(NUMBER)
    ]
    found[1] = replace(found[1], expected="one")
    results = partner()
    *others, item = results.rules
    scenario = replace(item.scenarios[0], findings=tuple(found), failure=failure_of(found[0]))
    counted = (FindingCount(found[1], 1000), FindingCount(found[1], 200))
    return replace(results, rules=(*others, replace(item, scenarios=(scenario,))), findings=counted)


def test_every_violation_is_named_once(tmp_path: Path) -> None:
    results = refused()
    terminal = list(partner_lines(Certification(results, tmp_path, 1)))
    start = terminal.index("violated: No order is confirmed twice [GOLIVE-3]") + 1
    assert terminal[start : start + 2] == [f"  {FIRST}", f"  {SECOND}"]
    assert terminal[start + 10] == "  and 2 more in report.html"
    assert terminal[-2].startswith("Correct the client, then record anew")
    summary = render_markdown(results, {})
    assert f"   - `{SECOND}`\n" in summary
    assert "   - `and 2 more in report.html`\n" in summary
    assert SECOND in text_of(render_pdf(results))

    page = render_html(results, {})
    [item] = re.findall(
        r'<details class="rule failed" id="rule-GOLIVE-3".*?(?=<details class="rule|<section)', page, re.S
    )
    assert [item.count(f">V4-{each}</span>") for each in range(NUMBER)] == [1] * NUMBER
    assert "1200 times" in item
    [failure] = ET.fromstring(render_junit(results, {})).iter("failure")  # noqa: S314
    assert SECOND in str(failure.text)
    assert str(failure.text).splitlines()[-1].startswith("V4-11 ")
    [run] = json.loads(render_sarif(results))["runs"]
    listed = [each for each in run["results"] if each["ruleId"] == "GOLIVE-3"]
    assert [each["message"]["text"] for each in listed[:2]] == ["V4-0: 0 is wrong", "V4-1: 1 is wrong"]
    assert [each["occurrenceCount"] for each in listed] == [1, 1200, *[1] * (NUMBER - 2)]
