"""Whether a run is judged from its evidence as it was judged live; by hand for every fault of the sandbox.

``make faults-evidence``, or ``python -m integration.evidence.fidelity 'search-*'``: some minutes of work.
"""

import pickle
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from airworthy.contract import Contract, Conversation, Finding
from airworthy.evidence import read
from airworthy.sandbox.faults import Fault, faults
from collected_suite import JUDGED, CollectedSuite
from faults.proof import spread


@dataclass(frozen=True, slots=True)
class Compared:
    """How many exchanges and findings a run had, and, by exchange, what was found live only and in evidence only."""

    exchanges: int
    findings: int
    differences: dict[str, tuple[list[Finding], list[Finding]]]


def compared(folder: Path) -> Compared:
    """Judge the evidence of a run that was ``judged``, in its order and with a journey of its own."""
    live: dict[str, list[Finding]] = {}
    with (folder / JUDGED).open("rb") as file:
        service, versions = pickle.load(file)  # noqa: S301  our own
        while file.peek(1):
            exchange, found = pickle.load(file)  # noqa: S301
            live[exchange] = found
    contract, journey = Contract.load(versions, service), Conversation()
    again = {each.exchange.id: contract.judge(each.exchange, journey) for each in read(folder / "evidence.jsonl")}
    differences = {
        exchange: ([each for each in was if each not in found], [each for each in found if each not in was])
        for exchange, found in again.items()
        if found != (was := live[exchange])
    }
    return Compared(len(again), sum(map(len, live.values())), differences)


def of_fault(suite: CollectedSuite, fault: Fault) -> tuple[str, Compared]:
    """Run the scenarios of a fault's rule against a sandbox that has it, and compare."""
    with tempfile.TemporaryDirectory(prefix="airworthy-fault-") as folder:
        suite.run(Path(folder), faults=[fault.name], rules=[fault.rule], judged=True)
        return fault.name, compared(Path(folder))


def main(patterns: Sequence[str]) -> None:
    """Print the faults that are judged otherwise from evidence."""
    chosen = [each for each in faults().values() if any(fnmatchcase(each.name, form) for form in patterns or ["*"])]
    found = list(spread(chosen, of_fault))
    sys.stdout.write(
        f"\n{len(found)} faults, {sum(each.exchanges for _, each in found)} exchanges,"
        f" {sum(each.findings for _, each in found)} findings\n"
    )
    for name, each in found:
        for exchange, (lost, new) in each.differences.items():
            sys.stdout.write(f"{name} {exchange}\n")
            sys.stdout.writelines(f"  live     {finding}\n" for finding in lost)
            sys.stdout.writelines(f"  evidence {finding}\n" for finding in new)


if __name__ == "__main__":
    main(sys.argv[1:])
