"""Writes what live traffic came to, in the forms that the audit of recorded traffic has too."""

from pathlib import Path

from airworthy.proxy.words import closing_lines
from airworthy.traffic import Summary


def write(summary: Summary, folder: str | Path) -> Path:
    """Write the report into a folder and return its page. Raises OSError."""
    folder = Path(folder).expanduser()
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "traffic.txt"
    page.write_text("\n".join(closing_lines(summary)) + "\n", encoding="utf-8")
    return page
