"""Options and settings that several commands share."""

from pathlib import Path
from typing import Annotated, Final, Literal

import typer

REPORTS: Final = Path("reports")
MOST_DAYS: Final = 3650

AuditFormat = Literal["table", "jsonl", "json", "sarif", "html", "parquet"]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Pdf = Annotated[
    bool, typer.Option("--pdf", help="Also write report.pdf. Requires the extra: pip install 'airworthy[pdf]'.")
]
Reports = Annotated[Path, typer.Option(metavar="DIR", help="Folder for reports.")]
RunName = Annotated[
    str | None, typer.Option(metavar="NAME", help="Name of this run's folder in --reports. Default: date and time.")
]
Sign = Annotated[Path | None, typer.Option(metavar="KEY", help="Private key that signs the run.")]
Supersedes = Annotated[
    Path | None, typer.Option(metavar="RUN", help="Folder of the signed run whose certificate this one replaces.")
]
Issuer = Annotated[str | None, typer.Option(metavar="NAME", help="Who issues the certificate, for people who read it.")]
ValidDays = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        max=MOST_DAYS,
        help="Days until the certificate expires. Default: [certificate] valid_days in the profile, or 365.",
    ),
]
# Passes the arguments after -- to another program.
PASSES_ON: Final = {"allow_extra_args": True, "ignore_unknown_options": False}
