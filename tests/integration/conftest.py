"""Runs of the suite that several tests read; each is made once for all tests and processes."""

import json
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, Protocol

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, expect, sync_playwright

from airworthy.report.document import load_results
from airworthy.sandbox import SandboxServer
from airworthy.sandbox.dialects.named import DOCUMENTED
from collected_suite import TERMINAL, CollectedSuite, FinishedRun
from command_line import AIRWORTHY, run, start
from integration.report.browsing import CHROMIUM

# What a shell runs in the background ignores Ctrl-C, and with nohup the end of the terminal. So would the programs that
# tests interrupt.
for _ignored, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_ignored) is signal.SIG_IGN:
        signal.signal(_ignored, _handler)

# Milliseconds. The default of 5 seconds is too short for a machine that is busy with other things.
_PATIENCE: Final = 60_000
expect.set_options(timeout=_PATIENCE)

FAULTY = (
    *("error-repeats-request", "status-of-a-person", "passengers-renamed", "contact-other-email"),
    *("wrong-key-served", "order-query-crash", "us-dollars", "loyalty-points"),
)
"""The faults of a full run. Most of them repeat what a request contained, one adds a field."""


class FullRun(Protocol):
    """Returns a full run on a dialect with faults; do not change its folder.

    Its planned conversations cover every combination of ``together`` circumstances.
    """

    def __call__(self, dialect: str = DOCUMENTED, faults: tuple[str, ...] = (), together: int = 1) -> FinishedRun: ...


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that read a full run, which takes longer than a thousand unit tests."""
    for item in items:
        if not {"full_run", "certified_run"}.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("exhaustive")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the contents of the wheel, as pip installs them."""
    wheels, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    checkout = Path(__file__).parents[2]
    ended = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", wheels, checkout)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    (wheel,) = wheels.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    return site


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxServer]:
    """The service in test mode, with its content export."""
    with SandboxServer(ftp_port=0) as running:
        yield running


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the runs that all processes share."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "full-runs"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def full_run(suite: CollectedSuite, shared_folder: Path, certified_run: FinishedRun) -> FullRun:
    """``full_run(dialect, faults, together)`` returns a full run in the process that has collected the suite.

    Without faults, the run on the usual dialect is that of the command.
    """

    # Each process reads the results of a run, which takes a quarter of a second, once.
    @cache
    def made(dialect: str = DOCUMENTED, faults: tuple[str, ...] = (), together: int = 1) -> FinishedRun:
        if (dialect, faults) == (DOCUMENTED, ()):
            return certified_run
        path = shared_folder / "+".join((dialect, *faults, str(together)))
        options = {"dialect": dialect, "faults": faults, "together": together, "judged": True}
        return _once(path, lambda: suite.run(path, **options).exit_code)

    return made


@pytest.fixture(scope="session")
def certified_run(shared_folder: Path) -> FinishedRun:
    """A full run of ``airworthy certify service`` as a newcomer starts it."""
    path = shared_folder / "command"

    def certify() -> int:
        arguments = ("certify", "service", f"--reports={path.parent}", "--run-id", path.name)
        with start(*AIRWORTHY, *arguments, folder=shared_folder, stderr=subprocess.STDOUT) as running:
            output, _ = running.communicate(timeout=900)
        (path / TERMINAL).write_text(output, encoding="utf-8")
        return running.returncode

    return _once(path, certify)


def _once(folder: Path, make: Callable[[], int]) -> FinishedRun:
    """Return the run in a folder; the first process that asks makes it. ``make`` returns its exit code."""
    exit_code = folder.with_name(f"{folder.name}.exit-code")
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        if not exit_code.exists():
            exit_code.write_text(str(make()))
    terminal = (folder / TERMINAL).read_text(encoding="utf-8")
    return FinishedRun(load_results(folder / "results.json"), terminal, int(exit_code.read_text()), folder)


def toml(values: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the lines of a TOML file."""
    for key, value in values.items():
        if not isinstance(value, dict):
            yield f"{key} = {json.dumps(value)}"
    for key, value in values.items():
        if isinstance(value, dict):
            yield f"[{'.'.join((*path, key))}]"
            yield from toml(value, (*path, key))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium of this machine. Playwright has a running event loop, so it must end with the module."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed on this machine")
    with sync_playwright() as playwright:
        # root cannot use the sandbox of Chromium; the tests open local files only.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"], timeout=_PATIENCE)
        yield browser
        browser.close()
