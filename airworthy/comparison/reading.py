"""Read one side of a comparison: the results of a run, or traffic."""

import re
from pathlib import Path
from typing import Final

from airworthy.audit import AuditSettings, audit
from airworthy.audit.formats import find_recordings
from airworthy.comparison.side import ComparisonSide, of_results, of_summary
from airworthy.contract import ServiceAddress
from airworthy.errors import UsageError
from airworthy.report import load_results
from airworthy.traffic import Summary
from airworthy.traffic.document import from_json

FILES_IN_FOLDER: Final = ("results.json", "traffic.json")
_WHAT: Final = f"{', '.join(FILES_IN_FOLDER)} or recordings"
_HEAD: Final = 200
_FORMAT: Final = re.compile(rb'\s*\{\s*"format"\s*:\s*"airworthy-([a-z]+)-')


def read_side(path: Path, service: ServiceAddress | None = None, *, jobs: int | None = None) -> ComparisonSide:
    """Read one side of a comparison.

    ``path`` is a run (its folder or results.json), a summary of traffic (the JSON of the proxy or the audit), or
    recorded traffic of ``service`` (a file, or a folder of recordings), which is judged by this version of the contract
    in ``jobs`` processes.

    Raises:
        UsageError: the file cannot be read, or has another format.
    """
    file = _file_in_folder(path) if path.is_dir() else path
    if file is None:
        return of_summary(_audit(path, service or ServiceAddress(), jobs), str(path))
    try:
        with file.open("rb") as opened:
            format_ = _FORMAT.match(opened.read(_HEAD))
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from None
    match format_ and format_[1]:
        case b"results":
            return of_results(load_results(file), str(path))
        case b"traffic":
            return of_summary(from_json(file.read_bytes(), str(file)), str(path))
        case None:
            return of_summary(_audit(file, service or ServiceAddress(), jobs), str(path))
        case _:
            raise UsageError(f"{file}: expected results.json of a run, a summary of traffic, or recorded traffic")


def _file_in_folder(folder: Path) -> Path | None:
    """Return the file that describes what is in a folder, or None if it is a folder of recordings."""
    return next((folder / name for name in FILES_IN_FOLDER if (folder / name).exists()), None)


def _audit(path: Path, service: ServiceAddress, jobs: int | None) -> Summary:
    summary = audit(AuditSettings(find_recordings([path], _WHAT).files, service), jobs=jobs).summary
    if not summary.judged:
        reason = next(iter(summary.not_judged), "it contains no exchanges with the service")
        raise UsageError(f"{path}: nothing to compare: {reason}")
    return summary
