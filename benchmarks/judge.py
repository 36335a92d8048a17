"""Measure how long the contract takes to judge an exchange, as a multiple of parsing its response with json.loads.

python benchmarks/judge.py
"""

import json
import sys
import time
import timeit
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from airworthy.contract import Contract, Conversation
from airworthy.contract.http.exchange import Exchange
from conformance.v3 import samples as flight_samples
from conformance.v4 import samples
from exchange_parts import response_of
from machine import median, seconds, show

_ANSWER = 176 * 1024
_PAGE = 100
_REPEATS = 9
_AT_LEAST = 0.2


def main() -> None:
    """Time the contract on large responses of v4 and v3 and on an order, each valid and with one defect."""
    contract = Contract.load(("v2", "v3", "v4"))
    rows = [row for name, exchange in exchanges() for row in timed(contract, name, exchange)]
    show(("exchange", "response", "json.loads", "judged alone", "in a conversation", "multiple"), rows)


def exchanges() -> Iterator[tuple[str, Exchange]]:
    """Yield the exchanges: a search with about 200 offers, a page of v3, an order, and some of them with one defect."""
    found = json.loads(body(samples.sample("searchOffers")))
    offer = found["offers"][0]
    number = _ANSWER // len(json.dumps(offer)) + 1
    large = samples.with_response_body(samples.sample("searchOffers"), {"offers": [offer] * number})
    wrong = offer | {"id": "4711"}
    yield f"search, {number} offers", large
    yield "search, one defect", samples.with_response_body(large, {"offers": [offer] * (number - 1) + [wrong]})
    searched = flight_samples.conversation("v3")[0]
    page = json.loads(body(searched))
    flights = [page["results"][0] | {"id": 100_000 + each} for each in range(_PAGE)]
    yield f"v3 search, {_PAGE} flights", samples.with_response_body(searched, page | {"results": flights})
    order = samples.sample("createOrder")
    yield "order", order
    yield "order, one defect", samples.with_response_body(order, json.loads(body(order)) | {"status": "PENDING"})


def timed(contract: Contract, name: str, exchange: Exchange) -> Iterator[tuple[str, ...]]:
    content = body(exchange)
    parsed = repeated(lambda: json.loads(content))
    alone = repeated(lambda: contract.judge(exchange))
    conversation = Conversation()
    before = samples.conversation()[:4]
    for each in before:
        contract.judge(each, conversation)
    together = repeated(lambda: contract.judge(replace(exchange, id="again"), conversation))
    multiple = f"{min(alone) / min(parsed):.1f}"
    yield name, f"{len(content) / 1024:.1f} KB", median(parsed), median(alone), median(together), multiple


def repeated(call: Callable[[], object]) -> list[float]:
    """Return the processor seconds of one call, measured often enough for a steady median."""
    call()
    number = max(1, round(_AT_LEAST / _REPEATS / max(seconds(call), 1e-7)))
    taken = timeit.repeat(call, "import gc; gc.enable()", time.process_time, _REPEATS, number)
    return [each / number for each in taken]


def body(exchange: Exchange) -> bytes:
    return response_of(exchange).body or b""


if __name__ == "__main__":
    main()
