"""Write the files of a report from the results and the evidence."""

from pathlib import Path

from airworthy.errors import StorageError, UsageError
from airworthy.private_files import make_folder, owner_only
from airworthy.report.document import to_json
from airworthy.report.exchange_view import Records, load_records
from airworthy.report.junit import render_junit
from airworthy.report.page import exchanges_shown, render_html
from airworthy.report.results import Results
from airworthy.report.summary import render_markdown


def write_reports(results: Results, folder: Path) -> tuple[Path, ...]:
    """Write results.json, report.html, junit.xml and summary.md to a folder, and return their paths.

    The exchanges of failures are read from the evidence file in the same folder. If it cannot be read, the report says
    so and does not show them.

    Raises:
        StorageError: a file could not be written; in that case results.json does not exist.
    """
    records = _records(results, folder)
    texts = {
        "results.json": to_json(results).decode(),
        "report.html": render_html(results, records),
        "junit.xml": render_junit(results, records),
        "summary.md": render_markdown(results),
    }
    try:
        make_folder(folder)
        # results.json is written last, so that its existence shows that the report is complete.
        for name, text in reversed(texts.items()):
            write_completely(folder / name, text.encode())
    except OSError as error:
        raise StorageError(f"{folder}: cannot write the report: {error.strerror}") from None
    return tuple(folder / name for name in texts)


def write_completely(path: Path, content: bytes) -> None:
    """Write a file completely or not at all. Raises OSError."""
    temporary = path.with_name(f".{path.name}")
    try:
        with open(temporary, "wb", opener=owner_only) as file:
            file.write(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _records(results: Results, folder: Path) -> Records:
    name = Path(results.integrity.evidence).name
    try:
        return load_records(folder / name, exchanges_shown(results)) if name else {}
    except UsageError:
        return {}
