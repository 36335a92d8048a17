"""What ``airworthy rules`` shows: the register as a table, or everything that is known about one rule."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.table import Table

from airworthy.errors import UsageError, did_you_mean
from airworthy.register import Rule, go_live_rules, rules

if TYPE_CHECKING:
    from airworthy.sandbox.faults import Fault


def of_version(version: str | None) -> Sequence[Rule]:
    """Return the rules of an interface, or all rules. Raises `UsageError` for an unknown interface."""
    chosen = [each for each in rules() if version is None or version in each.versions]
    if not chosen:
        known = ", ".join(sorted({each for found in rules() for each in found.versions}))
        raise UsageError(f"--version {version}: expected one of {known}")
    return chosen


def named(identifier: str) -> Rule:
    """Return a rule, or an item of the go-live list. Raises `UsageError` for an unknown id."""
    known = {each.id: each for each in (*rules(), *go_live_rules())}
    found = known.get(identifier.upper())
    if found is None:
        advice = did_you_mean(identifier.upper(), known, "`airworthy rules` lists all rules")
        raise UsageError(f"unknown rule {identifier!r}; {advice}")
    return found


def summary(shown: Rule) -> dict[str, object]:
    """Return what the list of rules contains about a rule."""
    return {
        "id": shown.id,
        "version": shown.version,
        "area": shown.area,
        "binds": shown.binds,
        "statement": shown.statement,
        "source": shown.source,
        "quote": shown.quote,
        "excluded": shown.excluded_reason,
    }


def details(shown: Rule) -> dict[str, Any]:
    """Return everything that is known about a rule."""
    violating = _faults(shown)
    return summary(shown) | {
        "note": shown.note,
        "feature": shown.path,
        "scenarios": list(shown.scenarios),
        "faults": [
            {"name": each.name, "description": each.description, "verdict": each.verdict, "reason": each.reason}
            for each in violating
        ],
        "open_questions": {name: list(subjects) for name, subjects in _open_questions(shown, violating).items()},
        "neighbours": [each.id for each in _neighbours(shown)],
    }


def lines(shown: Rule) -> Iterator[str]:
    """Yield everything that is known about a rule as lines of text."""
    yield f"{shown.id}: {shown.statement}"
    yield ""
    yield f"Interface  {shown.version}, {shown.area}"
    yield f"Binds      {'client and service' if shown.binds == 'both' else shown.binds}"
    yield f"Source     {shown.cited}"
    if shown.note:
        yield f"Note       {shown.note}"
    if shown.excluded_reason:
        yield f"Excluded   {shown.excluded_reason}"
    violating = _faults(shown)
    yield from _section("How a partner shows it", _instructions(shown))
    yield from _section("Scenarios", shown.scenarios)
    yield from _section("Faults of the sandbox that violate it", map(_fault_line, violating))
    if violating:
        yield f"  Try one: airworthy sandbox --fault {violating[0].name}"
    questions = _open_questions(shown, violating)
    yield from _section(
        "Open questions", (f"{name}: {'; '.join(each)}".rstrip(": ") for name, each in questions.items())
    )
    yield from _section(f"Other rules of {shown.area}", (f"{each.id}: {each.statement}" for each in _neighbours(shown)))


def _section(title: str, entries: Iterator[str] | Sequence[str]) -> Iterator[str]:
    listed = [f"  {each}" for each in entries]
    if listed:
        yield from ("", title, *listed)


def _instructions(shown: Rule) -> Iterator[str]:
    """Yield how a partner shows an item of the go-live list, with the interfaces that each text is about."""
    from airworthy.traffic.golive.items import GoLiveSettings, go_live_items

    for item in go_live_items():
        if item.id == shown.id:
            texts = item.instructions_with(GoLiveSettings())
            for text in dict.fromkeys(texts.values()):
                yield f"{', '.join(each for each in texts if texts[each] == text)}: {text}"


def _fault_line(fault: "Fault") -> str:
    lenient = f" (verdict: {fault.verdict}; {fault.reason})" if fault.reason else ""
    return f"{fault.name}: {fault.description}{lenient}"


def _faults(shown: Rule) -> "Sequence[Fault]":
    # Listing the register needs nothing of the sandbox.
    from airworthy.sandbox.faults import faults

    return [each for each in faults().values() if each.rule == shown.id]


def _open_questions(shown: Rule, violating: "Sequence[Fault]") -> Mapping[str, Sequence[str]]:
    """Return the open questions that a rule and its faults mention, each with what the sandbox may do there."""
    from airworthy.sandbox.dialects.choices import questions

    texts = (shown.statement, shown.note, shown.excluded_reason or "", *(each.reason for each in violating))
    subjects: dict[str, list[str]] = {name: [] for text in texts for name in re.findall(r"OPEN-[0-9]+", text)}
    for question in questions():
        if question.open_id in subjects:
            subjects[question.open_id].append(question.subject)
    return subjects


def _neighbours(shown: Rule) -> Sequence[Rule]:
    return [each for each in (*rules(), *go_live_rules()) if each.path == shown.path and each.id != shown.id]


def print_table(chosen: Sequence[Rule]) -> None:
    """Print rules as a table."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("Rule", "Area", "Binds"):
        table.add_column(column, no_wrap=True)
    table.add_column("Statement")
    table.add_column("Source")
    for each in chosen:
        table.add_row(each.id, each.area, each.binds, each.statement, each.source)
    console = Console(width=None if sys.stdout.isatty() else 240)
    with console.capture() as captured:
        console.print(table)
    # The table is as wide as its console; output to a pipe needs no trailing blanks.
    typer.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))
    typer.echo(f"{len(chosen)} rules")
