"""Render self-contained HTML pages: all text is escaped, and the page loads and runs nothing but its own content."""

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from airworthy.text import printable

_TEMPLATES: Final = Path(__file__).parent / "templates"
_LONGEST: Final = 8000
_MINUTE: Final = 60


def environment(filters: Mapping[str, Callable[..., object]]) -> Environment:
    """Return a Jinja environment that escapes and shortens all text; ``filters`` are added to the common ones."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_plain,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "slug": lambda text: text.lower().replace("_", "-").replace(" ", "-"),
        "words": lambda text: text.replace("_", " ").replace("-", " "),
        "seconds": duration,
        "moment": moment,
        "period": period,
    }
    made.filters |= filters
    return made


def page(made: Environment, template: str, style: Sequence[str], script: str = "", **values: object) -> str:
    """Return a page from a template, with the files of its style and its script, and a policy that allows only these.

    ``directives`` among the values are further ones of the policy.
    """
    directives = values.pop("directives", ())
    assert isinstance(directives, tuple)
    css, code = Markup("").join(map(own, style)), own(script) if script else Markup("")
    return made.get_template(template).render(values, style=css, script=code, policy=policy(css, code, *directives))


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


def policy(style: str, script: str, *others: str) -> str:
    """Return the content security policy: only this style and this script, no inline attributes, no other sources.

    ``others`` are further directives.
    """
    hashes = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script))
    common = "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'"
    return "; ".join((common.format(*hashes), *others))


def own(name: str) -> Markup:
    """Return a file from the template folder, unescaped."""
    return Markup((_TEMPLATES / name).read_text(encoding="utf-8"))  # noqa: S704 - not text from traffic


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a template prints
    """Shorten long text, and make invisible characters visible: control characters and those that change direction."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return printable(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}… ({len(value)} characters)", keep="\n\t")


def duration(seconds: float) -> str:
    """Format a duration: 12 ms, 3.4 s, 30 min 54 s, 2 h 2 min."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), _MINUTE)
    if minutes >= _MINUTE:
        hours, minutes = divmod(minutes, _MINUTE)
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def moment(when: datetime) -> str:
    """Format a moment in UTC."""
    return when.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def period(began: datetime, ended: datetime) -> str:
    """Format a period in UTC, without what its end repeats of its beginning."""
    first, last = moment(began), moment(ended)
    if first == last:
        return first
    day, _, clock = last.partition(" ")
    return f"{first.removesuffix(' UTC')} to {clock if first.startswith(day) else last}"
