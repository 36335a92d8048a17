"""Make the fixtures of the step functions known to pytest, and run a feature for each test module."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from pytest_bdd import scenario
from pytest_bdd.feature import get_feature
from pytest_bdd.scenario import get_python_name_generator

from airworthy.resources import resource
from airworthy.suite import options
from conformance import fixtures


class FeatureModule(pytest.Module):
    """A test module with the scenarios of the feature of its name: ``v4/test_search.py`` for ``v4/search.feature``."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """Add a test for each scenario to the module."""
        feature = _feature_of(self.path)
        for name in get_feature(str(feature.parent), feature.name).scenarios:
            free = next(each for each in get_python_name_generator(name) if not hasattr(self.obj, each))
            setattr(self.obj, free, scenario(str(feature), name)(_run))
        return super().collect()


def _run() -> None:
    """Do nothing: pytest-bdd runs the steps before."""


def _feature_of(module: Path) -> Path:
    return resource("features") / module.parent.name / f"{module.stem.removeprefix('test_')}.feature"


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Let a test module that is named after a feature run it."""
    return FeatureModule.from_parent(parent, path=module_path) if _feature_of(module_path).is_file() else None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Collect explorations only for a run that explores: Hypothesis takes a moment to import."""
    return True if collection_path.name == "explore" and options.budget(config.option) is None else None


def pytest_configure(config: pytest.Config) -> None:
    """Register the fixtures."""
    config.pluginmanager.register(fixtures, "airworthy-conformance-fixtures")
