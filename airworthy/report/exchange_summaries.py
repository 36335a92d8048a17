"""Summarize the exchanges of a run from its evidence: operation, status, what an error says, what came before."""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlsplit

import orjson

from airworthy.contract import Contract, Request
from airworthy.contract.http.exchange import SUCCESSES
from airworthy.contract.http.operations import PAYMENT, Operation
from airworthy.contract.links import links
from airworthy.errors import UsageError
from airworthy.evidence.marks import shown_json
from airworthy.evidence.recorder import EvidenceRecord, read
from airworthy.evidence.redaction import RedactedExchange
from airworthy.report.exchanges import NO_RESPONSE, ExchangeSummary, OperationUse
from airworthy.report.results import Results, weigh

_LONGEST: Final = 300
_MOST_EARLIER: Final = 8
_FIRST_ERROR: Final = 400
_REJECTION: Final = range(400, 500)
# `message` is that of v4. The documents do not say what an error of v3 contains, and frameworks have their own names.
_NAMES: Final = ("message", "detail", "error_description", "title", "error")


def at_fault(results: Results) -> frozenset[str]:
    """Return the ids of the exchanges that failures and findings name."""
    scenarios = [each for rule in results.rules for each in rule.scenarios]
    failures = {each.failure.exchange for each in scenarios if each.failure}
    roots = {each.root.exchange for each in scenarios if each.root}
    findings = {each.finding.exchange for each in results.findings if weigh(each.finding) != "passed"}
    return frozenset(failures | roots | findings) - {""}


def with_exchanges(results: Results, evidence: Path) -> Results:
    """Return the results of a service with the summaries of its exchanges and the use of its operations.

    If the evidence cannot be read, the results stay as they are.
    """
    if results.integration or not evidence.is_file():
        return results
    try:
        return _summarized(results, evidence)
    except UsageError:
        return results


def _summarized(results: Results, evidence: Path) -> Results:
    contract = Contract.load(results.scope.versions)
    named = at_fault(results)
    summaries: list[ExchangeSummary] = []
    statuses: defaultdict[str, Counter[str]] = defaultdict(Counter)
    accepted: defaultdict[str, set[str]] = defaultdict(set)
    told: defaultdict[str, deque[tuple[int, str]]] = defaultdict(lambda: deque(maxlen=_MOST_EARLIER))
    for number, record in enumerate(read(evidence)):
        exchange, operation = record.exchange, operation_of(record, contract)
        status = exchange.response.status if exchange.response else None
        statuses[operation][str(status or NO_RESPONSE)] += 1
        if status in SUCCESSES:
            accepted[operation].update(_traits(exchange.request, contract.terms.codes))
        linked = [told[name] for name in links(contract, exchange).names] if named else []
        if exchange.id in named:
            sent = tuple(_traits(exchange.request, contract.terms.codes)) if status in _REJECTION else ()
            last = sorted({line for lines in linked for line in lines})[-_MOST_EARLIER:]
            earlier = tuple(text for _, text in last)
            summaries.append(ExchangeSummary(exchange.id, operation, status, error_message(record), sent, earlier))
        for lines in linked:
            lines.append((number, f"{operation}: {status or NO_RESPONSE} ({exchange.id})"))
    used = tuple(OperationUse(name, counted) for name, counted in statuses.items())
    compared = []
    for each in summaries:
        # Without an accepted request, there is nothing to compare with.
        known = accepted.get(each.operation, each.unaccepted)
        compared.append(replace(each, unaccepted=tuple(sent for sent in each.unaccepted if sent not in known)))
    return replace(results, exchanges=tuple(compared), operations=used)


def _traits(request: Request, codes: Collection[str]) -> Iterator[str]:
    """Yield the parameters of a request, and its fields with the values that the documents distinguish."""
    yield from (f"?{name}" for name, _ in parse_qsl(urlsplit(request.url).query))
    try:
        waiting = [("", orjson.loads(request.body or b"null"))]
    except orjson.JSONDecodeError:
        return
    while waiting:
        path, value = waiting.pop()
        match value:
            case dict():
                # No other request has the same ids.
                named = ((f"{path}[*]" if name.isdigit() else f"{path}.{name}", each) for name, each in value.items())
                waiting += [(member.lstrip("."), each) for member, each in named]
            case list() if value:
                waiting += [(f"{path}[*]", each) for each in value]
            case bool() | None | list():
                yield f"{path} = {orjson.dumps(value).decode()}"
            case int() | float():
                yield f"{path} > 0" if value > 0 else f"{path} = {value}"
            case str() if value in codes:
                yield f'{path} = "{value}"'
            case _:
                yield path


def operation_of(record: EvidenceRecord, contract: Contract) -> str:
    """Return the method of a request with the documented path, otherwise with its own."""
    request = record.exchange.request
    found = contract.operation(request.method, request.url)
    if found is None:
        return f"{request.method} {urlsplit(request.url).path[:_LONGEST]}"
    return operation_name(found)


def operation_name(operation: Operation) -> str:
    """Return the method and the path of a documented operation."""
    return f"{operation.method} {'' if operation.version == PAYMENT else f'/{operation.version}'}{operation.path}"


def error_message(redacted: RedactedExchange) -> str:
    """Return what an error response says, with marks and shortened; empty if it has no text in a usual place."""
    response = redacted.exchange.response
    if response is None or response.status < _FIRST_ERROR or not response.body:
        return ""
    try:
        body = orjson.loads(shown_json(response.body.decode(), redacted.marks.get("response.body", ())))
    except ValueError:
        return ""
    texts = (body.get(name) for name in _NAMES) if isinstance(body, dict) else ()
    text = next((each for each in texts if isinstance(each, str) and each), "")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
