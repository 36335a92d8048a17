"""Settings of Hypothesis, and a fixture for tests that press Ctrl-C."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

# No test depends on the speed of the machine.
settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Let SIGINT raise KeyboardInterrupt during the test, also where a shell or another test has decided otherwise."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
