"""Render SARIF 2.1.0 for code hosts and editors: https://docs.oasis-open.org/sarif/sarif/v2.1.0/."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

import orjson

from airworthy import __version__
from airworthy.contract.findings.finding import Finding
from airworthy.report.decision import decide
from airworthy.report.results import Binds, Failure, Results, RuleResult, failure_of, weigh
from airworthy.report.violations import violations_by_item
from airworthy.target.records import Waiver
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
    found = [(rule, defects) for rule in results.rules if (defects := list(_defects(rule, results)))]
    described = [
        descriptor(rule.id, rule.statement, rule.cited, rule.binds, (rule.version, rule.area)) for rule, _ in found
    ]
    entries = (_result(rule, each, results, waivers.get(rule.id)) for rule, defects in found for each in defects)
    return log(described, entries)


def log(rules: list[dict[str, Any]], results: Iterable[dict[str, Any]], notes: Iterable[str] = ()) -> bytes:
    """Return a log with one run: its rules, its results, and notes about what was not examined.

    Invisible characters in any of its texts are escaped.
    """
    places = {rule["id"]: index for index, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "Airworthy", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [{"level": "warning", "message": {"text": note}} for note in notes],
            }
        ],
        "results": [each | {"ruleIndex": places[each["ruleId"]]} for each in results],
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


def located(place: str, file: str = "") -> dict[str, Any]:
    """Return the location of a result: a place in words, and a file, without which code hosts do not show it."""
    physical = {"physicalLocation": {"artifactLocation": {"uri": file}}} if file else {}
    return {"logicalLocations": [{"fullyQualifiedName": place}], **physical}


def result(
    rule: str, level: str, text: str, location: dict[str, Any], *, count: int, identity: Iterable[str]
) -> dict[str, Any]:
    """Return a result. By the texts of its ``identity``, a code host recognizes it in the next log."""
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": text},
        "locations": [location],
        "occurrenceCount": count,
        "partialFingerprints": {"place/v1": hashlib.sha256("\0".join(identity).encode("utf-8", "replace")).hexdigest()},
    }


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
    location = located(_text(place), results.integrity.evidence)
    identity = rule.id, failure.side, failure.pointer, failure.message
    accepted = (
        {"suppressions": [{"kind": "external", "status": "accepted", "justification": _text(waiver.reason)}]}
        if waiver
        else {}
    )
    return result(
        rule.id, LEVELS[verdict], _text(results.one_line(failure)), location, count=count, identity=identity
    ) | {
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
