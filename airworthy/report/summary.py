"""Render summary.md, for the job summary of a continuous integration system."""

import re
from collections.abc import Iterator
from typing import Final

from airworthy.evidence.curl_command import curl
from airworthy.report.blockers import MOST_BLOCKERS, Blocker, names
from airworthy.report.exchange_view import Records
from airworthy.report.overview import InterfaceRow, Overview, overview
from airworthy.report.results import WORST_FIRST, Results
from airworthy.report.templating import duration
from airworthy.report.violations import violation_lines
from airworthy.text import printable

_MOST: Final = 20
_NAMED: Final = 3
_LONGEST: Final = 300
_LONGEST_COMMAND: Final = 8000
_DIGITS: Final = 12
_SIGNS: Final = {
    "CERTIFIED": "✅",
    "CERTIFIED WITH WAIVERS": "☑️",
    "NOT CERTIFIED": "❌",
    "INCOMPLETE": "⚪",
    "VIOLATIONS FOUND": "❌",
    "NO VIOLATION FOUND": "⚪",
}


def render_markdown(results: Results, records: Records) -> str:
    """Return a summary in GitHub Flavored Markdown: the decision, what to fix next, the interfaces and the run.

    ``records`` are the evidence of the exchanges that decide.
    """
    seen = overview(results)
    decision = seen.decision
    lines = [
        f"## {_SIGNS[decision.outcome]} {decision.outcome}",
        "",
        f"{code(results.subject)} at {code(results.target)} ({code(results.environment)})",
        "",
        seen.lead,
        "",
    ]
    if seen.self_test:
        lines += [f"> **Self-test.** {seen.self_test}", ""]
    if decision.blocks:
        lines += ["### Fix next", ""]
        # A partner needs the instructions for every item.
        most = _MOST if results.integration else MOST_BLOCKERS
        for number, blocker in enumerate(decision.blocks[:most], start=1):
            lines.append(
                f"{number}. **{seen.word(blocker.cause)}**: {code(seen.reason(blocker))}{seen.effect(blocker)}"
            )
            lines += [f"   - {line}" for line in _details(blocker, seen, records)]
        if others := decision.blocks[most:]:
            lines += ["", f"And {len(others)} more in report.html: {', '.join(map(code, names(others[:_MOST])))}"]
        lines.append("")
    if warnings := [rule for rule in seen.binding if rule.verdict == "warning"]:
        lines += ["### Warnings", "", *(f"- {code(rule.id)}: {code(rule.reason)}" for rule in warnings[:_MOST]), ""]
    if decision.waived:
        lines += ["Waived: " + ", ".join(f"{code(each.rule)} until {each.expires}" for each in decision.waived), ""]
    lines += _table("Area" if results.integration else "Interface", seen)
    if seen.explanation:
        lines += [seen.explanation, ""]
    if results.drift:
        lines += [
            f"Drift: {len(results.drift)} locations, {sum(each.count for each in results.drift)} occurrences.",
            "",
        ]
    seconds = duration(results.timing.seconds)
    taken = f"judged in {seconds}" if results.integration else f"in {seconds}"
    lines.append(
        f"{results.timing.exchanges:,} exchanges {taken}; run {code(results.run)}, "
        f"Airworthy {results.tool.version}, {', '.join(results.scope.versions) or 'no version'}."
    )
    if results.scope.requirement_set:
        digest = code(results.scope.requirement_set_digest[:_DIGITS])
        lines += ["", f"Requirement set: {code(results.scope.requirement_set)}, digest {digest}."]
    return "\n".join(lines) + "\n"


def _details(blocker: Blocker, seen: Overview, records: Records) -> Iterator[str]:
    for title, rules in (("Rules", blocker.rules), ("Untested because of it", blocker.blocked)):
        if rules:
            yield f"{title}: {', '.join(map(code, rules[:_NAMED]))}{'…' if len(rules) > _NAMED else ''}"
    yield from map(code, violation_lines(seen.violations_of(blocker)))
    if blocker.step and not seen.violations_of(blocker):
        yield f"Step: {code(blocker.step)}"
    if blocker.message:
        yield f"The service responds: {code(blocker.message)}"
    if record := records.get(blocker.exchange):
        yield f"Repeat: {code(curl(record), _LONGEST_COMMAND)}"
    yield from (f"What to do: {code(each)}" for each in seen.instructions(blocker))


def _table(first: str, seen: Overview) -> list[str]:
    if not seen.interfaces:
        return []
    header = [first, "Conclusion", *map(seen.word, WORST_FIRST)]
    lines = [f"| {' | '.join(header)} |", "| --- | --- |" + " ---: |" * len(WORST_FIRST)]
    return [*lines, *map(_row, seen.interfaces), ""]


def _row(row: InterfaceRow) -> str:
    name = f"{row.name}: {row.title}" if row.title else row.name
    waived = f", {row.waived} waived" if row.waived else ""
    counts = [str(row.counts[verdict]) if row.rules else "" for verdict in WORST_FIRST]
    # A bar ends the cell of a table even in a code span.
    return f"| {code(name.replace('|', '/'))} | {row.conclusion}{waived} | {' | '.join(counts)} |"


def code(text: str, longest: int = _LONGEST) -> str:
    """Put text into a code span, so that it cannot contain markup, links or mentions."""
    flat = re.sub(r"\s+", " ", text).strip() or "-"
    bounded = printable(flat if len(flat) <= longest else f"{flat[:longest]}…")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", bounded)), default=0))
    pad = " " if "`" in (bounded[0], bounded[-1]) else ""
    return f"{fence}{pad}{bounded}{pad}{fence}"
