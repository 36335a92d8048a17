"""Every derived fault of a request is found: what it accepts in the requests of a run."""

import re
from pathlib import Path
from typing import Final

import orjson
import pytest

from airworthy.contract import Contract, Conversation
from airworthy.contract.bodies.defect import Defect
from airworthy.documents.references import packaged_documents
from airworthy.sandbox.faults import derived
from airworthy.sandbox.service.request_bodies import OPERATIONS
from airworthy.suite.request_members import pattern_of
from airworthy.target.profile import VERSIONS
from collected_suite import CollectedSuite
from faults.proof import prove, stricter_than_the_contract, successes

# The rules whose scenarios send every wrong value.
VALIDATION: Final = ("V4-BAD-REQUEST", "V3-BAD-REQUEST", "V2-BAD-REQUEST")
# The documents leave open with which status a service rejects the values that these exclude (OPEN-29, OPEN-51).
ANY_STATUS: Final = {
    *("V4-CONFIRM-3DS-CRYPTOGRAM", "V4-CONFIRM-3DS-FIELDS", "V4-CONFIRM-3DS-VERSION"),
    *("V4-CONFIRM-PAYMENT-METHOD-PREFIX",),
    *("V4-CONFIRM-ONE-PAYMENT-REFERENCE", "V23-3DS-FIELDS", "V23-3DS-VALUES", "V23-BOOKINGS-PAYMENT"),
}
UNLISTED: Final = {
    found
    for document in packaged_documents().values()
    for found in re.findall(r'"x-unlisted":"(.*?)"', orjson.dumps(document).decode())
}
# A run accepts the violations of some keywords. It rejects those of the others, so that each shows its own keyword.
KEYWORDS: Final = (
    {"required"},
    {"type", "enum"},
    {"x-unlisted", "pattern", "minimum", "maximum", "minItems", "maxItems", "minProperties", "minLength"},
)


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


def _keyword(defect: Defect) -> str:
    return "x-unlisted" if defect.keyword == "enum" and defect.value in UNLISTED else defect.keyword


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
                (f"{operation.id}:{pattern_of(each.path)}:{_keyword(each)}", each.rule)
                for each in violations
                if len(violations) == 1 and each.rule in blamed
            }
    return found
