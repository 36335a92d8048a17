"""Fixtures that run the plugin on small features with `pytester`."""

import pytest

# pytester forgets modules that a run imported first, and cryptography cannot be imported twice.
import trustme  # noqa: F401

from airworthy.contract import Contract

from .material import MiniSuite


@pytest.fixture
def mini(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> MiniSuite:
    return MiniSuite(pytester, monkeypatch)


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract.load(("v4", "v3", "v2"))
