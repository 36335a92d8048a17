"""How many processes examine a target: several if the scenarios of a full run mostly wait for the network."""

import sys
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from xdist.scheduler import LoadScopeScheduling

from airworthy.resources import resource
from airworthy.suite import ages, selection
from airworthy.target.profile import Profile
from airworthy.target.urls import is_loopback

if TYPE_CHECKING:
    from xdist.remote import Producer

DEFAULT: Final = 4
# Below this time, starting further processes takes about as long as they save.
_SLOW_SECONDS: Final = 0.05
_AGEING: Final = "ageing"
# With these options, the terminal belongs to the scenarios of one process, or no scenario runs.
_SINGLE: Final = ("collectonly", "usepdb", "trace", "help")


def count(config: pytest.Config) -> int:
    """Return the number of processes that pytest-xdist starts; 0 for a run of one process."""
    option = config.option
    return len(getattr(option, "tx", None) or ()) if getattr(option, "dist", "no") != "no" else 0


def are_left_open(config: pytest.Config) -> bool:
    """Return whether the options leave the number of processes open: in a full run without ``-n`` or the like.

    A run of some rules is short, and tests of other projects may depend on each other.
    """
    option = config.option
    is_given = getattr(option, "numprocesses", 0) is not None or option.dist != "no" or option.tx
    is_single = any(getattr(option, name, False) for name in _SINGLE) or option.capture == "no"
    folders = [Path(config.invocation_params.dir, each).resolve() for each in config.args]
    is_full = folders == [resource("conformance").resolve()] and not selection.narrowing_options(config)
    # Processes cannot share the files of a run on Windows.
    return is_full and not is_given and not is_single and sys.platform != "win32"


def start_several(config: pytest.Config, profile: Profile, seconds: Iterable[float]) -> None:
    """Let pytest-xdist start several processes if the target is remote or slow, as the option ``-n`` does.

    ``seconds`` are the durations of a few exchanges with the target.
    """
    if not is_loopback(profile.base_url) or min(seconds, default=0.0) >= _SLOW_SECONDS:
        config.option.tx = ["popen"] * DEFAULT
        config.option.dist = "load"


@dataclass(frozen=True, slots=True)
class Share:
    """The share of one of several processes in the flights of a target, so that they rarely want the same seats.

    ``taken`` is the file in which the processes write the flights whose seats they have taken; None for one process.
    The representation of a flight identifies it.
    """

    number: int = 0
    processes: int = 1
    taken: Path | None = None

    def contains(self, flight: object) -> bool:
        """Return whether this process is the one that uses a flight first."""
        return zlib.crc32(repr(flight).encode()) % self.processes == self.number % self.processes

    @property
    def rounds(self) -> tuple[bool, ...]:
        """Whether the flights of each round belong to this share: those of the other processes come last."""
        return (True, False) if self.processes > 1 else (True,)

    def take(self, flights: Iterable[object]) -> None:
        """Note that this process has taken seats on flights."""
        if self.taken:
            with self.taken.open("a", encoding="utf-8") as file:
                file.write("".join(f"{flight!r}\n" for flight in flights))

    def is_taken(self, flight: object) -> bool:
        """Return whether any process has taken seats on a flight."""
        if self.taken is None or not self.taken.exists():
            return False
        return repr(flight) in self.taken.read_text(encoding="utf-8").splitlines()


def write_ageing(shared: Path, tests: Iterable[str]) -> None:
    """Write the ids of the tests that need an item of some age, for the scheduler of the run."""
    (shared / _AGEING).write_text("\n".join(tests), encoding="utf-8")


class AgeingTogether(LoadScopeScheduling):  # type: ignore[misc]
    """Gives all scenarios that need an item of some age to one process, and all others one by one.

    Every process would otherwise create the items that must age. If ``waits``, this process starts with these
    scenarios. If it moves the clock of the target instead, while the other processes pause, they come last.
    """

    def __init__(self, config: pytest.Config, log: "Producer", shared: Path, *, waits: bool) -> None:
        super().__init__(config, log)
        self._shared = shared
        # The scheduler sorts groups by their size.
        config.option.loadscopereorder = waits

    @cached_property
    def _ageing(self) -> frozenset[str]:
        """The ids of their tests, which every process has written before the first one is scheduled."""
        return frozenset((self._shared / _AGEING).read_text(encoding="utf-8").splitlines())

    def _split_scope(self, nodeid: str) -> str:
        return ages.AGES if nodeid in self._ageing else nodeid
