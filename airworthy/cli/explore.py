"""``airworthy explore``: random conversations with a service, judged by the documents."""

import contextlib
import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from airworthy.cli.options import (
    REPORTS,
    AllowLiveBookings,
    AllowPlainHttp,
    CaBundle,
    Environment,
    Json,
    KeyEnv,
    MaxBookings,
    MaxRps,
    Reports,
    RunName,
    Seed,
    Target,
    TargetProfile,
    Versions,
)

app = typer.Typer()


@app.command("explore")
def explore(
    *,
    profile: TargetProfile = None,
    target: Target = None,
    environment: Environment = None,
    ca_bundle: CaBundle = None,
    versions: Versions = None,
    key_env: KeyEnv = None,
    allow_plain_http: AllowPlainHttp = False,
    allow_live_bookings: AllowLiveBookings = False,
    max_rps: MaxRps = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="How long to explore all interfaces together: 90s, 5m, 1h; shortening the last findings takes longer. "
            "Default without --conversations: 1m.",
        ),
    ] = None,
    conversations: Annotated[
        int | None, typer.Option(metavar="N", help="Number of conversations to draw for each interface.")
    ] = None,
    seed: Seed = None,
    max_bookings: MaxBookings = None,
    dialect: Annotated[str | None, typer.Option(metavar="NAME", help="Dialect of the embedded sandbox.")] = None,
    fault: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Fault of the embedded sandbox; repeatable.")
    ] = None,
    reports: Reports = REPORTS,
    run_id: RunName = None,
    as_json: Json = False,
) -> None:
    """Explore a service with random conversations, and show the shortest one for each violation.

    Without --profile and --target, the embedded sandbox is explored. A conversation that failed is saved in --reports
    and is tried first next time.

    Exit codes: 0 no violation found, 1 violations found, 2 usage error, 3 ended early, 4 internal error of the suite.

    Example: airworthy explore --profile acme.toml --time 5m
    """
    from airworthy.cli.certification import certify

    if time is None and conversations is None:
        time = "1m"
    values = {
        "--profile": profile,
        "--target": target,
        "--environment": environment,
        "--ca-bundle": ca_bundle,
        "--versions": versions,
        "--key-env": key_env,
        "--max-rps": max_rps,
        "--explore": time,
        "--conversations": conversations,
        "--seed": seed,
        "--max-bookings": max_bookings,
        "--dialect": dialect,
    }
    flags = {"--allow-plain-http": allow_plain_http, "--allow-live-bookings": allow_live_bookings}
    arguments = [f"{name}={value}" for name, value in values.items() if value is not None]
    arguments += [name for name, is_set in flags.items() if is_set]
    arguments += [f"--fault={each}" for each in fault or ()]
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        certification = certify(arguments, reports, run_id, part="explore")
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in certification.results.explored], indent=2))
    raise typer.Exit(certification.exit_code)
