"""Render summary.md, for the job summary of a continuous integration system."""

import re
from typing import Final

from airworthy.report.overview import SELF_TEST, InterfaceRow, overview
from airworthy.report.results import WORST_FIRST, Results
from airworthy.report.templating import duration, visible

_MOST: Final = 20
_LONGEST: Final = 300
_DIGITS: Final = 12
_SIGNS: Final = {
    "CERTIFIED": "✅",
    "CERTIFIED WITH WAIVERS": "☑️",
    "NOT CERTIFIED": "❌",
    "INCOMPLETE": "⚪",
}


def render_markdown(results: Results) -> str:
    """Return a summary in GitHub Flavored Markdown: the decision, the reasons for it, the interfaces and the run."""
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
    if seen.is_self_test:
        lines += [f"> **Self-test.** {SELF_TEST}", ""]
    if decision.blocks:
        lines += ["### Why it is not certified", ""]
        for block in decision.blocks[:_MOST]:
            named = ", ".join(map(code, block.rules[:3])) + ("…" if len(block.rules) > len(block.rules[:3]) else "")
            lines.append(f"- **{seen.word(block.cause)}**: {code(block.reason)}" + (f" ({named})" if named else ""))
            lines += [f"  - What to do: {code(each)}" for each in seen.instructions(block)]
        if len(decision.blocks) > _MOST:
            more = len(decision.blocks) - _MOST
            lines.append(f"- and {more} more reason{'' if more == 1 else 's'} in report.html")
        lines.append("")
    if decision.waived:
        lines += ["Waived: " + ", ".join(f"{code(each.rule)} until {each.expires}" for each in decision.waived), ""]
    header = ["Area" if results.integration else "Interface", "Conclusion", *map(seen.word, WORST_FIRST)]
    lines += [f"| {' | '.join(header)} |", "| --- | --- |" + " ---: |" * len(WORST_FIRST)]
    lines += [_row(row) for row in seen.interfaces]
    lines += ["", seen.explanation, ""] if seen.explanation else [""]
    if results.drift:
        lines += [
            f"Drift: {len(results.drift)} locations, {sum(each.count for each in results.drift)} occurrences.",
            "",
        ]
    seconds = duration(results.timing.seconds)
    taken = f"judged in {seconds}" if results.integration else f"in {seconds}"
    lines.append(
        f"{results.timing.exchanges} exchanges {taken}; run {code(results.run)}, "
        f"Airworthy {results.tool.version}, {', '.join(results.scope.versions) or 'no version'}."
    )
    if results.scope.requirement_set:
        digest = code(results.scope.requirement_set_digest[:_DIGITS])
        lines += ["", f"Requirement set: {code(results.scope.requirement_set)}, digest {digest}."]
    return "\n".join(lines) + "\n"


def _row(row: InterfaceRow) -> str:
    name = f"{row.name}: {row.title}" if row.title else row.name
    waived = f", {row.waived} waived" if row.waived else ""
    counts = [str(row.counts[verdict]) if row.rules else "" for verdict in WORST_FIRST]
    # A bar ends the cell of a table even in a code span.
    return f"| {code(name.replace('|', '/'))} | {row.conclusion}{waived} | {' | '.join(counts)} |"


def code(text: str) -> str:
    """Put text into a code span, so that it cannot contain markup, links or mentions."""
    flat = re.sub(r"\s+", " ", text).strip() or "-"
    bounded = visible(flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST]}…")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", bounded)), default=0))
    pad = " " if "`" in (bounded[0], bounded[-1]) else ""
    return f"{fence}{pad}{bounded}{pad}{fence}"
