"""A comparison for machines (``schemas/report/comparison.json``) and for a CI summary (GitHub's Markdown)."""

from dataclasses import asdict
from typing import Final

import orjson

from airworthy.comparison.changes import HEADINGS, Change, Comparison
from airworthy.comparison.sides import Side
from airworthy.report.summary import code

FORMAT: Final = "airworthy-comparison-1"
MOST: Final = 20


def to_json(comparison: Comparison) -> bytes:
    """Return the whole comparison, with nothing left out."""
    document = {
        "format": FORMAT,
        "broken": comparison.broken,
        "old": _side(comparison.old),
        "new": _side(comparison.new),
        "notes": comparison.notes,
        "counts": {what: len(comparison.of(what)) for what in HEADINGS},
        "changes": [asdict(change) for change in comparison.changes],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def render_markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown, with at most `MOST` changes under each heading."""
    lines = [f"## {headline(comparison)}", ""]
    lines += [f"{code(comparison.old.name)} compared with {code(comparison.new.name)}", ""]
    decisions = [side.facts.get("decision") for side in (comparison.old, comparison.new)]
    if decisions[0] and decisions[1]:
        lines += [f"Decision: {code(decisions[0])}, now {code(decisions[1])}", ""]
    if comparison.notes:
        lines += [*(f"- {code(note)}" for note in comparison.notes), ""]
    for what in HEADINGS:
        changes = comparison.of(what)
        if changes:
            lines += [f"### {what.capitalize()} ({len(changes)})", "", "| what | where | before | now | why |"]
            lines += ["|---|---|---|---|---|", *map(_row, changes[:MOST])]
            lines += [f"\nand {len(changes) - MOST} more"] if len(changes) > MOST else []
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def headline(comparison: Comparison) -> str:
    """Return what matters most, in a line."""
    broken = len(comparison.of("newly broken"))
    if broken:
        return f"{broken} newly broken"
    return "Nothing is newly broken" if comparison.changes else "Nothing has changed"


def _side(side: Side) -> dict[str, object]:
    return {"name": side.name, "source": side.source, "facts": side.facts}


def _row(change: Change) -> str:
    cells = (change.subject, change.place, change.before, change.after, change.message)
    return f"| {' | '.join(code(cell).replace('|', chr(92) + '|') if cell else '' for cell in cells)} |"
