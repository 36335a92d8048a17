"""Write the files of a report from the results and the evidence."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from airworthy.errors import StorageError, UsageError
from airworthy.private_files import make_folder, write_completely
from airworthy.report.blockers import MOST_BLOCKERS
from airworthy.report.decision import Decision
from airworthy.report.document import load_results, to_json
from airworthy.report.exchange_summaries import with_exchanges
from airworthy.report.exchange_view import Records, load_records
from airworthy.report.junit import render_junit
from airworthy.report.page import exchanges_shown, render_html
from airworthy.report.pdf import SignatureFacts, render_pdf, require_pdf
from airworthy.report.results import Results
from airworthy.report.sarif import render_sarif
from airworthy.report.summary import render_markdown

# The files in the folder of a run.
RESULTS: Final = "results.json"
EVIDENCE: Final = "evidence.jsonl"
LEDGER: Final = "ledger.jsonl"
PDF: Final = "report.pdf"
CERTIFICATE: Final = "certificate.intoto.jsonl"


def write_reports(results: Results, folder: Path) -> tuple[Path, ...]:
    """Write results.json, report.html, junit.xml, findings.sarif and summary.md to a folder, and return their paths.

    The exchanges of failures are read from the evidence file in the same folder. If it cannot be read, the report says
    so and does not show them. Raises `StorageError` if a file could not be written; in that case results.json does not
    exist.
    """
    contents = {RESULTS: to_json(results)} | report_files(results, folder)
    # results.json is written last, so that its existence shows that the report is complete.
    _write(folder, dict(reversed(contents.items())))
    return tuple(folder / name for name in contents)


def rewrite_reports(folder: Path, *, pdf: bool = False) -> tuple[Path, ...]:
    """Write the report files of a run again, except for results.json, and return their paths.

    ``pdf`` adds report.pdf.

    Raises:
        UsageError: the folder has no valid results.json, the run is signed, or the extra ``pdf`` is not installed.
        StorageError: a file could not be written.
    """
    if pdf:
        require_pdf()
    results = load_results(folder / RESULTS)
    if not results.exchanges:
        # Those of Airworthy 0.1 do not contain the summaries.
        results = with_exchanges(results, folder / Path(results.integrity.evidence).name)
    if (folder / CERTIFICATE).exists():
        raise UsageError(f"{folder / CERTIFICATE}: the run is signed, so its files must not change")
    contents = report_files(results, folder) | ({PDF: render_pdf(results)} if pdf else {})
    _write(folder, contents)
    return tuple(folder / name for name in contents)


def report_files(results: Results, folder: Path) -> dict[str, bytes]:
    """Return the content of each report file except for results.json; ``folder`` has the evidence."""
    records = _records(results, exchanges_shown(results), folder)
    return {
        "report.html": render_html(results, records).encode(),
        "junit.xml": render_junit(results, records).encode(),
        "findings.sarif": render_sarif(results),
        "summary.md": render_markdown(results, records).encode(),
    }


def write_pdf(folder: Path, signature: SignatureFacts | None = None) -> Path:
    """Write report.pdf from the results.json in a folder, and return its path.

    Raises:
        UsageError: the folder has no valid results.json, or the extra ``pdf`` is not installed.
        StorageError: the file could not be written.
    """
    require_pdf()
    _write(folder, {PDF: render_pdf(load_results(folder / RESULTS), signature)})
    return folder / PDF


def deciding_records(results: Results, decision: Decision, folder: Path) -> Records:
    """Return the evidence of the exchanges that the first causes name; nothing if it cannot be read."""
    return _records(results, {each.exchange for each in decision.blocks[:MOST_BLOCKERS]}, folder)


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    try:
        make_folder(folder)
        for name, content in contents.items():
            write_completely(folder / name, content)
    except OSError as error:
        raise StorageError(f"{folder}: cannot write the report: {error.strerror}") from None


def _records(results: Results, exchanges: Collection[str], folder: Path) -> Records:
    name = Path(results.integrity.evidence).name
    try:
        return load_records(folder / name, exchanges) if name else {}
    except UsageError:
        return {}
