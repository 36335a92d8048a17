"""Search for offers in the sandbox, as a partner's container would: the address and the authority are in variables."""

import os
from datetime import UTC, datetime, timedelta

import requests


def main() -> None:
    """Print how many offers the sandbox has for its ordinary route."""
    service = os.environ["SERVICE_URL"]
    # A real integration has these values in its configuration.
    profile = requests.get(f"{service}/sandbox/profile", timeout=10).json()
    route, credentials = profile["routes"]["regular"], profile["v4"]
    origin, destination = ({"code": route[end], "type": "AIRPORT"} for end in ("origin", "destination"))
    response = requests.post(
        f"{service}/v4/search",
        headers={"Authorization": credentials["key"], "Accept": "application/json"},
        json={
            "adults": 1,
            "children": 0,
            "infants": 0,
            "tripType": "ONE_WAY",
            "customerCode": credentials["customer_code"],
            "outboundSegment": {
                "origin": origin,
                "destination": destination,
                "departureDate": (datetime.now(UTC).date() + timedelta(days=60)).isoformat(),
            },
            "inboundSegment": None,
        },
        timeout=10,
    )
    response.raise_for_status()
    print(f"{len(response.json()['offers'])} offers from {route['origin']} to {route['destination']}")


if __name__ == "__main__":
    main()
