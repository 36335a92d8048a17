"""What a traffic came to, in a number and in words."""

from dataclasses import dataclass
from typing import Literal

from airworthy.report.results import weigh
from airworthy.traffic.summary import Row, Summary

Tone = Literal["passed", "warning", "failed", "untested"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The exit code (0 nothing broken, 1 something is, 3 nothing was judged), and what is said of it."""

    exit_code: int
    tone: Tone
    headline: str
    lead: str


def outcome(summary: Summary) -> Outcome:
    """Say what a traffic came to, weighed as the findings of a run are: warnings and notes break nothing."""
    rows = summary.rows()
    service = summary.seen - summary.foreign
    seen = number(service, "exchange")
    broken = [row for row in rows if weigh(row.finding) == "failed"]
    warned = [row for row in rows if weigh(row.finding) == "warning"]
    if not broken and not summary.judged:
        return Outcome(3, "untested", "Nothing was judged", _why_nothing(summary))
    told = [row for row in rows if row.finding.kind != "unreadable"]
    more = "at least " if summary.unlisted else ""
    headline = f"{more}{number(len(told), 'kind')} of findings in {seen}" if told else f"No findings in {seen}"
    headline = headline[:1].upper() + headline[1:]
    if broken:
        return Outcome(1, "failed", headline, f"The documents are broken {_by_side(broken)}.")
    if warned:
        return Outcome(0, "warning", headline, f"Nothing is broken; there are warnings {_by_side(warned)}.")
    return Outcome(0, "passed", headline, "Nothing that was judged breaks the documents.")


def number(count: int, noun: str) -> str:
    """Return a number with its noun: ``1,204 exchanges``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _by_side(rows: list[Row]) -> str:
    client = sum(row.finding.side == "request" for row in rows)
    sides = [(client, "by the client"), (len(rows) - client, "by the service")]
    return " and ".join(f"{who} in {number(count, 'way')}" for count, who in sides if count)


def _why_nothing(summary: Summary) -> str:
    if summary.not_judged:
        reason, count = summary.not_judged.most_common(1)[0]
        return f"Of {number(summary.seen, 'entry').replace('entrys', 'entries')}, {count:,}: {reason}."
    if summary.foreign:
        return f"None of {number(summary.foreign, 'exchange')} is the service's: see the base URL."
    return "There was nothing to be judged."
