"""``airworthy audit``: judge recorded traffic."""

import contextlib
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Argument, Option

from airworthy.cli.options import AllowRecordedHttp, AuditFormat, BaseUrls, Jobs, PaymentProviders, named_recordings
from airworthy.errors import UsageError, writing

app = typer.Typer()

Engine = Literal["local", "spark"]
_OF_LOCAL = ("--jobs", "--evidence")
_OF_SPARK = ("--spark-master", "--spark-conf")
_OF_FOLLOWING = ("--checkpoint", "--watermark", "--until-caught-up")


@app.command("audit")
def audit_files(
    files: Annotated[
        list[str],
        Argument(
            metavar="FILE...",
            help="HAR files, mitmproxy flow files or evidence, also compressed (zstd); a folder means all recordings"
            " in it and its subfolders. With --engine spark also any URI that Spark reads, such as s3a://bucket/folder.",
        ),
    ],
    *,
    base_url: BaseUrls = None,
    payment_provider: PaymentProviders = None,
    profile: Annotated[
        Path | None, Option(metavar="FILE", help="TOML profile with both URLs and the secrets to redact.")
    ] = None,
    allow_plain_http: AllowRecordedHttp = False,
    form: Annotated[
        AuditFormat,
        Option("--format", help="Output format; parquet is a folder of findings, which --engine spark writes."),
    ] = "table",
    output: Annotated[
        str | None,
        Option(
            metavar="FILE",
            help="Output file. Default: standard output. With --engine spark, jsonl to a URI is a folder of findings.",
        ),
    ] = None,
    evidence: Annotated[
        Path | None,
        Option(metavar="FILE", help="Also write the exchanges with the service to this file, as redacted evidence."),
    ] = None,
    jobs: Jobs = None,
    engine: Annotated[
        Engine, Option(help="Where the audit runs: in processes of this machine, or on Apache Spark.")
    ] = "local",
    spark_master: Annotated[
        str | None, Option(metavar="URL", help="Spark's master. Default: local[*], or that of spark-submit.")
    ] = None,
    spark_conf: Annotated[list[str] | None, Option(metavar="KEY=VALUE", help="Property of Spark; repeatable.")] = None,
    follow: Annotated[
        bool,
        Option(
            "--follow",
            help="With --engine spark: keep judging the evidence that proxies close in one folder or below one URI.",
        ),
    ] = False,
    checkpoint: Annotated[
        str | None,
        Option(
            metavar="FOLDER",
            help="With --follow: folder or URI with the state from which a restart continues."
            " Default: checkpoint in --output.",
        ),
    ] = None,
    watermark: Annotated[
        str | None,
        Option(
            metavar="TIME",
            help="With --follow: longest time between an exchange and the arrival of its file. Choose more than the"
            " --rotate of the proxies. Default: 6m.",
        ),
    ] = None,
    until_caught_up: Annotated[
        bool, Option("--until-caught-up", help="With --follow: judge what is new, then end.")
    ] = False,
    adults: Annotated[
        int | None,
        Option(
            metavar="N",
            min=1,
            help='Minimum number of adults in one booking that counts as "several adults" on the go-live list;'
            " overrides the profile. Default: 2.",
        ),
    ] = None,
    infants: Annotated[
        int | None,
        Option(
            metavar="N",
            min=1,
            help="Minimum number of infants in one booking for the go-live list; overrides the profile. Default: 1.",
        ),
    ] = None,
) -> None:
    """Judge recorded traffic. The findings are those that the live proxy would have reported.

    Exit codes: 0 no violations of the contract, 1 violations, 2 usage error, 3 nothing could be
    judged or the output could not be written, 4 internal error of the audit.

    Example: airworthy audit monday.har --base-url https://api.example.com --format html --output monday.html

    Example: airworthy audit --engine spark --spark-master spark://head:7077 /archive/2026 --format json

    Example: airworthy audit --engine spark --follow /evidence --format jsonl --checkpoint /var/lib/audit
    """
    from airworthy.audit import AuditSettings, audit, not_called
    from airworthy.audit.run import changed_evidence
    from airworthy.cli.audit_output import progress, write
    from airworthy.contract import Contract
    from airworthy.contract.http.operations import SERVED
    from airworthy.evidence.recorder import Recorder
    from airworthy.evidence.redaction import Redactor
    from airworthy.target.profile import known_terms
    from airworthy.target.profile_file import load_profile
    from airworthy.target.urls import named_service
    from airworthy.text import printable
    from airworthy.traffic.golive.items import golive_settings
    from airworthy.traffic.summary import outcome

    loaded = load_profile(profile) if profile else None
    service = named_service(base_url or [], payment_provider or [], loaded, allow_plain_http=allow_plain_http)
    golive = golive_settings(loaded, adults, infants)
    contract, terms = Contract.load(SERVED, service), known_terms(loaded)
    new_redactor = partial(Redactor, contract, **terms)
    settings = AuditSettings((), service, golive, lines=form in ("jsonl", "parquet"))
    given: dict[str, object] = {
        "--jobs": jobs,
        "--evidence": evidence,
        "--spark-master": spark_master,
        "--spark-conf": spark_conf,
        "--checkpoint": checkpoint,
        "--watermark": watermark,
        "--until-caught-up": until_caught_up,
    }
    _check_options(engine, form, [option for option, value in given.items() if value], is_following=follow)
    if engine == "spark":
        from airworthy.cli.audit_on_spark import audit_follow, audit_on_spark
        from airworthy.spark.session import options, spark_session

        started = spark_session(spark_master, options(spark_conf or []))
        if follow:
            summary = audit_follow(
                started, settings, files, output, checkpoint, watermark=watermark, until_caught_up=until_caught_up
            )
        else:
            summary = audit_on_spark(started, settings, files, form, output, new_redactor=new_redactor)
    else:
        settings = replace(settings, files=named_recordings([Path(each) for each in files]))
        with writing(f"--evidence {evidence}" if evidence else "temporary file"):
            recorder = Recorder(evidence, contract, **terms) if evidence else None
            with recorder or contextlib.nullcontext(), progress() as show:
                result = audit(settings, jobs=jobs, recorder=recorder, progress=show)
        if changed := changed_evidence(settings.files):
            result.changed = changed
            typer.echo(printable(changed), err=True)
        write(result, form, Path(output) if output else None, new_redactor)
        summary = result.summary
        if service.base_urls and not summary.golive.versions:
            typer.echo(printable(not_called(settings.files, service.base_urls)), err=True)
    verdict = outcome(summary)
    if output or follow:
        sys.stderr.write(f"{verdict.headline}{f': {output}' if output else ''}\n")
    raise typer.Exit(verdict.exit_code)


def _check_options(engine: Engine, form: AuditFormat, given: list[str], *, is_following: bool) -> None:
    for option in given:
        if option in _OF_FOLLOWING and not is_following:
            raise UsageError(f"{option} has no effect without --follow; remove it, or add --follow")
        if option in _OF_SPARK and engine == "local":
            raise UsageError(f"{option} has no effect with --engine local; add --engine spark")
        if option in _OF_LOCAL and engine == "spark":
            raise UsageError(f"{option} has no effect with --engine spark; remove it, or use --engine local")
    if is_following and engine == "local":
        raise UsageError("--follow runs on Spark; add --engine spark")
    if is_following and form != "jsonl":
        raise UsageError("--follow writes findings as JSON Lines; add --format jsonl")
    if form == "parquet" and engine == "local":
        raise UsageError("--format parquet is written by Spark; add --engine spark, or use --format jsonl")
