"""The templates of the sandbox's pages and e-mails, in the folder ``templates``."""

from functools import cache
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

TEMPLATES: Final = Path(__file__).parents[1] / "templates"


def render(template: str, **values: object) -> str:
    """Return a rendered template; all values are escaped in HTML."""
    return _environment().get_template(f"{template}.j2").render(values)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(("html.j2",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
