"""Measure redaction, in multiples of parsing the response with the standard library.

python benchmarks/redaction.py
"""

import json
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from airworthy.contract import Contract
from airworthy.evidence.redaction import Redactor
from conformance.v3 import samples as flight_samples
from conformance.v4 import samples
from judge import body, exchanges, repeated
from machine import median, show


def main() -> None:
    """Time a redactor that has learned the private values of an order."""
    redactor = Redactor(Contract.load(("v2", "v3", "v4")))
    redactor.exchange(samples.sample("createOrder"))
    rows = []
    booking = flight_samples.sample("createBookings")
    assert booking is not None
    for name, exchange in (*exchanges(), ("booking of v3", booking)):
        parsed = repeated(partial(json.loads, body(exchange)))
        redacted = repeated(partial(redactor.exchange, exchange))
        multiple = f"{min(redacted) / min(parsed):.1f}"
        rows.append((name, f"{len(body(exchange)) / 1024:.1f} KB", median(parsed), median(redacted), multiple))
    show(("exchange", "response", "json.loads", "redacted", "multiple"), rows)


if __name__ == "__main__":
    main()
