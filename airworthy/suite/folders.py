"""The folder that a run leaves its files in."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path

from airworthy.errors import UsageError


def free_name(reports: Path) -> str:
    """Return a name for a run of this second that no other run in the folder has."""
    name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    names = (name, *(f"{name}-{number}" for number in range(2, 1000)))
    return next(each for each in names if not (reports / each).exists())


def run_folder(reports: Path, name: str | None) -> Path:
    """Return the folder of a run that is about to begin; it is made when there is something to write.

    Raises `UsageError` where it holds a run already or could not be written to.
    """
    try:
        folder = reports / (name or free_name(reports))
        if folder.is_dir() and any(folder.iterdir()):
            raise UsageError(f"--run-id {name}: {folder} holds a run already; name another")
        nearest = next(each for each in (folder, *folder.parents) if each.exists())
        tempfile.TemporaryFile(dir=nearest).close()
    except OSError as error:
        raise UsageError(f"--reports {reports}: {error.strerror}") from None
    return folder
