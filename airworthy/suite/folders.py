"""The folder that a run writes its files to."""

import contextlib
import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from airworthy.errors import UsageError, unwritable
from airworthy.private_files import make_folder

# Exists while a run uses the folder. Its creation is atomic, so only one run can reserve the folder.
_RESERVED: Final = ".reserved"


class RunFolder:
    """A folder in ``reports`` that is reserved for one run until `release`.

    Without ``name``, its name is the current date and time, with a number if another run already has that name.

    Raises:
        UsageError: the name is a path, the named folder already belongs to a run, or the folder cannot be created.
        StorageError: there is no space for the folder.
    """

    def __init__(self, reports: Path, name: str | None = None) -> None:
        if name and (name == ".." or Path(name).name != name):
            raise UsageError(f"--run-id {name}: expected the name of a folder, not a path")
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
        """End the reservation, and remove the created folders that are empty."""
        (self.path / _RESERVED).unlink(missing_ok=True)
        self._remove_created()

    def _reserve(self, folder: Path) -> Path | None:
        self._created = [each for each in (folder, *folder.parents) if not each.exists()]
        make_folder(folder)
        if not any(folder.iterdir()):
            with contextlib.suppress(FileExistsError):
                (folder / _RESERVED).touch(exist_ok=False)
                return folder
        return None

    def _remove_created(self) -> None:
        for folder in self._created:
            # A folder that is not empty stays.
            with contextlib.suppress(OSError):
                folder.rmdir()


def _names() -> Iterator[str]:
    name = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    yield name
    for number in itertools.count(2):
        yield f"{name}-{number}"
