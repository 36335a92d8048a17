"""The report files, with harmless and with hostile text."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from airworthy.errors import StorageError, UsageError
from airworthy.register import rules
from airworthy.report.document import load_results
from airworthy.report.exchanges import OperationUse
from airworthy.report.overview import overview
from airworthy.report.page import coverage, open_questions, render_html
from airworthy.report.results import Results, RuleResult
from airworthy.report.summary import render_markdown
from airworthy.report.templating import duration
from airworthy.report.write import rewrite_reports, write_reports
from airworthy.resources import resource

from .sample import HOSTILE, QUOTE, partner, rule, sample, with_evidence

SECTIONS = [
    *("decision", "coverage", "results", "scope", "capabilities", "waivers"),
    *("observations", "drift", "timing", "effects", "integrity"),
]


class Page(HTMLParser):
    """The elements and the text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page(folder: Path, text: str = "") -> tuple[str, Page]:
    write_reports(with_evidence(folder, text), folder)
    html = (folder / "report.html").read_text()
    return html, Page(html)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Page]:
    """The page about the sample with its evidence."""
    return page(tmp_path_factory.mktemp("run"))


def test_report_is_written_from_results_and_evidence(tmp_path: Path) -> None:
    results = with_evidence(tmp_path)
    paths = write_reports(results, tmp_path)
    assert [path.name for path in paths] == ["results.json", "report.html", "junit.xml", "findings.sarif", "summary.md"]
    assert load_results(tmp_path / "results.json") == results
    first = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in write_reports(load_results(paths[0]), tmp_path)] == first


def test_failed_write_is_one_line_and_leaves_no_results_json(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "report.html").mkdir(parents=True)
    with pytest.raises(StorageError, match=f"^{re.escape(str(folder))}: cannot write the report: Is a directory$"):
        write_reports(sample(), folder)
    assert not (folder / "results.json").exists()
    assert not list(folder.glob(".*"))

    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match=r"file: cannot write the report: File exists$"):
        write_reports(sample(), tmp_path / "file")


def test_report_is_written_again_but_not_in_the_folder_of_a_signed_run(tmp_path: Path) -> None:
    results = with_evidence(tmp_path)
    write_reports(results, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / "report.html").write_text("old")
    paths = rewrite_reports(tmp_path)
    assert [path.name for path in paths] == ["report.html", "junit.xml", "findings.sarif", "summary.md"]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before

    (tmp_path / "certificate.intoto.jsonl").touch()
    with pytest.raises(
        UsageError, match=r"certificate\.intoto\.jsonl: the run is signed, so its files must not change$"
    ):
        rewrite_reports(tmp_path)
    with pytest.raises(UsageError, match=r"results\.json: No such file or directory$"):
        rewrite_reports(tmp_path / "absent")


def test_page_has_its_sections_in_order(shown: tuple[str, Page]) -> None:
    _, found = shown
    ids = [attributes["id"] for tag, attributes in found.elements if tag == "section" and "id" in attributes]
    assert ids == SECTIONS
    links = [
        attributes["href"]
        for tag, attributes in found.elements
        if tag == "a" and attributes.get("href") in {f"#{each}" for each in SECTIONS}
    ]
    assert [f"#{each}" for each in SECTIONS] == list(dict.fromkeys(links[1:]))


SHOWN = (
    "NOT CERTIFIED",
    "1 rule is violated",
    "only EUR is sold",
    "V4-CURRENCY",
    f"{QUOTE} (v4, Limits)",
    "Then they are priced in EUR",
    "POST https://service.example/v4/search",
    "Authorization: $AIRWORTHY_V4_KEY",
    '"currency": "USD"',
    "curl --include --request POST https://service.example/v4/search",
    "--header 'Authorization: '\"$AIRWORTHY_V4_KEY\"",
    "/offers/1/fare/price/currency",
    "x0002",
    "12 ms",
    "an earlier revision of v4",
    "the waiver by Support expired on 2026-01-31",
    "30 min 54 s",
    "not waited for: longer than the maximum wait",
    "The run created 2 orders at the target",
    "2026-11-21 08:30:00 UTC",
    "a" * 64,
    "OPEN-07 Which status does a second confirmation of a booked order return? Status of a duplicate",
    "(62%) in 412 exchanges",
)


def test_page_shows_what_was_found(shown: tuple[str, Page]) -> None:
    html, found = shown
    assert [text for text in SHOWN if text not in found.text] == []
    # In the order of their numbers.
    assert html.index("OPEN-07") < html.index("OPEN-102")


def test_line_at_fault_is_marked(shown: tuple[str, Page]) -> None:
    html, _ = shown
    decision, _, results = html.partition('id="results"')
    currency = "&#34;currency&#34;: &#34;USD&#34;,"
    for part, marked in ((decision, [currency]), (results, [currency, "{"])):
        marks = re.findall(r'<span class="line marked">([^<]*)</span>', part)
        assert [mark.strip() for mark in marks] == marked
    assert '<code class="expected">EUR</code>' in decision


def expect_own_script_and_style_only(html: str) -> None:
    """Fail if the content security policy of a page allows anything else."""
    policy = next(a["content"] for tag, a in Page(html).elements if tag == "meta" and "http-equiv" in a)
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in (policy or "")
    assert "default-src 'none'" in (policy or "")
    assert "unsafe" not in (policy or "")


def test_policy_allows_only_the_own_script_and_style(tmp_path: Path) -> None:
    expect_own_script_and_style_only(page(tmp_path, HOSTILE)[0])


def test_long_text_is_shortened(tmp_path: Path) -> None:
    html, _ = page(tmp_path, "y" * 30_000)
    assert len(html) < 600_000
    assert max(map(len, re.findall("y+", html))) <= 8000


@pytest.mark.parametrize("is_recorded", [True, False])
def test_report_without_readable_evidence_says_so(tmp_path: Path, is_recorded: bool) -> None:
    results = with_evidence(tmp_path) if is_recorded else sample()
    (tmp_path / "evidence.jsonl").write_text("not a line of evidence\n")
    write_reports(results, tmp_path)
    text = Page((tmp_path / "report.html").read_text()).text
    assert "Exchange x0002 is not shown here; look it up in the evidence." in text
    assert ("not recorded" in text) is not is_recorded


def test_empty_run_is_rendered() -> None:
    empty = replace(sample(), rules=(), findings=(), observations=(), waivers=(), waits=(), ledger=(), capabilities=())
    text = Page(render_html(empty, {})).text
    for part in (
        "INCOMPLETE",
        "no rule was tested",
        "No observations were recorded.",
        "No drift was found.",
        "No rule is waived.",
    ):
        assert part in text


def test_finding_of_a_rule_is_shown_with_its_exchange(tmp_path: Path) -> None:
    results = with_evidence(tmp_path)
    [currency] = [each for each in results.rules if each.id == "V4-CURRENCY"]
    failed = currency.scenarios[0]
    assert failed.failure
    # A check of all exchanges names none.
    failure = replace(failed.failure, message='currency of a price is "USD", not EUR', exchange="")
    own, elsewhere = replace(currency, scenarios=(replace(failed, failure=failure),)), rule("V4-CURRENCY", "failed")
    for violated, is_elsewhere in ((own, False), (elsewhere, True)):
        write_reports(replace(results, rules=(violated,)), tmp_path)
        text = Page((tmp_path / "report.html").read_text()).text
        assert "exchange x0002" in text
        assert ("Finding in an exchange of another scenario 3 times" in text) is is_elsewhere


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0004, "0 ms"), (0.0123, "12 ms"), (1, "1.0 s"), (59.94, "59.9 s"), (60, "1 min"), (1854, "30 min 54 s")],
)
def test_duration_format(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_page_and_summary_name_the_requirement_set() -> None:
    scope = replace(sample().scope, requirement_set="0.1.0", requirement_set_digest="e" * 64)
    results = replace(sample(), scope=scope)
    assert f"Requirement set 0.1.0 {'e' * 64}" in Page(render_html(results, {})).text
    assert "Requirement set: `0.1.0`, digest `eeeeeeeeeeee`." in render_markdown(results, {})


def test_page_counts_rules_that_bind_clients_only_apart() -> None:
    kept, broken = (replace(rule(f"V4-{each}", each), binds="client") for each in ("passed", "failed"))
    chips = re.findall(r'data-toggle="([^"]+)"', render_html(replace(sample(), rules=(kept, broken), waivers=()), {}))
    assert chips == ["failed", "for clients"]
    text = Page(render_html(replace(sample(), rules=(rule("V4-ONE", "passed"), kept), waivers=()), {})).text
    assert "1 of the 1 rules that bind the service is tested and met." in text
    assert "1 passed 1 for clients" in re.sub(r"\s+", " ", text)
    assert "These are the 1 rules that bind the service. 1 more binds clients only" in text
    assert "its own requests met them all" in text


@pytest.mark.parametrize(
    ("results", "target", "words", "is_shown"),
    [
        (sample(), "embedded sandbox", "It certifies no service.", True),
        (sample(), "https://embedded sandbox", "It certifies no service.", False),
        (sample(), "https://x", "It certifies no service.", False),
        (partner(), "https://127.0.0.1:8443", "sandbox on this machine", True),
        (partner(), "https://localhost", "sandbox on this machine", True),
        (partner(), "https://sandbox.localhost:8443", "sandbox on this machine", True),
        (partner(), "https://x", "sandbox on this machine", False),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_sandbox_as_the_target_is_announced(results: Results, target: str, words: str, is_shown: bool) -> None:
    results = replace(results, target=target)
    for text in (Page(render_html(results, {})).text, render_markdown(results, {})):
        assert (words in text) == is_shown


def test_coverage_counts_the_rules_that_bind_the_service() -> None:
    rules = (rule("V4-ONE", "passed"), replace(rule("V4-TWO", "passed"), binds="client"))
    uses = (OperationUse("POST /v4/search", {"200": 2, "no response": 1}), OperationUse("GET /v1/flights", {"404": 3}))
    results = replace(sample(), rules=rules, operations=uses)
    v4, payment = coverage(results, overview(results).binding)
    rows = {each.name: each for each in v4.operations}
    assert (v4.unused, payment.unused) == (8, 1)
    assert (rows["POST /v4/search"].requests, rows["POST /v4/search"].counts["passed"]) == (3, 1)
    assert rows["GET /v4/order/{orderId}"].rules == []
    text = Page(render_html(results, {})).text
    assert re.search(r"POST /v4/search\s*3 requests 200: 2 no response: 1\s*1 passed", text)


def test_every_rule_is_about_an_operation_or_in_an_area() -> None:
    """The rules of one operation come from its schema, coded rules, life cycles, its area, or the cited section."""
    known = [RuleResult(each.id, each.version, each.area, "", each.source, "service", "untested") for each in rules()]
    results = replace(sample(), rules=tuple(known), scope=replace(sample().scope, versions=("v4", "v3", "v2", "v9")))
    found = coverage(results, known)
    assert [each.name for each in found] == ["v4", "v3", "v2", "payment", "export"]
    rows = {each.name: set(each.unmet) for one in found for each in (*one.operations, *one.areas)}
    assert set().union(*rows.values()) == {each.id for each in known}
    assert {"V4-CONFIRM-AMOUNT", "V4-CONFIRM-ONCE", "V4-CONFIRM-BOOKS"} <= rows["POST /v4/order/{orderId}/confirm"]
    assert "V3-ROUND-TRIPS-DEFAULT-WINDOW" in rows["GET /v3/roundTrips"] - rows["GET /v3/flights"]
    assert "V23-BOOKINGS-OPTIONAL" in rows["POST /v3/bookings"] & rows["POST /v2/bookings"] - rows["GET /v3/bookings"]
    assert rows["Transport"] >= {"V4-HTTPS-ONLY", "V4-REMOVED-VERSIONS"}


def test_waits_are_on_a_common_axis() -> None:
    html = render_html(sample(), {})
    assert re.findall(r'<svg class="wait (\w+)".*?<rect [^>]*width="([\d.]+)%"', html) == [
        ("cut", "2.98"),
        ("clock", "92.00"),
    ]
    assert re.findall(r'<text x="([\d.]+)%" y="11">(.*?)</text>', html)[:2] == [("0.00", "0"), ("29.77", "10 min")]


def test_partner_sees_what_is_shown_and_what_to_do(tmp_path: Path) -> None:
    results = with_evidence(tmp_path)
    rules = list(partner().rules)
    rules[0] = replace(rules[0], scenarios=(replace(rules[0].scenarios[0], exchanges=("x0001",)),))
    results = replace(partner(), rules=tuple(rules), integrity=results.integrity)
    write_reports(results, tmp_path)
    html = (tmp_path / "report.html").read_text()
    text = Page(html).text
    assert "NOT CERTIFIED" in text
    assert "1 of 3 items of the go-live list for v4 are shown, 1 violated, 1 not shown, 1 does not apply." in text
    # Under the decision, and in the list of items.
    assert text.count("What to do. Book an offer with one piece of checked baggage: POST /order") == 2
    assert "Shown by Request and response exchange x0001, 12 ms POST https://service.example/v4/search: 200 OK" in text
    assert "GOLIVE-4 not required by the operator: no bags" in text
    assert "monday.har 12,345 bytes" in text
    assert not {"coverage", "observations", "effects"} & {
        attributes.get("id") for tag, attributes in Page(html).elements if tag == "section"
    }


def test_open_question_of_every_observation_is_known() -> None:
    texts = [path.read_text(encoding="utf-8") for path in resource("features").rglob("*.feature")]
    ids = {found for text in texts for found in re.findall(r"OPEN-\d+", text)}
    assert ids
    assert [each for each in sorted(ids) if not open_questions()[each].endswith("?")] == []
