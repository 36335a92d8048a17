"""Report on live traffic, in the same forms as the audit of recorded traffic."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from airworthy.errors import UsageError
from airworthy.evidence.files import find_files, is_evidence
from airworthy.private_files import make_folder, write_completely
from airworthy.report.exchange_view import load_records
from airworthy.report.violations import comparison
from airworthy.text import printable
from airworthy.traffic import Summary
from airworthy.traffic.document import to_json
from airworthy.traffic.lines import at_fault, kind, progress_lines
from airworthy.traffic.naming import after
from airworthy.traffic.page import Exchanges, first_exchanges, render_html
from airworthy.traffic.summary import KINDS, labelled, number

PAGE, DOCUMENT = "traffic.html", "traffic.json"
_MOST_ROWS: Final = 10


def write_report(summary: Summary, folder: str | Path, subject: str, evidence: Path | None = None) -> Path:
    """Write the HTML page and the JSON document into a folder, and return the path of the page. Raises OSError.

    ``evidence`` is the file or the folder to which the proxy writes it.
    """
    folder = Path(folder).expanduser()
    make_folder(folder)
    # The page is written last, so that its existence shows that the report is complete.
    write_completely(folder / DOCUMENT, to_json(summary))
    write_completely(folder / PAGE, render_html(summary, subject, _exchanges(summary, evidence)).encode())
    return folder / PAGE


def _exchanges(summary: Summary, evidence: Path | None) -> Exchanges | None:
    if evidence is None:
        return None
    wanted = {identifier: (identifier, started) for identifier, started in first_exchanges(summary)}
    if not wanted:
        return {}
    try:
        files = find_files([evidence], is_evidence, "evidence").files
        found = {wanted[each]: record for file in files for each, record in load_records(file, wanted).items()}
    except UsageError:
        return None
    return found or None


def summary_lines(summary: Summary) -> Iterator[str]:
    """Yield a summary of the traffic, line by line."""
    parts = [f"{summary.judged} judged"]
    parts += [f"{count} not judged ({reason})" for reason, count in summary.not_judged.most_common()]
    parts += [f"{summary.foreign} not with the service"] if summary.foreign else []
    yield f"{number(summary.seen, 'exchange')}: {', '.join(parts)}"
    if summary.unrecorded:
        yield f"the evidence of {number(summary.unrecorded, 'exchange')} could not be written"
    if summary.gaps:
        yield f"the judge failed {number(summary.gaps, 'time')} and then judged without the exchanges before"
    if summary.unredacted:
        yield f"the evidence omits {number(summary.unredacted, 'value')} that could not be redacted"
    kinds = ", ".join(labelled(summary.kinds[each], each) for each in KINDS if summary.kinds[each])
    yield f"findings: {kinds or 'none'}"
    for row in summary.rows()[:_MOST_ROWS]:
        rule = f" [{row.finding.rule}]" if row.finding.rule else ""
        fault = f"{kind(row.finding)} by the {at_fault(row.finding)}"
        where = row.operation + (f" at {printable(row.place)}" if row.place else "")
        text = f"{row.finding.message}{comparison(row.finding)}{rule}"
        yield f"{row.count:>6} x {fault}, {where}: {text} (first: {row.example_name}{after(row.finding)})"
    more = len(summary.rows()) - _MOST_ROWS
    if more > 0:
        yield f"... and {more} more kinds of findings"
    yield from (f"go-live list, {line}" for line in progress_lines(summary.golive))
