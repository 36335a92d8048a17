"""The layers of ARCHITECTURE.md: their imports, and that the contract does no I/O."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_ROW = re.compile(r"^\| `(?P<layer>\w+)` \|[^|]*\|(?P<ours>[^|]*)\|(?P<others>[^|]*)\|$", re.MULTILINE)
_NAME = re.compile(r"`([\w.]+)`")
# Modules for I/O, processes, randomness and time.
_OUTSIDE = {
    *("asyncio", "http.client", "io", "logging", "os", "pathlib", "random", "secrets", "selectors", "shutil"),
    *("socket", "ssl", "subprocess", "sys", "tempfile", "time", "urllib.request"),
}
_CLOCKS = {"now", "today", "utcnow"}


@dataclass(frozen=True)
class Layer:
    name: str
    ours: frozenset[str]
    others: frozenset[str]

    @property
    def files(self) -> list[Path]:
        if self.name == "conformance":
            return sorted((ROOT / "tests" / "conformance").rglob("*.py"))
        module = ROOT / "airworthy" / f"{self.name}.py"
        return [module] if module.exists() else sorted((ROOT / "airworthy" / self.name).rglob("*.py"))


def layers() -> list[Layer]:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return [
        Layer(row["layer"], frozenset(_NAME.findall(row["ours"])), frozenset(_NAME.findall(row["others"])))
        for row in _ROW.finditer(page)
    ]


LAYERS = layers()
FOLDERS = [layer for layer in LAYERS if (ROOT / "airworthy" / layer.name).is_dir()]


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports anywhere; `from airworthy import x` counts as `airworthy.x`."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield from (
                (f"airworthy.{alias.name}" for alias in node.names) if node.module == "airworthy" else [node.module]
            )


def inner(module: str) -> str | None:
    """Return the layer of a module of the project, or None for other modules and for the version."""
    name, _, rest = module.partition(".")
    if name == "conformance":
        return name
    return rest.partition(".")[0] if name == "airworthy" and rest != "__version__" else None


def test_table_names_every_layer() -> None:
    packages = {path.stem for path in (ROOT / "airworthy").iterdir() if path.suffix == ".py" or path.is_dir()}
    packages = {name for name in packages if not name.startswith("_")}

    assert {layer.name for layer in LAYERS} == packages | {"conformance"}
    assert all(layer.files for layer in LAYERS)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_layer_imports_exactly_the_listed_layers_and_distributions(layer: Layer) -> None:
    modules = {module for path in layer.files for module in imported(path)}
    relative = [path for path in layer.files for node in nodes(path) if getattr(node, "level", 0)]
    distributions = {module.partition(".")[0] for module in modules if inner(module) is None}

    assert {name for module in modules if (name := inner(module))} - {layer.name} == layer.ours
    assert distributions - {*sys.stdlib_module_names, "airworthy"} == layer.others
    assert relative == []


def test_layers_have_no_import_cycle() -> None:
    above = {layer.name: layer.ours for layer in LAYERS}

    # Raises CycleError, which names the layers, if there is a cycle.
    assert set(TopologicalSorter(above).static_order()) == set(above)


def _rooms(layer: Layer) -> dict[str, set[str]]:
    """The folders and modules directly in a layer, each with those that it imports."""
    folder = ROOT / "airworthy" / layer.name
    names = {each.stem for each in folder.iterdir()}
    rooms: dict[str, set[str]] = defaultdict(set)
    for path in layer.files:
        room = path.relative_to(folder).with_suffix("").parts[0]
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"airworthy.{layer.name}."):
                rooms[room].update(names & {f"{node.module}.{alias.name}".split(".")[2] for alias in node.names})
        rooms[room].discard(room)
    return rooms


@pytest.mark.parametrize("layer", FOLDERS, ids=lambda layer: layer.name)
def test_rooms_of_a_layer_have_no_import_cycle(layer: Layer) -> None:
    rooms = _rooms(layer)

    # Raises CycleError, which names the rooms, if there is a cycle.
    assert set(TopologicalSorter(rooms).static_order()) >= set(rooms)


def test_only_the_application_and_its_own_endpoints_import_the_faults() -> None:
    sandbox = next(layer for layer in LAYERS if layer.name == "sandbox")

    assert {room for room, imports in _rooms(sandbox).items() if "faults" in imports} == {"app", "dashboard"}


def test_contract_does_no_io() -> None:
    files = next(layer for layer in LAYERS if layer.name == "contract").files
    assert len(files) > 10

    for path in files:
        outside = {
            module for module in imported(path) if module in _OUTSIDE or module.startswith("airworthy.resources")
        }
        called = {
            name
            for node in nodes(path)
            if isinstance(node, ast.Call)
            and (name := node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
            in {*_CLOCKS, "open", "print"}
        }
        assert (path.name, outside, called) == (path.name, set(), set())


def _public_classes() -> Iterator[tuple[str, str]]:
    for folder in ("airworthy", "proxy_addons", "tests/conformance"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            names = [node.name for node in nodes(path) if isinstance(node, ast.ClassDef)]
            yield from ((name, path.relative_to(ROOT).as_posix()) for name in names if not name.startswith("_"))


def test_public_class_names_are_unique() -> None:
    files = defaultdict(list)
    for name, path in _public_classes():
        files[name].append(path)

    assert len(files) > 100
    assert {name: paths for name, paths in files.items() if len(paths) > 1} == {}
