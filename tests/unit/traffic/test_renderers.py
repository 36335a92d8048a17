"""The HTML page about traffic."""

import json
import re
from typing import Any

from airworthy.register import rule
from airworthy.traffic import Summary
from airworthy.traffic.golive.progress import ItemProgress, Sighting
from airworthy.traffic.page import render_html
from airworthy.traffic.sarif import to_sarif
from unit.report.test_renderers import Page, expect_own_script_and_style_only

from .material import SEARCH, START, exchange, finding

HOSTILE = "<script>alert(1)</script>\u202e'\"&{{ 7*7 }}"


def hostile() -> Summary:
    """A summary of which each text that could come from traffic is an attack."""
    summary = Summary()
    texts: dict[str, Any] = dict.fromkeys(("message", "expected", "actual", "provenance"), HOSTILE)
    found = [finding(f"/{HOSTILE}", "drift", drift="unknown-field", **texts), finding("/x", side="response", **texts)]
    summary.add(exchange(1), found, SEARCH)
    summary.count_unreadable(HOSTILE)
    summary.golive.versions["v3"] += 1
    violation = Sighting(START, (HOSTILE,), found[0], HOSTILE)
    summary.golive.record.add("GOLIVE-INFANTS", "v3", ItemProgress(proofs=(Sighting(START, (HOSTILE,)),)))
    summary.golive.record.add("GOLIVE-ADULTS", "v3", ItemProgress(violations=(violation,)))
    return summary


def test_hostile_text_is_escaped() -> None:
    page = Page(render_html(hostile(), HOSTILE))

    names = [name for _, attributes in page.elements for name in attributes]
    assert [name for name in names if name.startswith("on") or name == "style"] == []
    assert [tag for tag, _ in page.elements].count("script") == 1
    assert "49" not in page.text.replace("{{ 7*7 }}", "")
    assert "\u202e" not in page.text
    assert page.text.count("<script>alert(1)</script>\\u202e") >= 6
    assert "\u202e" not in to_sarif(hostile(), {}).decode()
    expect_own_script_and_style_only(render_html(hostile(), HOSTILE))


def test_page_shows_the_outcome() -> None:
    summary = Summary()
    summary.add(exchange(1), [finding("/a"), finding("/b", side="response", soft=True)], SEARCH)
    summary.count_unreadable("cut off")
    summary.count_foreign()
    text = re.sub(r"\s+", " ", Page(render_html(summary, "monday.har")).text)

    for shown in (
        "monday.har",
        "2 distinct findings in 1 exchange",
        "The traffic does not conform to the contract: 1 finding for the client.",
        "3 exchanges, 1 of them with other hosts",
        "cut off",
        "The traffic contains no operation of v4, v3 or v2.",
        SEARCH,
    ):
        assert shown in text


def test_page_shows_the_go_live_list_if_required() -> None:
    text = Page(render_html(hostile(), "x")).text

    assert "v3: 1 of 20 items are shown" in text
    assert '"Several adults" means at least 2' in text


def test_recordings_are_listed_by_name_without_paths() -> None:
    summary = Summary()
    summary.add(
        exchange(1), [finding("/a", exchange="/recordings/monday.har:3", earlier="/recordings/tuesday.har:1")], SEARCH
    )
    text = render_html(summary, "2 recordings", {}, ["/recordings/monday.har", "/recordings/tuesday.har"])
    same_names = render_html(summary, "2 recordings", {}, ["/recordings/a/x.har", "/recordings/b/x.har"])

    assert "/home" not in text
    assert '<details class="recordings"><summary>2 recordings</summary>' in text
    assert "POST /v4/search, exchange monday.har:3 at 2026-11-02 09:00:01 UTC" in text
    assert "<dt>After</dt><dd>exchange tuesday.har:1</dd>" in text
    assert "<code>a/x.har</code>" in same_names


def test_page_of_an_empty_summary() -> None:
    text = Page(render_html(Summary(), "empty.har", {})).text
    assert "Nothing was judged" in text
    assert "recorded no evidence" not in text
    assert "recorded no evidence" in Page(render_html(Summary(), "empty.har")).text


def test_sarif_has_a_result_for_each_finding() -> None:
    summary = Summary()
    for number in (1, 2):
        summary.add(exchange(number), [finding("/adults", exchange=f"x{number}", earlier="x0")], SEARCH)
    summary.add(exchange(3), [finding("/b", "deprecated", side="response", exchange="x3")], SEARCH)
    summary.add(exchange(4), [finding("/c", "drift", drift="unknown-field", exchange="x4")], SEARCH)
    summary.count_unreadable("cut off")

    log = json.loads(to_sarif(summary, {("x1", exchange(1).started): ("my traffic.har", 17)}))

    assert (log["version"], log["$schema"].rpartition("/")[2]) == ("2.1.0", "sarif-schema-2.1.0.json")
    [run] = log["runs"]
    [described] = run["tool"]["driver"]["rules"]
    known = rule("V4-SEARCH-ADULTS")
    assert known
    assert (described["id"], described["shortDescription"]["text"]) == (known.id, known.statement)
    assert known.source in described["help"]["text"]
    assert [(each["level"], each["occurrenceCount"], each["ruleIndex"]) for each in run["results"]] == [
        ("error", 2, 0),
        ("warning", 1, 0),
        ("note", 1, 0),
    ]
    [location] = run["results"][0]["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "my%20traffic.har"
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "POST /v4/search request /adults"
    assert run["results"][0]["properties"]["entry"] == 17
    assert "physicalLocation" not in run["results"][1]["locations"][0]
    assert len({each["partialFingerprints"]["place/v1"] for each in run["results"]}) == 3
    [notification] = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"] == "Not judged, 1 time: cut off"
