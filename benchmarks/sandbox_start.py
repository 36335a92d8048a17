"""Measure the time from the start of the sandbox process to its first response.

python benchmarks/sandbox_start.py [runs]
"""

import socket
import ssl
import subprocess
import sys
import time
import urllib.error
import urllib.request

from airworthy.sandbox import SandboxServer
from machine import median, show

_PATIENCE = 30.0


def main(runs: int = 7) -> None:
    """Start the sandbox a few times, as a command and within a process, and print the times."""
    command = [_as_a_command() for _ in range(runs)]
    within = [_within_a_process() for _ in range(runs)]
    rows = [("airworthy sandbox, over TLS", median(command)), ("SandboxServer, over TLS", median(within))]
    show((f"until the first response, {runs} times", "median (range)"), rows)


def _as_a_command() -> float:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "airworthy.cli", "sandbox", "--quiet", "--port", str(port)]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            return _first_response(f"https://127.0.0.1:{port}") - began
        finally:
            process.terminate()


def _within_a_process() -> float:
    began = time.perf_counter()
    with SandboxServer() as sandbox:
        return _first_response(sandbox.base_url) - began


def _first_response(base_url: str) -> float:
    """Send requests until there is a response of any kind, and return its time."""
    trusting = ssl._create_unverified_context()  # noqa: S323, SLF001  it is our own sandbox, on a loopback address
    until = time.perf_counter() + _PATIENCE
    while time.perf_counter() < until:
        try:
            urllib.request.urlopen(f"{base_url}/v4/order/x", context=trusting, timeout=_PATIENCE)  # noqa: S310 - our own sandbox
        except urllib.error.HTTPError:
            return time.perf_counter()
        except urllib.error.URLError:
            time.sleep(0.005)
    raise TimeoutError(f"{base_url} did not respond within {_PATIENCE:g} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
