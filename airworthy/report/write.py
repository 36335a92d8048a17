"""Writes the files of a report, all from the results and the evidence beside them."""

from pathlib import Path

from airworthy.errors import UsageError
from airworthy.report.document import to_json
from airworthy.report.exhibits import Records, load_records
from airworthy.report.junit import render_junit
from airworthy.report.page import exchanges_shown, render_html
from airworthy.report.results import Results
from airworthy.report.summary import render_markdown


def write_reports(results: Results, folder: Path) -> tuple[Path, ...]:
    """Write results.json, report.html, junit.xml and summary.md to a folder, and return their paths.

    The evidence file that the results name is looked for in the folder; exchanges that failures refer to are shown
    from it. Where it cannot be read the report is written without them, and says so.

    Raises:
        UsageError: a file could not be written; results.json is not there then.
    """
    records = _records(results, folder)
    texts = {
        "results.json": to_json(results).decode(),
        "report.html": render_html(results, records),
        "junit.xml": render_junit(results, records),
        "summary.md": render_markdown(results),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Whoever finds results.json finds the whole report: it comes last.
        for name, text in reversed(texts.items()):
            _write(folder / name, text)
    except OSError as error:
        raise UsageError(f"{folder}: the report cannot be written: {error.strerror}") from None
    return tuple(folder / name for name in texts)


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    begun = path.with_name(f".{path.name}")
    try:
        begun.write_text(text, encoding="utf-8", newline="\n")
        begun.replace(path)
    finally:
        begun.unlink(missing_ok=True)


def _records(results: Results, folder: Path) -> Records:
    name = Path(results.integrity.evidence).name
    try:
        return load_records(folder / name, exchanges_shown(results)) if name else {}
    except UsageError:
        return {}
