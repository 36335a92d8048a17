"""traffic.html: a summary of traffic in one self-contained file, in the look of the report."""

from functools import cache

from jinja2 import Environment

from airworthy.contract import Finding
from airworthy.report.results import weigh
from airworthy.report.templating import environment, own, policy
from airworthy.traffic.lines import at_fault
from airworthy.traffic.outcome import number, outcome
from airworthy.traffic.summary import Row, Summary, ranked

_SIDES = {"request": "What the client does", "response": "What the service does"}


def render_html(summary: Summary, subject: str) -> str:
    """Return the page. ``subject`` names the traffic: a target, or the recordings."""
    style = own("report.css") + own("traffic.css")
    script = own("report.js")
    rows = [row for row in summary.rows() if row.finding.kind != "unreadable"]
    return (
        _environment()
        .get_template("traffic.html.j2")
        .render(
            summary=summary,
            subject=subject,
            outcome=outcome(summary),
            sides=[(side, title, [row for row in rows if row.finding.side == side]) for side, title in _SIDES.items()],
            sorts=_sorts(rows),
            drift=[row for row in rows if row.finding.kind == "drift"],
            golive=summary.golive.progress(),
            gaps=ranked(summary.not_judged),
            operations=ranked(summary.operations),
            style=style,
            script=script,
            policy=policy(style, script),
        )
    )


def sort(finding: Finding) -> str:
    """Return what sort of finding it is in a word: a breach or drift that only warns is a warning, or a note."""
    if finding.kind not in ("violation", "drift"):
        return finding.kind
    return {"failed": finding.kind, "warning": "warning"}.get(weigh(finding), "note")


def _sorts(rows: list[Row]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in rows:
        counts[sort(row.finding)] = counts.get(sort(row.finding), 0) + 1
    return counts


@cache
def _environment() -> Environment:
    return environment({"sort": sort, "fault": at_fault, "number": number})
