"""The folder that a run writes its files to."""

import contextlib
import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from airworthy.errors import UsageError, unwritable

# Exists as long as a run uses the folder. Creating it is atomic, so only one run can.
_RESERVED: Final = ".reserved"


class RunFolder:
    """A folder that is reserved for one run, until `release`.

    Without a ``name``, the folder is named after the current second, with a number if another run has that name.

    Raises:
        UsageError: the named folder already belongs to a run, or the folder cannot be created.
        StorageError: there is no space for the folder.
    """

    def __init__(self, reports: Path, name: str | None = None) -> None:
        self._created: list[Path] = []
        try:
            found = (self._reserve(reports / each) for each in ([name] if name else _names()))
            folder = next((each for each in found if each), None)
        except OSError as error:
            self._remove_created()
            raise unwritable(f"--reports {reports}", error) from None
        if folder is None:
            raise UsageError(f"--run-id {name}: {reports / str(name)} already contains a run; choose another name")
        self.path: Path = folder

    def release(self) -> None:
        """End the reservation, and remove what was created if the run wrote nothing."""
        (self.path / _RESERVED).unlink(missing_ok=True)
        self._remove_created()

    def _reserve(self, folder: Path) -> Path | None:
        self._created = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            return None
        with contextlib.suppress(FileExistsError):
            (folder / _RESERVED).touch(exist_ok=False)
            return folder
        return None

    def _remove_created(self) -> None:
        for folder in self._created:
            # A folder that contains something stays.
            with contextlib.suppress(OSError):
                folder.rmdir()


def _names() -> Iterator[str]:
    name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    yield name
    for number in itertools.count(2):
        yield f"{name}-{number}"
