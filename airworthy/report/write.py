"""Writes the files of a report, all from the results and the evidence beside them."""

from pathlib import Path

from airworthy.report.document import to_json
from airworthy.report.exhibits import load_records
from airworthy.report.junit import render_junit
from airworthy.report.page import exchanges_shown, render_html
from airworthy.report.results import Results
from airworthy.report.summary import render_markdown

FILES = ("results.json", "report.html", "junit.xml", "summary.md")


def write_reports(results: Results, folder: Path) -> tuple[Path, ...]:
    """Write results.json, report.html, junit.xml and summary.md to a folder, and return their paths.

    The evidence file that the results name is looked for in the folder; exchanges that failures refer to are shown
    from it. Raises `UsageError` where it is no evidence.
    """
    name = Path(results.integrity.evidence).name
    records = load_records(folder / name, exchanges_shown(results)) if name else {}
    texts = (
        to_json(results).decode(),
        render_html(results, records),
        render_junit(results, records),
        render_markdown(results),
    )
    folder.mkdir(parents=True, exist_ok=True)
    paths = tuple(folder / file for file in FILES)
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8", newline="\n")
    return paths
