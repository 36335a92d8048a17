"""summary.md: the decision on a page that continuous integration shows beside a run."""

import re
from typing import Final

from airworthy.report.decision import decide
from airworthy.report.results import Results
from airworthy.report.templating import duration

_MOST: Final = 20
_LONGEST: Final = 300
_SIGNS: Final = {
    "CERTIFIED": "✅",
    "CERTIFIED WITH WAIVERS": "☑️",
    "NOT CERTIFIED": "❌",
    "INCOMPLETE": "⚪",
}


def render_markdown(results: Results) -> str:
    """Return a summary in GitHub's Markdown: the decision, what blocks it, the counts and the identity of the run."""
    decision = decide(results)
    counts = [(verdict.replace("_", " "), count) for verdict, count in results.counts.items()]
    lines = [
        f"## {_SIGNS[decision.outcome]} {decision.outcome}",
        "",
        f"{code(results.subject)} at {code(results.target)} ({code(results.environment)})",
        "",
        "| " + " | ".join(name for name, _ in counts) + " |",
        "|" + " ---: |" * len(counts),
        "| " + " | ".join(str(count) for _, count in counts) + " |",
        "",
    ]
    if decision.blocks:
        lines += ["### What blocks it", ""]
        for block in decision.blocks[:_MOST]:
            named = ", ".join(map(code, block.rules[:3])) + ("…" if len(block.rules) > len(block.rules[:3]) else "")
            lines.append(f"- **{block.cause}**: {code(block.reason)}" + (f" ({named})" if named else ""))
        if len(decision.blocks) > _MOST:
            more = len(decision.blocks) - _MOST
            lines.append(f"- and {more} more cause{'' if more == 1 else 's'}, in report.html")
        lines.append("")
    if decision.waived:
        lines += ["Waived: " + ", ".join(f"{code(each.rule)} until {each.expires}" for each in decision.waived), ""]
    if results.drift:
        lines += [f"Drift: {len(results.drift)} places, {sum(each.count for each in results.drift)} times.", ""]
    timing = results.timing
    lines.append(
        f"{timing.exchanges} exchanges in {duration(timing.seconds)}; run {code(results.run)}, "
        f"Airworthy {results.tool.version}, {', '.join(results.scope.versions) or 'no version'}."
    )
    return "\n".join(lines) + "\n"


def code(text: str) -> str:
    """Put text into a code span, where nothing of it means anything: no markup, no link, no mention, no new cell."""
    flat = re.sub(r"[\s\x00-\x1f\x7f]+", " ", text).strip() or "-"
    bounded = flat if len(flat) <= _LONGEST else f"{flat[:_LONGEST]}…"
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", bounded)), default=0))
    pad = " " if "`" in (bounded[0], bounded[-1]) else ""
    return f"{fence}{pad}{bounded}{pad}{fence}"
