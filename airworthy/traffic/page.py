"""Render traffic.html: a summary of traffic in one self-contained file, in the style of the report."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from itertools import islice
from pathlib import PurePath
from typing import Final

from jinja2 import Environment

from airworthy.contract import Finding
from airworthy.contract.http.operations import PAYMENT
from airworthy.evidence.redaction import RedactedExchange
from airworthy.report.exchange_view import ExchangeView, view_exchange
from airworthy.report.results import weigh
from airworthy.report.templating import environment, page
from airworthy.report.violations import RECORD_ANEW, comparison
from airworthy.traffic.golive.observer import GoLive
from airworthy.traffic.lines import at_fault
from airworthy.traffic.naming import exchange_name
from airworthy.traffic.summary import Example, Summary, SummaryRow, labelled, number, outcome, ranked

Exchanges = Mapping[Example, RedactedExchange]

_SIDES = {"request": "Client", "response": "Service"}
_STYLE: Final = ("report.css", "traffic.css")

MOST_EXCHANGES: Final = 50
"""The largest number of requests and responses on the page."""


def render_html(
    summary: Summary,
    subject: str,
    exchanges: Exchanges | None = None,
    recordings: Sequence[str] = (),
    *,
    changed: str = "",
) -> str:
    """Return the page.

    ``subject`` names the traffic. ``exchanges`` are the `first_exchanges` as far as the evidence has them; None if
    there is no evidence. ``recordings`` are the paths of the audited files, empty for live traffic; the page shows
    only their names, because it may be sent to people who must not see paths on this machine. ``changed`` says where
    evidence was changed.
    """
    rows = [row for row in summary.rows() if row.finding.kind != "unreadable"]
    names = dict(zip(recordings, _names(recordings), strict=True))

    def short(exchange: str) -> str:
        """Return the id of an exchange, with the name of its recording instead of the path."""
        path, _, entry = exchange.rpartition(":")
        return f"{names[path]}:{entry}" if path in names else exchange

    for path, name in names.items():
        changed = changed.replace(path, name)

    def named(exchange: str, started: datetime, operation: str) -> str:
        return exchange_name(short(exchange), started, operation)

    def exchange_of(row: SummaryRow) -> ExchangeView | None:
        if (found := (exchanges or {}).get(row.example)) is None:
            return None
        view = view_exchange(found, row.finding.side, row.finding.pointer)
        return replace(view, exchange=short(view.exchange))

    return page(
        _environment(),
        "traffic.html.j2",
        _STYLE,
        "report.js",
        summary=summary,
        subject=subject,
        recordings=list(names.values()),
        named=named,
        short=short,
        changed=changed,
        outcome=outcome(summary),
        sides=[(side, title, [row for row in rows if row.finding.side == side]) for side, title in _SIDES.items()],
        exchange_of=exchange_of,
        is_recorded=exchanges is not None or bool(recordings),
        labels=Counter(label(row.finding) for row in rows),
        drift=[row for row in rows if row.finding.kind == "drift"],
        golive=summary.golive,
        outcomes=summary.golive.required(),
        not_judged=ranked(summary.not_judged),
        operations=ranked(summary.operations),
    )


def render_live(golive: GoLive, subject: str, entrances: Sequence[str]) -> str:
    """Return a page with the go-live list of running traffic, which it reads again from ``/`` once a second.

    ``entrances`` say where a client sends its requests.
    """
    return page(
        _environment(),
        "live.html.j2",
        _STYLE,
        "live.js",
        directives=("connect-src 'self'", "img-src data:"),
        subject=subject,
        entrances=entrances,
        golive=golive,
        # A profile says before the first request which versions its client will use.
        outcomes=golive.required(golive.settings.interfaces - {PAYMENT}),
        named=exchange_name,
    )


def first_exchanges(summary: Summary) -> list[Example]:
    """Return the first exchanges of the most severe findings."""
    rows = (row.example for row in summary.rows() if weigh(row.finding) != "passed")
    return list(islice(dict.fromkeys(rows), MOST_EXCHANGES))


def label(finding: Finding) -> str:
    """Return the label of a finding: its kind, or ``warning`` or ``note`` if it does not fail the traffic."""
    if finding.kind not in ("violation", "drift"):
        return finding.kind
    return {"failed": finding.kind, "warning": "warning"}.get(weigh(finding), "note")


def _names(paths: Sequence[str]) -> list[str]:
    """Return the file names, with the folders below the common one if some files have the same name."""
    names = [PurePath(path).name for path in paths]
    if len(set(names)) == len(names):
        return names
    absolute = [os.path.abspath(path) for path in paths]  # noqa: PTH100 - the paths may not exist
    common = os.path.commonpath(absolute)
    return [os.path.relpath(path, common) if path != common else names[0] for path in absolute]


@cache
def _environment() -> Environment:
    made = environment(
        {"label": label, "comparison": comparison, "fault": at_fault, "number": number, "labelled": labelled}
    )
    made.globals["record_anew"] = RECORD_ANEW
    return made
