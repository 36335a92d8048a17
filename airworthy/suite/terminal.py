"""The terminal output: failures, and the summary of a run."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from airworthy.contract.exchange import Exchange
from airworthy.evidence import curl
from airworthy.register import Rule
from airworthy.report.decision import Decision
from airworthy.report.results import Failure, FindingCount, Results, ScenarioResult

_WIDTH: Final = 110
_SHOWN: Final = 12


def failure_text(
    result: ScenarioResult,
    rules: Sequence[Rule],
    exchange: Exchange | None,
    trace: str = "",
    ca_bundle: Path | None = None,
) -> str:
    """Return the text of a failure: rule, source, expected and actual value, location, and a curl command.

    ``exchange`` is the one with the violation, ``trace`` the traceback of an internal error of the suite, ``ca_bundle``
    that of the profile. All arguments must be redacted.
    """
    lines: list[str] = []
    for rule in rules:
        lines += [f"{rule.id}: {rule.statement}", *_field("Source", rule.source)]
    lines += _field("Scenario", result.name)
    failure = result.failure
    if failure:
        lines += [f"    {'>' if step is failure.steps[-1] else ' '} {step}" for step in failure.steps]
        lines += _failure_lines(failure, exchange)
    else:
        lines += _field("Why", result.reason)
    if exchange:
        lines += ["  Repeat", *textwrap.indent(curl(exchange, ca_bundle), "    ").splitlines()]
    if trace:
        lines += ["  Code", *trace.splitlines()]
    return "\n".join(lines)


def finding_lines(counted: FindingCount) -> list[str]:
    """Return the lines of a finding that no scenario of its rule has shown."""
    finding = counted.finding
    times = f" ({counted.count} times)" if counted.count > 1 else ""
    place = f"{finding.side} {finding.pointer}".strip()
    return [
        f"{finding.rule}: {finding.message}{times}",
        *_field("Expected", finding.expected),
        *_field("Actual", finding.actual),
        *_field("Where", f"{place}, exchange {finding.exchange}"),
    ]


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
        named = ", ".join(block.rules[:3]) + (f" and {len(block.rules) - 3} more" if len(block.rules) > 3 else "")  # noqa: PLR2004
        lines += textwrap.wrap(
            f"{block.cause}: {block.reason}" + (f" ({named})" if named else ""),
            _WIDTH,
            initial_indent="  - ",
            subsequent_indent="    ",
        )
    if len(decision.blocks) > _SHOWN:
        more = len(decision.blocks) - _SHOWN
        lines.append(f"  - and {more} more cause{'' if more == 1 else 's'} in the report")
    for waiver in decision.waived:
        lines += _field("waived", f"{waiver.rule} until {waiver.expires}, by {waiver.owner}")
    lines.append(f"  time      {timing.seconds:.1f} s, {share} of it inside {timing.exchanges} HTTP exchanges")
    lines.append(f"  report    {report}")
    return lines


def _failure_lines(failure: Failure, exchange: Exchange | None) -> list[str]:
    place = f"{failure.side} {failure.pointer}".strip()
    if exchange:
        place += f", exchange {exchange.id}: {exchange.request.method} {exchange.request.url}"
        place += f", status {exchange.response.status}" if exchange.response else ", no response"
    elif failure.exchange:
        place += f", exchange {failure.exchange}"
    return [
        *_field("Why", failure.message),
        *_field("Expected", failure.expected),
        *_field("Actual", failure.actual),
        *_field("Where", place.lstrip(", ")),
    ]


def _field(name: str, text: str) -> list[str]:
    if not text:
        return []
    return textwrap.wrap(
        f"{name:<9} {text}",
        _WIDTH,
        initial_indent="  ",
        subsequent_indent=" " * 12,
        break_long_words=False,
        break_on_hyphens=False,
    )
