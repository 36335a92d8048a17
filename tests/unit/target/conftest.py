from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from .servers import Serve, serving


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """``serve(behaviour, tls=True)`` starts a server that runs until the test ends."""
    with ExitStack() as stack:
        yield lambda behaviour, tls=True: stack.enter_context(serving(behaviour, tmp_path, tls))
