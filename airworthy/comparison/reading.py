"""What a user names, read as a side of a comparison: a run's results, or recorded traffic."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from airworthy.comparison.sides import Side, of_results, of_summary
from airworthy.contract import Contract, Service
from airworthy.errors import UsageError
from airworthy.evidence import read
from airworthy.report import load_results
from airworthy.traffic import Watch

VERSIONS: Final = ("v2", "v3", "v4")
_HEAD: Final = 200
_RESULTS: Final = re.compile(rb'\s*\{\s*"format"\s*:\s*"airworthy-results-')
_EVIDENCE: Final = re.compile(rb'\{"id":')


def read_side(path: Path, service: Service | None = None, versions: Sequence[str] = VERSIONS) -> Side:
    """Read one side: the folder of a run, its results.json, or an evidence file, which is judged by today's contract.

    ``service`` says whose traffic is judged, of ``versions``.

    Raises:
        UsageError: the file cannot be read, or is none of these.
    """
    found = path / "results.json" if path.is_dir() else path
    try:
        with found.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise UsageError(f"{found}: {error.strerror}") from None
    if _RESULTS.match(head):
        return of_results(load_results(found), str(path))
    if _EVIDENCE.match(head):
        watch = Watch(Contract.load(tuple(versions), service))
        for record in read(found):
            watch.see(record.exchange)
        return of_summary(watch.summary, str(path))
    raise UsageError(f"{found}: neither the results of a run nor recorded traffic")
