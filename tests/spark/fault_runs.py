"""Compares the findings of both engines in the evidence of a run for every fault of the sandbox.

``PYTHONPATH=tests .venv-spark/bin/python -m spark.fault_runs 'search-*'``: all faults are some minutes of work. Spark
is a standalone cluster with two workers. The test suite does it for some faults.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from shutil import copyfile

from airworthy.sandbox.faults import Fault, faults
from airworthy.spark.session import spark_session
from collected_suite import CollectedSuite
from faults.proof import for_each_fault

from .cluster import cluster
from .identity import locally, on_spark


def keep_evidence(target: Path, suite: CollectedSuite, fault: Fault) -> Path:
    """Run the scenarios of a fault's rule against a sandbox with the fault, and keep the evidence."""
    with tempfile.TemporaryDirectory(prefix="airworthy-fault-") as folder:
        suite.run(Path(folder), faults=[fault.name], rules=[fault.rule])
        path = target / f"{fault.name.replace('/', '-')}.jsonl"
        copyfile(Path(folder) / "evidence.jsonl", path)
    return path


def main(patterns: Sequence[str]) -> None:
    """Print the number of findings, and exit with 1 if they differ."""
    chosen = [each for each in faults().values() if any(fnmatchcase(each.name, form) for form in patterns or ["*"])]
    with tempfile.TemporaryDirectory() as folder:
        work: Callable[[CollectedSuite, Fault], Path] = partial(keep_evidence, Path(folder))
        files = sorted(for_each_fault(chosen, work))
        expected = locally(files)
        # The driver names the Python of the workers.
        os.environ["PYSPARK_PYTHON"] = sys.executable
        with cluster(Path(folder) / "cluster") as started, spark_session(started.url) as session:
            found = on_spark(session, files)
    sys.stdout.write(f"\n{len(files)} faults, {len(expected.lines.splitlines())} findings\n")
    differences = set(found.lines.splitlines()) ^ set(expected.lines.splitlines())
    sys.stdout.writelines(f"  {line}\n" for line in sorted(differences))
    sys.exit(found != expected)


if __name__ == "__main__":
    main(sys.argv[1:])
