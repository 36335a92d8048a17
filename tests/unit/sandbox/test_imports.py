"""Imports within the sandbox point one way."""

import ast
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import airworthy.sandbox

PACKAGE = Path(airworthy.sandbox.__file__).parent
NAME = "airworthy.sandbox"


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join((NAME, *parts)).removesuffix(".__init__")


MODULES = {module_name(path): path for path in PACKAGE.rglob("*.py")}


def imported_modules(source: str) -> Iterator[str]:
    """Yield the modules of the sandbox that a module imports, in any block (``if TYPE_CHECKING`` and functions too)."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in MODULES else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def import_graph() -> Mapping[str, set[str]]:
    return {
        name: {each for each in imported_modules(path.read_text(encoding="utf-8")) if each in MODULES}
        for name, path in MODULES.items()
    }


def test_graph_includes_type_checking_blocks() -> None:
    source = "if TYPE_CHECKING:\n    from airworthy.sandbox.service import SandboxService\n"

    assert list(imported_modules(source)) == [f"{NAME}.service"]


def test_imports_have_no_cycle() -> None:
    graph = import_graph()

    assert len(graph) > 50
    # Raises CycleError, which names the modules, if there is a cycle.
    assert set(TopologicalSorter(graph).static_order()) == set(graph)


def test_only_the_application_and_its_own_endpoints_import_the_faults() -> None:
    faults = f"{NAME}.faults"
    importers = {name for name, imports in import_graph().items() if any(each.startswith(faults) for each in imports)}

    assert {name for name in importers if not name.startswith(faults)} == {f"{NAME}.app", f"{NAME}.control"}
