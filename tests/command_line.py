"""Commands of Airworthy that a test runs in its own process, and other programs."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple, Protocol

AIRWORTHY: Final = (sys.executable, "-m", "airworthy.cli")
"""The command in a process of its own."""


class Outcome(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


class Command(Protocol):
    """``airworthy("rules", "--json")`` runs a command and returns its outcome."""

    def __call__(self, *arguments: object) -> Outcome: ...


def run(
    *command: object, folder: Path | None = None, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, with more environment variables, to its end."""
    return subprocess.run(  # noqa: S603  our own programs
        [*map(str, command)],
        cwd=folder,
        env=os.environ | (environment or {}),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def start(
    *command: object,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    stderr: int = subprocess.PIPE,
) -> subprocess.Popen[str]:
    """Start a program in a folder, with more environment variables; its output is read through pipes."""
    return subprocess.Popen(  # noqa: S603  our own programs
        [*map(str, command)],
        cwd=folder,
        env=os.environ | (environment or {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )
