"""Writes docs/reference/faults.md anew: ``make faults-page``."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

from airworthy.sandbox.faults import faults
from collected_suite import CollectedSuite
from faults.proof import PAGE, Row, page, prove


def main() -> None:
    """Run every fault, on all cores."""
    workers = os.cpu_count() or 1
    names = iter(faults())

    def work(_: int) -> list[Row]:
        with CollectedSuite() as suite:
            return list(_proven(suite, names))

    with ThreadPoolExecutor(workers) as pool:
        rows = list(chain.from_iterable(pool.map(work, range(workers))))
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(rows), encoding="utf-8")
    sys.stderr.write(f"\n{PAGE}: {len(rows)} faults\n")


def _proven(suite: CollectedSuite, names: Iterator[str]) -> Iterator[Row]:
    for name in names:
        sys.stderr.write(".")
        sys.stderr.flush()
        yield prove(suite, faults()[name])[0]


if __name__ == "__main__":
    main()
