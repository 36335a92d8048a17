"""``airworthy explore``: random conversations with a service, judged by the documents."""

import contextlib
import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer
from typer import Option

from airworthy.cli import options
from airworthy.suite.run_options import option_arguments

app = typer.Typer()


@app.command("explore")
def explore(
    *,
    profile: options.TargetProfile = None,
    target: options.Target = None,
    environment: options.Environment = None,
    ca_bundle: options.CaBundle = None,
    versions: options.Versions = None,
    key_env: options.KeyEnv = None,
    allow_plain_http: options.AllowPlainHttp = False,
    allow_live_bookings: options.AllowLiveBookings = False,
    max_rps: options.MaxRps = None,
    time: Annotated[
        str | None,
        Option(
            metavar="TIME",
            help="How long to explore all interfaces together: 90s, 5m, 1h; shortening the last findings takes longer. "
            "Default without --conversations: 1m.",
        ),
    ] = None,
    conversations: options.Conversations = None,
    seed: options.Seed = None,
    max_bookings: options.MaxBookings = None,
    until_found: options.UntilFound = False,
    dialect: options.SandboxDialect = None,
    fault: options.SandboxFaults = None,
    reports: options.Reports = options.REPORTS,
    run_id: options.RunName = None,
    as_json: options.Json = False,
) -> None:
    """Explore a service with random conversations, and show the shortest one for each violation.

    Without --profile and --target, the embedded sandbox is explored. A conversation that failed is saved in --reports
    and is tried first next time.

    Exit codes: 0 no violation found, 1 violations found, 2 usage error, 3 ended early, 4 internal error of the suite.

    Example: airworthy explore --profile acme.toml --time 5m
    """
    given = options.of_run(locals())
    from airworthy.cli.certification import certify

    given["--explore"] = "1m" if time is None and conversations is None else time
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        certification = certify(list(option_arguments(given)), reports, run_id, part="explore")
    if as_json:
        typer.echo(json.dumps([asdict(each) for each in certification.results.explored], indent=2))
    raise typer.Exit(certification.exit_code)
