"""What a run looks at again: a few bookings that are unusual in every way that occurred."""

import json
from typing import Any

from conformance.histories import Histories
from conformance.parsed_response import ParsedResponse
from conformance.v3 import request_bodies as bodies
from conformance.v3.request_bodies import Interface
from unit.evidence import stub


def book(histories: Histories, interface: Interface, reference: str, *bookings: dict[str, Any], **sent: object) -> None:
    draft = bodies.create_bookings([], "FIRST-OTA", bodies.PersonNotation(), sent)
    if interface == "v2":
        draft = bodies.create_bookings_v2([], [], "FIRST-OTA", bodies.PersonNotation(), sent)
    made = [{"cp_reference": reference, **each} for each in bookings or ({},)]
    histories.record(draft, ParsedResponse(stub.exchange(None, json.dumps({"bookings": made}).encode())))


def test_few_bookings_are_unusual_in_every_way_that_occurred() -> None:
    histories = Histories()
    assert histories.references("v3") == []
    book(histories, "v3", "PLAIN")
    book(histories, "v3", "DEPOSIT", self_psp=True)
    book(histories, "v3", "DEPOSIT-AND-TWO", {}, {"infant_count": 1}, self_psp=True)
    book(histories, "v3", "BAGS", {"bags": {"checked": [{"quantity": 1}], "cabin": [{"quantity": 2}]}})
    book(histories, "v3", "LATER-BAGS", {"bags": {"checked": [], "cabin": [{"quantity": 3}]}})
    book(histories, "v2", "LUGGAGE", {"luggage": [{"quantity": 2}]})

    assert histories.references("v3") == ["DEPOSIT-AND-TWO", "BAGS"]
    assert histories.references("v2") == ["LUGGAGE"]
