"""Fixtures that run the plugin on small features with `pytester`."""

import pytest

# pytester forgets modules that a run imported first, and cryptography cannot be imported twice.
import trustme  # noqa: F401

from .material import MiniSuite


@pytest.fixture
def mini(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> MiniSuite:
    return MiniSuite(pytester, monkeypatch)
