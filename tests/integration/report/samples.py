"""Generate ``reports/samples``: one sample of each kind of report. ``make samples`` runs this.

The run, the recorded traffic and the comparison come from the embedded sandbox, the export from fixed rows. Ids and
times differ from run to run, so the samples are not compared byte by byte.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from airworthy.evidence.recorder import read
from airworthy.report.document import load_results
from airworthy.report.write import write_pdf, write_reports
from unit.export.sample import ROUTES, flight, flights, route, routes

ROOT: Final = Path(__file__).parents[3]
FOLDER: Final = ROOT / "reports" / "samples"
SAMPLES: Final = (
    *("comparison.md", "export-check.txt", "findings.sarif", "junit.xml", "report.html", "report.pdf"),
    *("results.json", "summary.md", "traffic.html"),
)
"""The file names of the samples."""

LARGEST: Final = 150_000
"""A sample must be small enough to be displayed by a code host, in bytes."""

_FAULT: Final = "order-read-stale"
_RULES: Final = (
    *("V4-ORDER-READ", "V4-ORDER-STAYS-BOOKED", "V4-ORDER-REQUIRED"),
    *("V4-SEARCH-FARE", "V4-CURRENCY", "V4-ERROR-BODY", "V4-IDENTIFIERS"),
)
_ENVIRONMENT: Final = {name: value for name, value in os.environ.items() if not name.startswith("AIRWORTHY_")}


def main() -> None:
    """Write every sample."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before, after = _run(folder, "before"), _run(folder, "after", "--fault", _FAULT)
        _keep_selected_rules(before)
        _keep_selected_rules(after)
        export = _export(folder / "export")
        write_pdf(after)
        of_run = ("findings.sarif", "junit.xml", "report.html", "report.pdf", "results.json", "summary.md")
        contents = {each: (after / each).read_bytes() for each in of_run}
        url = urlsplit(next(iter(read(after / "evidence.jsonl"))).exchange.request.url)
        audit = ("audit", "after/evidence.jsonl", "--base-url", f"{url.scheme}://{url.netloc}", "--format", "html")
        contents |= {
            "comparison.md": _airworthy(folder, "compare", "before", "after", "--format", "markdown"),
            "export-check.txt": _airworthy(folder, "export-check", export.name),
            "traffic.html": _airworthy(folder, *audit),
        }
    FOLDER.mkdir(parents=True, exist_ok=True)
    for sample in SAMPLES:
        (FOLDER / sample).write_bytes(contents[sample])


def _run(folder: Path, name: str, *options: str) -> Path:
    """Run the scenarios of a few rules against the embedded sandbox, and return the folder of the report."""
    arguments = ("-q", "-p", "no:cacheprovider", "-m", " or ".join(_RULES), f"--reports={folder}", f"--run-id={name}")
    _python(ROOT, "pytest", *arguments, *options)
    return folder / name


def _keep_selected_rules(folder: Path) -> None:
    """Write the report again without the rules that were not selected."""
    results = load_results(folder / "results.json")
    write_reports(replace(results, rules=tuple(each for each in results.rules if each.id in _RULES)), folder)


def _export(folder: Path) -> Path:
    """Write a content export with violations."""
    folder.mkdir()
    wrong_date, wrong_currency = {"departureDate": "2027-03-01"}, {"currency": "USD"}
    rows = [flight(), flight(**wrong_date), flight(**wrong_date), flight(**wrong_currency), flight()]
    (folder / "cp_flights_all_v3.csv").write_bytes(flights(*rows))
    (folder / "cp_routes_all_v3.csv").write_bytes(routes(route(), header=[ROUTES[1], ROUTES[0], *ROUTES[2:]]))
    (folder / "cp_routes_acme_v4.csv").write_bytes(routes(route()))
    return folder


def _airworthy(folder: Path, *arguments: str) -> bytes:
    return _python(folder, "airworthy.cli", *arguments)


def _python(folder: Path, module: str, *arguments: str) -> bytes:
    """Run a module in a folder without the variables of a user, and return its output."""
    command = [sys.executable, "-m", module, *arguments]
    ran = subprocess.run(command, cwd=folder, env=_ENVIRONMENT, check=False, stdout=subprocess.PIPE)  # noqa: S603
    if ran.returncode not in (0, 1, 3):
        ended = f"{' '.join(command)} ended with exit code {ran.returncode}, expected 0, 1 or 3"
        raise SystemExit(f"{ended}\n{ran.stdout.decode()}")
    return ran.stdout


if __name__ == "__main__":
    main()
