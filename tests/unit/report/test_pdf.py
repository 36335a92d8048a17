"""report.pdf: its pages and text, with harmless and with hostile text."""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

import pytest
from pypdf import PdfReader

from airworthy.report.exploration import Explored
from airworthy.report.pdf import _PRINTABLE, SignatureFacts, render_pdf
from airworthy.report.results import Rejudgement, Results, VerdictChange
from airworthy.target.records import Waiver

from .hostile import TYPST
from .sample import HOSTILE, MORNING, partner, rule, sample

OTHER_SCRIPTS = "\u05d0\u0627\u65e5\U0001f600\u0301\u200b\u00ad"
SIGNATURE = SignatureFacts(
    "3f" * 32,
    MORNING,
    MORNING + timedelta(days=365),
    key_id="9c1f",
    issuer="Example Air",
    proves=("Origin: the holder of the key signed.",),
    does_not_prove=("Honest operation of the run.",),
)


def pages(content: bytes) -> list[str]:
    """The text of each page, without the places where long words may break."""
    return [page.extract_text().replace("\u200b", "") for page in PdfReader(io.BytesIO(content)).pages]


def text_of(content: bytes) -> str:
    return re.sub(r"\s+", " ", " ".join(pages(content)))


def test_pdf_contains_decision_scope_coverage_and_reasons() -> None:
    text = text_of(render_pdf(sample()))
    for part in (
        "Conformance report",
        "NOT CERTIFIED",
        "Example Air",
        "https://service.example",
        "1 rule is violated; 2 of the 6 rules",
        "Offers, orders and reservations violated, 1 waived",
        "not examined",
        "V4-CURRENCY",
        "the waiver by Support expired on 2026-01-31",
        "Search Offers",
        "a" * 64,
        "an offer stored more than 30 minutes ago 30 min 54 s",
        "Not signed",
        "run 20261121-083000",
        "Page 1 of",
    ):
        assert part in text, part
    assert "It certifies no service." not in text
    assert "Judged again" not in text
    assert "It certifies no service." in text_of(render_pdf(replace(sample(), target="embedded sandbox")))


def test_pdf_of_a_partner_lists_the_items() -> None:
    text = text_of(render_pdf(partner()))
    for part in (
        "Go-live report",
        "Acme Travel",
        "1 of 3 items of the go-live list for v4 are shown",
        "Not shown A booking has checked bags GOLIVE-2 no recorded booking has checked bags Book an offer",
        "Shown by monday.har:12",
        "violated confirmed twice GOLIVE-3",
        "412 exchanges, judged in 8.5 s",
        "GOLIVE-4 not required (no bags)",
    ):
        assert part in text, part


def test_pdf_says_that_a_run_was_judged_again_and_what_was_explored() -> None:
    changes = tuple(VerdictChange(f"V4-{number}", "passed", "failed", "the check is new") for number in range(9))
    again = Rejudgement("0.9.1", f"2026-10 {TYPST}", 12, (*changes, VerdictChange("V4-GONE", "passed", "", "removed")))
    explored = (Explored("v4", 7, 61.5, 90, 700), Explored("v2", 7, 3.0, 4, 9, ended="the run was interrupted"))

    text = text_of(render_pdf(replace(sample(), rejudgement=again, explored=explored)))

    for part in (
        "first judged by Airworthy 0.9.1 against the requirement set 2026-10 #set page(fill: red)",
        "12 scenarios keep their verdict",
        "V4-0 passed failed the check is new",
        "2 more in report.html.",
        "Explored v4: 90 conversations with 700 steps, 0 of 40 transitions reached, 0 findings",
        "v2: 4 conversations with 9 steps",
        "ended early: the run was interrupted",
    ):
        assert part in text, part
    same = text_of(render_pdf(replace(sample(), rejudgement=replace(again, changes=()))))
    assert "No verdict changed." in same


def test_certificate_shows_the_digest_of_its_signature() -> None:
    certified = replace(sample(), rules=(rule("V4-ONE", "passed"),), waivers=())
    text = text_of(render_pdf(certified, SIGNATURE))
    for part in (
        "Certificate of conformance",
        "CERTIFIED",
        SIGNATURE.digest,
        "Example Air",
        "Valid until 2027-11-21",
        "Honest operation",
    ):
        assert part in text, part
    assert "Not signed" not in text


def test_equal_results_give_equal_bytes() -> None:
    assert render_pdf(sample(), SIGNATURE) == render_pdf(sample(), SIGNATURE)


@pytest.mark.parametrize("make", [sample, partner])
def test_hostile_text_is_shown_as_text(make: Callable[[str], Results]) -> None:
    hostile = replace(make(f"{TYPST} {HOSTILE}"), subject=f"Zürich Ñandú Ελλάς Київ {OTHER_SCRIPTS}")
    text = text_of(render_pdf(hostile))
    assert '#set page(fill: red) #panic() #read("/etc/passwd") $x^2$ _a_ *b* `c` <label> @ref' in text
    assert "<script>alert(1)</script>" in text
    assert "root:" not in text
    for name in ("0", "1b", "202e"):
        assert f"\\u{{{name}}}" in text
    assert not set(text) & set("\x1b\u202e\u0301\u65e5")
    # Other scripts are shown as code points.
    shown = "".join(f"\\u{{{ord(each):x}}}" for each in OTHER_SCRIPTS)
    assert f"Zürich Ñandú Ελλάς Київ {shown}" in text
    assert len(pages(render_pdf(make(TYPST)))) <= 4


def test_typeface_has_every_character_that_is_shown_as_itself() -> None:
    characters = [chr(code) for code in range(0x20, 0x2213) if not _PRINTABLE.match(chr(code))]
    lines = [" ".join(characters[start : start + 90]) for start in range(0, len(characters), 90)]
    # PDF/UA-1 rejects a character without a glyph. The rule ids and the reasons are in different typefaces.
    results = replace(
        sample(), waivers=tuple(Waiver(line, "", line, date(2027, 1, 31)) for line in lines), subject="".join(lines[:1])
    )
    assert "ß" in text_of(render_pdf(results))


def test_longest_document_has_four_pages() -> None:
    rules = tuple(
        replace(rule(f"V4-RULE-{number}", "failed", reason=f"defect {number} " * 40), area=f"Area {number % 45}")
        for number in range(300)
    )
    waivers = tuple(Waiver(f"V4-RULE-{number}", "Owner", "because " * 30, date(2027, 1, 31)) for number in range(20))
    results = replace(sample(), rules=tuple(sorted(rules, key=lambda each: each.area)), waivers=waivers)
    found = pages(render_pdf(results, SIGNATURE))
    assert 2 <= len(found) <= 4
    assert "272 more in report.html." in " ".join(found)
    assert "12 more in report.html." in " ".join(found)
