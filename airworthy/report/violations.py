"""What contradicts each item of a partner's go-live list: every distinct violation, its first exchange, its number."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from airworthy.contract.findings.finding import Finding
from airworthy.report.results import FindingCount, Results, merge_counts

RECORD_ANEW: Final = "Correct the client, then record anew: a recording with a violation keeps it."
MOST_VIOLATIONS: Final = 10
"""The number of violations that a summary names for each item; report.html has them all."""


def violations_by_item(results: Results) -> Mapping[str, tuple[FindingCount, ...]]:
    """Return the violations of each violated item of a partner, in the order of their first exchanges."""
    if results.integration is None:
        return {}
    times = {each.finding.key: each.count for each in merge_counts(results.findings)}
    return {
        rule.id: tuple(
            FindingCount(finding, times.get(finding.key, 1)) for each in rule.scenarios for finding in each.findings
        )
        for rule in results.rules
        if rule.verdict == "failed"
    }


def violation_line(counted: FindingCount, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return a violation in one line: the rule, the location, what is wrong, and where and how often that occurs.

    ``names`` are those of exchanges; without one, the line has the id.
    """
    finding = counted.finding
    place = f" at {finding.pointer}" if finding.pointer else ""
    times = f"{counted.count:,} times, first in" if counted.count > 1 else "in"
    name = names.get(finding.exchange, f"exchange {finding.exchange}")
    return f"{finding.rule}{place}: {finding.message}{comparison(finding)}; {times} {name}"


def violation_lines(
    violations: Sequence[FindingCount], names: Mapping[str, str] = MappingProxyType({}), most: int = MOST_VIOLATIONS
) -> Iterator[str]:
    """Yield a line for each of the first violations, and one for the number of the others."""
    yield from (violation_line(each, names) for each in violations[:most])
    if len(violations) > most:
        yield f"and {len(violations) - most} more in report.html"


def comparison(finding: Finding) -> str:
    """Return the expected and the actual value in parentheses, as far as the message does not contain them."""
    values = {"expected": finding.expected, "actual": finding.actual}
    parts = [f"{name} {value}" for name, value in values.items() if value and value not in finding.message]
    return f" ({', '.join(parts)})" if parts else ""
