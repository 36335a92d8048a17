"""The terminal output: the wait for what ages, failures, and the summary of a run."""

import shutil
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

import pytest

from airworthy.evidence.curl_command import curl
from airworthy.evidence.redaction import RedactedExchange
from airworthy.register import Rule
from airworthy.report.blockers import MOST_BLOCKERS, Blocker, names
from airworthy.report.exchange_summaries import error_message
from airworthy.report.exchange_view import Records, request_line
from airworthy.report.explored import reached
from airworthy.report.overview import Overview, count_verdicts
from airworthy.report.results import Failure, Results, RuleResult, ScenarioResult
from airworthy.text import printable

_WIDEST: Final = 110
_SHOWN: Final = 5
_NAMED: Final = 3
_NAME: Final = 25
_GAP: Final = 2
_SECONDS_BETWEEN_LINES: Final = 60.0


def failure_text(
    result: ScenarioResult,
    rules: Sequence[Rule],
    redacted: RedactedExchange | None,
    trace: str = "",
    ca_bundle: Path | None = None,
) -> str:
    """Return the text of a failure: rule, source, expected and actual value, location, and a curl command.

    ``redacted`` is the exchange with the violation, ``trace`` the traceback of an internal error of the suite,
    ``ca_bundle`` that of the profile. All arguments must be redacted.
    """
    lines: list[str] = []
    for rule in rules:
        lines += [f"{rule.id}: {rule.statement}", *_field("Source", rule.cited)]
    lines += _field("Scenario", result.name)
    if failure := result.failure:
        lines += [f"    {'>' if step is failure.steps[-1] else ' '} {step}" for step in failure.steps]
        place = _place(failure)
        if redacted:
            response = redacted.exchange.response
            place += f": {request_line(redacted)}, {f'status {response.status}' if response else 'no response'}"
        lines += _field("Why", failure.message)
        lines += _field("Expected", failure.expected)
        lines += _field("Actual", failure.actual)
        lines += _field("Where", place)
        lines += _field("Service", error_message(redacted) if redacted else "")
    else:
        lines += _field("Why", result.reason)
    if redacted:
        lines += ["  Repeat", *textwrap.indent(curl(redacted, ca_bundle), "    ").splitlines()]
    if trace:
        lines += ["  Code", *trace.splitlines()]
    return "\n".join(map(printable, lines))


def fix_next_lines(results: Results, seen: Overview, records: Records, ca_bundle: Path | None = None) -> list[str]:
    """Return what to fix next: a block for each of the first causes, and the names of the others.

    ``records`` are the evidence of the exchanges that decide, ``ca_bundle`` is that of the profile.
    """
    shown, others = seen.decision.blocks[:MOST_BLOCKERS], seen.decision.blocks[MOST_BLOCKERS:]
    not_shown = {rule.id: rule for rule in results.rules}
    lines: list[str] = []
    for number, blocker in enumerate(shown, start=1):
        is_violation = blocker.cause == "failed"
        title = f"{blocker.reason}{seen.effect(blocker)}" if is_violation else _gap(blocker)
        lines += _wrapped(f"{number}. {title}", "", "   ")
        if is_violation:
            if rule := not_shown.pop(blocker.rules[0], None):
                lines += _wrapped(f"{rule.id}: {rule.statement} ({rule.cited})", "  ", "    ")
            lines += _field("Step", blocker.step)
            lines += _field("Where", _place(blocker) if blocker.pointer != "status" else "")
        lines += _field("Service", blocker.message and f'"{blocker.message}"')
        if record := records.get(blocker.exchange):
            lines += _field("After", ", ".join(results.earlier(blocker.exchange)[-_SHOWN:]))
            lines.append(f"  {curl(record, ca_bundle)}")
    if others:
        lines += _wrapped(f"and {len(others)} more: {', '.join(names(others))}", "   ", "   ")
    return list(map(printable, lines))


def _gap(blocker: Blocker) -> str:
    more = len(blocker.rules) - _NAMED
    named = ", ".join(blocker.rules[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{blocker.cause}: {blocker.reason}" + (f" ({named})" if named else "")


def explored_lines(results: Results, records: Records, ca_bundle: Path | None = None) -> Iterator[str]:
    """Yield what was explored, and for each finding the shortest conversation that shows it."""
    for each in results.explored:
        taken, total = reached(each)
        had = f"{each.conversations:,} conversations with {each.steps:,} steps in {each.seconds:.0f} s"
        yield f"{each.interface}: {had}, {taken} of {total} transitions reached, --seed {each.seed}"
        yield from _field("ended", each.ended)
        for number, found in enumerate(each.found, start=1):
            yield ""
            finding = found.finding
            yield from _wrapped(f"{number}. {finding.rule}: {finding.message} ({found.repetition})", "", "   ")
            yield from _field("Expected", finding.expected)
            yield from _field("Actual", finding.actual)
            for place, step in enumerate(found.steps, start=1):
                yield from _wrapped(f"{place}. {step.text}", "   ", "      ")
                shown = [records[name] for name in step.exchanges[-_SHOWN:] if name in records]
                for record in shown:
                    response = record.exchange.response
                    yield f"      {request_line(record)}: {response.status if response else 'no response'}"
                    yield f"      {curl(record, ca_bundle)}"


def summary_lines(results: Results, seen: Overview, report: str) -> list[str]:
    """Return the summary of a run: decision, target, versions, counts, areas, warnings, waivers, time and report."""
    decision, timing = seen.decision, results.timing
    is_full = not results.scope.filtered and timing.exchanges > 0
    share = f"{timing.http_seconds / timing.seconds:.0%}" if timing.seconds else "0%"
    lines = [
        decision.outcome,
        *_field("self-test", seen.self_test),
        *_field("target", f"{results.target} ({results.environment} environment)"),
        *_field("versions", ", ".join(results.scope.versions)),
        *(_field("rules", _counts(seen)) if seen.interfaces else _field("explored", seen.lead)),
        *_area_lines(rule for rule in seen.binding if rule.scenarios or is_full),
    ]
    warned = [rule for rule in results.rules if rule.verdict == "warning"]
    why = [f"airworthy rules {rule.id} explains why it only warns" for rule in warned[:1]]
    # The profile could change these; rules without scenarios cannot be tested at all.
    absent = Counter(rule.reason for rule in seen.binding if rule.verdict == "not_applicable" and rule.scenarios)
    left_out = [f"{count} rule{'' if count == 1 else 's'}: {reason}" for reason, count in absent.most_common()]
    waivers = [f"{each.rule} until {each.expires}, by {each.owner}" for each in decision.waived]
    for name, texts in (("warning", [*map(_warning, warned)]), ("", why), ("left out", left_out), ("waived", waivers)):
        for text in texts[:_SHOWN]:
            lines += _field(name, text)
        if more := len(texts[_SHOWN:]):
            lines += _field(name, f"and {more} more, see the report")
    lines += _field("time", f"{timing.seconds:.1f} s, {share} of it inside {timing.exchanges:,} HTTP exchanges")
    if timing.throttled:
        plural, they = ("", "it") if timing.throttled == 1 else ("s", "them")
        text = f"the target throttled {timing.throttled} request{plural}; the run slowed down and repeated {they}"
        lines += _field("throttled", text)
    lines.append(f"  report    {report}")
    return list(map(printable, lines))


def _warning(rule: RuleResult) -> str:
    """Return the warning about a rule, and the scenario that it comes from, if it comes from one."""
    scenario = next((each.name for each in rule.scenarios if each.reason == rule.reason), None)
    return f"{rule.id}: {rule.reason}{f' ({scenario})' if scenario else ''}"


def _counts(seen: Overview) -> str:
    """Return the number of rules that bind the service by verdict: the suite itself meets those of clients."""
    counts = ", ".join(f"{count} {verdict.replace('_', ' ')}" for verdict, count in seen.counts.items() if count)
    return f"{counts} of the {len(seen.binding)} that bind the service"


def _area_lines(rules: Iterable[RuleResult]) -> list[str]:
    """Return a table of the areas with something left to do, in columns, and the names of those that are complete."""
    areas: dict[str, dict[str, list[RuleResult]]] = {}
    for rule in (each for each in rules if each.verdict != "not_applicable"):
        areas.setdefault(rule.version, {}).setdefault(rule.area, []).append(rule)
    cells: list[str] = []
    complete: list[str] = []
    for version, group in areas.items():
        open_areas = {name: verdicts for name, found in group.items() if (verdicts := _left_to_do(found))}
        for name, verdicts in open_areas.items():
            area = f"{version} {name}"
            cells.append(f"{area if len(area) <= _NAME else f'{area[: _NAME - 1]}…':<{_NAME}}{verdicts:>9}")
        complete += [f"{version} {name}" for name in group if name not in open_areas] if open_areas else [version]
    if not cells:
        return []
    columns = max(1, _width() // (len(cells[0]) + _GAP))
    height = -(-len(cells) // columns)
    rows = [f"  {(' ' * _GAP).join(cells[index::height])}" for index in range(height)]
    return ["  rules passed/failed/untested by operation or area:", *rows, *_field("complete", ", ".join(complete))]


def _left_to_do(rules: Sequence[RuleResult]) -> str:
    """Return how many rules passed, failed and are untested, or an empty string if nothing is left to do."""
    counts = count_verdicts(rules)
    failed, untested = counts["failed"] + counts["error"], counts["untested"]
    return f"{counts['passed'] + counts['warning']}/{failed}/{untested}" if failed or untested else ""


def progress(config: pytest.Config) -> Callable[[str], None]:
    """Return a function that shows progress: on a terminal in a single line, otherwise in one line per minute."""
    reporter = config.pluginmanager.getplugin("terminalreporter")
    capturing = config.pluginmanager.getplugin("capturemanager")
    last = [0.0]

    def show(line: str) -> None:
        if reporter is None or (not reporter.isatty and time.monotonic() - last[0] < _SECONDS_BETWEEN_LINES):
            return
        last[0] = time.monotonic()
        with capturing.global_and_fixture_disabled() if capturing else nullcontext():
            if reporter.isatty:
                # A line that the terminal wraps would not be replaced by the next one.
                reporter.rewrite(line[: _width() - 1], erase=True)
            else:
                reporter.write_line(line)

    return show


def _place(located: Failure | Blocker) -> str:
    parts = f"{located.side} {located.pointer}".strip(), located.exchange and f"exchange {located.exchange}"
    return ", ".join(filter(None, parts))


def _width() -> int:
    return min(_WIDEST, shutil.get_terminal_size((_WIDEST, 0)).columns)


def _field(name: str, text: str) -> list[str]:
    return _wrapped(f"{name:<9} {text}", "  ", " " * 12) if text else []


def _wrapped(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        text, _width(), initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
