"""Render a page of tables in the style of the report: a comparison, the check of a content export."""

from dataclasses import dataclass

from airworthy.report.templating import environment, page


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table of a page; a table without rows is not shown."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class TablesPage:
    """A page: its kind and subject, the result with its tone (a verdict), facts about it, and tables."""

    kind: str
    subject: str
    headline: str
    tone: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    tables: tuple[PageTable, ...]


def render_tables(tables: TablesPage) -> str:
    """Return the page as self-contained HTML without a script; all its texts are escaped and shortened."""
    return page(environment({}), "tables.html.j2", ["report.css", "tables.css"], page=tables)
