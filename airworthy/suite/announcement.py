"""The lines about what a run will do, before its first scenario, and about how much of a long one is left."""

import math
import re
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from airworthy.report.results import EMBEDDED
from airworthy.suite import ages, options
from airworthy.suite.aggregate import CollectedResults
from airworthy.suite.capture import Record
from airworthy.suite.selection import Selected
from airworthy.target.ageing import MINUTE, about
from airworthy.target.profile import Profile
from airworthy.target.urls import is_loopback

# How many exchanges a full run has in each interface, and how many bookings it makes, rounded up; a test compares them
# with a full run.
EXCHANGES: Final = {"v4": 2_810, "v3": 1_580, "v2": 1_450}
BOOKINGS: Final = {"v4": 75, "v3": 180, "v2": 180}
# Each further process makes bookings of its own that its scenarios share.
_MORE_PER_PROCESS: Final = 0.1
_TEST_NAMES: Final = re.compile(
    r"(?:^|[.\-_0-9])(?:test(?:ing|s)?|stag(?:e|ing)|stg|sandbox|dev(?:el|elop|elopment)?|qa|uat|demo|preprod|"
    r"pre-?prod(?:uction)?|int|integration|local|mock|ci|lab)(?=$|[.\-_0-9])"
)
# https://www.rfc-editor.org/rfc/rfc2606 and rfc6762
_TEST_DOMAINS: Final = ("localhost", "test", "example", "invalid", "local", "internal")
# The first requests do not represent the run: they open connections, and prepare what other scenarios share.
_FIRST_EXCHANGES: Final = 100
_FIRST_SECONDS: Final = 10.0
_HOW_TO_SKIP: Final = "--max-wait 0 skips what has to age"


def looks_like_a_test_system(base_url: str) -> bool:
    """Return whether the host or the path of a URL is named like that of a test system."""
    parts = urlsplit(base_url.lower())
    host = parts.hostname or ""
    has_test_name = any(_TEST_NAMES.search(each) for each in (host, *parts.path.split("/")))
    return has_test_name or host.rpartition(".")[2] in _TEST_DOMAINS


def announcement(
    profile: Profile,
    selected: Collection[Selected],
    ageing_steps: Collection[str],
    option: Namespace,
    processes: int = 0,
) -> Iterator[str]:
    """Yield the lines before the first scenario: target, versions, scenarios, bookings, expected wait and processes.

    ``ageing_steps`` are the steps of the selected scenarios that need an item of some age. Without ``selected``, which
    xdist's controller does not know, the lines are those of a full run. ``processes`` is the number of those that xdist
    starts.
    """
    is_external = options.is_external(option)
    yield f"target     {f'{profile.base_url} ({profile.environment} environment)' if is_external else EMBEDDED}"
    yield f"versions   {', '.join(profile.versions)}"
    statuses = _statuses(selected)
    if statuses:
        yield f"scenarios  {statuses['selected']:,}"
    if budget := options.budget(option):
        amount = option.explore or f"{budget.conversations} conversations for each interface"
        limit = options.max_bookings(option)
        yield f"exploring  {amount}{f', with up to {limit} bookings' if limit else ''}"
    if not is_external or (selected and not statuses):
        # The embedded sandbox is on this machine, and its clock can be moved. Explorations have said what they book.
        return
    factor = _share(selected) * (1 + _MORE_PER_PROCESS * max(processes - 1, 0))
    yield f"bookings   {_bookings(profile, factor, option.allow_live_bookings)}"
    yield f"waiting    {_waiting(profile, ageing_steps, option.max_wait)}"
    if processes:
        yield f"processes  {processes}, to run as many scenarios at a time; -n 0 uses one"


def expected_exchanges(profile: Profile, selected: Collection[Selected]) -> float:
    """Return about how many exchanges a run has; without ``selected``, those of a full run."""
    return sum(EXCHANGES[version] for version in profile.versions) * _share(selected)


def expected_wait(profile: Profile, ageing_steps: Iterable[str], max_wait: float | None) -> float:
    """Return the seconds after which the oldest item of a run has its age; 0 if the suite moves the target's clock."""
    return 0.0 if profile.advance_url else ages.longest_wait(ageing_steps, profile.lifetimes, max_wait)


def _share(selected: Collection[Selected]) -> float:
    """Return the share of the scenarios that run, among those of the examined interfaces."""
    statuses = _statuses(selected)
    if not selected:
        return 1.0
    return statuses["selected"] / ((statuses["selected"] + statuses["deselected"]) or 1)


def _statuses(selected: Collection[Selected]) -> Counter[str]:
    """Return how many scenarios have each status. Explorations are not scenarios."""
    return Counter(each.status for each in selected if each.rules)


def _bookings(profile: Profile, factor: float, allow_live_bookings: bool) -> str:
    if profile.environment == "production" and not allow_live_bookings:
        return "none: this is a production environment, and --allow-live-bookings is not set"
    count = math.ceil(sum(BOOKINGS[version] for version in profile.versions) * factor)
    if is_loopback(profile.base_url) or looks_like_a_test_system(profile.base_url):
        return f"up to {count}"
    return f"up to {count}; {urlsplit(profile.base_url).hostname} does not look like a test system"


def _waiting(profile: Profile, steps: Collection[str], max_wait: float | None) -> str:
    if profile.advance_url:
        return "none: the suite moves the clock of the target"
    longest, whole = (expected_wait(profile, steps, each) for each in (max_wait, None))
    if not longest:
        return f"none: --max-wait {max_wait:g} skips what has to age" if whole else "none"
    shorter = f"--max-wait {max_wait:g} skips what takes longer" if longest < whole else _HOW_TO_SKIP
    return f"{about(longest)}; {shorter}"


@dataclass
class Progress:
    """Shows a line when the duration of a run can be estimated, and then once a minute while a minute or more is left.

    Args:
        collected: the records and the selection so far.
        exchanges: how many exchanges the whole run has, about.
        wait: the seconds until the oldest item that the run waits for has its age.
        show: shows a line.
        monotonic: returns the current time in seconds.
    """

    collected: CollectedResults
    exchanges: float
    wait: float
    show: Callable[[str], None]
    monotonic: Callable[[], float] = time.monotonic
    _began: float | None = None
    _due: float = _FIRST_SECONDS
    _sent: int = 0

    def note(self, record: Record) -> None:
        """Note the record of a scenario that has ended, which `collected` already contains."""
        now = self.monotonic()
        if self._began is None:
            # The time before includes the start of all processes.
            self._began = now
            return
        elapsed = now - self._began
        self._sent += len(record.result.exchanges)
        if self._sent < _FIRST_EXCHANGES or elapsed < self._due:
            return
        self._due = elapsed + MINUTE
        done = len(self.collected.records)
        scenarios = sum(each.status == "selected" for each in self.collected.selected.values())
        left = max(elapsed / self._sent * self.exchanges * (1 - done / scenarios), self.wait - elapsed)
        if left >= MINUTE:
            self.show(f"{done:,} of {scenarios:,} scenarios done, {about(left)} left")
