"""Fixtures that run the plugin on small features with `pytester`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# pytester forgets modules that a run imported first, and cryptography cannot be imported twice.
import trustme  # noqa: F401

from airworthy.contract import Contract

from .material import STEPS, Features, use_features


@pytest.fixture
def features(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Features:
    """``features(rule(…), …)`` replaces all features by these rules."""

    def make(*rules: str) -> Path:
        folder = pytester.mkdir("features")
        (folder / "mini.feature").write_text("@v2 @v3 @v4\nFeature: Mini\n\n" + "\n".join(rules))
        pytester.makepyfile(test_mini=STEPS)
        use_features(folder, monkeypatch)
        return folder

    return make


@pytest.fixture
def run(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Run the features; the report goes to reports/run."""

    def run(*arguments: str) -> pytest.RunResult:
        plugins = ["airworthy.suite.plugin", "no:cacheprovider", "no:hypothesispytest"]
        options = [*(f"-p{each}" for each in plugins), "--strict-markers", "--run-id", "run"]
        return pytester.runpytest_inprocess(*options, *arguments, no_reraise_ctrlc=True)

    return run


@pytest.fixture
def results(pytester: pytest.Pytester) -> Callable[[], dict[str, Any]]:
    """Read results.json, with the rules by their ids."""

    def read() -> dict[str, Any]:
        document = json.loads((pytester.path / "reports" / "run" / "results.json").read_text())
        found: dict[str, Any] = document["results"]
        return found | {
            "decision": document["decision"]["outcome"],
            "rules": {each["id"]: each for each in found["rules"]},
        }

    return read


@pytest.fixture(scope="session")
def contract() -> Contract:
    return Contract.load(("v4", "v3", "v2"))
