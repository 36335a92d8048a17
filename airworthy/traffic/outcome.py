"""The outcome of judging some traffic: an exit code, and a headline with one sentence."""

from dataclasses import dataclass
from typing import Literal

from airworthy.report.results import weigh
from airworthy.traffic.summary import Summary, SummaryRow

Tone = Literal["passed", "warning", "failed", "untested"]


@dataclass(frozen=True, slots=True)
class TrafficOutcome:
    """The exit code (0 no violations, 1 violations, 3 nothing was judged), and the texts that explain it."""

    exit_code: int
    tone: Tone
    headline: str
    lead: str


def outcome(summary: Summary) -> TrafficOutcome:
    """Return the outcome of a summary. As in a run, warnings and notes are not violations."""
    rows = summary.rows()
    service = summary.seen - summary.foreign
    seen = number(service, "exchange")
    failed = [row for row in rows if weigh(row.finding) == "failed"]
    warned = [row for row in rows if weigh(row.finding) == "warning"]
    if not failed and (not summary.judged or _is_elsewhere(summary)):
        headline = "Nothing of the service was judged" if summary.judged else "Nothing was judged"
        return TrafficOutcome(3, "untested", headline, _why_nothing(summary))
    listed = [row for row in rows if row.finding.kind != "unreadable"]
    prefix = "at least " if summary.unlisted else ""
    headline = f"{prefix}{number(len(listed), 'distinct finding')} in {seen}" if listed else f"No findings in {seen}"
    headline = headline[:1].upper() + headline[1:]
    if failed:
        return TrafficOutcome(
            1, "failed", headline, f"The traffic does not conform to the contract: {_by_side(failed)}."
        )
    if warned:
        return TrafficOutcome(0, "warning", headline, f"No violations, but warnings: {_by_side(warned)}.")
    conform = "All judged exchanges conform to the contract"
    if violated := [
        f"{each.item.id} ({each.version})" for each in summary.golive.required() if each.progress.violations
    ]:
        return TrafficOutcome(
            0, "warning", headline, f"{conform}, but the go-live list is violated: {', '.join(violated)}."
        )
    return TrafficOutcome(0, "passed", headline, f"{conform}.")


def labelled(count: int, label: str) -> str:
    """Return a number of findings with their label, for example ``2 violations`` or ``2 drift``."""
    return number(count, label) if label in ("violation", "warning", "note") else f"{count:,} {label}"


def number(count: int, noun: str) -> str:
    """Return a number with its noun, for example ``1,204 exchanges``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _is_elsewhere(summary: Summary) -> bool:
    """Return whether the service has another address: all that was judged are exchanges with a payment provider."""
    return summary.foreign > 0 and not summary.golive.versions


def _by_side(rows: list[SummaryRow]) -> str:
    client = sum(row.finding.side == "request" for row in rows)
    sides = [(client, "the client"), (len(rows) - client, "the service")]
    return ", ".join(f"{number(count, 'finding')} for {side}" for count, side in sides if count)


def _why_nothing(summary: Summary) -> str:
    if summary.not_judged and not summary.judged:
        reason, count = summary.not_judged.most_common(1)[0]
        return f"{count:,} of {summary.seen:,} entries: {reason}."
    if summary.foreign:
        return f"The base URL does not match any of {number(summary.foreign, 'exchange')}."
    return "The traffic contains no exchanges."
