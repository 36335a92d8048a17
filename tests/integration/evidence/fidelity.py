"""Compares the findings of live runs with those of their evidence, for every fault of the sandbox.

``make faults-evidence``, or ``python -m integration.evidence.fidelity 'search-*'``: some minutes of work. The test
suite does it for some faults.
"""

import pickle
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from airworthy.contract import Contract, Conversation, Finding
from airworthy.evidence.recorder import read
from airworthy.sandbox.faults import Fault
from collected_suite import JUDGED, CollectedSuite
from faults.proof import for_each_fault, named


@dataclass(frozen=True, slots=True)
class Comparison:
    """The exchanges and findings of a run, and, by exchange, the findings of the live run only and of evidence only."""

    exchanges: int
    findings: int
    differences: dict[str, tuple[list[Finding], list[Finding]]]


def live_findings(folder: Path) -> tuple[Contract, dict[str, list[Finding]]]:
    """Return the contract of a ``judged`` run, and what it found in each exchange."""
    live: dict[str, list[Finding]] = {}
    with (folder / JUDGED).open("rb") as file:
        service, versions = pickle.load(file)  # noqa: S301  our own
        while file.peek(1):
            exchange, found = pickle.load(file)  # noqa: S301
            live[exchange] = found
    return Contract.load(versions, service), live


def compare_with_evidence(folder: Path) -> Comparison:
    """Judge the evidence of a ``judged`` run again, in its order, with a conversation of its own."""
    (contract, live), conversation = live_findings(folder), Conversation(dates=False)
    again = {each.exchange.id: contract.judge(each.exchange, conversation) for each in read(folder / "evidence.jsonl")}
    differences = {
        exchange: ([each for each in was if each not in found], [each for each in found if each not in was])
        for exchange, found in again.items()
        if found != (was := live[exchange])
    }
    return Comparison(len(again), sum(map(len, live.values())), differences)


def compare_fault(suite: CollectedSuite, fault: Fault) -> tuple[str, Comparison]:
    """Run the scenarios of a fault's rule up to the first that fails, and compare the findings."""
    with tempfile.TemporaryDirectory(prefix="airworthy-fault-") as folder:
        suite.run(Path(folder), faults=[fault.name], rules=[fault.rule], judged=True, brief=True)
        return fault.name, compare_with_evidence(Path(folder))


def main(patterns: Sequence[str]) -> None:
    """Print the faults whose findings differ, and exit with 1 if there are any."""
    found = list(for_each_fault(named(patterns or ["*"]), compare_fault))
    sys.stdout.write(
        f"\n{len(found)} faults, {sum(each.exchanges for _, each in found)} exchanges,"
        f" {sum(each.findings for _, each in found)} findings\n"
    )
    for name, each in found:
        for exchange, (lost, new) in each.differences.items():
            sys.stdout.write(f"{name} {exchange}\n")
            sys.stdout.writelines(f"  live     {finding}\n" for finding in lost)
            sys.stdout.writelines(f"  evidence {finding}\n" for finding in new)
    sys.exit(any(each.differences for _, each in found))


if __name__ == "__main__":
    main(sys.argv[1:])
