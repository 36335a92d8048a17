"""The terminal output: the wait for what ages, failures, and the summary of a run."""

import shutil
import textwrap
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

import pytest

from airworthy.evidence import RedactedExchange, curl
from airworthy.register import Rule
from airworthy.report.decision import Decision
from airworthy.report.exchange_view import request_line
from airworthy.report.results import Failure, FindingCount, Results, ScenarioResult
from airworthy.report.templating import visible

_WIDEST: Final = 110
_SHOWN: Final = 12
_NAMED: Final = 3
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
    failure = result.failure
    if failure:
        lines += [f"    {'>' if step is failure.steps[-1] else ' '} {step}" for step in failure.steps]
        lines += _failure_lines(failure, redacted)
    else:
        lines += _field("Why", result.reason)
    if redacted:
        lines += ["  Repeat", *textwrap.indent(curl(redacted, ca_bundle), "    ").splitlines()]
    if trace:
        lines += ["  Code", *trace.splitlines()]
    return "\n".join(map(visible, lines))


def finding_lines(counted: FindingCount) -> list[str]:
    """Return the lines of a finding that no scenario of its rule has shown."""
    finding = counted.finding
    times = f" ({counted.count} times)" if counted.count > 1 else ""
    place = f"{finding.side} {finding.pointer}".strip()
    lines = [
        f"{finding.rule}: {finding.message}{times}",
        *_field("Expected", finding.expected),
        *_field("Actual", finding.actual),
        *_field("Where", f"{place}, exchange {finding.exchange}"),
    ]
    return list(map(visible, lines))


def summary_lines(results: Results, decision: Decision, report: str) -> list[str]:
    """Return the summary of a run: decision, target, versions, counts, blocks, waivers, time and report."""
    counts = ", ".join(f"{count} {verdict.replace('_', ' ')}" for verdict, count in results.counts.items() if count)
    timing = results.timing
    share = f"{timing.http_seconds / timing.seconds:.0%}" if timing.seconds else "0%"
    lines = [
        decision.outcome,
        f"  target    {results.target} ({results.environment} environment)",
        f"  versions  {', '.join(results.scope.versions)}",
        f"  rules     {counts}",
    ]
    for block in decision.blocks[:_SHOWN]:
        others = f" and {len(block.rules) - _NAMED} more" if len(block.rules) > _NAMED else ""
        named = ", ".join(block.rules[:_NAMED]) + others
        lines += textwrap.wrap(
            f"{block.cause}: {block.reason}" + (f" ({named})" if named else ""),
            _width(),
            initial_indent="  - ",
            subsequent_indent="    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    if len(decision.blocks) > _SHOWN:
        more = len(decision.blocks) - _SHOWN
        lines.append(f"  - and {more} more cause{'' if more == 1 else 's'} in the report")
    for waiver in decision.waived[:_SHOWN]:
        lines += _field("waived", f"{waiver.rule} until {waiver.expires}, by {waiver.owner}")
    if len(decision.waived) > _SHOWN:
        more = len(decision.waived) - _SHOWN
        lines.append(f"  waived    and {more} more rule{'' if more == 1 else 's'}, see the report")
    lines.append(f"  time      {timing.seconds:.1f} s, {share} of it inside {timing.exchanges} HTTP exchanges")
    lines.append(f"  report    {report}")
    return list(map(visible, lines))


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
                reporter.rewrite(line, erase=True)
            else:
                reporter.write_line(line)

    return show


def _failure_lines(failure: Failure, redacted: RedactedExchange | None) -> list[str]:
    place = f"{failure.side} {failure.pointer}".strip()
    if redacted:
        exchange = redacted.exchange
        place += f", exchange {exchange.id}: {request_line(redacted)}"
        place += f", status {exchange.response.status}" if exchange.response else ", no response"
    elif failure.exchange:
        place += f", exchange {failure.exchange}"
    return [
        *_field("Why", failure.message),
        *_field("Expected", failure.expected),
        *_field("Actual", failure.actual),
        *_field("Where", place.lstrip(", ")),
    ]


def _width() -> int:
    return min(_WIDEST, shutil.get_terminal_size((_WIDEST, 0)).columns)


def _field(name: str, text: str) -> list[str]:
    if not text:
        return []
    return textwrap.wrap(
        f"{name:<9} {text}",
        _width(),
        initial_indent="  ",
        subsequent_indent=" " * 12,
        break_long_words=False,
        break_on_hyphens=False,
    )
