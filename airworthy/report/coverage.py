"""How a run used the documented operations, and the verdicts on the rules about them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from airworthy.contract import Contract, Operation
from airworthy.contract.http.operations import SERVED
from airworthy.contract.rules.coded_rules import rules_of
from airworthy.report.exchange_summaries import operation_name
from airworthy.report.overview import INTERFACES, count_verdicts, rules_of_interface
from airworthy.report.results import Results, RuleResult, Verdict


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """An operation with its responses by status, or an area of rules that are about no single operation."""

    name: str
    statuses: Mapping[str, int]
    rules: Sequence[RuleResult]

    @property
    def requests(self) -> int:
        """How often the run used the operation."""
        return sum(self.statuses.values())

    @property
    def counts(self) -> dict[Verdict, int]:
        """The rules by verdict."""
        return count_verdicts(self.rules)

    @property
    def unmet(self) -> list[str]:
        """The ids of the rules that are neither met nor inapplicable."""
        return [each.id for each in self.rules if each.verdict not in ("passed", "not_applicable")]


@dataclass(frozen=True, slots=True)
class InterfaceCoverage:
    """The operations of an interface in the order of its document, and the areas of its other rules."""

    name: str
    operations: Sequence[CoverageRow]
    areas: Sequence[CoverageRow]

    @property
    def unused(self) -> int:
        """The number of operations that the run never used."""
        return sum(not each.requests for each in self.operations)


def coverage(results: Results, binding: Sequence[RuleResult]) -> list[InterfaceCoverage]:
    """Return the coverage of each interface that the run examined; ``binding`` are the rules that bind the service."""
    used = {each.operation: each.statuses for each in results.operations}
    known = Contract.load(tuple(each for each in SERVED if each in results.scope.versions)).operations()
    found = []
    for interface in INTERFACES:
        others = sorted(rules_of_interface(interface, binding, results), key=lambda each: each.area)
        about = {
            each: [rule for rule in others if _is_about(rule, each)] for each in known if each.version == interface
        }
        rows = [CoverageRow(name := operation_name(each), used.get(name, {}), rules) for each, rules in about.items()]
        others = [rule for rule in others if not any(rule in rules for rules in about.values())]
        areas = [CoverageRow(area, {}, list(group)) for area, group in groupby(others, lambda each: each.area)]
        found.append(InterfaceCoverage(interface, rows, areas))
    return [each for each in found if each.operations or each.areas]


def _is_about(rule: RuleResult, operation: Operation) -> bool:
    """Return whether the contract checks a rule in an operation, or its area or source is the operation."""
    path = rf"{operation.method} (/v[23])?{re.escape(operation.path)}(?![\w/{{])"
    return rule.id in rules_of(operation) or rule.area == operation.name or bool(re.search(path, rule.source))
