"""Run the suite through the proxy, and compare what both find.

PYTHONPATH=tests python -m integration.proxy.agreement [NAME…] runs the whole suite against the sandbox in every
dialect, or in the named dialects, or with the named faults (``order-*``); for a fault it runs the scenarios of its
rule.
"""

import json
import os
import pickle
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from airworthy.contract import Contract, Finding, ServiceAddress
from airworthy.contract.http.operations import SERVED
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.sandbox.dialects.named import dialects
from airworthy.sandbox.faults import faults
from airworthy.traffic.naming import operation_name
from command_line import run
from integration.conftest import toml

from .mitm import mitm
from .recording import JUDGED

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


def through_proxy(folder: Path, settings: SandboxSettings, *selection: str) -> Agreement:
    """Run the suite against a sandbox behind the proxy; ``selection`` is passed to pytest."""
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
            judged = folder / "judged.pickle"
            command = [sys.executable, "-m", "airworthy.cli", "certify", "service", "--profile", str(profile)]
            options = ("--reports", str(folder), "--run-id", "run", "--max-wait", "0")
            # More processes would only collect the suite more often.
            recorded = ("--", "-n", "0", "-p", "integration.proxy.recording", *selection)
            environment = {"PYTHONPATH": str(Path(__file__).parents[2]), JUDGED: str(judged)}
            ran = run(*command, *options, *recorded, folder=folder, environment=environment)
            assert (folder / "run" / "results.json").exists(), ran.stdout + ran.stderr
            proxy.end()
    report_json = json.loads((report / "traffic.json").read_bytes())
    exchanges = list(_judged(judged))
    suite = Counter(key for keys in exchanges for key in set(keys))
    proxied: Found = Counter(
        {(each["operation"], *Finding(**each["finding"]).key): each["count"] for each in report_json["findings"]}
    )
    return Agreement(_without(suite, PLAIN), proxied, len(exchanges), report_json["seen"])


def _without(found: Found, *rules: str) -> Found:
    return Counter({key: count for key, count in found.items() if not key[1].endswith(rules)})


def _judged(path: Path) -> Iterator[list[tuple[str, ...]]]:
    """Yield the findings of the suite in each exchange with the service."""
    contract = Contract.load(SERVED, ServiceAddress())
    with path.open("rb") as file:
        while file.peek(1):
            method, url, found = pickle.load(file)  # noqa: S301  our own
            if resolved := contract.resolve(method, url):
                yield [(operation_name(resolved), *finding.key) for finding in found]


def runs(names: Sequence[str]) -> Iterator[tuple[str, SandboxSettings, tuple[str, ...]]]:
    """Yield the runs that names stand for: a label, the sandbox, and the selection of the suite."""
    for name in names or dialects():
        if name in dialects():
            yield name, SandboxSettings(name), ()
            continue
        for fault in faults().values():
            if fnmatchcase(fault.name, name):
                yield fault.name, SandboxSettings(faults=(fault.name,)), ("-m", fault.rule)


def main() -> None:
    """Print for each run whether both agree, and the differences."""
    different = 0
    for name, settings, selection in runs(sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["AIRWORTHY_TEST_CONFDIR"] = folder
            found = through_proxy(Path(folder), settings, *selection)
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
