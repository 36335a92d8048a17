"""Show each rule beside the sentence that it quotes and its checks: ``make rule-review DOCUMENTS=FOLDER``.

FOLDER has the documents ``flight-booking-*.md``. The output is an HTML page. The command fails if a quote is not in the
documents word for word, or not in a section that its rule names as the source. CONTRIBUTING.md says how to quote.
"""

import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jinja2 import Environment

from airworthy.register import Rule, citation, go_live_rules, rules
from airworthy.resources import resource
from airworthy.sandbox.faults import faults

ROOT: Final = Path(__file__).parent.parent
_CODE: Final = ("airworthy/contract", "airworthy/export", "airworthy/traffic/golive")
_ONLY_WARNS: Final = re.compile(r"Only warns(?! (?:for|if|unless))")
_EXPECTING: Final = ("Then ", "And ", "But ")
_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Review of the rules</title><style>
body{font:14px/1.4 sans-serif;margin:1em}table{border-collapse:collapse;width:100%}
th{position:sticky;top:0;background:#eee}
td,th{border:1px solid #bbb;padding:.3em .5em;text-align:left;vertical-align:top;width:33%}p{margin:0 0 .3em}
.quiet{color:#555}.wrong{background:#fbb}</style>
<h1>{{ rows|length }} rules</h1><table><tr><th>Rule<th>Sentence of the documents<th>Checks</tr>
{% for row in rows %}<tr id="{{ row.rule.id }}"><td><p><code>{{ row.rule.id }}</code> {{ row.firmness }}, binds
{{ row.rule.binds }}<p><b>{{ row.rule.statement }}</b><p class="quiet">{{ row.rule.note }}
<td>{% for each in row.citations %}<p{{ ' class="wrong"'|safe if each.problem }}>“{{ each.quote }}”
<p class="quiet">{{ each.source }}: {{ each.problem or "verbatim" }}{% endfor %}
<td>{% for place in row.places %}<p><code>{{ place }}</code>{% endfor %}
{% for name, outcome in row.scenarios %}<p>{{ name }} <span class="quiet">→ {{ outcome }}</span>{% endfor %}
</tr>{% endfor %}</table>"""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence or a table of a document, and the headings above it. A row of a table is one line of ``text``."""

    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the service. ``version`` is the start of the sources that name it."""

    version: str
    headings: frozenset[str]
    passages: tuple[Passage, ...]

    @classmethod
    def read(cls, text: str) -> "Document":
        """Split a document into its sentences and tables. A row reads ``first cell: second cell, third cell``."""
        headings: list[str] = []
        known: set[str] = set()
        passages = []
        for block in re.split(r"\n\n|\n(?=- |\d+\. )", text.replace("`", "")):
            if heading := re.match(r"(#+) (.+)", block):
                headings[len(heading[1]) - 1 :] = [heading[2]]
                known.add(heading[2])
            elif block.startswith("|"):
                passages.append(Passage(tuple(headings), "\n".join(map(_row, block.splitlines()))))
            else:
                sentences = re.split(r"(?<=\.)\s+(?=[A-Z0-9])", re.sub(r"^\s*(?:- |\d+\. )", "", block))
                passages += [Passage(tuple(headings), " ".join(each.split())) for each in sentences]
        return cls("v4" if "(v4)" in headings[0] else "v3", frozenset(known), tuple(passages))

    def problem(self, source: str, quote: str) -> str:
        """Return what is wrong with a quote, or an empty string."""
        parts = (rf"(?<!\w){re.escape(part.strip())}(?!\w)" for part in quote.split("…"))
        pattern = re.compile(r"[\s\S]*?".join(parts))
        found = [each for each in self.passages if pattern.search(each.text)]
        sections = [
            [part for part in re.split(", | / ", entry) if any(known.startswith(part) for known in self.headings)]
            for entry in source.split("; ")
            if entry.startswith(self.version)
        ]
        if not found:
            return "NOT IN THE DOCUMENT"
        if not any(_is_below(section, each.headings) for section in sections for each in found):
            return f"IN ANOTHER SECTION: {' / '.join(found[0].headings[1:])}"
        return ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A source with its quote, and what is wrong with it."""

    source: str
    quote: str
    problem: str


@dataclass(frozen=True, slots=True)
class Row:
    """A rule as the page shows it. ``places`` are the checks in schemas and code."""

    rule: Rule
    firmness: str
    citations: list[Citation]
    places: list[str]
    scenarios: list[tuple[str, str]]


def rows(documents: Iterable[Document]) -> Iterator[Row]:
    """Yield all rules, and the items of the go-live list."""
    texts, places = list(documents), checked_places()
    verdicts = defaultdict(set)
    for fault in faults().values():
        verdicts[fault.rule].add(fault.verdict)
    for rule in (*rules(), *go_live_rules()):
        named = (citation(line.partition(": ")[2]) for line in rule.lines if line.startswith("Source"))
        citations = [Citation(source, quote, _problem(texts, source, quote)) for source, quote in named if quote]
        checks = places.get(rule.id, [])
        scenarios = list(map(_scenario, rule.scenarios, rule.steps))
        yield Row(rule, _firmness(rule, verdicts[rule.id], checks), citations, checks, scenarios)


def checked_places() -> Mapping[str, list[str]]:
    """Return where each rule is checked: places in schemas, and functions. ``(soft)`` marks a check that only warns."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(resource("schemas").glob("*/*.json")):
        for rule, place in _places_in_schema(json.loads(path.read_text(encoding="utf-8")), ""):
            found[rule].append(f"{path.parent.name}/{path.name}#{place}")
    for path in sorted(each for folder in _CODE for each in (ROOT / folder).rglob("*.py")):
        for part in ast.parse(path.read_text(encoding="utf-8")).body:
            function = part if isinstance(part, ast.FunctionDef) else None
            soft = " (soft)" if function and _ONLY_WARNS.search(ast.get_docstring(function) or "") else ""
            for name in {str(each.value) for each in ast.walk(part) if isinstance(each, ast.Constant)}:
                place = f"{path.relative_to(ROOT)}: {function.name if function else f'line {part.lineno}'}{soft}"
                for rule in (name, f"V4-{name}", f"V23-{name}"):
                    found[rule].append(place)
    return found


def _scenario(name: str, steps: Iterable[str]) -> tuple[str, str]:
    """Return the name of a scenario with what it expects."""
    return name, "; ".join(step.partition(" ")[2] for step in steps if step.startswith(_EXPECTING))


def _places_in_schema(node: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        soft = " (soft)" if node.get("x-soft") or node.get("soft") else ""
        yield from ((str(node[key]), place + soft) for key in ("x-rule", "rule") if key in node)
        for name, child in node.items():
            yield from _places_in_schema(child, f"{place}/{name}")
    elif isinstance(node, list):
        for index, child in enumerate(node):
            yield from _places_in_schema(child, f"{place}/{index}")


def _firmness(rule: Rule, verdicts: Collection[str], places: list[str]) -> str:
    """Return what a violation leads to. The faults of a rule prove it; a client's rule has checks only."""
    if rule.excluded_reason:
        return "not tested"
    if verdicts:
        return "fails" if "failed" in verdicts else "only warns" if "warning" in verdicts else "only noted"
    return "only warns" if any(each.endswith("(soft)") for each in places) else "fails"


def _problem(documents: list[Document], source: str, quote: str) -> str:
    problems = [document.problem(source, quote) for document in documents]
    return min(problems, key=len) if problems else "no document"


def _row(line: str) -> str:
    first, *others = (cell.strip() for cell in line.strip("|").split("|"))
    return f"{first}: {', '.join(filter(None, others))}"


def _is_below(section: list[str], headings: tuple[str, ...]) -> bool:
    return all(any(heading.startswith(part) for heading in headings) for part in section)


def main(folder: Path) -> int:
    """Print the page. Return 1 if a quote is wrong, 2 without documents."""
    documents = [Document.read(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("flight-booking-*.md"))]
    if not documents:
        sys.stderr.write(f"DOCUMENTS={folder}: expected a folder with the documents flight-booking-*.md\n")
        return 2
    found = list(rows(documents))
    sys.stdout.write(Environment(autoescape=True).from_string(_PAGE).render(rows=found) + "\n")
    wrong = [(row.rule.id, each) for row in found for each in row.citations if each.problem]
    sys.stderr.writelines(f"{rule}: {each.problem}: {each.quote}\n" for rule, each in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(*sys.argv[1:])))
