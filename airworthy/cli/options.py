"""Options and settings that several commands share."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import typer
from typer import Option

from airworthy.suite.run_options import RUN_OPTIONS

REPORTS: Final = Path("reports")
MOST_DAYS: Final = 3650
_FOLDER: Final = ("--reports", "--run-id")

AuditFormat = Literal["table", "jsonl", "json", "sarif", "html", "parquet"]


def _of_run(name: str) -> Any:  # noqa: ANN401  Typer does not export the type of an option
    option = RUN_OPTIONS[name]
    return Option(name, metavar=option.metavar or None, help=option.help)


TargetProfile = Annotated[Path | None, _of_run("--profile")]
Target = Annotated[str | None, _of_run("--target")]
Environment = Annotated[Literal["test", "production"] | None, _of_run("--environment")]
CaBundle = Annotated[Path | None, _of_run("--ca-bundle")]
Versions = Annotated[str | None, _of_run("--versions")]
KeyEnv = Annotated[str | None, _of_run("--key-env")]
AllowPlainHttp = Annotated[bool, _of_run("--allow-plain-http")]
AllowLiveBookings = Annotated[bool, _of_run("--allow-live-bookings")]
MaxWait = Annotated[float | None, _of_run("--max-wait")]
MaxRps = Annotated[float | None, _of_run("--max-rps")]
Explore = Annotated[str | None, _of_run("--explore")]
Conversations = Annotated[int | None, _of_run("--conversations")]
Seed = Annotated[int | None, _of_run("--seed")]
MaxBookings = Annotated[int | None, _of_run("--max-bookings")]
UntilFound = Annotated[bool, _of_run("--until-found")]
SandboxDialect = Annotated[str | None, _of_run("--dialect")]
SandboxFaults = Annotated[list[str] | None, _of_run("--fault")]
Reports = Annotated[Path, _of_run("--reports")]
RunName = Annotated[str | None, _of_run("--run-id")]
Json = Annotated[bool, Option("--json", help="Print JSON.")]
Pdf = Annotated[bool, Option("--pdf", help="Also write report.pdf. Requires the extra: pip install 'airworthy[pdf]'.")]
Sign = Annotated[Path | None, Option(metavar="KEY", help="Private key that signs the run.")]
Supersedes = Annotated[
    Path | None, Option(metavar="RUN", help="Folder of the signed run whose certificate this one replaces.")
]
Issuer = Annotated[str | None, Option(metavar="NAME", help="Who issues the certificate, for people who read it.")]
ValidDays = Annotated[
    int | None,
    Option(
        metavar="N",
        min=1,
        max=MOST_DAYS,
        help="Days until the certificate expires. Default: [certificate] valid_days in the profile, or 365.",
    ),
]
# Of the commands that judge recorded traffic.
BaseUrls = Annotated[
    list[str] | None,
    Option(
        "--base-url",
        metavar="URL",
        help="Base URL of the service whose recorded traffic is judged, without the version; repeatable.",
    ),
]
PaymentProviders = Annotated[
    list[str] | None, Option("--payment-provider", metavar="URL", help="URL of the payment provider; repeatable.")
]
AllowRecordedHttp = Annotated[
    bool, Option("--allow-plain-http", help="Accept http:// URLs: TLS ended before the recorder.")
]
Jobs = Annotated[int | None, Option(metavar="N", min=1, help="Number of processes. Default: one per processor.")]
# Passes the arguments after -- to another program.
PASSES_ON: Final = {"allow_extra_args": True, "ignore_unknown_options": False}


def of_run(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of a command's arguments that are options of a run, by name: ``--max-rps``.

    The folder of the run is not among them: the run receives it in another way.
    """
    named = {f"--{name.replace('_', '-')}": value for name, value in values.items()}
    return {name: value for name, value in named.items() if name in RUN_OPTIONS and name not in _FOLDER}


def named_recordings(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the named files and the recordings in the named folders; print which are left out.

    Raises `UsageError` if a folder contains no recording, or it or a file in it cannot be read.
    """
    from airworthy.audit.formats import find_recordings
    from airworthy.text import printable

    found = find_recordings(paths)
    for path in found.being_written:
        typer.echo(
            f"{printable(str(path))}: not included, because it is being written; name it to include it", err=True
        )
    return found.files
