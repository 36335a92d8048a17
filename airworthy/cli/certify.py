"""``airworthy certify service``: run the full suite against one target and decide."""

import contextlib
import json
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from airworthy.cli.options import PASSES_ON, Json, Pdf
from airworthy.cli.signing import DEFAULT_DAYS, Days, SigningOptions, Supersedes
from airworthy.errors import UsageError

app = typer.Typer(name="certify", no_args_is_help=True)


@app.callback()
def _certify() -> None:
    """Run the full suite and issue a certificate or a refusal."""


@app.command(context_settings=PASSES_ON)
def service(
    context: typer.Context,
    *,
    profile: Annotated[Path | None, typer.Option(metavar="FILE", help="TOML profile of the target.")] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Base URL without the version. Overrides the base URL of the profile."),
    ] = None,
    environment: Annotated[
        Literal["test", "production"] | None,
        typer.Option(
            metavar="test|production",
            help="What the system at --target is. Required if --target is not the address of the profile.",
        ),
    ] = None,
    ca_bundle: Annotated[
        Path | None, typer.Option(metavar="FILE", help="PEM file with the certificate authorities to trust.")
    ] = None,
    versions: Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Interfaces to examine, such as v3,v4. Default: all with credentials."),
    ] = None,
    key_env: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Environment variable with the v4 key, for --target without --profile."),
    ] = None,
    allow_plain_http: Annotated[
        bool, typer.Option("--allow-plain-http", help="Accept a base URL that starts with http://.")
    ] = False,
    allow_live_bookings: Annotated[
        bool, typer.Option("--allow-live-bookings", help="Allow bookings in a production environment.")
    ] = False,
    max_wait: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Longest time to wait for something to expire. Default: no limit."),
    ] = None,
    max_rps: Annotated[
        float | None, typer.Option(metavar="N", help="Maximum number of requests per second. Default: no limit.")
    ] = None,
    from_evidence: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="Folder of an old run: judge its evidence again, without sending requests."),
    ] = None,
    sign: Annotated[Path | None, typer.Option(metavar="KEY", help="Private key that signs the run.")] = None,
    valid_days: Days = DEFAULT_DAYS,
    supersedes: Supersedes = None,
    reports: Annotated[Path, typer.Option(metavar="DIR", help="Folder for reports.")] = Path("reports"),
    run_id: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Name of this run's folder in --reports. Default: date and time."),
    ] = None,
    pdf: Pdf = False,
    as_json: Json = False,
) -> None:
    """Check a service against every documented rule and decide whether it is certified.

    Without --profile and --target, the suite examines its embedded sandbox. Arguments after -- are passed to pytest.
    With --sign, the run gets a signed certificate, whatever the decision is; see airworthy verify.

    Exit codes: 0 certified, 1 not certified, 2 usage error, 3 incomplete, 4 internal error of the suite.

    Example: airworthy certify service --profile acme.toml -- -n 2
    """
    from airworthy.cli.certification import certify
    from airworthy.report import require_pdf, write_pdf

    if pdf:
        # Before a run that may take hours.
        require_pdf()

    if sign is None and (supersedes is not None or valid_days != DEFAULT_DAYS):
        raise UsageError("--supersedes and --valid-days require --sign")
    # A key that cannot be read ends the command now, not after a long run.
    signing = SigningOptions(sign, valid_days, supersedes) if sign else None
    values = {
        "--profile": profile,
        "--target": target,
        "--environment": environment,
        "--ca-bundle": ca_bundle,
        "--versions": versions,
        "--key-env": key_env,
        "--max-wait": max_wait,
        "--max-rps": max_rps,
    }
    flags = {"--allow-plain-http": allow_plain_http, "--allow-live-bookings": allow_live_bookings}
    arguments = [f"{name}={value}" for name, value in values.items() if value is not None]
    arguments += [name for name, is_set in flags.items() if is_set]
    # With --json, standard output contains nothing but the JSON document.
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        if from_evidence:
            from airworthy.cli.rejudging import certify_again

            certification = certify_again(from_evidence, [*arguments, *context.args], reports, run_id)
        else:
            certification = certify([*arguments, *context.args], reports, run_id)
        if signing:
            signing.sign(certification.folder, pdf=pdf)
        elif pdf:
            typer.echo(f"PDF: {write_pdf(certification.folder)}")
    if as_json:
        typer.echo(json.dumps(certification.summary(), indent=2))
    raise typer.Exit(certification.decision.exit_code)
