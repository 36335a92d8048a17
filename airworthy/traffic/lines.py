"""Format a finding as one line for terminals and logs; the live proxy and the audit use the same format."""

from collections.abc import Iterator
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from airworthy.contract import Contract, Exchange, Finding, ServiceAddress
from airworthy.contract.http.operations import SERVED
from airworthy.evidence.headers import is_method
from airworthy.evidence.redaction import path_words, redact_path
from airworthy.report.violations import comparison
from airworthy.text import printable
from airworthy.traffic.golive.observer import GoLive
from airworthy.traffic.naming import after, exchange_name

LONGEST_PATH: Final = 200
NOWHERE: Final = ServiceAddress()
_RESPONSIBLE: Final = {"request": "client", "response": "service"}


def line(finding: Finding, exchange: Exchange, service: ServiceAddress = NOWHERE) -> str:
    """Return the finding with its side, location and exchange, in one line without private data.

    ``service`` is whose traffic it is: its addresses are shown.
    """
    status = f" {exchange.response.status}" if exchange.response else ""
    location = f" at {finding.pointer}" if finding.pointer else ""
    return printable(
        f"{kind(finding)} by the {at_fault(finding)}: {method(exchange)} {path(exchange, service)}{status}{location}: "
        f"{finding.message}{comparison(finding)}{f' [{finding.rule}]' if finding.rule else ''}"
        f" ({exchange_name(exchange.id, exchange.started)}{after(finding)})"
    )


def kind(finding: Finding) -> str:
    """Return the kind of a finding, with the class of a drift; a soft finding is a warning."""
    if finding.soft:
        return f"warning of drift ({finding.drift})" if finding.drift else "warning"
    return f"drift ({finding.drift})" if finding.drift else finding.kind


def at_fault(finding: Finding) -> str:
    """Return who is responsible for a finding: ``client`` or ``service``."""
    return _RESPONSIBLE[finding.side]


def method(exchange: Exchange) -> str:
    """Return the method of a request, or ``?`` if it is not one of HTTP."""
    name = exchange.request.method.upper()
    return name if is_method(name) else "?"


def path(exchange: Exchange, service: ServiceAddress = NOWHERE) -> str:
    """Return the path of a request without its query.

    Parts that are neither documented nor ids nor of the address of ``service`` become ``?``.
    """
    contract, words = _contract()
    try:
        url = contract.resolve(exchange.request.method, exchange.request.url)
        found = urlsplit(exchange.request.url).path or "/"
    except ValueError:
        return "?"
    prefix = service.prefix_of(found)
    rest = found[len(prefix) : LONGEST_PATH]
    shown = prefix + redact_path(rest, url.operation if url else None, words, lambda _: "?")
    return shown if len(found) <= LONGEST_PATH else f"{shown}…"


def progress_lines(golive: GoLive) -> Iterator[str]:
    """Yield the progress on the go-live list: a line for each version of the traffic, then one for each violated item.

    Items that an exchange leaves open or almost shows have a line, too.
    """
    outcomes = golive.required()
    for version, counts in zip(sorted(golive.versions), golive.counts(), strict=True):
        parts = [counts]
        for status in ("violated", "not shown"):
            listed = [each.item.id for each in outcomes if (each.version, each.status) == (version, status)]
            parts += [f"{status}: {', '.join(listed)}"] if listed else []
        yield "; ".join(parts)
        for each in outcomes:
            if each.version == version and each.status != "shown" and (decisive := each.progress.decisive):
                where = f"{each.item.id} is {each.status} in {version} because of {decisive.name}"
                yield printable(f"{where}: {decisive.reason}")


@cache
def _contract() -> tuple[Contract, frozenset[str]]:
    """Return the contract, for a service at any address, and the words of its paths."""
    contract = Contract.load(SERVED)
    return contract, path_words(contract)
