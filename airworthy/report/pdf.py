"""Render report.pdf: the certificate or refusal on two to four pages of A4.

The page is typeset by Typst from ``templates/certificate.typ``. The results reach it as one JSON document, never as
Typst source, so no text can act as markup. Typst and Segno are the extra ``pdf``.
"""

import io
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal

from airworthy.errors import UsageError
from airworthy.report.decision import Decision, stale_waivers
from airworthy.report.exploration import Explored
from airworthy.report.explored import reached
from airworthy.report.overview import InterfaceRow, Overview, count_verdicts, overview
from airworthy.report.results import Rejudgement, Results, RuleResult, Verdict
from airworthy.report.templating import duration, period
from airworthy.report.violations import violation_lines

_TEMPLATE: Final = Path(__file__).parent / "templates" / "certificate.typ"
_VERDICTS: Final[tuple[Verdict, ...]] = ("passed", "warning", "failed", "error", "untested", "not_applicable")
_ALWAYS: Final = ("passed", "failed", "untested")
# These limits keep the document within four pages. report.html has everything.
_MOST_BLOCKS: Final = 8
_MOST_RULES: Final = 6
_MOST_VIOLATIONS: Final = 5
_MOST_WAIVERS: Final = 8
_MOST_CHANGES: Final = 8
_MOST_WAITS: Final = 14
_MOST_AREAS: Final = 60
_MOST_ITEMS: Final = 40
_MOST_FILES: Final = 5
_MOST_CAPABILITIES: Final = 30
_LONGEST: Final = 200
_LONGEST_NAME: Final = 60
_LONGEST_INSTRUCTIONS: Final = 500
# Typst's own typefaces have glyphs for these. Other scripts would be blank, and combining or bidirectional characters
# could change how their neighbours read.
_PRINTABLE: Final = re.compile(
    r"[^\x20-\x7e\xa1-\xac\xae-\u017f\u0386-\u0387\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u045f"
    r"\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122\u2212]"
)
_UNBROKEN: Final = re.compile(r"\S{20}(?=\S)")
_WHITE: Final = re.compile(r"[\t\n\r ]+")
_BREAK: Final = "\u200b"


@dataclass(frozen=True, slots=True)
class SignatureFacts:
    """What the document shows of the signed statement of a run.

    ``digest`` is the SHA-256 of the statement in hexadecimal; ``supersedes`` that of an earlier one, or empty.
    ``proves`` and ``does_not_prove`` are sentences about what the signature says, ``issuer`` who issued it, or empty.
    """

    digest: str
    issued: datetime
    expires: datetime
    key_id: str = ""
    supersedes: str = ""
    proves: tuple[str, ...] = ()
    does_not_prove: tuple[str, ...] = ()
    issuer: str = ""


def require_pdf() -> None:
    """Raise `UsageError` if the extra ``pdf`` is not installed."""
    try:
        import segno  # noqa: F401, PLC0415 - an extra
        import typst  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise UsageError(f"--pdf: {error.name} is not installed: pip install 'airworthy[pdf]'") from None


def render_pdf(results: Results, signature: SignatureFacts | None = None) -> bytes:
    """Return the document, tagged for screen readers (PDF/UA-1). Equal arguments give equal bytes."""
    import typst  # noqa: PLC0415 - an extra

    made = typst.Compiler(
        _TEMPLATE.read_bytes(),
        root=_TEMPLATE.parent,
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(_document(results, signature))},
    ).compile(
        format="pdf",
        pdf_standards="ua-1",
        timestamp=int((signature.issued if signature else results.finished).timestamp()),
    )
    assert isinstance(made, bytes)
    return made


def _document(results: Results, signature: SignatureFacts | None) -> dict[str, Any]:
    seen = overview(results)
    blocks = seen.decision.blocks
    verdicts = [each for each in _VERDICTS if seen.counts[each] or each in _ALWAYS]
    return {
        "title": seen.title,
        "outcome": seen.decision.outcome,
        "subject": _text(results.subject),
        "footer": f"{seen.decision.outcome} · {_text(results.subject, _LONGEST_NAME)} · run {_text(results.run)}",
        "target": _text(results.target),
        "run": _text(results.run),
        "lead": seen.lead,
        "explanation": seen.explanation,
        "notice": seen.self_test,
        "facts": _facts(results),
        "interfaces_title": "Go-live list" if results.integration else "Interfaces",
        "verdicts": [{"name": each, "word": seen.word(each)} for each in verdicts],
        "noun": seen.noun,
        "counts": [seen.counts[each] for each in verdicts],
        "interfaces": [_interface(row, verdicts) for row in seen.interfaces],
        "blocks": [
            {
                "cause": block.cause,
                "word": seen.word(block.cause),
                "reason": _text(seen.reason(block)),
                "violations": [
                    _text(each, _LONGEST_INSTRUCTIONS)
                    for each in violation_lines(seen.violations_of(block), most=_MOST_VIOLATIONS)
                ],
                "rules": [_text(each) for each in block.all_rules[:_MOST_RULES]],
                "more": max(0, len(block.all_rules) - _MOST_RULES),
            }
            for block in blocks[:_MOST_BLOCKS]
        ],
        "more_blocks": max(0, len(blocks) - _MOST_BLOCKS),
        "waivers": _waivers(results, seen.decision)[:_MOST_WAIVERS],
        "more_waivers": max(0, len(results.waivers) - _MOST_WAIVERS),
        "rejudgement": _rejudgement(results.rejudgement, seen) if results.rejudgement else None,
        "coverage": [] if results.integration or results.is_exploration else _coverage(seen, verdicts),
        "items": [_item(rule, seen) for rule in seen.binding[:_MOST_ITEMS]] if results.integration else [],
        "scope": _scope(results, seen),
        "digests": _digests(results),
        "capabilities": [
            {"name": _text(each.name), "state": _capability(each.declared, each.probed)}
            for each in results.capabilities[:_MOST_CAPABILITIES]
        ],
        "waits": _waits(results),
        "signature": _signature(signature) if signature else None,
    }


def _facts(results: Results) -> list[list[str]]:
    integration, judged = results.integration, period(results.started, results.finished)
    rows = [["Environment", _text(results.environment)], ["Judged" if integration else "Examined", judged]]
    if integration:
        rows.append(["Integrates", integration.version])
    if integration and integration.began and integration.ended:
        rows.append(["Traffic", period(integration.began, integration.ended)])
    requirements = _text(results.scope.requirement_set) or "unknown"
    return [*rows, ["Requirement set", requirements], ["Run", _text(results.run)]]


def _interface(row: InterfaceRow, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    return {
        "name": _text(row.name),
        "title": _text(row.title),
        "conclusion": row.conclusion + (f", {row.waived} waived" if row.waived else ""),
        "rules": row.rules,
        "counts": [row.counts[each] for each in verdicts],
    }


def _waivers(results: Results, decision: Decision) -> list[dict[str, str]]:
    stale = stale_waivers(results)
    used = set(decision.waived)
    return [
        {
            "rule": _text(each.rule),
            "owner": _text(each.owner),
            "reason": _text(each.reason),
            "expires": each.expires.isoformat(),
            "state": "in use" if each in used else "stale" if each in stale else "not used",
        }
        for each in results.waivers
    ]


def _rejudgement(again: Rejudgement, seen: Overview) -> dict[str, Any]:
    def word(verdict: Verdict | Literal[""]) -> str:
        return seen.word(verdict) if verdict else "none"

    return {
        "tool": _text(again.tool),
        "requirement_set": _text(again.requirement_set) or "unknown",
        "kept": again.kept,
        "changes": [
            {"rule": _text(each.rule), "before": word(each.before), "after": word(each.after), "why": _text(each.why)}
            for each in again.changes[:_MOST_CHANGES]
        ],
        "more": max(0, len(again.changes) - _MOST_CHANGES),
    }


def _coverage(seen: Overview, verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return the areas by version, with the rules of each that bind the service."""
    areas = []
    for (version, name), group in groupby(seen.binding, lambda rule: (rule.version, rule.area)):
        rules = list(group)
        counts = count_verdicts(rules)
        counted = {"name": _text(name), "rules": len(rules), "counts": [counts[each] for each in verdicts]}
        areas.append((_text(version.replace("+", " and ")), counted))
    return [
        {"version": version, "areas": [counted for _, counted in group]}
        for version, group in groupby(areas[:_MOST_AREAS], lambda area: area[0])
    ]


def _item(rule: RuleResult, seen: Overview) -> dict[str, Any]:
    exchanges = [each for scenario in rule.scenarios for each in scenario.exchanges]
    return {
        "id": _text(rule.id),
        "statement": _text(rule.statement),
        "verdict": rule.verdict,
        "word": seen.word(rule.verdict),
        "reason": _text(rule.reason) if rule.verdict != "passed" else "",
        "instructions": _text(rule.instructions, _LONGEST_INSTRUCTIONS) if rule.verdict == "untested" else "",
        "proof": _text(exchanges[0]) if exchanges and rule.verdict in ("passed", "warning") else "",
    }


def _scope(results: Results, seen: Overview) -> list[list[str]]:
    scope, timing = results.scope, results.timing
    why = f" ({scope.filtered_why})" if scope.filtered_why else ""
    selected = f"only some were selected{why}" if scope.filtered else "all were selected"
    rules = f"{len(results.rules)}, of which {len(seen.binding)} bind the service; {selected}"
    rules = "none was tested, only explored" if results.is_exploration else rules
    tool = [f"Airworthy {results.tool.version}", f"Python {results.tool.python}"]
    tool += [f"{name} {version}" for name, version in results.tool.components.items()]
    rows = [
        ["Interface versions", _text(", ".join(scope.versions)) or "none"],
        ["Rules", _text(rules)],
        ["Profile", _text(scope.profile)],
        ["Traffic", f"{timing.exchanges:,} exchanges in {duration(timing.seconds)}"],
        ["Created at the target", f"{len(results.ledger)} entries in the ledger"],
        ["Tested with", _text(", ".join(tool))],
        *(["Explored" if not number else "", _explored(each)] for number, each in enumerate(results.explored)),
    ]
    if results.integration is None:
        return rows
    files = results.integration.recordings
    changes = results.integration.changes
    rows[0] = ["Recordings", ", ".join(_text(each.name) for each in files[:_MOST_FILES]) + _more(files, _MOST_FILES)]
    rows[1] = ["Items", _text(f"{len(results.rules)}; {selected}")]
    rows[3] = ["Traffic", f"{timing.exchanges:,} exchanges, judged in {duration(timing.seconds)}"]
    adults, infants = results.integration.adults, results.integration.infants
    rows[4] = ["Bookings", f"several adults: at least {adults} in one booking; infants: at least {infants}"]
    listed = (f"{_text(each.rule)} {each.change} ({_text(each.reason)})" for each in changes[:_MOST_FILES])
    changed = "; ".join(listed) + _more(changes, _MOST_FILES)
    return [*rows, ["Operator's changes", changed or "nothing"]]


def _explored(explored: Explored) -> str:
    (taken, total), found = reached(explored), len(explored.found)
    had = f"{explored.conversations} conversations with {explored.steps} steps, {taken} of {total} transitions reached"
    ended = f"; ended early: {explored.ended}" if explored.ended else ""
    return _text(f"{explored.interface}: {had}, {found} finding{'' if found == 1 else 's'}{ended}")


def _more(found: Sequence[object], most: int) -> str:
    return f", and {len(found) - most} more" if len(found) > most else ""


def _digests(results: Results) -> list[list[str]]:
    scope, integrity = results.scope, results.integrity
    found = {
        "Requirement set": scope.requirement_set_digest,
        "Profile": scope.profile_digest,
        "Features": scope.features_digest,
        "Schemas": scope.schemas_digest,
        "Evidence": integrity.sha256,
    }
    return [[name, _text(digest)] for name, digest in found.items() if digest]


def _capability(declared: bool | None, probed: bool | None) -> str:
    known = {True: "declared", False: "declared absent", None: "not declared"}[declared]
    return f"{known}, {({True: 'found', False: 'not found', None: 'not probed'})[probed]}"


def _waits(results: Results) -> list[dict[str, Any]]:
    longest = max((each.seconds for each in results.waits), default=0) or 1
    how = {"clock": "the clock of the target was advanced", "waited": "the run waited", "cut": "not waited for"}
    return [
        {
            "what": _text(each.what),
            "time": duration(each.seconds),
            "share": each.seconds / longest,
            "how": how[each.how],
            "is_cut": each.how == "cut",
        }
        for each in sorted(results.waits, key=lambda each: each.seconds)[:_MOST_WAITS]
    ]


def _signature(facts: SignatureFacts) -> Mapping[str, Any]:
    return {
        "digest": facts.digest,
        "code": _quick_response_code(f"sha256:{facts.digest}"),
        "issued": f"{facts.issued.astimezone(UTC):%Y-%m-%d}",
        "expires": f"{facts.expires.astimezone(UTC):%Y-%m-%d}",
        "key": _text(facts.key_id),
        "issuer": _text(facts.issuer),
        "supersedes": _text(facts.supersedes),
        "proves": [_text(each) for each in facts.proves],
        "does_not_prove": [_text(each) for each in facts.does_not_prove],
    }


def _quick_response_code(text: str) -> str:
    import segno  # noqa: PLC0415 - an extra

    image = io.BytesIO()
    segno.make(text, error="m", micro=False).save(image, kind="svg", border=0, dark="#1b1f23", svgns=True)
    return image.getvalue().decode()


def _text(text: str, longest: int = _LONGEST) -> str:
    """Shorten text, show what has no glyph as its code point, and let long words break across lines."""
    flat = _WHITE.sub(" ", unicodedata.normalize("NFC", text)).strip()
    if len(flat) > longest:
        flat = f"{flat[:longest].rstrip()}…"
    plain = _PRINTABLE.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", flat)
    return _UNBROKEN.sub(lambda found: found[0] + _BREAK, plain)
