"""The mutants of the sandbox's handlers: small changes that resemble mistakes of a service."""

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cosmic_ray.ast import Visitor, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

from mutants.areas import LEFT_OPEN

# Operators whose mutants resemble mistakes. The others replace each operator by every other one, mostly to no purpose.
_COMPARISONS: Final = ("Eq_NotEq", "GtE_Gt", "Gt_GtE", "IsNot_Is", "Is_IsNot", "LtE_Lt", "Lt_LtE", "NotEq_Eq")
_NAMES: Final = (
    *("AddNot", "NumberReplacer", "RemoveDecorator", "ReplaceAndWithOr", "ReplaceFalseWithTrue", "ReplaceOrWithAnd"),
    *("ReplaceTrueWithFalse", "ReplaceUnaryOperator_Delete_Not", "ZeroIterationForLoop"),
    *(f"ReplaceBinaryOperator_{each}" for each in ("Add_Sub", "Mul_Add", "Sub_Add")),
    *(f"ReplaceComparisonOperator_{each}" for each in _COMPARISONS),
)
# Such a line chooses between behaviours that all conform.
_CHOICE: Final = re.compile(r"\b_?choices\b")
# No request arrives exactly at an instant or has exactly the length of a limit that the documents do not name: there,
# these operators change nothing.
_UNREACHED: Final = re.compile(r"\bnow\b|\b_MAX_")
_BOUNDARIES: Final = re.compile(r"(GtE_Gt|Gt_GtE|LtE_Lt|Lt_LtE)$")


class RemoveCall:
    """Replaces a statement that is only a call, such as a check or a change of the store, by ``pass``."""

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:  # noqa: ANN401
        """Yield the position of the statement if the node is one."""
        if node.type == "simple_stmt" and node.children[0].type == "atom_expr":
            yield node.start_pos, node.end_pos

    def mutate(self, node: Any, _: int) -> Any:  # noqa: ANN401
        """Return the statement that replaces the call."""
        replacement = get_ast("pass\n").children[0]
        replacement.get_first_leaf().prefix = node.get_first_leaf().prefix
        return replacement


OPERATORS: Final = {"RemoveCall": RemoveCall(), **{name: get_operator(f"core/{name}")() for name in _NAMES}}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one line of a module; ``path`` is relative to the checkout, ``occurrence`` counts from 0."""

    path: Path
    line: int
    operator: str
    occurrence: int

    @property
    def module(self) -> str:
        """The dotted name of the module."""
        return ".".join(self.path.with_suffix("").parts)

    def source(self, original: str) -> str:
        """Return the changed source of the module."""
        mutated: str = mutate_code(original, OPERATORS[self.operator], self.occurrence)
        return mutated


def mutants_of(checkout: Path, path: Path, reached: Collection[int]) -> list[Mutant]:
    """Return the mutants of a module, except those on lines that are not ``reached`` and those that always conform."""
    source = (checkout / path).read_text(encoding="utf-8")
    lines, left_open = source.splitlines(), _lines_left_open(source)
    return [
        Mutant(path, line, name, occurrence)
        for name, operator in OPERATORS.items()
        for occurrence, line in enumerate(_places(source, operator))
        if line in reached and line not in left_open and not _conforms(name, lines[line - 1])
    ]


def _conforms(operator: str, line: str) -> bool:
    return bool(_CHOICE.search(line) or (_BOUNDARIES.search(operator) and _UNREACHED.search(line)))


def _lines_left_open(source: str) -> set[int]:
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return {
        line
        for each in functions
        if each.name in LEFT_OPEN
        for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)
    }


def _places(source: str, operator: Any) -> list[int]:  # noqa: ANN401 - cosmic-ray has no types
    """Return the lines of an operator's mutations, by occurrence."""
    found: list[int] = []

    class Places(Visitor):  # type: ignore[misc]
        def visit(self, node: Any) -> Any:  # noqa: ANN401
            found.extend(begin[0] for begin, _ in operator.mutation_positions(node))
            return node

    Places().walk(get_ast(source))
    return found
