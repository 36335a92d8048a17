"""Render SARIF 2.1.0 for code hosts and editors: https://docs.oasis-open.org/sarif/sarif/v2.1.0/."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

import orjson

from airworthy import __version__
from airworthy.contract.findings.finding import Finding
from airworthy.report.decision import decide
from airworthy.report.results import Binds, Failure, Results, RuleResult, Waiver, failure_of, weigh
from airworthy.report.violations import violations_by_item
from airworthy.text import printable

SCHEMA: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS: Final = {"failed": "error", "error": "error", "untested": "warning", "warning": "warning", "passed": "note"}
"""The level of a verdict."""

_BOUND: Final = {"service": "the service", "client": "the client", "both": "the service and the client"}
_LONGEST: Final = 1000


def render_sarif(results: Results) -> bytes:
    """Return findings.sarif: what the run found against each rule, and the rules that it could not test.

    A waived rule is suppressed, with the reason of the waiver. Rules that a filter excluded are not listed.
    """
    waivers = {waiver.rule: waiver for waiver in decide(results).waived}
    rules = [rule for rule in results.rules if any(_defects(rule, results))]
    entries = [
        _result(rule, defect, results, waivers.get(rule.id)) | {"ruleIndex": index}
        for index, rule in enumerate(rules)
        for defect in _defects(rule, results)
    ]
    described = [
        descriptor(rule.id, rule.statement, rule.cited, rule.binds, (rule.version, rule.area)) for rule in rules
    ]
    return log(described, entries)


def log(rules: list[dict[str, Any]], results: list[dict[str, Any]], notes: Iterable[str] = ()) -> bytes:
    """Return a log with one run: its rules, its results, and notes about what was not examined.

    Invisible characters in any of its texts are escaped.
    """
    run = {
        "tool": {"driver": {"name": "Airworthy", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [{"level": "warning", "message": {"text": note}} for note in notes],
            }
        ],
        "results": results,
    }
    document = _visible({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)


def descriptor(
    identifier: str, statement: str, source: str, binds: Binds, tags: Iterable[str], *, note: str = ""
) -> dict[str, Any]:
    """Return a rule as the log describes it."""
    return {
        "id": identifier,
        "shortDescription": {"text": statement},
        "help": {"text": f"{statement}. Source: {source}. Binds {_BOUND[binds]}. {note}".strip()},
        "properties": {"tags": list(tags)},
    }


def fingerprint(parts: Iterable[str]) -> dict[str, str]:
    """Return the fingerprint of a result, by which a code host recognizes it in the next log."""
    return {"place/v1": hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()}


def _defects(rule: RuleResult, results: Results) -> Iterator[tuple[str, Failure, int]]:
    """Yield the distinct defects of a rule, each with its verdict and how often it occurs.

    First come those of its scenarios, then those of findings elsewhere; an item of a partner has its violations.
    """
    seen = set()
    if violations := violations_by_item(results).get(rule.id):
        found = [(rule.verdict, _named(each.finding), each.count) for each in violations]
    else:
        found = [(scenario.verdict, scenario.failure, 1) for scenario in rule.scenarios if scenario.failure]
        found += [
            (weigh(each.finding), results.failure_of(each.finding), each.count)
            for each in results.findings
            if each.finding.rule == rule.id and weigh(each.finding) in ("failed", "warning")
        ]
    for verdict, failure, count in found:
        key = (failure.side, failure.pointer, failure.message)
        if verdict in LEVELS and key not in seen:
            seen.add(key)
            yield verdict, failure, count
    if rule.verdict == "untested" and not seen and not results.scope.filtered:
        yield rule.verdict, Failure(f"not tested: {rule.reason or rule.statement}"), 1


def _named(finding: Finding) -> Failure:
    """Return a finding as a failure that names the violated rule, which the id of an item does not say."""
    return replace(failure_of(finding), message=f"{finding.rule}: {finding.message}")


def _result(
    rule: RuleResult, defect: tuple[str, Failure, int], results: Results, waiver: Waiver | None
) -> dict[str, Any]:
    verdict, failure, count = defect
    is_explored = "".join(failure.steps[:1]).startswith("Explored: ")
    place = f"{rule.version} {failure.side} {failure.pointer}".strip()
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": _text(place)}]}
    # Code hosts show only results with a file.
    if results.integrity.evidence:
        location["physicalLocation"] = {"artifactLocation": {"uri": results.integrity.evidence}}
    accepted = (
        {"suppressions": [{"kind": "external", "status": "accepted", "justification": _text(waiver.reason)}]}
        if waiver
        else {}
    )
    return {
        "ruleId": rule.id,
        "level": LEVELS[verdict],
        "message": {"text": _text(results.one_line(failure))},
        "locations": [location],
        "occurrenceCount": count,
        "partialFingerprints": fingerprint((rule.id, failure.side, failure.pointer, failure.message)),
        "properties": {
            "verdict": verdict,
            "side": failure.side,
            "pointer": _text(failure.pointer),
            "expected": _text(failure.expected),
            "actual": _text(failure.actual),
            "example": failure.exchange,
            **({"explored": [_text(each) for each in failure.steps]} if is_explored else {}),
        },
        **accepted,
    }


def _text(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _visible(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {name: _visible(each) for name, each in value.items()}
    return [_visible(each) for each in value] if isinstance(value, list) else value
