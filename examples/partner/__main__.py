"""Run the test bookings, in the folder ``examples``: ``python -m partner --profile partner/sandbox.toml``."""

import argparse
import tomllib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import requests

from partner.careless import DEFECTS, careless
from partner.flights import FlightClient
from partner.go_live import Cards, Client, make_test_bookings
from partner.offers import OfferClient
from partner.payments import Card, PaymentProvider
from partner.service import Json, Service


def connect(
    profile: Json, version: str, wait: Callable[[], None], *, through: str = "", defects: Sequence[str] = ()
) -> Client[Any]:
    """Return the client of a version with the credentials of a profile.

    ``through`` is the address of a proxy that stands in for the service, such as ``http://127.0.0.1:8080``. ``defects``
    are names of careless behaviour, for demonstration.
    """
    trusted = profile.get("ca_bundle", True)
    base_url, credentials = through or profile["base_url"], profile[version]
    provider = profile["payment"]["url"].replace(profile["base_url"], base_url)
    payments = PaymentProvider(provider, profile["payment"]["token"], ca_bundle=trusted)
    if version == "v4":
        service = Service(f"{base_url}/v4", credentials["key"], ca_bundle=trusted)
        return careless(OfferClient, defects)(service, payments, credentials["customer_code"])
    service = Service(f"{base_url}/{version}", f"Bearer {credentials['token']}", ca_bundle=trusted)
    interface: Literal["v2", "v3"] = "v2" if version == "v2" else "v3"
    return careless(FlightClient, defects)(service, payments, credentials["customer_code"], interface, wait)


def cards_of(profile: Json) -> Cards:
    """Return the test cards of a profile."""
    payment = profile["payment"]
    return Cards(
        Card(**payment["accepted"]),
        Card(**payment["declined"]),
        Card(**payment["needs_verification"], needs_authentication=True),
    )


def main() -> None:
    """Make the test bookings of one version in the sandbox whose profile is given."""
    parser = argparse.ArgumentParser(prog="python -m partner", description=main.__doc__)
    parser.add_argument("--profile", type=Path, required=True, help="TOML profile of the sandbox")
    parser.add_argument("--version", choices=("v4", "v3", "v2"), default="v4", help="interface to integrate")
    parser.add_argument("--through", default="", metavar="URL", help="address of the proxy, if there is one")
    parser.add_argument("--careless", action="append", default=[], choices=sorted(DEFECTS), help="add a defect")
    options = parser.parse_args()
    profile = tomllib.loads(options.profile.read_text(encoding="utf-8"))
    profile["ca_bundle"] = str(options.profile.parent / profile["ca_bundle"])

    def advance(seconds: float) -> None:
        url, trusted = profile["clock"]["advance_url"], profile.get("ca_bundle", True)
        requests.post(url, json={"seconds": seconds}, verify=trusted, timeout=10).raise_for_status()

    hour = timedelta(hours=1).total_seconds()
    client = connect(profile, options.version, lambda: advance(hour), through=options.through, defects=options.careless)
    today = datetime.now(UTC).date()
    make_test_bookings(client, cards_of(profile), today, advance, lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
