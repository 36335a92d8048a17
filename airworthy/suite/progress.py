"""The lines of a long run that say how much is done, and how much time is left."""

import time
from collections.abc import Callable
from typing import Final

from airworthy.suite.aggregate import CollectedResults
from airworthy.suite.capture import Record
from airworthy.target.ageing import about

# The first requests do not represent the run: they open connections, and prepare what other scenarios share.
_FIRST_EXCHANGES: Final = 30
_FIRST_SECONDS: Final = 10.0
_MINUTE: Final = 60.0


class Progress:
    """Shows a line when the duration of a run can be estimated, and then once a minute while a minute or more is left.

    Args:
        collected: the records and the selection so far.
        exchanges: how many exchanges the whole run has, about.
        wait: the seconds until the oldest item that the run waits for has its age.
        show: shows a line.
        monotonic: returns the current time in seconds.
    """

    def __init__(
        self,
        collected: CollectedResults,
        exchanges: float,
        wait: float,
        show: Callable[[str], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._collected = collected
        self._expected = exchanges
        self._wait = wait
        self._show = show
        self._monotonic = monotonic
        self._began: float | None = None
        self._due = _FIRST_SECONDS
        self._sent = 0

    def note(self, record: Record) -> None:
        """Note the record of a scenario that has ended, which `collected` already contains."""
        now = self._monotonic()
        if self._began is None:
            # The time before includes the start of all processes.
            self._began = now
            return
        elapsed = now - self._began
        self._sent += len(record.result.exchanges)
        if self._sent < _FIRST_EXCHANGES or elapsed < self._due:
            return
        self._due = elapsed + _MINUTE
        done = len(self._collected.records)
        scenarios = sum(each.status == "selected" for each in self._collected.selected.values())
        left = max(elapsed / self._sent * self._expected * (1 - done / scenarios), self._wait - elapsed)
        if left >= _MINUTE:
            self._show(f"{done:,} of {scenarios:,} scenarios done, {about(left)} left")
