"""What a run may cost: the pauses of throttled requests, and the processor time of its scenarios."""

import threading
from http import HTTPStatus
from typing import Final

from urllib3.exceptions import InvalidHeader, MaxRetryError
from urllib3.util import Retry

from airworthy.contract.http.exchange import THROTTLING, Response, date_header, header

MAX_RETRIES: Final = 5
MAX_RUN_PAUSE: Final = 1_800.0
# Ten times as much as a full run takes.
MAX_RUN_WORK: Final = 300.0
MAX_THROTTLED_IN_A_ROW: Final = 3
MAX_PAUSE: Final = 30.0
_MIN_PAUSE: Final = 0.1


def is_rejected_by_throttling(response: Response | None) -> bool:
    """Return whether the target certainly did not process the request."""
    return response is not None and response.status in THROTTLING


def is_throttled(response: Response | None) -> bool:
    """Return whether the target throttles: with a status for that, or with 503 and a Retry-After (OPEN-09)."""
    if response is None:
        return False
    is_unavailable = response.status == HTTPStatus.SERVICE_UNAVAILABLE
    is_busy = is_unavailable and header(response.headers, "Retry-After") is not None
    return is_busy or is_rejected_by_throttling(response)


class RunBudget:
    """What the target may cost a run, shared by all its clients.

    ``exhausted`` is the reason why the run has to stop, empty while it may continue. ``pause`` and ``work`` are the
    most seconds for the pauses of throttled requests, and of processor time for scenarios.
    """

    def __init__(self, pause: float = MAX_RUN_PAUSE, work: float = MAX_RUN_WORK) -> None:
        self.exhausted = ""
        self._limit = self._left = pause
        self._work = self._work_left = work
        self._throttled_in_a_row = 0
        self._lock = threading.Lock()

    def responded(self) -> None:
        """Note a response that is not throttled."""
        with self._lock:
            self._throttled_in_a_row = 0

    def gave_up(self) -> None:
        """Note a request that was throttled until its retries were used up."""
        with self._lock:
            self._throttled_in_a_row += 1
            if self._throttled_in_a_row >= MAX_THROTTLED_IN_A_ROW:
                self.exhausted = (
                    f"the target keeps throttling: it throttled {self._throttled_in_a_row} requests in a row"
                )

    def take(self, pause: float) -> bool:
        """Use a pause. Return False if the run may not wait that long."""
        with self._lock:
            if pause > self._left:
                self.exhausted = f"the target keeps throttling: the run may wait {self._limit:g} s for it in all"
                return False
            self._left -= pause
            return True

    def worked(self, seconds: float) -> None:
        """Note the processor time of a scenario."""
        with self._lock:
            self._work_left -= seconds
            if self._work_left < 0:
                self.exhausted = (
                    f"the responses of the target are too large: examining them takes over {self._work:g} s"
                )


class Retries:
    """The retries of one request: exponential backoff with jitter, but at least the target's Retry-After."""

    def __init__(self, budget: RunBudget) -> None:
        self._budget = budget
        self._policy = Retry(total=MAX_RETRIES, backoff_factor=0.5, backoff_jitter=0.5, backoff_max=MAX_PAUSE)
        self._remaining = MAX_PAUSE

    def pause_after(self, response: Response) -> float | None:
        """Return the seconds to wait before the throttled request is sent again; None if it must not be."""
        try:
            self._policy = self._policy.increment()
        except MaxRetryError:
            return None
        pause = max(_MIN_PAUSE, self._retry_after(response), self._policy.get_backoff_time())
        if pause > self._remaining or not self._budget.take(pause):
            return None
        self._remaining -= pause
        return pause

    def _retry_after(self, response: Response) -> float:
        value = header(response.headers, "Retry-After")
        if value is None:
            return 0.0
        until, now = (date_header(response.headers, name) for name in ("Retry-After", "Date"))
        if until and now:
            # Both by the clock of the target, which may have been moved.
            return max(0.0, (until - now).total_seconds())
        try:
            return self._policy.parse_retry_after(value)
        except (InvalidHeader, ValueError, OverflowError):
            return 0.0
