"""What a user names, read as a side of a comparison: a run's results, or traffic."""

import re
from pathlib import Path
from typing import Final

from airworthy.audit import Settings, audit
from airworthy.comparison.sides import Side, of_results, of_summary
from airworthy.contract import ServiceAddress
from airworthy.errors import UsageError
from airworthy.report import load_results
from airworthy.traffic import Summary
from airworthy.traffic.document import from_json

IN_A_FOLDER: Final = ("results.json", "traffic.json", "evidence.jsonl")
_HEAD: Final = 200
_FORMAT: Final = re.compile(rb'\s*\{\s*"format"\s*:\s*"airworthy-([a-z]+)-')


def read_side(path: Path, service: ServiceAddress | None = None, *, jobs: int | None = None) -> Side:
    """Read one side.

    That is a run (its folder or results.json), a traffic that was summed up (the JSON of the proxy or the audit), or
    recorded traffic, which is judged by the contract of this version in ``jobs`` processes; ``service`` says whose.

    Raises:
        UsageError: the file cannot be read, or is none of these.
    """
    found = _in_folder(path) if path.is_dir() else path
    try:
        with found.open("rb") as file:
            sort = _FORMAT.match(file.read(_HEAD))
    except OSError as error:
        raise UsageError(f"{found}: {error.strerror}") from None
    match sort and sort[1]:
        case b"results":
            return of_results(load_results(found), str(path))
        case b"traffic":
            return of_summary(from_json(found.read_bytes(), str(found)), str(path))
        case None:
            return of_summary(_audited(found, service or ServiceAddress(), jobs), str(path))
        case _:
            raise UsageError(f"{found}: neither a run nor traffic")


def _in_folder(folder: Path) -> Path:
    for name in IN_A_FOLDER:
        if (folder / name).exists():
            return folder / name
    raise UsageError(f"{folder}: holds none of {', '.join(IN_A_FOLDER)}")


def _audited(path: Path, service: ServiceAddress, jobs: int | None) -> Summary:
    summary = audit(Settings((path,), service), jobs=jobs).summary
    if not summary.judged:
        reason = next(iter(summary.not_judged), "nothing in it is the service's")
        raise UsageError(f"{path}: nothing to compare: {reason}")
    return summary
