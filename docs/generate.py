"""Update the generated parts of the documentation: ``python docs/generate.py``, or ``make docs``.

A generated part is between ``<!-- generated: NAME -->`` and ``<!-- end -->``. The number of passed rules in shown
output is also generated. The rest of a page is written by hand. A test fails if a generated part is out of date.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, groupby
from pathlib import Path
from typing import Any, Final, Literal, cast, get_args, get_origin

import pytest

from airworthy.cli.app import COMMANDS, load_command
from airworthy.contract.life_cycles import LIFE_CYCLES, Transition
from airworthy.contract.life_cycles.life_cycle import NONE
from airworthy.export.formats import Column, export_specification
from airworthy.register import Rule, rules
from airworthy.report.page import open_questions
from airworthy.resources import resource
from airworthy.sandbox.dialects.choices import questions
from airworthy.sandbox.dialects.named import dialects
from airworthy.suite.options import add_options
from airworthy.traffic.golive.items import GoLiveItem, GoLiveSettings, go_live_items

FOLDER: Final = Path(__file__).parent
_PART: Final = re.compile(r"(<!-- generated: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
_COUNTS: Final = re.compile(r"^  rules     .*passed.*$", re.MULTILINE)
_COUNTS_OF_V4: Final = re.compile(r'^  "counts": (\{.*\}),$', re.MULTILINE)
# Its scenarios are about v3 and v2, although it belongs to no interface.
_NOT_OF_V4: Final = ("EXPORT-SEARCH",)
_OBSERVED: Final = re.compile(r"\w+ (?P<what>.+) (?:is|are) observed as (?P<place>OPEN-[0-9]+)")


def refreshed(text: str) -> str:
    """Return a page with its generated parts up to date. Raises KeyError for a part that is not in `PARTS`."""
    text = _PART.sub(lambda found: "\n".join([found[1], *PARTS[found[2]](), "", found[3]]), text)
    return _COUNTS_OF_V4.sub(_with_every_rule_of_v4, _COUNTS.sub(_with_every_rule, text))


def _with_every_rule(line: re.Match[str]) -> str:
    """Return the counts by verdict of a full run, as the terminal shows them; the other rules have passed."""
    binding = sum(rule.binds != "client" for rule in rules())
    others = sum(int(count) for count in re.findall(r"(\d+) (?!passed|that)", line[0]))
    return re.sub(r"\d+ that", f"{binding} that", re.sub(r"\d+ passed", f"{binding - others} passed", line[0]))


def _with_every_rule_of_v4(member: re.Match[str]) -> str:
    """Return the counts by verdict of a run for v4, as ``airworthy certify service --json`` prints them."""
    counts: dict[str, int] = json.loads(member[1])
    of_v4 = sum(rule.concerns(("v4",)) and rule.id not in _NOT_OF_V4 for rule in rules())
    counts["passed"] = of_v4 - (sum(counts.values()) - counts["passed"])
    return f'  "counts": {json.dumps(counts)},'


def pages() -> list[Path]:
    """Return the pages in ``docs/``, and the README."""
    return [FOLDER.parent / "README.md", *sorted(FOLDER.rglob("*.md"))]


def main() -> None:
    """Update all pages."""
    for page in pages():
        page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")


# The register


def rule_tables() -> Iterator[str]:
    """Yield one table of rules for each feature."""
    yield f"{len(rules())} rules."
    for (_, area), grouped in groupby(rules(), lambda rule: (rule.path, rule.area)):
        found = tuple(grouped)
        interfaces = sorted({version for rule in found for version in rule.versions}, reverse=True)
        yield f"\n## {' and '.join(interfaces)}: {area}\n"
        yield from _table(("id", "binds", "requirement", "source"), map(_rule_cells, found))


def _rule_cells(rule: Rule) -> tuple[str, ...]:
    notes = [rule.note, f"Excluded: {rule.excluded_reason}" if rule.excluded_reason else ""]
    statement = "<br>".join(_escaped(each) for each in (rule.statement, *notes) if each)
    return f"`{rule.id}`", rule.binds, statement, _escaped(rule.cited)


# The command line


def command_tables() -> Iterator[str]:
    """Yield every command with its help and its options."""
    for name in COMMANDS:
        yield from _command(load_command(name), f"airworthy {name}")


def _command(command: Any, name: str) -> Iterator[str]:  # noqa: ANN401  Typer does not export the type of a command
    below: Mapping[str, Any] = getattr(command, "commands", {})
    if not below:
        yield f"### {name}\n"
        yield from _help(command.help)
        yield ""
        shown = (each for each in command.params if each.name != "help")
        yield from _table(("option", "default", "meaning"), map(_parameter_cells, shown))
        yield ""
    for each, inner in below.items():
        yield from _command(inner, f"{name} {each}")


def _help(text: str) -> Iterator[str]:
    for line in inspect.cleandoc(text).splitlines():
        yield f"Example: `{line.removeprefix('Example: ')}`" if line.startswith("Example: ") else line


def _parameter_cells(parameter: Any) -> tuple[str, ...]:  # noqa: ANN401  as above
    option = parameter.param_type_name == "option"
    takes = "" if option and parameter.is_flag else parameter.metavar or _choices(parameter) or parameter.name.upper()
    spelling = f"{parameter.opts[0]} {takes}".strip() if option else takes
    repeated = ", repeatable" if parameter.multiple and "repeatable" not in parameter.help else ""
    default = "" if parameter.default in (None, False, ()) else f"`{parameter.default}`"
    return f"`{_escaped(spelling)}`", default, _escaped(parameter.help.rstrip(".") + repeated)


def _choices(parameter: Any) -> str:  # noqa: ANN401  as above
    annotation = parameter.type_descriptor.annotation
    return "|".join(get_args(annotation)) if get_origin(annotation) is Literal else ""


def pytest_options() -> Iterator[str]:
    """Yield the options that the suite adds to pytest."""
    recorder = _Options()
    add_options(cast("pytest.Parser", recorder))
    yield from _table(("option", "meaning"), recorder.rows)


class _Options:
    """Records the options that the suite adds, in place of pytest's parser."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str]] = []

    def getgroup(self, *_: str) -> "_Options":
        return self

    def addoption(self, name: str, *, help: str, metavar: str = "", **_: object) -> None:  # noqa: A002  pytest's name
        self.rows.append((f"`{f'{name} {metavar}'.strip()}`", _escaped(help.rstrip("."))))


# Open questions


def go_live_table() -> Iterator[str]:
    """Yield a table of the go-live list for each of its features."""
    for area, items in groupby(go_live_items(), lambda item: item.area):
        yield from ("", f"### {area}", "")
        yield from _table(("item", "what the traffic shows", "versions", "source"), map(_item_cells, items))


def _item_cells(item: GoLiveItem) -> tuple[str, ...]:
    by_source: dict[str, list[str]] = {}
    for version, source in item.sources.items():
        by_source.setdefault(source, []).append(version)
    named = (f"{', '.join(versions)}: {source}" for source, versions in by_source.items())
    source = "; ".join(named) if len(by_source) > 1 else next(iter(by_source))
    optional = " (optional)" if item.is_optional else ""
    return f"`{item.id}`{optional}", item.statement, ", ".join(item.versions), source


def go_live_instructions() -> Iterator[str]:
    """Yield how a partner shows each item."""
    for item in go_live_items():
        yield from ("", f"### {item.id}", "")
        texts = item.instructions_with(GoLiveSettings())
        if len(set(texts.values())) == 1:
            yield next(iter(texts.values()))
        else:
            yield from (f"- {version}: {text}" for version, text in texts.items())


def dialect_list() -> Iterator[str]:
    """Yield a line about each dialect."""
    yield from (f"- `{name}`: {dialect.description}." for name, dialect in dialects().items())


def dialect_table() -> Iterator[str]:
    """Yield the behaviour of each dialect for each open question."""
    choices = [each.choices for each in dialects().values()]
    rows = ((each.open_id, each.subject, *(str(one.behaviour(each.name)) for one in choices)) for each in questions())
    yield from _table(("question", "about", *dialects()), rows)


def observation_table() -> Iterator[str]:
    """Yield the observations that the features record, by open question."""
    subjects: dict[str, list[str]] = {}
    for question in questions():
        subjects.setdefault(question.open_id, []).append(question.subject)
    found: dict[str, dict[str, None]] = {}
    for place, what, rule in _observed():
        found.setdefault(place, {})[f"{what}: `{rule}`"] = None
    rows = (
        (
            f"{place}<br>{_escaped(open_questions()[place])}",
            "<br>".join(map(_escaped, subjects.get(place, ()))),
            "<br>".join(found[place]),
        )
        for place in sorted(found, key=lambda each: int(each.removeprefix("OPEN-")))
    )
    yield from _table(
        ("question", "choices of the sandbox", "observation, and the rule whose scenarios record it"), rows
    )


def _observed() -> Iterator[tuple[str, str, str]]:
    for rule in rules():
        for step in chain.from_iterable(rule.steps):
            if observed := _OBSERVED.fullmatch(step):
                yield observed["place"], observed["what"], rule.id


# The results


def schema_tables(document: str) -> Iterator[str]:
    """Yield one table for each object in a schema of the reports."""
    schema = json.loads((resource("schemas") / "report" / document).read_text(encoding="utf-8"))
    definitions = {"the document": schema} | schema["$defs"]
    for name, each in definitions.items():
        if "properties" in each:
            yield f"### {name}\n"
            rows = ((f"`{key}`", _kind(value), _meaning(value, schema)) for key, value in each["properties"].items())
            yield from _table(("member", "type", "meaning"), rows)
            yield ""


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})" if name not in _PLAIN else name
    if alternatives := schema.get("oneOf") or schema.get("anyOf"):
        return " or ".join(map(_kind, alternatives))
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    inner = schema.get("items") or schema.get("additionalProperties")
    return " or ".join(kinds) + (f" of {_kind(inner)}" if isinstance(inner, Mapping) else "")


# Definitions that are not objects: described where they are used.
_PLAIN: Final = ("moment", "pointer", "rules", "sha256", "verdict")


def _meaning(schema: Mapping[str, Any], whole: Mapping[str, Any]) -> str:
    description = schema.get("description", "")
    if not description and "$ref" in schema:
        description = whole["$defs"][schema["$ref"].rsplit("/", 1)[1]].get("description", "")
    return _escaped(description)


# The content export


def export_columns() -> Iterator[str]:
    """Yield the columns of each export format, in order."""
    for found in export_specification().formats.values():
        yield f"### {found.name}\n"
        rows = enumerate(found.columns, start=1)
        yield from _table(("", "column", "content", "if empty", "rule"), (_column_cells(*each) for each in rows))
        yield ""


def _column_cells(number: int, column: Column) -> tuple[str, ...]:
    kind = column.type
    rule = f"`{kind.rule}`" if kind.rule else ""
    empty = ("a warning" if column.empty_soft else "a violation") if column.empty_rule else "allowed"
    content = _escaped(kind.expected) if kind.rule else "anything"
    if rule and column.soft:
        content += " (otherwise a warning)"
    return str(number), f"`{column.name}`", content, empty, rule


# The life cycles


def life_cycle_diagrams() -> Iterator[str]:
    """Yield a diagram and a table of each life cycle."""
    for cycle in LIFE_CYCLES:
        versions = " and ".join(cycle.interfaces)
        yield from ("", f"## {cycle.resource.capitalize()} ({versions})", "", "```mermaid", "stateDiagram-v2")
        names = {state: "[*]" if state == NONE else f"s{number}" for number, state in enumerate(cycle.states)}
        yield from (f'    state "{state}" as {name}' for state, name in names.items() if state != NONE)
        for each in cycle.transitions:
            if each.before != each.after:
                yield f"    {names[each.before]} --> {names[each.after]}: {each.operation}, {each.condition}"
        yield from ("```", "")
        yield from _table(
            ("state", "operation", "leads to", "condition", "rule", "source"), map(_line, cycle.transitions)
        )


def _line(each: Transition) -> tuple[str, ...]:
    operation = f"`{each.operation}`{' by another organisation' if each.foreign else ''}"
    rule = f"[{each.rule}](rules.md){' (a warning)' if each.soft else ''}"
    return (
        each.before,
        operation,
        "rejected" if each.refused else each.after,
        each.condition,
        rule,
        _escaped(each.source),
    )


# Markdown


def _table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    yield "|---" * len(header) + "|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;")


PARTS: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "rules": rule_tables,
    "commands": command_tables,
    "pytest-options": pytest_options,
    "observations": observation_table,
    "results": partial(schema_tables, "results.json"),
    "certificate": partial(schema_tables, "certificate.json"),
    "dialect-list": dialect_list,
    "dialects": dialect_table,
    "go-live": go_live_table,
    "go-live-instructions": go_live_instructions,
    "export-columns": export_columns,
    "life-cycles": life_cycle_diagrams,
}

if __name__ == "__main__":
    main()
