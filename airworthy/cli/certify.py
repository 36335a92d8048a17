"""``airworthy certify``: run the full suite against a service, or judge the traffic of a partner, and decide."""

import contextlib
import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer import Argument, Option

from airworthy.cli import options
from airworthy.cli.signing import SigningOptions
from airworthy.errors import UsageError
from airworthy.suite.run_options import KEY, option_arguments

if TYPE_CHECKING:
    from airworthy.cli.certification import Certification

app = typer.Typer(
    name="certify",
    help="Issue a certificate or a refusal, for a service or for the integration of a partner.",
    no_args_is_help=True,
)


@app.command(context_settings=options.PASSES_ON, short_help="Check a service against every documented rule.")
def service(
    context: typer.Context,
    *,
    profile: options.TargetProfile = None,
    target: options.Target = None,
    environment: options.Environment = None,
    ca_bundle: options.CaBundle = None,
    versions: options.Versions = None,
    key_env: options.KeyEnv = None,
    allow_plain_http: options.AllowPlainHttp = False,
    allow_live_bookings: options.AllowLiveBookings = False,
    max_wait: options.MaxWait = None,
    max_rps: options.MaxRps = None,
    explore: options.Explore = None,
    seed: options.Seed = None,
    max_bookings: options.MaxBookings = None,
    until_found: options.UntilFound = False,
    dialect: options.SandboxDialect = None,
    fault: options.SandboxFaults = None,
    from_evidence: Annotated[
        Path | None,
        Option(
            metavar="RUN",
            help="Folder of an old run: judge its evidence again, without sending requests; --profile gives other"
            " waivers.",
        ),
    ] = None,
    watch: Annotated[
        list[Path] | None,
        Option(
            metavar="PATH",
            help="Run again when a file in this folder changes: what failed last, then everything; repeatable.",
        ),
    ] = None,
    sign: options.Sign = None,
    valid_days: options.ValidDays = None,
    supersedes: options.Supersedes = None,
    issuer: options.Issuer = None,
    reports: options.Reports = options.REPORTS,
    run_id: options.RunName = None,
    pdf: options.Pdf = False,
    as_json: options.Json = False,
) -> None:
    """Check a service against every documented rule and decide whether it is certified.

    Without --profile and --target, the suite tests its embedded sandbox. Arguments after -- are passed to pytest.
    With --explore, random conversations follow the scenarios, and what they find counts, too. With --sign, the run gets
    a signed certificate, whatever the decision is; see airworthy verify. With --watch, Ctrl-C ends with the exit code
    of the last full run.

    Exit codes: 0 certified, 1 not certified, 2 usage error, 3 incomplete, 4 internal error of the suite.

    Example: airworthy certify service --profile acme.toml --max-wait 0
    """
    given = options.of_run(locals())
    from airworthy.cli.certification import certify

    signing = _prepared(sign, valid_days, supersedes, issuer, profile, pdf=pdf)
    if from_evidence:
        # Judging again takes the waivers of the profile.
        del given["--profile"]
    arguments = list(option_arguments(given))
    if watch:
        single = {"--json": as_json, "--run-id": run_id, "--sign": sign, "--pdf": pdf, "--from-evidence": from_evidence}
        if unsuitable := next((name for name, value in single.items() if value), None):
            raise UsageError(f"--watch makes many runs, so {unsuitable} has no effect; remove one of them")
        raise typer.Exit(_watched(watch, arguments, context.args, reports, given))
    # With --json, standard output contains nothing but the JSON document.
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        if from_evidence:
            from airworthy.cli.rejudging import certify_again

            without_effect = [*arguments, *context.args]
            certification = certify_again(from_evidence, without_effect, reports, run_id, profile)
        else:
            certification = certify([*arguments, *context.args], reports, run_id)
        _seal(certification.folder, signing, pdf=pdf)
    if as_json:
        typer.echo(json.dumps(certification.summary(), indent=2))
    raise typer.Exit(certification.exit_code)


@app.command(short_help="Judge the recorded traffic of a partner.")
def partner(
    recordings: Annotated[
        list[Path],
        Argument(
            metavar="EVIDENCE...",
            help="Evidence, HAR files or mitmproxy flow files of the partner, also compressed (zstd); a folder means"
            " all recordings in it and its subfolders.",
        ),
    ],
    *,
    profile: Annotated[
        Path | None,
        Option(
            metavar="FILE", help="TOML profile of the service, with the test credentials and the operator's [golive]."
        ),
    ] = None,
    partner_name: Annotated[
        str, Option("--partner", metavar="NAME", help="Name of the partner. Overrides the profile.")
    ] = "",
    version: Annotated[
        Literal["v2", "v3", "v4"] | None,
        Option(
            metavar="VERSION",
            help="Interface that the partner integrates: v2, v3 or v4. Default: the one that it books with.",
        ),
    ] = None,
    sign: options.Sign = None,
    valid_days: options.ValidDays = None,
    supersedes: options.Supersedes = None,
    issuer: options.Issuer = None,
    reports: options.Reports = options.REPORTS,
    run_id: options.RunName = None,
    pdf: options.Pdf = False,
    as_json: options.Json = False,
) -> None:
    """Judge the recorded traffic of a partner by the go-live list and decide whether it may go live.

    Exit codes: 0 certified, 1 not certified, 2 usage error, 3 incomplete (an item is not shown), 4 internal error.

    Example: airworthy certify partner evidence.jsonl --profile acme.toml
    """
    from airworthy.cli.certification import Certification
    from airworthy.partner.certification import certify_partner
    from airworthy.report.decision import decide
    from airworthy.target.profile_file import load_profile
    from airworthy.text import printable

    signing = _prepared(sign, valid_days, supersedes, issuer, profile, pdf=pdf)
    loaded, files = load_profile(profile) if profile else None, options.named_recordings(recordings)
    results, folder = certify_partner(files, reports, loaded, partner=partner_name, version=version, run=run_id)
    certification = Certification(results, folder, decide(results).exit_code)
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        _seal(certification.folder, signing, pdf=pdf)
    if as_json:
        typer.echo(json.dumps(certification.summary(), indent=2))
    else:
        for line in partner_lines(certification):
            typer.echo(printable(line))
    raise typer.Exit(certification.exit_code)


def _watched(
    paths: list[Path], arguments: list[str], passed_on: list[str], reports: Path, values: Mapping[str, object]
) -> int:
    """Run the suite whenever files change, and return the exit code of the last full run."""
    from airworthy.cli.watching import Watch
    from airworthy.suite.options import external_profile, is_external

    given = Namespace(**{name.strip("-").replace("-", "_"): value for name, value in values.items()})
    given.key_env = given.key_env or KEY
    profile = external_profile(given) if is_external(given) else None
    return Watch(paths, [*arguments, f"--reports={reports}"], passed_on, reports, profile).run()


def _prepared(
    sign: Path | None,
    valid_days: int | None,
    supersedes: Path | None,
    issuer: str | None,
    profile: Path | None,
    *,
    pdf: bool,
) -> SigningOptions | None:
    """Return how a run will be signed, if it will. What is missing for that ends the command before a long run."""
    from airworthy.report.pdf import require_pdf
    from airworthy.target.profile_file import load_profile

    if pdf:
        require_pdf()
    if sign is None:
        if any(each is not None for each in (supersedes, valid_days, issuer)):
            raise UsageError("--supersedes, --valid-days and --issuer require --sign")
        return None
    if valid_days is None and profile is not None:
        valid_days = load_profile(profile).valid_days
    return SigningOptions(sign, valid_days, supersedes, issuer)


def _seal(folder: Path, signing: SigningOptions | None, *, pdf: bool) -> None:
    from airworthy.report.write import write_pdf

    if signing:
        signing.sign(folder, pdf=pdf)
    elif pdf:
        typer.echo(f"PDF: {write_pdf(folder)}")


def partner_lines(certification: "Certification") -> Iterator[str]:
    """Yield the decision, the items against it with what to do, and the path of the report."""
    from airworthy.contract import Contract
    from airworthy.contract.http.operations import SERVED
    from airworthy.report.exchange_summaries import operation_of
    from airworthy.report.exchange_view import load_records
    from airworthy.report.overview import overview
    from airworthy.report.violations import RECORD_ANEW, violation_lines
    from airworthy.traffic.naming import exchange_name

    results, seen = certification.results, overview(certification.results)
    decision = seen.decision
    version = results.integration.version if results.integration else ""
    counts = {seen.word(verdict): count for verdict, count in results.counts.items() if count}
    yield f"{decision.outcome}: {version} integration of {results.subject}"
    if seen.self_test:
        yield f"self-test: {seen.self_test}"
    yield f"go-live items: {', '.join(f'{count} {word}' for word, count in counts.items())}"
    against = {name for block in decision.blocks for name in block.rules}
    rules = {rule.id: rule for rule in results.rules if rule.id in against}
    listed = [each.finding.exchange for block in decision.blocks for each in seen.violations_of(block)]
    decisive = {name: rule.scenarios[0].exchanges[0] for name, rule in rules.items() if rule.scenarios[0].exchanges}
    records = load_records(certification.folder / results.integrity.evidence, frozenset((*listed, *decisive.values())))
    contract = Contract.load(SERVED)
    names = {
        each.exchange.id: exchange_name(each.exchange.id, each.exchange.started, operation_of(each, contract))
        for each in records.values()
    }
    for block in decision.blocks:
        yield f"{seen.word(block.cause)}: {seen.reason(block)} [{', '.join(block.rules)}]"
        violations = seen.violations_of(block)
        yield from (f"  {line}" for line in violation_lines(violations, names))
        named = (names.get(decisive.get(each, "")) for each in block.rules if not violations)
        yield from (f"  {name}" for name in dict.fromkeys(named) if name)
        yield from (f"  {instructions}" for instructions in seen.instructions(block))
    if any(seen.violations.values()):
        yield RECORD_ANEW
    yield f"report: {certification.folder / 'report.html'}"
