"""When the clock of a stream ticks."""

from itertools import pairwise
from typing import Any

from airworthy.spark.follow import Ticks

BEGIN = 1_800_000_000


def progress(seconds: float, read: int, *, is_silent: bool = True) -> dict[str, Any]:
    """The progress of a batch that began some seconds after the start, with the number of the last batch of files."""
    minutes, rest = divmod(seconds, 60)
    files = {"startOffset": {"logOffset": read - (not is_silent)}, "endOffset": {"logOffset": read}}
    return {"timestamp": f"2027-01-15T08:{int(minutes):02d}:{rest:06.3f}Z", "sources": [files, {}]}


def test_clock_ticks_after_a_silence_until_nothing_can_wait() -> None:
    ticks = Ticks(BEGIN, watermark=60)
    ticks.due(progress(100, 1, is_silent=False))

    times = [seconds for seconds in range(105, 300, 5) if ticks.due(progress(seconds, 1))]

    assert times[0] == 105
    assert times[-1] - 100 >= 60
    assert times[-1] < 200
    assert all(later - sooner >= 6 for sooner, later in pairwise(times))


def test_clock_does_not_tick_while_files_arrive() -> None:
    ticks = Ticks(BEGIN, watermark=60)

    assert [ticks.due(progress(seconds, seconds, is_silent=False)) for seconds in range(5, 100, 5)] == [None] * 19


def test_clock_ticks_for_what_waited_before_a_restart() -> None:
    ticks = Ticks(BEGIN, watermark=60)

    assert ticks.due(progress(5, 7)) == BEGIN + 5
