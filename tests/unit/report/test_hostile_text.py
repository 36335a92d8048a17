"""Hostile text in any field changes no output: each has the structure that it has with harmless text."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from airworthy.cli.certification import Certification
from airworthy.cli.certify import partner_lines
from airworthy.report.junit import render_junit
from airworthy.report.page import render_html
from airworthy.report.results import Results
from airworthy.report.sarif import render_sarif
from airworthy.report.summary import render_markdown
from airworthy.text import printable

from .hostile import ATTACK, INVISIBLE, partner_with, service_with
from .test_renderers import Page

HARMLESS = "harmless"


def elements(html: str) -> list[tuple[str, tuple[str, ...], bool]]:
    """Return the elements of a page, each with the names of its attributes, and whether its address is in the page."""
    addresses = ("href", "src", "action")
    return [
        (tag, tuple(attributes), all((attributes.get(name) or "#").startswith("#") for name in addresses))
        for tag, attributes in Page(html).elements
    ]


def parts(xml: str) -> list[tuple[str, list[str]]]:
    return [(each.tag, sorted(each.attrib)) for each in ET.fromstring(xml).iter()]  # noqa: S314 - we wrote it


def shape(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    return list(map(shape, value)) if isinstance(value, list) else type(value)


def outside(markdown: str) -> str:
    """Return what is not in a code span."""
    return re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "CODE", markdown)


@pytest.mark.parametrize("make", [service_with, partner_with])
@pytest.mark.parametrize(
    ("render", "structure"),
    [
        (lambda results: render_html(results, {}), elements),
        (lambda results: render_junit(results, {}), parts),
        (lambda results: render_sarif(results).decode(), lambda text: shape(json.loads(text))),
        (lambda results: render_markdown(results, {}), outside),
    ],
    ids=["page", "JUnit", "SARIF", "summary"],
)
def test_output(
    make: Callable[[str], Results], render: Callable[[Results], str], structure: Callable[[str], object]
) -> None:
    text = render(make(ATTACK))

    assert structure(text) == structure(render(make(HARMLESS)))
    assert not INVISIBLE & set(text)


def test_terminal() -> None:
    shown, harmless = (
        [printable(line) for line in partner_lines(Certification(results, Path("run"), 1))]
        for results in map(partner_with, (ATTACK, HARMLESS))
    )

    assert len(shown) == len(harmless)
    assert not INVISIBLE & set("".join(shown))
    assert not any("\n" in line or "\r" in line for line in shown)
