"""The results of a run, the single source of every report.

::

    Results                       results.json, schemas/report/results.json
     +-- Tool, Scope              the tool and what it tested
     +-- Rejudgement              what changed, if the evidence was judged again
     +-- RuleResult               one documented rule, its verdict
     |    +-- ScenarioResult      one check of it
     |         +-- Failure        expected, actual, location
     +-- FindingCount             findings in any exchange, including drift
     +-- ExchangeSummary          the exchanges that failures and findings name
     +-- OperationUse             the operations that the run used
     +-- Observation, Waiver, Wait, LedgerEntry, Timing, Integrity
     +-- Explored               random conversations with one interface, what they reached and what they found
 +-- Integration            the partner's integration, in the results of a partner only

`airworthy.report.decision` turns results into a decision; `airworthy.report.write` renders them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, Literal

from airworthy.contract.findings.finding import Finding
from airworthy.report.exchanges import ExchangeSummary, OperationUse
from airworthy.report.exploration import Explored, ExploredFinding
from airworthy.report.integration import Integration
from airworthy.target.records import LedgerEntry, Wait, Waiver

FORMAT: Final = "airworthy-results-1"
EMBEDDED: Final = "embedded sandbox"
"""The target of a self-test."""

Verdict = Literal["passed", "failed", "warning", "untested", "not_applicable", "error"]
Binds = Literal["service", "client", "both"]
Basis = Literal["findings", "step", "interrupted"]

WORST_FIRST: Final[tuple[Verdict, ...]] = ("failed", "error", "untested", "warning", "passed", "not_applicable")
ITEM_WORDS: Final[Mapping[str, str]] = {"passed": "shown", "failed": "violated", "untested": "not shown"}
"""What the verdicts mean for items of the go-live list."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a check did not pass, for a reader who does not know the project.

    ``side``, ``pointer`` and ``exchange`` give the location as in `Finding`; they are empty if no exchange is at fault.
    ``steps`` are the Gherkin steps of the scenario up to the one that failed. All texts are redacted.
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
    """One scenario; ``reason`` says why it was not executed. Durations are in seconds.

    ``root`` is the violation that left it untested, in an exchange of this or an earlier scenario.

    ``exchanges`` are the ids of its exchanges in order, for an item of the go-live list the one that decides first;
    ``findings`` are the findings against the service in them, one
    for each root cause.

    ``basis`` is what the verdict follows from: ``findings`` if every step was executed, ``step`` if a step gave it, or
    ``interrupted`` if the steps ended at a violation. ``compared`` is the number of comparisons of its steps, and
    ``relies_on_contract`` whether a step leaves the check to the contract.
    """

    name: str
    verdict: Verdict
    reason: str = ""
    duration: float = 0.0
    http_seconds: float = 0.0
    exchanges: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    failure: Failure | None = None
    root: Finding | None = None
    basis: Basis = "step"
    compared: int = 0
    relies_on_contract: bool = False


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The verdict on one rule of the register; ``id`` to ``binds`` and ``quote`` come from the register.

    ``applied`` is how often the rule was applied to something in this run. ``instructions`` say how a partner shows an
    item of the go-live list; they are empty for a rule of the service.
    """

    id: str
    version: str
    area: str
    statement: str
    source: str
    binds: Binds
    verdict: Verdict
    reason: str = ""
    scenarios: tuple[ScenarioResult, ...] = ()
    applied: int = 0
    instructions: str = ""
    quote: str = ""

    @property
    def cited(self) -> str:
        """The quote, which results of an earlier release do not have, with its source."""
        return f'"{self.quote}" ({self.source})' if self.quote else self.source


@dataclass(frozen=True, slots=True)
class FindingCount:
    """A finding as it first occurred (``finding.exchange``), and the number of occurrences of its root cause."""

    finding: Finding
    count: int = 1


@dataclass(frozen=True, slots=True)
class Observation:
    """What the implementation does where the documents are silent: recorded and compared, never graded.

    ``open_id`` is the id of the open question, such as ``OPEN-07``.
    """

    open_id: str
    question: str
    value: str
    exchange: str = ""


@dataclass(frozen=True, slots=True)
class Capability:
    """An optional capability, as the profile declares it and as the run found it.

    ``probed`` is true if a scenario that needs it passed or warned, false if all executed ones failed. None means not
    declared or not probed. ``note`` says why it was not probed or failed.
    """

    name: str
    declared: bool | None = None
    probed: bool | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """The version of the suite and of the components that matter."""

    version: str
    python: str
    components: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scope:
    """What the target was tested against. Digests are SHA-256 in hexadecimal.

    ``filtered`` says that not every rule was selected, ``filtered_why`` by which option (``-k order``).
    ``requirement_set`` is the version of the requirement set; results with equal ``requirement_set_digest`` were taken
    against the same requirements. ``lifetimes`` are those of the profile, in seconds, and ``payment_provider`` its URL.
    ``not_examined`` are the scenarios (``RULE: name``) that belong to an examined rule but to another interface.
    """

    profile: str
    profile_digest: str
    contract_digest: str = ""
    features_digest: str = ""
    schemas_digest: str = ""
    versions: tuple[str, ...] = ()
    filtered: bool = False
    filtered_why: str = ""
    requirement_set: str = ""
    requirement_set_digest: str = ""
    lifetimes: Mapping[str, float | None] = field(default_factory=dict)
    payment_provider: str = ""
    not_examined: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A rule whose verdict is another one after the evidence was judged again, and why; empty if there is none."""

    rule: str
    before: Verdict | Literal[""]
    after: Verdict | Literal[""]
    why: str


@dataclass(frozen=True, slots=True)
class Rejudgement:
    """What changed when the evidence of a run was judged again.

    ``tool`` and ``requirement_set`` are those of the judgement before; ``kept`` is the number of scenarios whose
    verdict was kept, because only a step could know it. ``run`` is the run that sent the requests.
    """

    tool: str
    requirement_set: str
    kept: int
    changes: tuple[VerdictChange, ...] = ()
    run: str = ""


@dataclass(frozen=True, slots=True)
class Timing:
    """The duration of the run, the part of it spent in HTTP exchanges (seconds), and the number of exchanges.

    The target throttled ``throttled`` of them, and the suite sent these requests again.
    """

    seconds: float = 0.0
    http_seconds: float = 0.0
    exchanges: int = 0
    throttled: int = 0


@dataclass(frozen=True, slots=True)
class Integrity:
    """The evidence file (its name next to results.json), its SHA-256, number of lines and the hash of its last line.

    ``unredacted`` is the number of exchanges of which the evidence omits a part that could not be redacted.
    """

    evidence: str = ""
    sha256: str = ""
    lines: int = 0
    last_hash: str = ""
    unredacted: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """One run against one target, or the recorded traffic of one partner. ``started`` and ``finished`` are aware (UTC).

    With an ``integration``, the results are those of a partner: ``subject`` is its name, ``target`` the service that it
    calls, and ``rules`` are the items of the go-live list. ``transitions`` is how often the scenarios took each
    transition of a life cycle, ``explored`` what explorations did besides.
    """

    run: str
    started: datetime
    finished: datetime
    subject: str
    environment: str
    target: str
    tool: Tool
    scope: Scope
    rejudgement: Rejudgement | None = None
    rules: tuple[RuleResult, ...] = ()
    capabilities: tuple[Capability, ...] = ()
    findings: tuple[FindingCount, ...] = ()
    exchanges: tuple[ExchangeSummary, ...] = ()
    operations: tuple[OperationUse, ...] = ()
    observations: tuple[Observation, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    waits: tuple[Wait, ...] = ()
    ledger: tuple[LedgerEntry, ...] = ()
    timing: Timing = Timing()
    integrity: Integrity = Integrity()
    integration: Integration | None = None
    transitions: Mapping[str, int] = field(default_factory=dict)
    explored: tuple[Explored, ...] = ()

    @property
    def drift(self) -> tuple[FindingCount, ...]:
        """The findings that are drift, in their order."""
        return tuple(entry for entry in self.findings if entry.finding.kind == "drift")

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many rules have each verdict, worst first; all six verdicts are there."""
        counted = Counter(rule.verdict for rule in self.rules)
        return {verdict: counted[verdict] for verdict in WORST_FIRST}

    @property
    def is_exploration(self) -> bool:
        """Whether the run only explored, without any scenario, so that there is nothing to certify."""
        return bool(self.explored) and not any(rule.scenarios for rule in self.rules)

    def explored_finding(self, finding: Finding) -> ExploredFinding | None:
        """Return the exploration's account of a finding, or None if no exploration has found it."""
        found = (each for explored in self.explored for each in explored.found)
        return next((each for each in found if each.finding.key == finding.key), None)

    def failure_of(self, finding: Finding) -> Failure:
        """Return a finding as the failure of a check, with the conversation that shows it if it was explored."""
        found = self.explored_finding(finding)
        if found is None:
            return failure_of(finding)
        steps = (f"{number}. {each.text}" for number, each in enumerate(found.steps, start=1))
        return replace(failure_of(finding), steps=(f"Explored: {found.repetition}", *steps))

    def states_requirement(self, failure: Failure) -> bool:
        """Whether the message of a failure states the requirement of a step rather than the defect."""
        found = any(each.finding.message == failure.message for each in self.findings)
        return bool(failure.actual) and not found and failure.actual.strip('"') not in failure.message

    def earlier(self, exchange: str) -> tuple[str, ...]:
        """Return the last exchanges before one that share a resource with it, oldest first, each in one line."""
        return next((each.earlier for each in self.exchanges if each.id == exchange), ())

    def one_line(self, failure: Failure) -> str:
        """Return a failure in one line: its message, with expected and actual if the message does not contain them."""
        if not self.states_requirement(failure):
            return failure.message
        expected = f"expected {failure.expected}, " if failure.expected else ""
        return f"{failure.message}: {expected}actual {failure.actual}"


def count_findings(findings: Iterable[Finding]) -> tuple[FindingCount, ...]:
    """Merge findings into one entry for each root cause (`Finding.key`), in the order of their first occurrence."""
    return merge_counts(map(FindingCount, findings))


def merge_counts(counts: Iterable[FindingCount]) -> tuple[FindingCount, ...]:
    """Merge counts of several sources into one entry for each root cause, in the order of their first occurrence.

    The entry has the first finding that is not soft, if there is one: a warning must not hide a violation.
    """
    first: dict[tuple[str, ...], Finding] = {}
    times: Counter[tuple[str, ...]] = Counter()
    for each in counts:
        key = each.finding.key
        if key not in first or (first[key].soft and not each.finding.soft):
            first[key] = each.finding
        times[key] += each.count
    return tuple(FindingCount(finding, times[key]) for key, finding in first.items())


def failure_of(finding: Finding) -> Failure:
    """Return a finding as the failure of a check."""
    return Failure(finding.message, finding.expected, finding.actual, finding.side, finding.pointer, finding.exchange)


def weigh(finding: Finding) -> Verdict:
    """Return the verdict that a finding gives its rule.

    A soft finding and a deprecated request warn. A name or value that no document mentions is only noted (OPEN-46). An
    unreadable exchange leaves the rule untested.
    """
    if finding.kind == "unreadable":
        return "untested"
    if finding.kind == "drift" and finding.drift in ("unknown-field", "unknown-value"):
        return "passed"
    return "warning" if finding.soft or finding.kind == "deprecated" else "failed"


def verdict_of(scenarios: Iterable[ScenarioResult], findings: Iterable[Finding] = ()) -> Verdict:
    """Return the verdict on a rule: the worst of its scenarios and of the findings with its id.

    ``findings`` are those against the target. They do not include requests that a check made invalid on purpose; an
    unintentionally invalid request of the suite is the ``error`` of a scenario. A rule without either is ``untested``.
    """
    found: set[Verdict] = {scenario.verdict for scenario in scenarios} | {weigh(finding) for finding in findings}
    return next((verdict for verdict in WORST_FIRST if verdict in found), "untested")
