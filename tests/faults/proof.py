"""One fault of the sandbox after the other, and what the suite says to each: rows, and the page that shows them."""

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path
from typing import Final, TypeVar

from airworthy.register import Rule, rules
from airworthy.report.results import Failure, RuleResult, Verdict, weigh
from airworthy.sandbox.faults import Fault, faults
from collected_suite import CollectedSuite, Ran

T = TypeVar("T")

PAGE: Final = Path(__file__).parents[2] / "docs" / "reference" / "faults.md"
REFRESH: Final = "make faults-page"

# What a rule's own scenarios cannot see in the wild: those of another rule make the traffic that it is about.
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {"V4-UNKNOWN-FIELDS": ("V4-JSON-ANSWERS",)}

# Breaches that warn, or are only shown, because the documents leave room there.
LENIENT: Final[Mapping[str, tuple[Verdict, str]]] = {
    "order-as-text": ("warning", "the documents ask for JSON, in words not for a header"),
    "connectivity-standard": ("warning", "an additional name is tolerated, even of an earlier revision (OPEN-46)"),
    "itinerary-options": ("warning", "an additional name is tolerated, even of an earlier revision (OPEN-46)"),
    "priority-boarding-flag": ("warning", "an additional name is tolerated, even of an earlier revision (OPEN-46)"),
    "loyalty-points": ("passed", "an unknown field is tolerated, and shown as drift (OPEN-46)"),
    "search-other-day": ("warning", "the document does not promise it in words"),
    "search-other-origin": ("warning", "the document does not promise it in words"),
    "fares-renamed": ("warning", "the shape of the fares is open (OPEN-03)"),
    "adult-without-birth-date": ("warning", "how a supplier allows its absence is open (OPEN-43)"),
    "locator-tomorrow": ("warning", "that a locator takes longer than two hours is open (OPEN-39)"),
    "charter-awaits": ("warning", "which status a charter flight's booking has first is open (OPEN-39)"),
    "booking-dearer-bags": ("warning", "which difference of prices is acceptable is not written"),
    "change-not-flown": ("warning", "how several changes follow one another is open (OPEN-13)"),
    "change-not-listed": ("warning", "what the operator records as a change is open (OPEN-11)"),
    "flights-from-elsewhere": ("warning", "the document does not promise it in words"),
    "flights-as-text": ("warning", "the documents ask for JSON, in words not for a header"),
    "booking-points": ("passed", "an unknown field is tolerated, and shown as drift (OPEN-46)"),
    "export-blank-line": ("warning", "a blank line is no row"),
    "export-whole-numbers": ("warning", "the form of flight numbers is not said of the export"),
    "export-five-digits": ("warning", "the form of flight numbers is not said of the export"),
    "export-no-first-segment": ("warning", "which cells of a segment are filled is not said (OPEN-101)"),
    "export-amount-empty": ("warning", "what stands for an amount that is not there is open (OPEN-101)"),
    "export-other-flights": ("warning", "a search is indicative only (OPEN-37)"),
    "export-other-days": ("warning", "a search is indicative only (OPEN-37)"),
    "rejected-stays-open": ("warning", "which order follows a rejected payment is open (OPEN-24)"),
}

_HEAD: Final = """\
# Faults of the sandbox

Every check of the suite is shown to be able to fail. The sandbox can be given a fault, a small breach of one rule; the
suite then has to fail that rule, for that reason. This page is what came out: `{refresh}` writes it, and a test holds
it against the sandbox and the suite as they are.

Try one, and read the failure as an implementer would:

    pytest --fault order-read-stale -m V4-ORDER-READ
    airworthy sandbox --fault order-read-stale

{hand} faults were made by hand. {generated} come from the schemas: for each field of an answer one that leaves it out
and one that gives it another type (`lacks:`, `retypes:`), for each thing that is said of a field of a request one that
does not check it (`spares:`). Where a rule warns instead, the documents leave room. What changes from day to day is
shown as `…`.
"""
# Values that differ from day to day or from run to run.
_VOLATILE: Final = re.compile(
    "|".join(
        (
            r"(?<=/bags/)\d+|(?<=/luggage/)\d+",  # an id among the keys of bags and luggage
            r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",  # an id
            r"\d{4}-\d\d-\d\d(?:T[\d:]*Z?| \d\d:\d\d\b(?!:))?|\d\d/\d\d/\d{4}",  # a moment
            r"(?<![\w.])\d+\.\d+",  # an amount
            r"(?<=payment method is \")\w+_\w+(?=\")",  # a sent id, which is shown by a pseudonym
            r"redacted-[0-9a-f]+|\"[\w+/!]{20,}=*\"",  # a pseudonym
            r"(?<=operating_carrier of a segment is )\"\w\w\"|(?<=an object, came )\"\w\w\"",  # a carrier
            r"\"IB\d+\"|\b\d+(?=, not a flight number)|(?<=came )\d{4}$",  # a flight number
            r"\d+(?= times in)|(?<=line )\d+|(?<=finds )\d+(?= flights)|\b\d\d:\d\d:\d\d\b",  # places in a file, times
            r"(?:\d+ cells: )?[A-Z]{3};[A-Z]{3};.*|(?:[A-Z0-9]{2} \d+ )?[A-Z]{3}-[A-Z]{3}(?= on )",  # a row of a file
            r"(?<=at )\d+(?= more)|(?<=came )\d+(?= offers| fares)|(?<=array of )\d+",  # how many there happen to be
        )
    )
)


@dataclass(frozen=True, slots=True)
class Row:
    """What the suite says to a fault; ``said`` is what an implementer reads."""

    fault: str
    rule: str
    does: str
    verdict: Verdict
    said: str


def prove(suite: CollectedSuite, fault: Fault) -> tuple[Row, Ran]:
    """Run the scenarios of a fault's rule against a sandbox that has it."""
    with tempfile.TemporaryDirectory(prefix="airworthy-fault-") as folder:
        ran = suite.run(Path(folder), faults=[fault.name], rules=[fault.rule, *_ALSO.get(fault.rule, ())])
    result = ran.rule(fault.rule)
    does = "" if fault.generated else fault.description
    return Row(fault.name, fault.rule, does, result.verdict, _said(result, ran)), ran


def spread(chosen: Iterable[Fault], work: Callable[[CollectedSuite, Fault], T]) -> Iterator[T]:
    """Yield what ``work`` makes of each fault, on all cores, in no order; a dot on standard error for each."""
    waiting = iter(list(chosen))

    def worker(_: int) -> list[T]:
        with CollectedSuite() as suite:
            return list(_worked(suite, waiting, work))

    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        yield from chain.from_iterable(pool.map(worker, range(workers)))


def _worked(suite: CollectedSuite, waiting: Iterator[Fault], work: Callable[[CollectedSuite, Fault], T]) -> Iterator[T]:
    for fault in waiting:
        sys.stderr.write(".")
        sys.stderr.flush()
        yield work(suite, fault)


def demanded() -> tuple[Rule, ...]:
    """Return the rules that need a fault: those that bind the service, alone or with the client."""
    return tuple(rule for rule in rules() if rule.binds != "client" and not rule.excluded_reason)


def page(rows: Iterable[Row]) -> str:
    """Return the page, in the register's order; the same for the same rows, whatever their order."""
    of_rule: dict[str, list[Row]] = {}
    places = {name: place for place, name in enumerate(faults())}
    for row in sorted(rows, key=lambda row: places[row.fault]):
        of_rule.setdefault(row.rule, []).append(row)
    generated = sum(":" in row.fault for each in of_rule.values() for row in each)
    hand = sum(map(len, of_rule.values())) - generated
    lines = [_HEAD.format(refresh=REFRESH, hand=hand, generated=generated)]
    for (version, area), found in groupby(rules(), lambda rule: (rule.version, rule.area)):
        lines.append(f"## {version}: {area}\n")
        for rule in found:
            lines += [f"### {rule.id}\n", f"{rule.statement}.\n", *_shown(rule, of_rule.get(rule.id, [])), ""]
    return "\n".join(lines)


def rows_of(text: str) -> list[Row]:
    """Return the rows that a page holds."""
    found = []
    rule = ""
    for line in text.splitlines():
        if line.startswith("### "):
            rule = line.removeprefix("### ")
        cells = re.split(r"(?<!\\) \| ", line.removeprefix("| ").removesuffix(" |"))
        if line.startswith("| `") and len(cells) == len(_COLUMNS):
            fault, does, verdict, said = (cell.replace("\\|", "|") for cell in cells)
            found.append(Row(fault.strip("`"), rule, does, verdict, said))  # type: ignore[arg-type]
    return found


_COLUMNS: Final = ("fault", "the sandbox", "verdict", "what an implementer reads")


def _shown(rule: Rule, rows: list[Row]) -> Iterator[str]:
    if rule.excluded_reason:
        yield f"Not checked: {rule.excluded_reason}"
    elif rule.binds == "client":
        count = len(rule.scenarios)
        yield (
            f"Binds the client. Of its traffic, as documented but for one thing, {count} "
            f"scenario{'s' if count > 1 else ''} must find just that, and end in `error` where the contract forgets "
            "the rule."
        )
    else:
        yield f"| {' | '.join(_COLUMNS)} |"
        yield "|---" * len(_COLUMNS) + "|"
        for row in rows:
            cells = (f"`{row.fault}`", row.does, row.verdict, row.said)
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _said(result: RuleResult, ran: Ran) -> str:
    """Return why the rule has its verdict, without what differs from day to day."""
    scenario, failure = next(
        (
            (f"{each.name}: ", each.failure)
            for each in result.scenarios
            if each.verdict == result.verdict and each.failure
        ),
        ("", None),
    )
    if failure is None:
        found = (each.finding for each in ran.results.findings if each.finding.rule == result.id)
        finding = next((each for each in found if weigh(each) == result.verdict), None)
        failure = Failure(finding.message, finding.expected, finding.actual) if finding else Failure("")
    expected = f"; expected {failure.expected}" if failure.expected else ""
    actual = f", came {failure.actual}" if failure.actual else ""
    return _VOLATILE.sub("…", f"{scenario}{failure.message}{expected}{actual}")
