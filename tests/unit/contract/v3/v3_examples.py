"""What the examples of v3 and v2 consist of, and changes of flights in them."""

from typing import Any

from airworthy.contract import Exchange
from unit.contract.examples import BASE, ENDPOINTS, RETURNED, SENT, Change, exchange, put

WINDOW = "origin=MAD&destination=FCO&start=2035-03-13&end=2035-03-15"
FOUND = {"v3": RETURNED["searchFlights"]["results"][0], "v2": RETURNED["searchFlightsV2"]["results"][0]}
[REQUESTED], [BOOKED] = RETURNED["createRequests"]["requests"], RETURNED["createBookings"]["bookings"]
FLIGHT, BACK = (
    RETURNED["searchRoundTrips"]["fares"][0]["outward_id"],
    RETURNED["searchRoundTrips"]["fares"][0]["return_id"],
)
REQUEST, BOOKING, REFERENCE = REQUESTED["id"], BOOKED["id"], BOOKED["cp_reference"]
LOCATOR = RETURNED["getBookings"]["bookings"][0]["pnr_airline"]
[PASSENGER], [RECORD] = SENT["createRequests"]["passengers"], BOOKED["passengers"]
BAGS = FOUND["v3"]["bags"]
[CHECKED, HEAVY], [CABIN] = BAGS["checked"], BAGS["cabin"]
NO_BAGS: dict[str, list[object]] = {"checked": [], "cabin": []}


def place(code: str) -> dict[str, Any]:
    return {**FOUND["v3"]["origin"], "iata_code": code}


def carrier(code: str) -> dict[str, Any]:
    return {"name": "Iberia", "iata_code": code}


def segment(**more: object) -> dict[str, Any]:
    return {**FOUND["v3"]["segments"][0], **more}


def flight(**more: object) -> dict[str, Any]:
    """Return the found flight without its bags."""
    return {key: value for key, value in FOUND["v3"].items() if key != "bags"} | more


def times(departs: str, arrives: str) -> dict[str, Any]:
    """Return the times of a flight with one segment."""
    both = {"departure_date": departs, "arrival_date": arrives}
    return both | {"segments": [segment() | both]}


def returning(**more: object) -> dict[str, Any]:
    """Return a flight with one segment in the opposite direction."""
    there = flight(**more)
    ends = {"origin": there["destination"], "destination": there["origin"]}
    return there | ends | {"segments": [each | ends for each in there["segments"]]}


def leaving(flight: str, moment: str) -> Change:
    """Move a flight, with its segment, to another moment."""
    moved = [f"{place}.{name}_date" for place in (flight, f"{flight}.segments[0]") for name in ("departure", "arrival")]

    def change(body: Any) -> None:  # noqa: ANN401 - any JSON
        for time in moved:
            put(time, moment)(body)

    return change


def unmoved(changes: object) -> Change:
    """Return a change after which a booking still has its original flight."""

    def change(body: Any) -> None:  # noqa: ANN401 - any JSON
        body |= {"flight_changes": changes, "final_flight": body["flight"]}

    return change


def queried(operation: str, query: str, **more: object) -> Exchange:
    """Return an exchange with another query."""
    path = ENDPOINTS[operation][1].partition("?")[0]
    return exchange(operation, url=f"{BASE}{path}?{query}", **more)  # type: ignore[arg-type]
