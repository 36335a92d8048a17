"""Measure redaction, in multiples of parsing the response with the standard library.

python benchmarks/redaction.py
"""

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from airworthy.contract import Contract
from airworthy.contract.exchange import Exchange
from airworthy.evidence import Redactor
from conformance.v3 import samples as flight_samples
from conformance.v4 import samples
from judge import body, exchanges, seconds
from machine import median, show

_PAGE = 100


def main() -> None:
    """Time a redactor that has learned the private values of an order."""
    redactor = Redactor(Contract.load(("v2", "v3", "v4")))
    redactor.exchange(samples.sample("createOrder"))
    rows = []
    for name, exchange in (*exchanges(), *of_flights()):
        parsed = seconds(partial(json.loads, body(exchange)))
        redacted = seconds(partial(redactor.exchange, exchange))
        multiple = f"{min(redacted) / min(parsed):.1f}"
        rows.append((name, f"{len(body(exchange)) / 1024:.1f} KB", median(parsed), median(redacted), multiple))
    show(("exchange", "response", "json.loads", "redacted", "multiple"), rows)


def of_flights() -> Iterator[tuple[str, Exchange]]:
    """Yield a page of a hundred flights of v3, and a booking."""
    search, booking = flight_samples.sample("searchFlights"), flight_samples.sample("createBookings")
    assert search is not None
    assert booking is not None
    found = json.loads(body(search))
    # Many services escape the letters in names of cities.
    content = found | {"results": [found["results"][0] | {"id": number} for number in range(_PAGE)]}
    yield f"search, {_PAGE} flights of v3", samples.with_response_body(search, content)
    yield "booking of v3", booking


if __name__ == "__main__":
    main()
