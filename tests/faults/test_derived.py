"""Every derived fault is found: what it accepts in the requests of a run, and what it changes in its responses."""

from collections.abc import Iterator
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from airworthy.contract import Contract, Conversation, Exchange
from airworthy.contract.http.operations import Operation
from airworthy.evidence.recorder import read
from airworthy.sandbox.faults import Fault, derived
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.service.request_bodies import OPERATIONS
from airworthy.suite.request_members import pattern_of
from airworthy.target.profile import VERSIONS
from collected_suite import CollectedSuite
from faults.proof import prove, stricter_than_the_contract

# Their scenarios receive every member that the sandbox returns.
RULES: Final = (
    *("V4-JSON-ANSWERS", "V4-SEARCH-ROUND-TRIP", "V4-OFFER-ROUND-TRIP", "V4-BAGGAGE-PRICE", "V4-ORDER-TOTAL-BAGGAGE"),
    *("V4-ORDER-BAGGAGE-ECHO", "V4-ORDER-PASSENGERS-ECHO", "V4-ORDER-PRICE-PER-PIECE", "V4-RESERVATION-MATCHES-ORDER"),
    *("V4-ORDER-PAYMENT-METHOD-ECHO", "V4-CONFIRM-BOOKS", "V23-JSON-ANSWERS", "V23-LOOK-UP", "V23-FLIGHT-CHANGES"),
    *("V23-PASSENGER-RECORD", "V3-ROUND-TRIPS-ANSWER", "V3-REQUESTS-ANSWER", "V3-CANCEL", "V2-REQUESTS-ANSWER"),
)
# The rules whose scenarios send every wrong value.
VALIDATION: Final = ("V4-BAD-REQUEST", "V3-BAD-REQUEST", "V2-BAD-REQUEST")
# The documents leave open with which status a service rejects the values that these exclude (OPEN-29, OPEN-51).
ANY_STATUS: Final = {
    *("V4-CONFIRM-3DS-CRYPTOGRAM", "V4-CONFIRM-3DS-FIELDS", "V4-CONFIRM-3DS-VERSION"),
    *("V4-CONFIRM-PAYMENT-METHOD-PREFIX",),
    *("V4-CONFIRM-ONE-PAYMENT-REFERENCE", "V23-3DS-FIELDS", "V23-3DS-VALUES", "V23-BOOKINGS-PAYMENT"),
}
# A run accepts the violations of some keywords. It rejects those of the others, so that each shows its own keyword.
KEYWORDS: Final = (
    {"required"},
    {"type", "enum"},
    {"pattern", "minimum", "maximum", "minItems", "maxItems", "minProperties", "minLength"},
)
Responses = dict[str, list[tuple[Exchange, Any]]]


@pytest.mark.parametrize("keywords", KEYWORDS, ids=["missing", "of another type", "beyond a limit"])
def test_derived_fault_of_a_request_breaks_its_rule(suite: CollectedSuite, tmp_path: Path, keywords: set[str]) -> None:
    chosen = [each for each in derived.faults() if each.tolerates and each.tolerates[0].split(":")[2] in keywords]
    ran = suite.run(tmp_path, faults=[fault.name for fault in chosen], rules=VALIDATION)
    accepted = accepted_violations(Contract.load(VERSIONS), tmp_path / "evidence.jsonl")

    hidden = [each for each in chosen if not any((place, each.rule) in accepted for place in each.tolerates)]
    # One fault uses up what the request of another one needs.
    assert len(hidden) <= 2, [each.name for each in hidden]
    assert [each.name for each in hidden if prove(suite, each).rule(each.rule).verdict != "failed"] == []
    broken = [ran.rule(rule) for rule in {each.rule for each in chosen}]
    assert [rule.id for rule in broken if rule.verdict != "failed"] == []
    assert [each for rule in broken for each in stricter_than_the_contract(rule)] == []
    assert [each.reason for rule in ran.results.rules for each in rule.scenarios if each.verdict == "error"] == []


@pytest.mark.exhaustive
def test_another_status_fails_every_rule_whose_status_is_documented(suite: CollectedSuite, tmp_path: Path) -> None:
    rules = {each.rule for each in derived.faults() if each.tolerates}
    chosen = [each.name for each in derived.faults() if each.rewords]
    ran = suite.run(tmp_path, faults=chosen, rules=sorted(rules))

    assert {rule for rule in rules if ran.rule(rule).verdict != "failed"} == ANY_STATUS
    assert [each.reason for rule in ran.results.rules for each in rule.scenarios if each.verdict == "error"] == []


def test_every_derived_fault_is_in_one_of_the_runs() -> None:
    of_requests = [each.tolerates[0].split(":")[2] for each in derived.faults() if each.tolerates]
    assert len(of_requests) > 300
    assert set(of_requests) <= set().union(*KEYWORDS)


def test_every_derived_fault_of_a_response_breaks_its_rule(suite: CollectedSuite, tmp_path: Path) -> None:
    suite.run(tmp_path, rules=RULES)
    contract = Contract.load(VERSIONS)
    responses = recorded_responses(contract, tmp_path / "evidence.jsonl")
    chosen = [fault for fault in derived.faults() if fault.rewrite]

    assert len(chosen) > len(responses) > 0
    assert [fault.name for fault in chosen if fault.rule not in broken_rules(contract, responses, fault)] == []


def successes(contract: Contract, evidence: Path) -> Iterator[tuple[Operation, Exchange, Any]]:
    """Yield the successful exchanges with documented operations, and the bodies of their responses."""
    for record in read(evidence):
        request, response = record.exchange.request, record.exchange.response
        operation = contract.operation(request.method, request.url)
        if operation and response and response.status == HTTPStatus.OK:
            yield operation, record.exchange, orjson.loads(response.body or b"null")


def accepted_violations(contract: Contract, evidence: Path) -> set[tuple[str, str]]:
    """Return what the service wrongly accepted: a violation as faults name it, and the rule that it breaks."""
    found = set()
    for operation, exchange, _ in successes(contract, evidence):
        if operation.id in OPERATIONS and operation.request:
            blamed = {
                each.rule
                for each in contract.judge(exchange, Conversation())
                if (each.side, each.pointer) == ("response", "status") and not each.soft
            }
            violations = operation.request.defects(orjson.loads(exchange.request.body or b"null"))
            found |= {
                (f"{operation.id}:{pattern_of(each.path)}:{each.keyword}", each.rule)
                for each in violations
                if len(violations) == 1 and each.rule in blamed
            }
    return found


def recorded_responses(contract: Contract, evidence: Path) -> Responses:
    """Return the successful exchanges of each operation, with the bodies of their responses."""
    found: Responses = {operation: [] for operation in derived.RESPONSES}
    for operation, exchange, body in successes(contract, evidence):
        if operation.id in found:
            found[operation.id].append((exchange, body))
    return found


def broken_rules(contract: Contract, responses: Responses, fault: Fault) -> set[str]:
    """Return the rules that the first response breaks that the fault changes; none if it changes no response."""
    exchange, body = next(changed_responses(responses, fault), (None, None))
    if exchange is None or exchange.response is None:
        return set()
    changed = replace(exchange, response=replace(exchange.response, body=orjson.dumps(body)))
    return {each.rule for each in contract.judge(changed, Conversation()) if not each.soft}


def changed_responses(responses: Responses, fault: Fault) -> Iterator[tuple[Exchange, Any]]:
    """Yield the exchanges whose responses a fault changes, with their new bodies."""
    assert fault.rewrite
    for operation, exchanges in responses.items():
        request = SandboxRequest("", operation, {}, {}, {}, b"", False, lambda _: NotImplemented, lambda _: {})
        for exchange, body in exchanges:
            changed = fault.rewrite(request, SandboxResponse(HTTPStatus.OK, body)).body
            if changed is not body and changed != body:
                yield exchange, changed
