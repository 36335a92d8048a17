"""The suite, collected once per worker."""

from collections.abc import Iterator

import pytest

from collected_suite import CollectedSuite


@pytest.fixture(scope="session")
def suite() -> Iterator[CollectedSuite]:
    """Yield the collected suite."""
    with CollectedSuite() as collected:
        yield collected
