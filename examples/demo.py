"""Show a partner's way to a certificate: ``make demo``.

A careful and a careless partner book through `airworthy proxy` in the sandbox. `airworthy certify partner` judges what
the proxy recorded: one is certified, the other one is refused. Arguments are the names of other `PARTNERS`.
"""

import os
import signal
import socket
import subprocess
import sys
import time
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent
AIRWORTHY = (sys.executable, "-m", "airworthy.cli")
PARTNERS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "careful": ("v4", ()),
    "careful-v3": ("v3", ()),
    "careful-v2": ("v2", ()),
    "careless": ("v3", ("double-confirmation", "card-data", "deprecated-verify", "no-polling")),
}
SHOWN = ("careful", "careless")
_PROFILE_PORT = "127.0.0.1:8443"


def main(names: Sequence[str] = SHOWN) -> int:
    """Run partners, and show their certificates in a browser if a person is watching.

    Return 0 if the outcomes are as expected.
    """
    folder = Path("reports") / "demo" / datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    folder.mkdir(parents=True, mode=0o700)
    sandbox, proxy = _free_address(), _free_address()
    profile = folder / "sandbox.toml"
    profile.write_text((EXAMPLES / "partner" / "sandbox.toml").read_text().replace(_PROFILE_PORT, sandbox))
    outcomes = {}
    port = sandbox.rpartition(":")[2]
    with _running(sandbox, "sandbox", "--quiet", "--port", port, "--ca-file", str(folder / "ca.pem")):
        for name in names:
            version, defects = PARTNERS[name]
            evidence = folder / f"{name}.jsonl"
            print(f"\n{name} partner, {version}{': ' if defects else ''}{', '.join(defects)}", flush=True)
            with _running(proxy, "proxy", "--profile", str(profile), "--listen", proxy, "--evidence", str(evidence)):
                _book(profile, version, defects, through=f"http://{proxy}")
            outcomes[name] = _certify(profile, evidence, name)
            if sys.stdout.isatty():
                webbrowser.open((folder / name / "report.html").resolve().as_uri())
    return 0 if all(code == bool(PARTNERS[name][1]) for name, code in outcomes.items()) else 1


def _book(profile: Path, version: str, defects: tuple[str, ...], *, through: str) -> None:
    arguments = ["--profile", str(profile.resolve()), "--version", version, "--through", through]
    arguments += [f"--careless={each}" for each in defects]
    subprocess.run([sys.executable, "-m", "partner", *arguments], cwd=EXAMPLES, check=True)  # noqa: S603  our own program


def _certify(profile: Path, evidence: Path, name: str) -> int:
    options = ["--profile", str(profile), "--reports", str(evidence.parent), "--run-id", name]
    command = [*AIRWORTHY, "certify", "partner", str(evidence), *options, "--partner", f"the {name} partner"]
    return subprocess.run(command, check=False).returncode  # noqa: S603  as above


@contextmanager
def _running(address: str, *arguments: str) -> Iterator[None]:
    """Run a server of Airworthy until the end of the block; it begins when the server accepts connections."""
    server = subprocess.Popen([*AIRWORTHY, *arguments], stdout=subprocess.DEVNULL)  # noqa: S603  as above
    try:
        host, _, port = address.rpartition(":")
        while server.poll() is None:
            try:
                socket.create_connection((host, int(port)), timeout=1).close()
                break
            except OSError:
                time.sleep(0.05)
        else:
            raise SystemExit(f"airworthy {arguments[0]} ended with exit code {server.returncode}")
        yield
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(timeout=60)


def _free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


if __name__ == "__main__":
    os.environ["PYTHONUNBUFFERED"] = "1"
    sys.exit(main(sys.argv[1:] or SHOWN))
