"""``airworthy export-check``: check the files of a content export against the documents."""

import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer
from typer import Argument, Option

from airworthy.cli.options import Json
from airworthy.errors import UsageError

if TYPE_CHECKING:
    from airworthy.target.secret import Secret

app = typer.Typer()

USER_VARIABLE: Final = "AIRWORTHY_FTP_USER"
PASSWORD_VARIABLE: Final = "AIRWORTHY_FTP_PASSWORD"  # noqa: S105  a name


@app.command("export-check")
def export_check(
    location: Annotated[
        str, Argument(metavar="LOCATION", help="A folder, a file, ftp://HOST/FOLDER or ftps://HOST/FOLDER.")
    ],
    *,
    customer: Annotated[
        list[str] | None, Option(metavar="NAME", help="Customer that must have its own files; repeatable.")
    ] = None,
    api_version: Annotated[
        list[int] | None, Option(metavar="N", help="API version that must have files; repeatable.")
    ] = None,
    user_env: Annotated[str, Option(metavar="NAME", help="Variable with the user name.")] = USER_VARIABLE,
    password_env: Annotated[str, Option(metavar="NAME", help="Variable with the password.")] = PASSWORD_VARIABLE,
    ca_bundle: Annotated[Path | None, Option(metavar="FILE", help="PEM file with trusted authorities.")] = None,
    timeout: Annotated[float, Option(metavar="SECONDS", help="Longest time without data from the server.")] = 30.0,
    max_time: Annotated[
        float | None, Option(metavar="SECONDS", help="Maximum time for reading everything from the server.")
    ] = None,
    form: Annotated[
        Literal["table", "jsonl", "json", "sarif", "html"], Option("--format", help="Output format.")
    ] = "table",
    as_json: Json = False,
) -> None:
    """Check the CSV files of a content export: file names, columns and cells.

    A finding names the file, the line, the column, the value and what was expected. Equal findings are counted and
    shown once with their first examples. Where the documents leave the choice, the value is an observation or a
    warning. Unless the environment variables for user and password are set, the login is anonymous.
    Exit codes: 0 no violation, 1 violations, 2 usage error, 3 not everything could be read.

    Example: airworthy export-check ftps://drop.example.com/export --customer acme --api-version 3
    """
    from airworthy.cli import export_check_output as shown
    from airworthy.export import ExpectedFiles, FtpAccess, check_folder, open_location
    from airworthy.target.urls import trusted_authorities

    access = FtpAccess(
        *_credentials(user_env, password_env), trusted_authorities(ca_bundle), _positive("--timeout", timeout), max_time
    )
    if max_time is not None:
        _positive("--max-time", max_time)
    export_location = open_location(location, access)
    expected = ExpectedFiles(tuple(customer or ()), _versions(api_version or ()))
    began = time.monotonic()
    with shown.progress_of(export_location) as progress, shown.interruptible():
        report = check_folder(export_location, expected, progress)
    if as_json or form == "json":
        sys.stdout.write(json.dumps(shown.json_report(report), indent=2) + "\n")
    elif form == "jsonl":
        sys.stdout.writelines(json.dumps(shown.json_finding(each)) + "\n" for each in report.findings)
        sys.stderr.writelines(f"not read: {each}\n" for each in report.interruptions)
    elif form == "sarif":
        sys.stdout.write(shown.render_sarif(report).decode())
    elif form == "html":
        sys.stdout.write(shown.render_html(report))
    else:
        shown.print_report(report, time.monotonic() - began)
    raise typer.Exit(report.exit_code)


def _credentials(user_env: str, password_env: str) -> "tuple[Secret | None, Secret | None]":
    from airworthy.target.secret import Secret

    for name, default in ((user_env, USER_VARIABLE), (password_env, PASSWORD_VARIABLE)):
        if name != default and name not in os.environ:
            raise UsageError(f"the environment variable {name} is not set")
    if user_env not in os.environ:
        return None, None
    if password_env not in os.environ:
        raise UsageError(f"the environment variable {user_env} is set, but {password_env} is not")
    return Secret(os.environ[user_env], user_env), Secret(os.environ[password_env], password_env)


def _positive(name: str, seconds: float) -> float:
    if not 0 < seconds < threading.TIMEOUT_MAX:
        raise UsageError(f"{name} must be a positive number of seconds, got {seconds:g}")
    return seconds


def _versions(asked: Sequence[int]) -> tuple[int, ...]:
    from airworthy.export.formats import export_specification

    known = export_specification().versions
    if unknown := [each for each in asked if each not in known]:
        raise UsageError(f"--api-version must be {' or '.join(map(str, known))}, got {unknown[0]}")
    return tuple(asked)
