"""Verdicts, merged findings, and results.json with its schema."""

import itertools
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_args

import orjson
import pytest
from jsonschema import Draft202012Validator, FormatChecker

from airworthy.contract.findings.finding import Finding
from airworthy.errors import UsageError
from airworthy.report.document import from_json, to_json
from airworthy.report.exchanges import ExchangeSummary, OperationUse
from airworthy.report.exploration import Explored, ExploredFinding, ExploredStep
from airworthy.report.integration import Integration, ItemChange, RecordedFile
from airworthy.report.results import (
    WORST_FIRST,
    Capability,
    Failure,
    Integrity,
    Observation,
    Rejudgement,
    Results,
    RuleResult,
    ScenarioResult,
    Scope,
    Verdict,
    VerdictChange,
    count_findings,
    verdict_of,
    weigh,
)
from airworthy.resources import resource

from .sample import CURRENCY, sample


def scenario(verdict: Verdict) -> ScenarioResult:
    return ScenarioResult("A search", verdict)


@pytest.mark.parametrize(
    ("found", "verdict"),
    [
        ((), "untested"),
        (("not_applicable",), "not_applicable"),
        (("not_applicable", "passed"), "passed"),
        *(((better, worse), worse) for worse, better in itertools.combinations(WORST_FIRST, 2)),
    ],
)
def test_worst_scenario_decides_on_its_rule(found: tuple[Verdict, ...], verdict: Verdict) -> None:
    assert verdict_of([scenario(each) for each in found]) == verdict


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({}, "failed"),
        ({"soft": True}, "warning"),
        ({"kind": "deprecated"}, "warning"),
        ({"kind": "unreadable"}, "untested"),
        ({"kind": "drift", "drift": "earlier-revision"}, "failed"),
        ({"kind": "drift", "drift": "earlier-revision", "soft": True}, "warning"),
        ({"kind": "drift", "drift": "unknown-field"}, "passed"),
    ],
)
def test_finding_decides_on_its_rule(change: dict[str, Any], verdict: Verdict) -> None:
    finding = replace(CURRENCY, **change)
    assert weigh(finding) == verdict
    assert verdict_of([scenario("passed")], [finding]) == verdict


def test_findings_are_merged_by_root_cause() -> None:
    again = replace(CURRENCY, pointer="/offers/12/fare/price/currency", exchange="x0008")
    other = replace(CURRENCY, pointer="/offers/0/fare/price/totalAmount")
    counted = count_findings([CURRENCY, other, again])
    assert [(each.finding.exchange, each.finding.pointer, each.count) for each in counted] == [
        ("x0002", "/offers/1/fare/price/currency", 2),
        ("x0002", "/offers/0/fare/price/totalAmount", 1),
    ]


def test_warning_does_not_hide_a_violation_of_the_same_place() -> None:
    [counted] = count_findings([replace(CURRENCY, soft=True, exchange="x0001"), CURRENCY])
    assert (counted.finding, counted.count) == (CURRENCY, 2)


def test_results_json_conforms_to_its_closed_schema() -> None:
    schema = orjson.loads((resource("schemas") / "report" / "results.json").read_bytes())
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema, format_checker=FormatChecker(("date",)))
    document = orjson.loads(to_json(sample()))
    assert list(validator.iter_errors(document)) == []
    document["results"]["rules"][0]["scenarios"][0]["mood"] = "sunny"
    assert [error.json_path for error in validator.iter_errors(document)] == ["$.results.rules[0].scenarios[0]"]


# Results of earlier versions do not have these members.
LATER = {
    "Results": {"integration", "rejudgement", "exchanges", "operations", "transitions", "explored"},
    "Explored": {"transitions", "found", "ended"},
    "ExploredFinding": {"repeated", "attempts"},
    "Finding": {"earlier"},
    "Rule": {"applied", "instructions", "quote"},
    "Scenario": {"root", "basis", "compared", "relies_on_contract"},
    "Scope": {"requirement_set", "requirement_set_digest", "lifetimes", "payment_provider", "not_examined"},
    "Integrity": {"unredacted"},
    "Rejudgement": {"run"},
}


def test_schema_corresponds_to_the_dataclasses() -> None:
    definitions = orjson.loads((resource("schemas") / "report" / "results.json").read_bytes())["$defs"]
    kinds = (Results, RuleResult, ScenarioResult, Failure, Finding, Observation, Capability, Scope, Integrity)
    others = (Rejudgement, VerdictChange, Integration, ItemChange, RecordedFile, ExchangeSummary, OperationUse)
    for kind in (*kinds, *others, Explored, ExploredFinding, ExploredStep):
        assert is_dataclass(kind)
        name_of_kind = kind.__name__.removesuffix("Result")
        definition = definitions[name_of_kind[0].lower() + name_of_kind[1:]]
        names = [each.name for each in fields(kind)]
        assert list(definition["properties"]) == names
        assert [name for name in names if name not in LATER.get(name_of_kind, ())] == definition["required"]
    assert definitions["verdict"]["enum"] == list(WORST_FIRST)
    assert set(WORST_FIRST) == set(get_args(Verdict))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"{", "report.json: not JSON"),
        (b"[]", "report.json: /: "),
        (to_json(sample()).replace(b'"failed",', b'"fine",', 1), "report.json: /"),
        (to_json(sample()).replace(b"2027-01-31", b"2027-02-31"), "report.json: /"),
        (to_json(sample()).replace(b"results-1", b"results-9"), "report.json: /format"),
    ],
)
def test_invalid_results_json_is_a_usage_error_of_one_line(text: bytes, complaint: str) -> None:
    with pytest.raises(UsageError) as raised:
        from_json(text, "report.json")
    assert complaint in str(raised.value)
    assert "\n" not in str(raised.value)
