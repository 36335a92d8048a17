"""What a run found, as values: the one source of every report.

::

    Results                       results.json, schemas/report/results.json
     +-- Tool, Scope              with what, against what, how much of it
     +-- RuleResult               one documented rule, its verdict
     |    +-- ScenarioResult      one check of it
     |         +-- Failure        what was expected, what came, where
     +-- FindingCount             what the contract found in any exchange, drift included
     +-- Observation, Waiver, Wait, LedgerEntry, Timing, Integrity

`airworthy.report.decision` turns results into a decision; `airworthy.report.write` renders them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final, Literal

from airworthy.contract.finding import Finding

FORMAT: Final = "airworthy-results-1"

Verdict = Literal["passed", "failed", "warning", "untested", "not_applicable", "error"]
Binds = Literal["service", "client", "both"]
Ageing = Literal["clock", "waited", "cut"]

WORST_FIRST: Final[tuple[Verdict, ...]] = ("failed", "error", "untested", "warning", "passed", "not_applicable")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a check did not pass, for a reader who has never seen the project.

    ``message`` says why it is wrong. ``side``, ``pointer`` and ``exchange`` say where, as in `Finding`; they are empty
    where no exchange is at fault. ``steps`` are the scenario's steps, in Gherkin, up to the one that saw it. Every
    text is already redacted.
    """

    message: str
    expected: str = ""
    actual: str = ""
    side: Literal["request", "response", ""] = ""
    pointer: str = ""
    exchange: str = ""
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """One executed (or not executed, and why) scenario. Durations are in seconds.

    ``exchanges`` are the ids of the exchanges that it made, in their order; ``findings`` is what the contract held
    against the service in them, one for each root cause.
    """

    name: str
    verdict: Verdict
    reason: str = ""
    duration: float = 0.0
    http_seconds: float = 0.0
    exchanges: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The verdict on one rule of the register; ``id`` to ``binds`` are the register's own words."""

    id: str
    version: str
    area: str
    statement: str
    source: str
    binds: Binds
    verdict: Verdict
    reason: str = ""
    scenarios: tuple[ScenarioResult, ...] = ()


@dataclass(frozen=True, slots=True)
class FindingCount:
    """A finding, as it was first seen (``finding.exchange``), and how often its root cause showed."""

    finding: Finding
    count: int = 1


@dataclass(frozen=True, slots=True)
class Observation:
    """What the implementation does where the documents are silent: recorded and compared, never graded.

    ``open_id`` is the place in `open-questions` (``OPEN-07``).
    """

    open_id: str
    question: str
    value: str
    exchange: str = ""


@dataclass(frozen=True, slots=True)
class Capability:
    """Something that not every implementation offers, as the profile declares it and as the run has found it.

    ``probed`` is true where a scenario that needs it passed or warned, false where those that were carried out failed.
    None says: not declared, or not probed. ``note`` says why it was not probed or failed.
    """

    name: str
    declared: bool | None = None
    probed: bool | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Waiver:
    """A failed or untested rule that somebody answers for until a day (inclusive)."""

    rule: str
    owner: str
    reason: str
    expires: date


@dataclass(frozen=True, slots=True)
class Wait:
    """Something that had to age: by the target's clock, by waiting, or cut by the longest wait that was allowed."""

    what: str
    seconds: float
    how: Ageing


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """Something that the run left behind at the target, such as an order or a reservation."""

    kind: str
    id: str
    made: datetime
    status: str = ""
    exchange: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """What examined: the suite's version, and the versions of the parts that matter."""

    version: str
    python: str
    components: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scope:
    """What was held against the target. Digests are SHA-256 in hexadecimal.

    ``filtered`` says that not every rule was selected, ``filtered_why`` by what (``-k order``).
    """

    profile: str
    profile_digest: str
    contract_digest: str
    features_digest: str
    schemas_digest: str
    versions: tuple[str, ...] = ()
    filtered: bool = False
    filtered_why: str = ""


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds that the run took, seconds of them inside HTTP exchanges, and the number of exchanges."""

    seconds: float = 0.0
    http_seconds: float = 0.0
    exchanges: int = 0


@dataclass(frozen=True, slots=True)
class Integrity:
    """The evidence file (its name, beside results.json), its SHA-256, its lines and the hash of its last line."""

    evidence: str = ""
    sha256: str = ""
    lines: int = 0
    last_hash: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One run against one target. ``started`` and ``finished`` are aware (UTC)."""

    run: str
    started: datetime
    finished: datetime
    subject: str
    environment: str
    target: str
    tool: Tool
    scope: Scope
    rules: tuple[RuleResult, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    findings: tuple[FindingCount, ...] = ()
    observations: tuple[Observation, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    waits: tuple[Wait, ...] = ()
    ledger: tuple[LedgerEntry, ...] = ()
    timing: Timing = Timing()
    integrity: Integrity = Integrity()

    @property
    def drift(self) -> tuple[FindingCount, ...]:
        """The findings that are drift, in their order."""
        return tuple(entry for entry in self.findings if entry.finding.kind == "drift")

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many rules have each verdict, worst first; all six verdicts are there."""
        counted = Counter(rule.verdict for rule in self.rules)
        return {verdict: counted[verdict] for verdict in WORST_FIRST}

    def demands(self, failure: Failure) -> bool:
        """Whether a failure's message says what a step demands, and not what the contract found or what came."""
        found = any(each.finding.message == failure.message for each in self.findings)
        return bool(failure.actual) and not found and failure.actual.strip('"') not in failure.message

    def in_short(self, failure: Failure) -> str:
        """Return a failure in a line: its message, and what came where that does not tell it."""
        if not self.demands(failure):
            return failure.message
        return f"{failure.message}: expected {failure.expected or 'that'}, {failure.actual} came"


def count_findings(findings: Iterable[Finding]) -> tuple[FindingCount, ...]:
    """Fold findings into one entry for each root cause (`Finding.key`), first seen first."""
    return folded(map(FindingCount, findings))


def folded(counts: Iterable[FindingCount]) -> tuple[FindingCount, ...]:
    """Fold what was counted in several places into one entry for each root cause, first seen first."""
    first: dict[tuple[str, ...], Finding] = {}
    times: Counter[tuple[str, ...]] = Counter()
    for each in counts:
        first.setdefault(each.finding.key, each.finding)
        times[each.finding.key] += each.count
    return tuple(FindingCount(finding, times[key]) for key, finding in first.items())


def failure_of(finding: Finding) -> Failure:
    """Return a finding as the failure of a check."""
    return Failure(finding.message, finding.expected, finding.actual, finding.side, finding.pointer, finding.exchange)


def weigh(finding: Finding) -> Verdict:
    """Return what a finding that is held against the subject makes of its rule.

    A soft finding and a deprecated call warn; a name that no document knows is a note (OPEN-46); what could not be
    judged leaves the rule untested.
    """
    if finding.kind == "unreadable":
        return "untested"
    if finding.kind == "drift" and finding.drift in ("unknown-field", "unknown-value"):
        return "passed"
    return "warning" if finding.soft or finding.kind == "deprecated" else "failed"


def verdict_of(scenarios: Iterable[ScenarioResult], findings: Iterable[Finding] = ()) -> Verdict:
    """Return the verdict on a rule: the worst of its scenarios and of the findings that carry its id.

    ``findings`` are those held against the subject: what a check sent wrong on purpose is not among them, and what
    the suite sent wrong by mistake is the ``error`` of a scenario. A rule that nothing examined is ``untested``.
    """
    found: set[Verdict] = {scenario.verdict for scenario in scenarios} | {weigh(finding) for finding in findings}
    return next((verdict for verdict in WORST_FIRST if verdict in found), "untested")
