"""Writes what live traffic came to, in the forms that the audit of recorded traffic has too."""

from pathlib import Path

from airworthy.traffic import Summary
from airworthy.traffic.document import to_json
from airworthy.traffic.page import render_html

PAGE, DOCUMENT = "traffic.html", "traffic.json"


def write(summary: Summary, folder: str | Path, subject: str) -> Path:
    """Write page and document into a folder and return the page. Raises OSError."""
    folder = Path(folder).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / DOCUMENT).write_bytes(to_json(summary))
    page = folder / PAGE
    page.write_text(render_html(summary, subject), encoding="utf-8")
    return page
