"""Options and settings that several commands share."""

from pathlib import Path
from typing import Annotated, Final, Literal

import typer

REPORTS: Final = Path("reports")
MOST_DAYS: Final = 3650

AuditFormat = Literal["table", "jsonl", "json", "sarif", "html", "parquet"]
TargetProfile = Annotated[Path | None, typer.Option("--profile", metavar="FILE", help="TOML profile of the target.")]
Target = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Base URL without the version. Overrides the base URL of the profile."),
]
Environment = Annotated[
    Literal["test", "production"] | None,
    typer.Option(
        metavar="test|production",
        help="What the system at --target is. Required if --target is not the address of the profile.",
    ),
]
CaBundle = Annotated[
    Path | None, typer.Option(metavar="FILE", help="PEM file with the certificate authorities to trust.")
]
Versions = Annotated[
    str | None, typer.Option(metavar="LIST", help="Interfaces to test, such as v3,v4. Default: all with credentials.")
]
KeyEnv = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Environment variable with the v4 key, for --target without --profile."),
]
AllowPlainHttp = Annotated[bool, typer.Option("--allow-plain-http", help="Accept a base URL that starts with http://.")]
AllowLiveBookings = Annotated[
    bool, typer.Option("--allow-live-bookings", help="Allow bookings in a production environment.")
]
MaxRps = Annotated[
    float | None, typer.Option(metavar="N", help="Maximum number of requests per second. Default: no limit.")
]
Explore = Annotated[
    str | None, typer.Option(metavar="TIME", help="Also explore with random conversations, for a time such as 5m.")
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Repeat the exploration with this seed.")]
MaxBookings = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="End the exploration after N bookings. Default: 200; no limit in the embedded sandbox."
    ),
]
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
