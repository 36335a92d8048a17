"""Run the suite through the proxy, and compare what both find.

PYTHONPATH=tests python -m integration.proxy.agreement [NAME…] runs the whole suite against the sandbox in every
dialect, or in the named dialects, or with the named faults (``order-*``); for a fault it runs the scenarios of its
rule.
"""

import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from airworthy.contract import Contract, Finding, ServiceAddress
from airworthy.contract.http.operations import SERVED
from airworthy.evidence.recorder import read
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.dialects.named import dialects
from airworthy.traffic.naming import operation_name
from collected_suite import CollectedSuite
from faults.proof import named
from integration.conftest import toml
from integration.evidence.fidelity import live_findings

from .mitm import mitm

# The proxy accepts plain HTTP and forwards it over TLS.
PLAIN = "-HTTPS-ONLY"

# The suite checks the target by searches without parameters before it examines it.
PREFLIGHT = ("V4-SEARCH-REQUIRED", "V23-FLIGHTS-REQUIRED")
AT_ONCE = ("V4-CONFIRM-ONCE", "V23-BOOKINGS-ONCE")

Found = Counter[tuple[str, ...]]


@dataclass(frozen=True)
class Agreement:
    """What the suite found in its exchanges and the proxy in the traffic, and the number of exchanges of both."""

    suite: Found
    proxy: Found
    exchanges: int
    seen: int

    @property
    def missed(self) -> Found:
        """Return the findings of the suite alone."""
        return self.suite - self.proxy

    @property
    def invented(self) -> Found:
        """Return the findings of the proxy alone."""
        return _without(self.proxy - self.suite, *AT_ONCE, *PREFLIGHT)


def through_proxy(
    suite: CollectedSuite, folder: Path, settings: SandboxSettings, chosen: Sequence[str] | None = None
) -> Agreement:
    """Run the suite, or the scenarios of the chosen rules, against a sandbox behind the proxy."""
    report = folder / "report"
    with SandboxServer(settings) as sandbox:
        trust = (f"--set=ssl_verify_upstream_trusted_ca={sandbox.ca_bundle}", f"--set=airworthy_report={report}")
        with mitm(folder, f"reverse:{sandbox.base_url}", *trust, "--set=flow_detail=0") as proxy:
            url = f"https://127.0.0.1:{proxy.port}"
            authority = Path(os.environ["AIRWORTHY_TEST_CONFDIR"]) / "mitmproxy-ca-cert.pem"
            values = sandbox.profile()
            values |= {"base_url": url, "ca_bundle": str(authority)}
            values["payment"] |= {"url": f"{url}/payment"}
            del values["clock"]
            profile = folder / "target.toml"
            profile.write_text("\n".join(toml(values)), encoding="utf-8")
            ran = suite.run(folder / "run", profile=str(profile), rules=chosen, judged=True)
            proxy.end()
    report_json = json.loads((report / "traffic.json").read_bytes())
    exchanges = list(_judged(ran.folder))
    by_suite = Counter(key for keys in exchanges for key in set(keys))
    proxied: Found = Counter(
        {(each["operation"], *Finding(**each["finding"]).key): each["count"] for each in report_json["findings"]}
    )
    return Agreement(_without(by_suite, PLAIN), proxied, len(exchanges), report_json["seen"])


def _without(found: Found, *rules: str) -> Found:
    return Counter({key: count for key, count in found.items() if not key[1].endswith(rules)})


def _judged(folder: Path) -> Iterator[list[tuple[str, ...]]]:
    """Yield the findings of the suite in each exchange with the service."""
    contract, (_, live) = Contract.load(SERVED, ServiceAddress()), live_findings(folder)
    for record in read(folder / "evidence.jsonl"):
        if resolved := contract.resolve(record.exchange.request.method, record.exchange.request.url):
            yield [(operation_name(resolved), *finding.key) for finding in live[record.exchange.id]]


def runs(names: Sequence[str]) -> Iterator[tuple[str, SandboxSettings, list[str] | None]]:
    """Yield the runs that names stand for: a label, the sandbox, and the chosen rules."""
    for name in names or dialects():
        if name in dialects():
            yield name, SandboxSettings(name), None
            continue
        for fault in named([name]):
            yield fault.name, SandboxSettings(faults=(fault.name,)), [fault.rule]


def main() -> None:
    """Print for each run whether both agree, and the differences."""
    different = 0
    with CollectedSuite() as suite, tempfile.TemporaryDirectory() as temporary:
        os.environ["AIRWORTHY_TEST_CONFDIR"] = temporary
        for number, (name, settings, chosen) in enumerate(runs(sys.argv[1:])):
            folder = Path(temporary) / str(number)
            folder.mkdir()
            found = through_proxy(suite, folder, settings, chosen)
            only = {"suite": found.missed, "proxy": found.invented}
            sys.stdout.write(f"{name}: {found.seen} exchanges, {found.proxy.total()} findings\n")
            sys.stdout.flush()
            for who, more in only.items():
                for key, count in more.items():
                    sys.stdout.write(f"  {count} found only by the {who}: {' '.join(key)}\n")
            different += any(only.values())
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
