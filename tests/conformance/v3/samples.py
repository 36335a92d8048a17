"""Documented exchanges of v2 and v3, as traffic: what the checks of a client's mistakes start from."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from airworthy.contract.http.exchange import Exchange
from airworthy.documents.references import packaged_documents
from conformance.v3 import request_bodies as bodies
from conformance.v3.request_bodies import Interface
from conformance.v4.samples import exchange_of

_START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
_TOKEN: Final = "Bearer sample-token"
_OPERATIONS: Final = ("searchFlights", "createRequests", "createBookings", "getBookings")
_PASSPORT: Final = {
    "passport_number": "AW007X",
    "passport_expiry_date": "2040-01-15",
    "passport_country_of_issue": "ES",
    "nationality": "ES",
}


def _examples(interface: Interface, operation: str) -> tuple[Any, Any]:
    """Return copies of the request and the response in the documents; the request is None where it has no body."""
    listed = packaged_documents()[f"{interface}/examples.json"]["examples"]
    name = f"{operation}V2" if interface == "v2" else operation
    found = (listed.get(f"{name}{side}", {}).get("value") for side in ("Request", "Response"))
    request, response = (json.loads(json.dumps(each)) for each in found)
    return request, response


def _exchange(interface: Interface, operation: str, place: int, *, need_apis: bool = False) -> Exchange:
    request, response = _examples(interface, operation)
    query = {}
    if operation == "searchFlights":
        flight = response["results"][0]
        ends = {name: flight[name]["iata_code"] for name in ("origin", "destination")}
        query = {**ends, "start": flight["departure_date"][:10]}
    if operation == "getBookings":
        query = {"cp_reference": response["bookings"][0]["cp_reference"]}
    if need_apis:
        for flight in [*response.get("results", ()), *(each["flight"] for each in response.get("requests", ()))]:
            flight["need_apis"] = True
        for passenger in (request or {}).get("passengers", ()):
            passenger.update(_PASSPORT)
    draft = bodies.draft(interface, operation, query=query, body=request)
    return exchange_of(draft, response, _START + timedelta(seconds=30 * place), f"sample-{place}", _TOKEN)


def conversation(interface: Interface) -> list[Exchange]:
    """Return a conforming conversation from search to retrieval, with half a minute between its exchanges."""
    return [_exchange(interface, operation, place) for place, operation in enumerate(_OPERATIONS)]


def request_with_passports() -> list[Exchange]:
    """Return a search of v3 for flights that require passport data, and the booking request for one of them."""
    return [_exchange("v3", operation, place, need_apis=True) for place, operation in enumerate(_OPERATIONS[:2])]


def verification() -> Exchange:
    """Return a documented verification from before its deprecation."""
    request, response = _examples("v3", "verifyFlight")
    before = datetime(2026, 9, 1, 9, 0, tzinfo=UTC)
    return exchange_of(bodies.draft("v3", "verifyFlight", body=request), response, before, "sample-verify", _TOKEN)


def sample(operation: str) -> Exchange | None:
    """Return one documented exchange of an operation of v2 or v3, or None if it is none of theirs."""
    if operation == "verifyFlight":
        return verification()
    name = operation.removesuffix("V2")
    interface: Interface = "v3" if name == operation else "v2"
    return _exchange(interface, name, _OPERATIONS.index(name)) if name in _OPERATIONS else None
