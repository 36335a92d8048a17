"""The declared dependencies are the imported ones."""

import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions

import pytest

from command_line import run
from unit.test_architecture import ROOT, imported

RUNTIME = ("airworthy", "proxy_addons", "tests/conformance")
DEVELOPMENT = ("tests", "benchmarks", "docs", "examples")
# Declared for their command or plugin, or as type stubs: no module imports them.
COMMANDS = {"build", "hatchling", "mypy", "pytest-cov", "ruff", "types-jsonschema", "types-requests"}

# A dependency imports it: declared to exclude versions, or because the dependency does not declare it.
LIMITED = {"anyio", "protobuf"}


def imported_modules(*folders: str) -> set[str]:
    files = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return {name.partition(".")[0] for path in files for name in imported(path)}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def distributions() -> dict[str, str]:
    """The distribution of each installed top-level module."""
    return {module: canonical(names[0]) for module, names in packages_distributions().items()}


def imported_distributions(*folders: str) -> set[str]:
    own = {path.stem for folder in (".", "tests", "benchmarks", "examples") for path in (ROOT / folder).iterdir()}
    # What only an extra needs is not installed everywhere.
    return {
        distributions().get(name, canonical(name))
        for name in imported_modules(*folders) - own - set(sys.stdlib_module_names)
    }


def declared(group: str = "") -> dict[str, str]:
    """The requirements of the project, or of one of its extras: version specifiers by distribution."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = project["optional-dependencies"][group] if group else project["dependencies"]
    found = (re.match(r"([\w.-]+)(?:\[.*?\])?(.*)", requirement) for requirement in requirements)
    return {canonical(each[1]): each[2] for each in found if each}


def test_dependencies_are_the_imported_distributions() -> None:
    shipped = {*declared(), *declared("pdf"), *declared("spark")}
    assert shipped == imported_distributions(*RUNTIME) | LIMITED
    assert {*declared("dev"), *declared("mutants")} == imported_distributions(*DEVELOPMENT) - shipped | COMMANDS


@pytest.mark.parametrize("name", ["mitmproxy", "pytest", "pytest-bdd", "pytest-xdist"])
def test_dependency_whose_internals_are_used_has_an_upper_bound(name: str) -> None:
    assert re.search(r"<\d+$", declared()[name])


def test_checkout_collects_without_the_development_dependencies() -> None:
    missing = (
        *("aiosmtpd", "datamodel_code_generator", "filelock", "h2", "hypothesis", "openapi_spec_validator"),
        *("pexpect", "playwright", "stripe"),
    )
    program = f"""if True:
        import sys
        sys.modules.update(dict.fromkeys({missing!r}))
        import pytest
        sys.exit(pytest.main(["--collect-only", "-qq", "-p", "pytest_bdd.plugin", "-p", "no:cacheprovider", "."]))
    """
    ended = run(sys.executable, "-c", program, folder=ROOT, environment={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    assert ended.returncode == 0, ended.stdout + ended.stderr
    collected = {line.rpartition("/")[0] for line in ended.stdout.splitlines() if ".py: " in line}
    assert {"tests/conformance/v4", "tests/faults"} <= collected
    assert not any(folder.startswith(("tests/unit", "tests/integration")) for folder in collected)
    assert "left out: tests/integration, tests/unit (pip install --editable '.[dev]')" in ended.stdout
