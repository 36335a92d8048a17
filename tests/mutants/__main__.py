"""Mutation testing of the sandbox's handlers: which small changes of a service does the suite notice?

``make mutants`` runs this. cosmic-ray makes the mutants in a copy of the checkout; the suite runs against each until
the first scenario that fails. Mutants are drawn at random until the time is up, and those that are certified are shown.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import WorkItem, WorkResult

CHECKOUT: Final = Path(__file__).parents[2]
HANDLERS: Final = ("airworthy/sandbox/v4", "airworthy/sandbox/v3", "airworthy/sandbox/payment_provider")
# Operators whose mutants resemble mistakes. The others replace each operator by every other one, mostly to no purpose.
OPERATORS: Final = frozenset(
    f"core/{name}"
    for name in (
        "AddNot",
        "NumberReplacer",
        "RemoveDecorator",
        "ReplaceAndWithOr",
        "ReplaceBinaryOperator_Add_Sub",
        "ReplaceBinaryOperator_Mul_Add",
        "ReplaceBinaryOperator_Sub_Add",
        "ReplaceComparisonOperator_Eq_NotEq",
        "ReplaceComparisonOperator_GtE_Gt",
        "ReplaceComparisonOperator_Gt_GtE",
        "ReplaceComparisonOperator_IsNot_Is",
        "ReplaceComparisonOperator_Is_IsNot",
        "ReplaceComparisonOperator_LtE_Lt",
        "ReplaceComparisonOperator_Lt_LtE",
        "ReplaceComparisonOperator_NotEq_Eq",
        "ReplaceFalseWithTrue",
        "ReplaceOrWithAnd",
        "ReplaceTrueWithFalse",
        "ReplaceUnaryOperator_Delete_Not",
        "ZeroIterationForLoop",
    )
)
_PATIENCE: Final = 300.0
_LEFT_OUT: Final = (".git", ".venv", ".*cache", ".hypothesis", "__pycache__")


def main() -> None:
    """Test mutants for a number of minutes, and show those that the suite did not notice."""
    arguments = argparse.ArgumentParser(prog="mutants", description=__doc__)
    arguments.add_argument("--minutes", type=float, default=30.0, help="time after which no other mutant is begun")
    arguments.add_argument("--seed", type=int, default=1, help="other mutants for each number")
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="airworthy-mutants-") as name:
        copy = Path(name) / "checkout"
        shutil.copytree(CHECKOUT, copy, ignore=shutil.ignore_patterns(*_LEFT_OUT))
        # Paths of mutants are relative, and the suite of the copy is imported from the working directory.
        os.chdir(copy)
        tested = survived = 0
        for mutant, result in _tested(_mutants(Path(name)), chosen.seed, chosen.minutes * 60):
            tested += 1
            if not result.is_killed:
                survived += 1
                (mutation,) = mutant.mutations
                place = f"{mutation.module_path}:{mutation.start_pos[0]} in {mutation.definition_name}"
                _write(f"\n{place}\n{_changed_lines(result.diff or '')}")
    _write(f"\nThe suite noticed {tested - survived} of {tested} mutants (seed {chosen.seed}).")


def _mutants(folder: Path) -> list[WorkItem]:
    """Return the mutants of all handlers that resemble mistakes."""
    settings, session = folder / "settings.toml", folder / "session.sqlite"
    paths = ", ".join(f'"{path}"' for path in HANDLERS)
    settings.write_text(
        f'[cosmic-ray]\nmodule-path = [{paths}]\ntimeout = {_PATIENCE}\nexcluded-modules = []\ntest-command = "-"\n'
        '[cosmic-ray.distributor]\nname = "local"\n',
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "cosmic_ray.cli", "init", str(settings), str(session)]
    subprocess.run(command, check=True)  # noqa: S603  our own program
    with use_db(str(session), WorkDB.Mode.open) as database:
        return [each for each in database.work_items if each.mutations[0].operator_name in OPERATORS]


def _tested(mutants: list[WorkItem], seed: int, seconds: float) -> Iterator[tuple[WorkItem, WorkResult]]:
    """Yield mutants in random order with their results until the time is up."""
    end = time.monotonic() + seconds
    random.Random(seed).shuffle(mutants)  # noqa: S311  nothing secret
    command = f"{sys.executable} -m airworthy.cli certify service --reports {Path.cwd().parent / 'reports'} -- -x -q"
    for mutant in mutants:
        if time.monotonic() > end:
            return
        yield mutant, mutate_and_test(mutant.mutations, command, _PATIENCE)


def _changed_lines(diff: str) -> str:
    changed = (line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---"))
    return "\n".join(f"    {line}" for line in changed)


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
