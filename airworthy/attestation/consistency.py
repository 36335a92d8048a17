"""Check that the files of a run agree with each other: results, evidence, ledger and pages.

These checks need no key. They find the change of one file; only a signature shows that all of them were changed alike.
"""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

import orjson

from airworthy import __version__
from airworthy.attestation.files import files_of
from airworthy.errors import UsageError
from airworthy.evidence.chain import verify_chain
from airworthy.evidence.recorder import read
from airworthy.evidence.verification import Problem, chain_problems
from airworthy.report.decision import decide
from airworthy.report.document import from_json
from airworthy.report.results import Results, verdict_of
from airworthy.report.write import EVIDENCE, LEDGER, RESULTS, report_files
from airworthy.target.records import LedgerEntry

_MOST_MISSING: Final = 5


def read_results(folder: Path) -> Results | Problem:
    """Return the results of a run, or why they cannot be read, or do not follow from themselves."""
    path = folder / RESULTS
    if path.exists() and not path.is_file():
        # To open a pipe would wait for ever.
        return Problem(RESULTS, 0, "this is not a regular file")
    try:
        content = path.read_bytes()
        results = from_json(content, RESULTS)
    except OSError as error:
        return Problem(RESULTS, 0, error.strerror or "cannot be read")
    except UsageError as error:
        return Problem(RESULTS, 0, str(error).removeprefix(f"{RESULTS}: "))
    document = orjson.loads(content)
    decision = decide(results)
    if (document["decision"]["outcome"], document["decision"]["exit_code"]) != (decision.outcome, decision.exit_code):
        stated = document["decision"]["outcome"]
        return Problem(RESULTS, 0, f"the decision is stated as {stated}, but {decision.outcome} follows from the rules")
    if document["counts"] != results.counts:
        return Problem(RESULTS, 0, "the counts do not follow from the rules")
    return results


def consistent_results(folder: Path) -> Results:
    """Return the results of a run. Raises `UsageError` if they, the evidence and the ledger do not agree."""
    results = read_results(folder)
    if isinstance(results, Problem):
        raise UsageError(f"{folder}/{results}")
    for problem in chain(evidence_problems(folder, results), ledger_problems(folder, results)):
        raise UsageError(f"{folder}/{problem}")
    return results


def compare_pages(folder: Path, results: Results) -> tuple[list[Problem], list[str]]:
    """Return the pages of a run that differ from those of its results, and files that nothing can be compared with."""
    expected = report_files(results, folder) if results.tool.version == __version__ else {}
    known = {RESULTS, EVIDENCE, LEDGER, Path(results.integrity.evidence).name, *expected}
    changed = [name for name in files_of(folder) if name in expected and (folder / name).read_bytes() != expected[name]]
    message = f"the page differs from {RESULTS}; airworthy report writes it again"
    return [Problem(name, 0, message) for name in changed], [name for name in files_of(folder) if name not in known]


def evidence_problems(folder: Path, results: Results) -> Iterator[Problem]:
    """Yield where the evidence is not the one that the results were taken from."""
    integrity = results.integrity
    name = Path(integrity.evidence).name
    if not name:
        return
    path = folder / name
    if not path.is_file():
        yield Problem(name, 0, "the file is missing")
        return
    check = verify_chain(path)
    if found := chain_problems(name, check):
        yield from found
    elif (check.lines, check.last_hash, check.sha256) == (integrity.lines, integrity.last_hash, integrity.sha256):
        yield from _missing_exchanges(path, results)
    elif check.lines < integrity.lines:
        yield Problem(name, check.lines + 1, f"lines are missing at the end: {RESULTS} names {integrity.lines} lines")
    else:
        yield Problem(name, 0, f"this is not the evidence of this run: {RESULTS} names another last hash")


def ledger_problems(folder: Path, results: Results) -> Iterator[Problem]:
    """Yield the first line of the ledger that differs from the results."""
    path = folder / LEDGER
    lines = path.read_bytes().splitlines(keepends=True) if path.is_file() else []
    # A run that was interrupted may leave an incomplete line, which its results do not contain.
    if lines and not lines[-1].endswith(b"\n"):
        del lines[-1]
    for number, line in enumerate(lines, start=1):
        entry = results.ledger[number - 1] if number <= len(results.ledger) else None
        if entry is None or LedgerEntry.of(line) != entry:
            yield Problem(LEDGER, number, f"the line differs from the ledger in {RESULTS}")
            return
    if len(lines) < len(results.ledger):
        yield Problem(LEDGER, len(lines) + 1, f"the line is missing: {RESULTS} names {len(results.ledger)} entries")


def verdict_problems(results: Results) -> Iterator[Problem]:
    """Yield the rules whose verdict does not follow from their scenarios and findings."""
    for rule in results.rules:
        own = [each.finding for each in results.findings if each.finding.rule == rule.id]
        derived = verdict_of(rule.scenarios, own)
        # A rule that was applied to nothing is untested; an excluded rule is not applicable.
        other = {"untested", "not_applicable"} if not rule.scenarios and not own else {"untested"}
        if rule.verdict != derived and not (rule.verdict in other and derived in ("passed", "untested")):
            message = f"the verdict on {rule.id} is stated as {rule.verdict}, but {derived} follows from its scenarios"
            yield Problem(RESULTS, 0, message)


def _missing_exchanges(path: Path, results: Results) -> Iterator[Problem]:
    recorded = {record.exchange.id for record in read(path)}
    missing = [identifier for identifier in dict.fromkeys(_references(results)) if identifier not in recorded]
    for identifier in missing[:_MOST_MISSING]:
        yield Problem(RESULTS, 0, f"names exchange {identifier}, which {path.name} does not contain")


def _references(results: Results) -> Iterator[str]:
    for rule in results.rules:
        for scenario in rule.scenarios:
            yield from scenario.exchanges
            yield from (finding.exchange for finding in scenario.findings if finding.exchange)
            if scenario.failure and scenario.failure.exchange:
                yield scenario.failure.exchange
    yield from (each.finding.exchange for each in results.findings if each.finding.exchange)
    yield from (each.exchange for each in results.observations if each.exchange)
    yield from (each.exchange for each in results.ledger if each.exchange)
