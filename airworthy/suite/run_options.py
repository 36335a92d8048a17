"""The options of a run, declared once: pytest has all of them, ``airworthy certify service`` and ``explore`` most."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

KEY: Final = "AIRWORTHY_V4_KEY"
MAX_BOOKINGS: Final = 200


class RunOption(NamedTuple):
    """An option: its help, the placeholder for its value (empty for a flag), and the type of the value."""

    help: str
    metavar: str = ""
    type: Callable[[str], Any] = str
    is_repeatable: bool = False


RUN_OPTIONS: Final = {
    "--profile": RunOption("TOML profile of the target.", "FILE", Path),
    "--target": RunOption("Base URL without the version. Overrides the base URL of the profile.", "URL"),
    "--environment": RunOption(
        "What the system at --target is. Required if --target is not the address of the profile.", "test|production"
    ),
    "--ca-bundle": RunOption("PEM file with the certificate authorities to trust.", "FILE", Path),
    "--versions": RunOption("Interfaces to test, such as v3,v4. Default: all with credentials.", "LIST"),
    "--key-env": RunOption(
        f"Environment variable with the v4 key, for --target without --profile. Default: {KEY}.", "NAME"
    ),
    "--allow-plain-http": RunOption("Accept a base URL that starts with http://."),
    "--allow-live-bookings": RunOption("Allow bookings in a production environment."),
    "--max-wait": RunOption("Longest time to wait for something to expire. Default: no limit.", "SECONDS", float),
    "--max-rps": RunOption("Maximum number of requests per second. Default: no limit.", "N", float),
    "--explore": RunOption("Also explore with random conversations, for a time such as 90s, 5m or 1h.", "TIME"),
    "--conversations": RunOption("Explore with this number of conversations for each interface.", "N", int),
    "--seed": RunOption("Repeat the exploration with this seed.", "N", int),
    "--max-bookings": RunOption(
        f"End the exploration after N bookings, a share for each interface. Default: {MAX_BOOKINGS}; no limit in the "
        "embedded sandbox.",
        "N",
        int,
    ),
    "--until-found": RunOption("End the exploration of an interface at its first violation."),
    "--dialect": RunOption("Dialect of the embedded sandbox.", "NAME"),
    "--fault": RunOption("Fault of the embedded sandbox; repeatable.", "NAME", is_repeatable=True),
    "--lifetimes": RunOption(
        "Shorter lifetime in the embedded sandbox, such as offer=60; repeatable.", "NAME=SECONDS", is_repeatable=True
    ),
    "--reports": RunOption("Folder for reports. Default: reports.", "DIR", Path),
    "--run-id": RunOption("Name of this run's folder in --reports. Default: date and time.", "NAME"),
}


def option_arguments(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield options with their values as arguments of a command line; a value of None or False is not given."""
    for name, value in given.items():
        if value is True:
            yield name
        elif value is not None and value is not False:
            yield from (f"{name}={each}" for each in (value if isinstance(value, list) else [value]))
