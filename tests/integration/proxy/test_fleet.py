"""Three proxies behind a load balancer: the audit of their evidence finds what one proxy finds that sees everything."""

import base64
import contextlib
import itertools
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import requests

from airworthy.audit import AuditSettings, audit
from airworthy.audit.formats import find_recordings
from airworthy.errors import UsageError
from airworthy.evidence.recorder import read
from airworthy.evidence.verification import verify_chains
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.target.client import run_concurrently
from integration.sandbox.agency import Agency, agency_of
from partner.__main__ import cards_of, connect
from partner.travellers import Bags, Trip, party

from .mitm import Mitm, free_port, until

pytestmark = pytest.mark.exhaustive

FAULTS = (
    "any-fare",
    "booked-twice",
    "confirm-other-method",
    "confirm-race",
    "confirmed-twice",
    "order-read-other-total",
    "reservation-other-email",
)
# What no proxy of the fleet can find alone, because each of them sees a part of the conversation.
SPANNING = {
    ("V4-CONFIRM-ONCE", "request"),
    ("V4-CONFIRM-ONCE", "response"),
    ("V4-CONFIRM-CONCURRENT", "response"),
    ("V4-CONFIRM-SAME-METHOD", "request"),
    ("V4-ORDER-FARE-OF-OFFER", "request"),
    ("V4-ORDER-PASSENGER-COUNT", "request"),
    ("V4-ORDER-READ", "response"),
    ("V23-BOOKINGS-ONCE", "request"),
    ("V23-BOOKINGS-ONCE", "response"),
}
KEY = {"FLEET_KEY": base64.b64encode(os.urandom(32)).decode()}
Send = Callable[..., requests.Response]


@contextlib.contextmanager
def proxy(log: Path, target: str, ca_bundle: Path | None, *options: str) -> Iterator[Mitm]:
    """Run ``airworthy proxy`` in front of a target."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("airworthy")), "proxy", "--target", target]
    command += ["--ca-bundle", str(ca_bundle), "--listen", f"127.0.0.1:{port}", "--pseudonym-key-env", "FLEET_KEY"]
    command += [*options, "--", f"--set=confdir={os.environ['AIRWORTHY_TEST_CONFDIR']}"]
    with log.open("wb") as file:
        process = subprocess.Popen(  # noqa: S603
            command, stdout=file, stderr=subprocess.STDOUT, env=os.environ | KEY
        )
    running = Mitm(process, port, log)
    try:
        running.wait_for("Airworthy observes")
        yield running
    finally:
        if process.poll() is None:
            running.end(signal.SIGTERM)


@pytest.fixture
def sandbox() -> Iterator[SandboxServer]:
    with SandboxServer(SandboxSettings(faults=FAULTS)) as running:
        yield running


def balanced(session: requests.Session, ports: Sequence[int]) -> None:
    """Have a session send each request to the next of some proxies, whatever its address is."""
    send: Send = session.send
    following = itertools.cycle(ports)

    def send_to_next(prepared: requests.PreparedRequest, **options: Any) -> requests.Response:  # noqa: ANN401
        path = str(prepared.url).split("/", 3)[3]
        prepared.url = f"http://127.0.0.1:{next(following)}/{path}"
        return send(prepared, **options)

    session.send = send_to_next  # type: ignore[method-assign, assignment]


def findings(*paths: Path) -> Counter[str]:
    """The findings of an audit of recordings, without the places where they were recorded."""
    found = audit(AuditSettings(find_recordings(paths).files, lines=True), jobs=1)
    assert not found.summary.not_judged
    lines = [json.loads(line) for each in found.lines for line in each.splitlines()]
    # Each proxy gives its exchanges ids of its own.
    return Counter(json.dumps({**line, "file": "", "entry": 0, "earlier": bool(line["earlier"])}) for line in lines)


def rules(found: Counter[str]) -> set[tuple[str, str]]:
    return {(line["rule"], line["side"]) for line in map(json.loads, found)}


def test_fleet_finds_what_one_proxy_finds_that_sees_everything(sandbox: SandboxServer, tmp_path: Path) -> None:
    authority = Path(os.environ["AIRWORTHY_TEST_CONFDIR"]) / "mitmproxy-ca-cert.pem"
    shared, own = tmp_path / "shared", tmp_path / "own"
    with contextlib.ExitStack() as stack:
        observer = stack.enter_context(
            proxy(tmp_path / "log", sandbox.base_url, sandbox.ca_bundle, "--evidence", str(tmp_path / "one.jsonl"))
        )
        target = f"https://127.0.0.1:{observer.port}"
        fleet = [
            stack.enter_context(
                proxy(tmp_path / f"log-{number}", target, authority, f"--evidence-dir={folder}", "--rotate", "20KB")
            )
            for number, folder in enumerate((shared, shared, own))
        ]
        converse(sandbox, [each.port for each in fleet])
        for each in [*fleet, observer]:
            assert "not judged" not in each.end(signal.SIGTERM)

    everything = findings(tmp_path / "one.jsonl")
    assert findings(shared, own) == everything
    assert SPANNING - rules(everything) == set()
    chains = verify_chains(find_recordings([shared, own]).files)
    assert [chain.problems for chain in chains] == [()] * 3
    assert all(chain.files > 1 for chain in chains)
    parts = [rules(findings(*tmp_path.glob(f"*/{chain.name}-*"))) for chain in chains]
    assert not set().union(*parts) & SPANNING


def converse(sandbox: SandboxServer, ports: Sequence[int]) -> None:
    """Book in every version, with mistakes of the client, and each request through another proxy."""
    today = sandbox.service.clock.now().date()
    cards = cards_of(sandbox.profile())
    for version in ("v4", "v3", "v2"):
        for defects in ((), ("double-confirmation", "wrong-infant-count")):
            client = connect(sandbox.profile(), version, lambda: None, defects=defects)
            balanced(client.service.session, ports)
            balanced(client.payments.session, ports)
            trip = Trip("MAD", "BCN" if version == "v4" else "PMI", today + timedelta(days=30))
            travellers = party(today, adults=2, infants=1)
            client.retrieve(client.buy(client.hold(trip, travellers, Bags(checked=1)), cards.accepted))
    agency = agency_of(sandbox)
    balanced(agency.session, ports)
    first, second = agency.opened(), agency.opened("balance")
    agency.confirm(second)
    agency.send("GET", f"/order/{second['id']}")
    offer = agency.offer().json()
    elsewhere = agency.offer("MAD", "PMI").json()
    agency.order(offer | {"cheapestFare": elsewhere["cheapestFare"]})
    confirm_at_once(agency, first, ports)


def confirm_at_once(agency: Agency, order: dict[str, Any], ports: Sequence[int]) -> None:
    """Confirm an order at two proxies at the same time."""
    clients = [Agency(agency.server, agency.key, agency.customer_code) for _ in range(2)]
    for client, port in zip(clients, ports, strict=False):
        balanced(client.session, [port])
    run_concurrently([partial(client.confirm, order) for client in clients])


def test_killed_proxy_loses_nothing_that_it_had_recorded(sandbox: SandboxServer, tmp_path: Path) -> None:
    folder = tmp_path / "evidence"

    def opened(log: str, how: signal.Signals) -> set[str]:
        """Open an order through a proxy, end the proxy, and return the ids of all recorded exchanges."""
        before = recorded(folder)
        with proxy(tmp_path / log, sandbox.base_url, sandbox.ca_bundle, f"--evidence-dir={folder}") as running:
            agency = agency_of(sandbox)
            balanced(agency.session, [running.port])
            agency.opened()
            until(lambda: len(recorded(folder)) == len(before) + 3, lambda: f"{len(recorded(folder))} recorded")
            judge = running.judge
            if how == signal.SIGKILL:
                os.kill(judge, how)
            running.end(how)
            until(lambda: not Path(f"/proc/{judge}").exists(), lambda: "the judge runs")
        return recorded(folder)

    assert opened("killed", signal.SIGKILL) < opened("ended", signal.SIGTERM)
    (chain,) = verify_chains(folder.glob("*.zst"))
    assert (chain.lines, chain.problems) == (6, ())
    assert not list(folder.glob("*.open"))


def recorded(folder: Path) -> set[str]:
    """Return the ids of the recorded exchanges, none while a proxy renames a file that it has finished."""
    with contextlib.suppress(UsageError):
        return {record.exchange.id for path in folder.glob("[!.]*") for record in read(path)}
    return set()
