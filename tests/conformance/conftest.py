"""The conformance suite: the steps and fixtures behind the features."""

import importlib
import pkgutil

import pytest

from airworthy.suite.sentences import remember_sentences
from conformance import fixtures, steps


def pytest_configure(config: pytest.Config) -> None:
    """Make every step known: pytest-bdd finds steps as fixtures of plugins."""
    remember_sentences()
    config.pluginmanager.register(fixtures, "airworthy-conformance-fixtures")
    for module in pkgutil.iter_modules(steps.__path__, f"{steps.__name__}."):
        config.pluginmanager.register(importlib.import_module(module.name), module.name)
