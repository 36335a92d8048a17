"""Every derived fault of a response is found in what it changes of the responses of a run."""

from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import orjson

from airworthy.contract import Contract, Conversation, Exchange
from airworthy.sandbox.faults import Fault, derived
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.target.profile import VERSIONS
from collected_suite import FinishedRun
from exchange_parts import changed_response, response_of
from faults.proof import successes

Responses = dict[str, list[tuple[Exchange, Any]]]


def test_every_derived_fault_of_a_response_breaks_its_rule(certified_run: FinishedRun) -> None:
    contract = Contract.load(VERSIONS)
    responses = recorded_responses(contract, certified_run.folder / "evidence.jsonl")
    chosen = [fault for fault in derived.faults() if fault.rewrite]

    assert len(chosen) > len(responses) > 0
    assert [fault.name for fault in chosen if fault.rule not in broken_rules(contract, responses, fault)] == []


def recorded_responses(contract: Contract, evidence: Path) -> Responses:
    """Return the successful exchanges of each operation with the bodies of their responses, the smallest first."""
    found: Responses = {operation: [] for operation in derived.RESPONSES}
    for operation, exchange, body in successes(contract, evidence):
        if operation.id in found:
            found[operation.id].append((exchange, body))
    for exchanges in found.values():
        exchanges.sort(key=lambda each: len(response_of(each[0]).body or b""))
    return found


def broken_rules(contract: Contract, responses: Responses, fault: Fault) -> set[str]:
    """Return the rules that the first response breaks that the fault changes; none if it changes no response."""
    changed = next(changed_exchanges(responses, fault), None)
    return {each.rule for each in contract.judge(changed, Conversation()) if not each.soft} if changed else set()


def changed_exchanges(responses: Responses, fault: Fault) -> Iterator[Exchange]:
    """Yield the exchanges whose responses a fault changes, with their new bodies."""
    assert fault.rewrite
    # The description of a derived fault names the only operation that it changes.
    operation = next(each for each in fault.description.split() if each in responses)
    request = SandboxRequest("", operation, {}, {}, {}, b"", False, lambda _: NotImplemented, lambda _: {})
    for exchange, body in responses[operation]:
        changed = fault.rewrite(request, SandboxResponse(HTTPStatus.OK, body)).body
        if changed is not body and changed != body:
            yield changed_response(exchange, body=orjson.dumps(changed))
