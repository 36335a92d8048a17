"""Render a comparison as JSON (``schemas/report/comparison.json``) and as Markdown for the summary of a CI job."""

from typing import Final

import orjson

from airworthy.comparison.changes import HEADINGS, Change, Comparison
from airworthy.report.summary import code

FORMAT: Final = "airworthy-comparison-1"
MOST: Final = 20
COLUMNS: Final = ("subject", "location", "before", "now", "message")
_MEMBERS: Final = ("what", "subject", "place", "before", "after", "message")


def to_json(comparison: Comparison) -> bytes:
    """Return the whole comparison as JSON."""
    document = {
        "format": FORMAT,
        "broken": comparison.broken,
        **{
            age: {"name": side.name, "source": side.source, "facts": side.facts}
            for age, side in (("old", comparison.old), ("new", comparison.new))
        },
        "notes": comparison.notes,
        "counts": {kind: len(comparison.of(kind)) for kind in HEADINGS},
        "changes": [dict(zip(_MEMBERS, change, strict=True)) for change in comparison.changes],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def render_markdown(comparison: Comparison) -> str:
    """Return the comparison as Markdown, with at most `MOST` changes under each heading."""
    lines = [f"## {headline(comparison)}", ""]
    lines += [f"{code(comparison.old.name)} compared with {code(comparison.new.name)}", ""]
    before, after = (side.facts.get("decision") for side in (comparison.old, comparison.new))
    if before and after:
        lines += [f"Decision: {code(before)} before, {code(after)} now", ""]
    if comparison.notes:
        lines += [*(f"- {code(note)}" for note in comparison.notes), ""]
    for kind in HEADINGS:
        changes = comparison.of(kind)
        if changes:
            lines += [f"### {kind.capitalize()} ({len(changes)})", "", f"| {' | '.join(COLUMNS)} |"]
            lines += ["|---|---|---|---|---|", *map(_row, changes[:MOST])]
            lines += [f"\nand {len(changes) - MOST} more"] if len(changes) > MOST else []
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def headline(comparison: Comparison) -> str:
    """Return the result of the comparison in one line."""
    if not comparison.changes:
        return "No differences"
    broken, tested = (len(comparison.of(kind)) for kind in ("newly broken", "newly tested"))
    first = f"{broken} newly broken" if broken else "Nothing is newly broken"
    return f"{first}, {tested} newly tested and failing" if tested else first


def _row(change: Change) -> str:
    return f"| {' | '.join(code(cell).replace('|', chr(92) + '|') if cell else '' for cell in change[1:])} |"
