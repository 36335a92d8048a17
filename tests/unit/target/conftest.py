"""Fixtures of the tests of the target."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .profiles import Write
from .servers import Serve, serving


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """``serve(behaviour, tls=True)`` starts a server that runs until the test ends."""
    with ExitStack() as stack:
        yield lambda behaviour, tls=True: stack.enter_context(serving(behaviour, tmp_path, tls))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a profile and returns its path."""

    def write(text: str) -> Path:
        path = tmp_path / "profile.toml"
        path.write_text(text)
        return path

    return write
