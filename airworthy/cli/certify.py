"""``airworthy certify service``: runs the whole suite in this process, against one target."""

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import pytest
import typer

from airworthy.cli.options import PASSES_ON, Json
from airworthy.errors import UsageError
from airworthy.report import Decision, Results, decide, load_results
from airworthy.resources import resource
from airworthy.suite import options
from airworthy.suite.folders import free_name

app = typer.Typer(name="certify", no_args_is_help=True)

_PROCESSES = re.compile(r"-n($|auto|logical|\d|=)|--(numprocesses|dist)\b")
_SETTINGS = Path(options.__file__).parent / "certify.ini"


@app.callback()
def _certify() -> None:
    """Examine the whole of something, and decide."""


@app.command(context_settings=PASSES_ON)
def service(
    context: typer.Context,
    *,
    profile: Annotated[Path | None, typer.Option(metavar="FILE", help="TOML profile of the target.")] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Base URL without the version; beside a profile: over its own."),
    ] = None,
    ca_bundle: Annotated[Path | None, typer.Option(metavar="FILE", help="PEM file with authorities to trust.")] = None,
    versions: Annotated[
        str | None, typer.Option(metavar="LIST", help="Interfaces to examine, such as v3,v4 (all with credentials).")
    ] = None,
    key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="Variable with the v4 key, for --target alone.")
    ] = None,
    allow_plain_http: Annotated[
        bool, typer.Option("--allow-plain-http", help="Examine a base URL without TLS.")
    ] = False,
    allow_live_bookings: Annotated[
        bool, typer.Option("--allow-live-bookings", help="Book in a production environment.")
    ] = False,
    max_wait: Annotated[float | None, typer.Option(metavar="SECONDS", help="Longest wait for things to age.")] = None,
    max_rps: Annotated[float | None, typer.Option(metavar="N", help="Most requests a second.")] = None,
    reports: Annotated[Path, typer.Option(metavar="DIR", help="Where the report's folder goes.")] = Path("reports"),
    run_id: Annotated[str | None, typer.Option(metavar="NAME", help="Name of that folder (date and time).")] = None,
    as_json: Json = False,
) -> None:
    """Hold a service against every documented rule, and decide. Without a target: the embedded sandbox.

    Exit codes: 0 certified, 1 not certified, 2 wrong use, 3 incomplete, 4 the suite's own fault.
    What stands after -- goes to pytest.

    Example: airworthy certify service --profile acme.toml -- -n 2
    """
    given = {
        "--profile": profile,
        "--target": target,
        "--ca-bundle": ca_bundle,
        "--versions": versions,
        "--key-env": key_env,
        "--max-wait": max_wait,
        "--max-rps": max_rps,
    }
    flags = {"--allow-plain-http": allow_plain_http, "--allow-live-bookings": allow_live_bookings}
    arguments = [f"{name}={value}" for name, value in given.items() if value is not None]
    arguments += [name for name, wanted in flags.items() if wanted]
    # With --json, what pytest shows goes where it is not in the way.
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        certification = certify([*arguments, *context.args], reports, run_id)
    if as_json:
        typer.echo(json.dumps(_told(certification), indent=2))
    raise typer.Exit(certification.decision.exit_code)


@dataclass(frozen=True, slots=True)
class Certification:
    """What a run came to, and the folder with its report."""

    results: Results
    decision: Decision
    folder: Path


def certify(arguments: Sequence[str], reports: Path, run: str | None = None) -> Certification:
    """Run the suite with pytest's and its own ``arguments``; the report goes to a folder below ``reports``.

    Raises:
        UsageError: nothing was selected, or several processes were asked for where pytest-xdist is missing.
        SystemExit: pytest refused the arguments, with a line of its own (exit code 2).
    """
    run = run or free_name(reports)
    written = reports / run / "results.json"
    earlier = _time_of(written)
    parallel = ["-p", "xdist"] if any(each.name == "xdist" for each in entry_points(group="pytest11")) else []
    asked = next((each for each in arguments if _PROCESSES.match(each)), None)
    if asked and not parallel:
        raise UsageError(f"{asked}: needs pytest-xdist, which is not installed (pip install pytest-xdist)")
    with _alone():
        exit_code = pytest.main(
            [
                "-q",
                *("-c", str(_SETTINGS)),
                f"--rootdir={resource('conformance')}",
                *parallel,
                *("-o", f"cache_dir={(reports / '.cache').resolve()}"),
                *("--reports", str(reports), "--run-id", run),
                *arguments,
                str(resource("conformance")),
            ]
        )
    if _time_of(written) == earlier:
        # pytest's code for wrong use is also the decision's for a fault of the suite, which leaves results.
        if exit_code == pytest.ExitCode.USAGE_ERROR:
            raise SystemExit(UsageError.exit_code)
        raise UsageError(f"nothing was examined (pytest: {_named(exit_code)})")
    results = load_results(written)
    return Certification(results, decide(results), written.parent)


def _time_of(path: Path) -> int | None:
    return path.stat().st_mtime_ns if path.exists() else None


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep what the caller set for pytest at large out of the run."""
    kept = {name: os.environ.pop(name) for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS") if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


def _named(exit_code: int | pytest.ExitCode) -> str:
    try:
        return pytest.ExitCode(exit_code).name.replace("_", " ").lower()
    except ValueError:
        return f"exit code {exit_code}"


def _told(certification: Certification) -> dict[str, object]:
    results, decision = certification.results, certification.decision
    return {
        "decision": decision.outcome,
        "exit_code": decision.exit_code,
        "run": results.run,
        "target": results.target,
        "counts": results.counts,
        "blocks": [asdict(block) for block in decision.blocks],
        "seconds": results.timing.seconds,
        "folder": str(certification.folder),
    }
