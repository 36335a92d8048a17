"""The suite, collected once for all faults."""

from collections.abc import Iterator

import pytest

from collected_suite import CollectedSuite


@pytest.fixture(scope="session")
def suite() -> Iterator[CollectedSuite]:
    """The suite, ready to be run."""
    with CollectedSuite() as collected:
        yield collected
