"""Measure full runs against a sandbox whose responses take some milliseconds longer, by one process and by several.

python benchmarks/slow_target.py [milliseconds] [versions] [options of pytest for each compared run]
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from starlette.types import ASGIApp, Receive, Scope, Send

from airworthy.report.document import load_results
from airworthy.report.results import Results
from airworthy.sandbox import SandboxServer
from machine import show


def main(milliseconds: str = "200", versions: str = "v2,v3,v4", *compared: str) -> None:
    """Run the suite in each way, and print the durations and whether the verdicts are the same."""
    rows: list[tuple[str, ...]] = []
    first: tuple[float, Results] | None = None
    for options in compared or ("-n 0", ""):
        seconds, results = run(float(milliseconds) / 1000, versions, options)
        first = first or (seconds, results)
        differing = [each.id for each in results.rules if _verdicts(first[1]).get(each.id) != each.verdict]
        rows.append(
            (
                options or "default",
                f"{seconds:.0f} s",
                f"{first[0] / seconds:.1f}",
                str(results.timing.exchanges),
                ", ".join(differing) or "same",
            )
        )
    show((f"{versions}, {milliseconds} ms", "process", "times faster", "exchanges", "verdicts"), rows)


def run(latency: float, versions: str, options: str) -> tuple[float, Results]:
    """Certify a sandbox in a separate process; return the seconds and the results."""
    sandbox = SandboxServer()
    sandbox.app.add_middleware(Latency, seconds=latency)
    with sandbox, tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "airworthy.cli", "certify", "service", "--run-id", "run"]
        command += ["--target", sandbox.base_url, "--ca-bundle", str(sandbox.ca_bundle), "--versions", versions]
        began = time.monotonic()
        subprocess.run([*command, "--", *options.split()], cwd=folder, check=True, capture_output=True)
        return time.monotonic() - began, load_results(Path(folder) / "reports" / "run" / "results.json")


class Latency:
    """Middleware that delays every response, without keeping other requests waiting."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait, then respond."""
        await asyncio.sleep(self._seconds)
        await self._app(scope, receive, send)


def _verdicts(results: Results) -> dict[str, str]:
    return {each.id: each.verdict for each in results.rules}


if __name__ == "__main__":
    main(*sys.argv[1:])
