"""Writes docs/reference/faults.md anew: ``make faults-page``."""

import sys

from airworthy.sandbox.faults import faults
from faults.proof import PAGE, page, prove, spread


def main() -> None:
    """Run every fault against its own rule."""
    rows = list(spread(faults().values(), lambda suite, fault: prove(suite, fault)[0]))
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(rows), encoding="utf-8")
    sys.stderr.write(f"\n{PAGE}: {len(rows)} faults\n")


if __name__ == "__main__":
    main()
