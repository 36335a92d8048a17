"""Shows which other rules a fault fails: runs the whole suite against every hand-written fault, some minutes of work.

``make faults-collateral``, or ``python -m faults.collateral 'search-*'``. One cause should fail one rule. A fault that
fails several either violates them all, or a step reports the wrong rule.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from airworthy.sandbox.faults import Fault, written
from collected_suite import CollectedSuite
from faults.proof import for_each_fault, named


@dataclass(frozen=True, slots=True)
class Collateral:
    """The other rules that a fault fails or that end in an error, and the number of rules that stay untested."""

    fault: str
    others: tuple[str, ...]
    untested: int


def main(patterns: Sequence[str]) -> None:
    """Print the faults that fail other rules, those with the most first."""
    chosen = named(patterns) if patterns else written()
    found = sorted(for_each_fault(chosen, run_everything), key=lambda one: (-len(one.others), -one.untested, one.fault))
    sys.stdout.write(f"\nfaults: {len(found)}, failing only their own rule: {sum(not each.others for each in found)}\n")
    for each in found:
        if each.others or each.untested:
            sys.stdout.write(f"{each.fault:<36} {each.untested:>3} untested  {', '.join(each.others)}\n")


def run_everything(suite: CollectedSuite, fault: Fault) -> Collateral:
    """Run the whole suite against a sandbox with a fault."""
    with tempfile.TemporaryDirectory(prefix="airworthy-fault-") as folder:
        rules = suite.run(Path(folder), faults=[fault.name]).results.rules
    others = [
        rule.id if rule.verdict == "failed" else f"{rule.id} (error)"
        for rule in rules
        if rule.verdict in ("failed", "error") and rule.id != fault.rule
    ]
    return Collateral(fault.name, tuple(others), sum(rule.verdict == "untested" for rule in rules))


if __name__ == "__main__":
    main(sys.argv[1:])
