"""The recordings that a command line names."""

from collections.abc import Sequence
from pathlib import Path

import typer


def named_recordings(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the named files and the recordings in the named folders; print which are left out.

    Raises:
        UsageError: a folder contains no recording, or it or a file in it cannot be read.
    """
    from airworthy.audit.formats import find_recordings
    from airworthy.text import printable

    found = find_recordings(paths)
    for path in found.being_written:
        typer.echo(
            f"{printable(str(path))}: not included, because it is being written; name it to include it", err=True
        )
    return found.files
