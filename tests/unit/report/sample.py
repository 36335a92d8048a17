"""Results with every kind of entry, and evidence that their failures refer to."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from airworthy.contract import Contract, Exchange, Request, Response
from airworthy.contract.findings.finding import Finding
from airworthy.evidence.chain import verify_chain
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import Recorder
from airworthy.report.exchange_summaries import with_exchanges
from airworthy.report.integration import Integration, ItemChange, RecordedFile
from airworthy.report.results import (
    Capability,
    Failure,
    FindingCount,
    Integrity,
    Observation,
    Results,
    RuleResult,
    ScenarioResult,
    Scope,
    Timing,
    Tool,
    Verdict,
)
from airworthy.target.records import LedgerEntry, Wait, Waiver

MORNING: Final = datetime(2026, 11, 21, 8, 30, 0, 250000, tzinfo=UTC)
KEY: Final = "sk-canary-4d1f9a77"
HOSTILE: Final = (
    "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>]]>\x00\x1b[31m\u202e{{7*7}}&amp;@team`|`\r\n# h"
)

CURRENCY: Final = Finding(
    rule="V4-CURRENCY",
    kind="violation",
    side="response",
    pointer="/offers/1/fare/price/currency",
    message='currency of a price is "USD", not EUR',
    expected="EUR",
    actual='"USD"',
    exchange="x0002",
)
DRIFT: Final = replace(
    CURRENCY,
    rule="V4-CURRENT-REVISION",
    kind="drift",
    drift="earlier-revision",
    provenance="an earlier revision of v4",
    pointer="/offers/0/connectivityStandard",
    message="connectivityStandard is a name of an earlier revision",
    soft=True,
)
QUOTE: Final = "Currency: EUR only, all"


def rule(
    identifier: str, verdict: Verdict, *scenarios: ScenarioResult, area: str = "Search Offers", reason: str = ""
) -> RuleResult:
    statement = f"The statement of {identifier}"
    return RuleResult(
        identifier, "v4", area, statement, "v4, Limits", "service", verdict, reason, scenarios, quote=QUOTE
    )


def sample(text: str = "") -> Results:
    """Return results with every kind of entry, and ``text`` wherever it can come from traffic or a profile."""
    steps = ("Given offers were searched", f"Then they are priced in EUR {text}")
    failure = Failure(f"only EUR is sold {text}", "EUR", f"USD {text}", "response", CURRENCY.pointer, "x0002", steps)
    search = ("x0001", "x0002")
    failed = ScenarioResult(f"A search {text}", "failed", failure.message, 0.2, 0.1, search, (CURRENCY,), failure)
    passed = ScenarioResult("Another search", "passed", duration=2.5)
    untested = ScenarioResult("Many offers", "untested", f"no route {text}")
    warning = ScenarioResult("All responses", "warning", "drift")
    broken = ScenarioResult("Money", "error", "it broke", failure=Failure("KeyError"))
    rules = (
        rule("V4-SEARCH-FARE", "passed", ScenarioResult("A fare", "passed", duration=0.012)),
        rule("V4-CURRENCY", "failed", failed, passed),
        rule("V4-SEARCH-OFFERS", "untested", untested, reason="no route"),
        rule("V4-CURRENT-REVISION", "warning", warning, area="Transport"),
        rule("V4-CONTENT-TYPE", "not_applicable", area="Transport", reason="excluded"),
        rule("V4-MONEY", "error", broken, area="Transport"),
    )
    return Results(
        run="20261121-083000",
        started=MORNING,
        finished=MORNING,
        subject=f"Example Air {text}",
        environment="test",
        target="https://service.example",
        tool=Tool("0.1.0", "3.11.7", {"pytest": "9.2.0"}),
        scope=Scope(
            f"example.toml {text}",
            "a" * 64,
            "b" * 64,
            "c" * 64,
            "d" * 64,
            ("v4",),
            False,
            text,
            f"0.1.0 {text}",
            "e" * 64,
        ),
        rules=rules,
        capabilities=(Capability("balance", declared=True, probed=None, note=f"never tried {text}"),),
        findings=(FindingCount(CURRENCY, 3), FindingCount(replace(DRIFT, message=f"{DRIFT.message} {text}"), 2)),
        observations=(
            Observation("OPEN-102", "Removed versions", "404"),
            Observation("OPEN-07", "Status of a duplicate confirmation", f"409 {text}", "x0001"),
        ),
        waivers=(
            Waiver("V4-SEARCH-OFFERS", f"Support {text}", "Agreed", date(2027, 1, 31)),
            Waiver("V4-SEARCH-FARE", "Support", "Forgotten", date(2026, 1, 31)),
        ),
        waits=(Wait("an offer stored more than 30 minutes ago", 1854.0, "clock"), Wait("an order", 60.0, "cut")),
        ledger=(LedgerEntry("order", "6f1c", MORNING, "BOOKED", "x0001", text), LedgerEntry("order", "7a2d", MORNING)),
        timing=Timing(8.5, 5.25, 412),
    )


def partner(text: str = "") -> Results:
    """Return the results of a partner, and ``text`` wherever it can come from traffic or a profile."""

    def item(
        number: int, verdict: Verdict, statement: str, *, area: str = "Go-live bookings", **texts: str
    ) -> RuleResult:
        proof = ("monday.har:12",) if verdict == "passed" else ()
        scenario = ScenarioResult(statement, verdict, exchanges=proof)
        return RuleResult(
            f"GOLIVE-{number}",
            "v4",
            area,
            statement,
            "v3, Going live",
            "client",
            verdict,
            texts.get("reason", ""),
            (scenario,),
            instructions=texts.get("instructions", ""),
        )

    integration = Integration(
        "v4",
        (RecordedFile(f"monday.har {text}", "f" * 64, 12_345),),
        MORNING,
        MORNING,
        adults=2,
        infants=1,
        changes=(ItemChange("GOLIVE-4", "not required", f"no bags {text}"),),
    )
    rules = (
        item(1, "passed", "A booking has several adults and an infant"),
        item(
            2,
            "untested",
            "A booking has checked bags",
            reason=f"no recorded booking has checked bags {text}",
            instructions=f"Book an offer with one piece of checked baggage: POST /order {text}",
        ),
        item(4, "not_applicable", "A booking has cabin bags", reason="the operator does not require it"),
        item(3, "failed", "No order is confirmed twice", area="Safe integration", reason=f"confirmed twice {text}"),
    )
    absent: dict[str, Any] = dict.fromkeys(
        ("capabilities", "findings", "observations", "waivers", "waits", "ledger"), ()
    )
    return replace(sample(text), subject=f"Acme Travel {text}", rules=rules, integration=integration, **absent)


def exchanges(text: str = "") -> list[Exchange]:
    """Two searches; the response to the second is in US dollars."""
    offers = [
        {"fare": {"price": {"currency": currency, "note": text}}, "pad": ["x"] * 60} for currency in ("EUR", "USD")
    ]
    headers = (("Authorization", KEY), ("Content-Type", "application/json"), ("X-Text", text))
    return [
        Exchange(
            identifier,
            MORNING,
            0.0123,
            Request("POST", "https://service.example/v4/search", headers, orjson.dumps({"adults": 1, "note": text})),
            Response(200, (("Content-Type", "application/json"),), orjson.dumps({"offers": offers[:count]})),
        )
        for identifier, count in (("x0001", 1), ("x0002", 2))
    ]


def with_evidence(folder: Path, text: str = "") -> Results:
    """The sample with its evidence in a folder."""
    path = folder / "evidence.jsonl"
    with Recorder(
        path, Contract.load(), pseudonyms=Pseudonyms(b"k" * 32), secrets={KEY: ("$AIRWORTHY_V4_KEY",)}
    ) as recorder:
        for exchange in exchanges(text):
            recorder.append(exchange)
    chain = verify_chain(path)
    integrity = Integrity(path.name, chain.sha256, chain.lines, chain.last_hash)
    return with_exchanges(replace(sample(text), integrity=integrity), path)
