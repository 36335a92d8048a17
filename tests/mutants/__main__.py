"""Mutation testing of the sandbox's handlers: which small changes of a service does the suite notice?

``make mutants`` runs this. cosmic-ray makes the mutants; the scenarios of their interface run against each until one
fails. Mutants are drawn at random, as many of each area, until the time is up. Those that the suite does not notice are
shown. A mutant that does not start is not counted.
"""

import argparse
import difflib
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, takewhile, zip_longest
from pathlib import Path
from typing import Final, Literal, Self, TypeVar

from coverage import CoverageData

from airworthy import suite
from airworthy.register import rules
from airworthy.resources import resource
from collected_suite import CollectedSuite
from mutants.areas import AREAS, SANDBOX
from mutants.mutations import Mutant, mutants_of

T = TypeVar("T")
Reaching = Mapping[Path, Mapping[int, frozenset[str]]]
Outcome = Literal["noticed", "survived", "does not start"]

CHECKOUT: Final = Path(__file__).parents[2]
_SETTINGS: Final = Path(suite.__file__).parent / "certify.ini"


def main() -> None:
    """Test mutants for a number of minutes, and show those that the suite did not notice."""
    arguments = argparse.ArgumentParser(prog="mutants", description=__doc__)
    arguments.add_argument("--minutes", type=float, default=30.0, help="time after which no other mutant is begun")
    arguments.add_argument("--seed", type=int, default=1, help="other mutants for each number")
    arguments.add_argument("--area", choices=AREAS, action="append", help="handlers to change; default: all")
    chosen = arguments.parse_args()
    outcomes: Counter[tuple[str, Outcome]] = Counter()
    areas = chosen.area or list(AREAS)
    with tempfile.TemporaryDirectory(prefix="airworthy-mutants-") as name:
        reaching = reaching_tests(Path(name))
        drawn = _drawn(areas, reaching, chosen.seed)
        end = time.monotonic() + chosen.minutes * 60
        with Trials(Path(name)) as trials:
            for area, mutant in takewhile(lambda _: time.monotonic() < end, drawn):
                outcome = trials.outcome(area, mutant, reaching[mutant.path][mutant.line])
                outcomes[area, outcome] += 1
                if outcome == "survived":
                    _write(f"\n{mutant.path}:{mutant.line} {mutant.operator}\n{_changed_lines(mutant)}")
    for area in areas:
        noticed, survived = outcomes[area, "noticed"], outcomes[area, "survived"]
        _write(f"{area}: the suite noticed {noticed} of {noticed + survived} mutants (seed {chosen.seed})")


def reaching_tests(folder: Path) -> Reaching:
    """Run the suite once, and return the tests that reach each line of the sandbox, by path and line."""
    data = folder / "coverage"
    command = [
        *(sys.executable, "-m", "pytest", "-c", str(_SETTINGS), f"--rootdir={resource('conformance')}", "-q"),
        *("-p", "pytest_cov.plugin", f"--cov={SANDBOX}", "--cov-context=test", "--cov-report="),
        *("--reports", str(folder / "reports"), str(resource("conformance"))),
    ]
    subprocess.run(  # noqa: S603  our own program
        command, cwd=CHECKOUT, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"COVERAGE_FILE": str(data)}
    )
    found = CoverageData(str(data))
    found.read()
    return {
        Path(file).relative_to(CHECKOUT): {
            line: frozenset(context.rpartition("|")[0] for context in contexts)
            for line, contexts in found.contexts_by_lineno(file).items()
        }
        for file in found.measured_files()
    }


def _drawn(areas: list[str], reached: Reaching, seed: int) -> Iterator[tuple[str, Mutant]]:
    """Yield the mutants of each area in random order, one of each area and operator in turn."""
    chance = random.Random(seed)  # noqa: S311  nothing secret
    by_area = []
    for area in areas:
        paths = [SANDBOX / f"{name}.py" for name in AREAS[area].modules]
        by_operator: dict[str, list[tuple[str, Mutant]]] = {}
        for mutant in chain.from_iterable(mutants_of(CHECKOUT, path, reached[path]) for path in paths):
            by_operator.setdefault(mutant.operator, []).append((area, mutant))
        by_area.append(_in_turn(chance.sample(each, len(each)) for each in by_operator.values()))
    return _in_turn(by_area)


def _in_turn(groups: Iterable[Iterable[T]]) -> Iterator[T]:
    return (each for turn in zip_longest(*groups) for each in turn if each is not None)


class Trials:
    """Runs the scenarios against one mutant after the other, while the ``with`` block lasts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._suite = CollectedSuite()
        self._number = 0

    def __enter__(self) -> Self:
        self._suite.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._suite.__exit__()

    @cache  # noqa: B019  lives as long as the program
    def _expected(self, area: str) -> Mapping[str, str]:
        """Return the verdicts of an area's rules on the unchanged sandbox."""
        return self._verdicts(area)

    def outcome(self, area: str, mutant: Mutant, first: Collection[str]) -> Outcome:
        """Run the scenarios of an area against a mutant until one fails, ``first`` those that reach it."""
        expected = self._expected(area)
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            file = Path(folder) / mutant.path.name
            file.write_text(mutant.source((CHECKOUT / mutant.path).read_text(encoding="utf-8")), encoding="utf-8")
            try:
                found = self._verdicts(area, (mutant.module, str(file)), first)
            except TimeoutError:
                self._suite.__exit__()
                self._suite = CollectedSuite()
                self._suite.__enter__()
                return "noticed"
            except RuntimeError:
                return "does not start"
        return "survived" if found == expected else "noticed"

    def _verdicts(
        self, area: str, replaced: tuple[str, str] | None = None, first: Collection[str] = ()
    ) -> Mapping[str, str]:
        judging = {rule.id for rule in rules() if not AREAS[area].interfaces.isdisjoint(rule.versions)}
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            ran = self._suite.run(
                Path(folder), rules=sorted(judging), brief=True, replaced=replaced, first=sorted(first)
            )
        if "INTERNALERROR" in ran.terminal:
            raise RuntimeError(ran.terminal)
        return {rule.id: rule.verdict for rule in ran.results.rules if rule.id in judging}


def _changed_lines(mutant: Mutant) -> str:
    original = (CHECKOUT / mutant.path).read_text(encoding="utf-8")
    compared = difflib.ndiff(original.splitlines(), mutant.source(original).splitlines())
    return "\n".join(f"    {each}" for each in compared if each[0] in "+-")


def _write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
