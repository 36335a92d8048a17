"""Which other rules a fault takes along: the whole suite on every fault that was made by hand, some minutes of work.

``make faults-collateral``, or ``python -m faults.collateral 'search-*'``. One cause should fail one rule. Where a fault
takes several along, either it breaks them all, or a step blames the wrong one.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from airworthy.sandbox.faults import Fault, faults
from collected_suite import CollectedSuite
from faults.proof import spread


@dataclass(frozen=True, slots=True)
class Collateral:
    """What else a fault does to a run: the other rules that fail or end in an error, and how many stay untested."""

    fault: str
    others: tuple[str, ...]
    untested: int


def main(patterns: Sequence[str]) -> None:
    """Print the faults that take other rules along, the worst first."""
    chosen = [
        fault
        for fault in faults().values()
        if (any(fnmatchcase(fault.name, each) for each in patterns) if patterns else not fault.generated)
    ]
    found = sorted(spread(chosen, look), key=lambda each: (-len(each.others), -each.untested, each.fault))
    sys.stdout.write(f"\n{len(found)} faults, {sum(not each.others for each in found)} of them fail their rule alone\n")
    for each in found:
        if each.others or each.untested:
            sys.stdout.write(f"{each.fault:<36} {each.untested:>3} untested  {', '.join(each.others)}\n")


def look(suite: CollectedSuite, fault: Fault) -> Collateral:
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
