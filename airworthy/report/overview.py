"""What every report shows first: the decision in one sentence, a row for each interface, and the counts."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from airworthy.report.blockers import Blocker, Cause
from airworthy.report.decision import Decision, decide
from airworthy.report.results import EMBEDDED, ITEM_WORDS, WORST_FIRST, FindingCount, Results, RuleResult, Verdict
from airworthy.report.violations import RECORD_ANEW, violations_by_item
from airworthy.target.urls import is_loopback

Conclusion = Literal["conforms", "violated", "incomplete", "not applicable", "not examined"]

_SELF_TEST: Final = "The run tested the sandbox that is embedded in Airworthy. It certifies no service."
_REHEARSAL: Final = (
    "The traffic is with a sandbox on this machine, not with the service. It admits no partner to production."
)
INTERFACES: Final = {
    "v4": "Offers, orders and reservations",
    "v3": "Booking requests and bookings",
    "v2": "Booking requests and bookings",
    "payment": "Payment provider",
    "export": "Content export",
}
_CONCLUSIONS: Final[dict[Verdict, Conclusion]] = {
    "failed": "violated",
    "error": "incomplete",
    "untested": "incomplete",
    "warning": "conforms",
    "passed": "conforms",
    "not_applicable": "not applicable",
}


@dataclass(frozen=True, slots=True)
class InterfaceRow:
    """An interface, or an area of the go-live list: what the run concludes about it, and its rules by verdict.

    The ``waived`` ones of its rules count under their verdict, but do not change the conclusion.
    """

    name: str
    title: str
    conclusion: Conclusion
    rules: int
    waived: int
    counts: dict[Verdict, int]


@dataclass(frozen=True, slots=True)
class Overview:
    """The decision on a service or a partner, with its explanation.

    ``binding`` are the rules that decide: those that bind the service, or all items of a partner's go-live list.
    ``client`` is the number of the other rules by verdict. ``noun`` is what the reader calls a rule. ``self_test``
    says that the target was a sandbox; it is empty for any other target. ``violations`` are those of each violated item
    of a partner's go-live list. An exploration alone tests no rule: it has
    no ``interfaces`` and no ``client``, and only the rules that it found something about.
    """

    decision: Decision
    title: str
    lead: str
    noun: Literal["rule", "item"]
    binding: tuple[RuleResult, ...]
    interfaces: tuple[InterfaceRow, ...]
    counts: dict[Verdict, int]
    client: dict[Verdict, int]
    self_test: str
    violations: Mapping[str, tuple[FindingCount, ...]]

    @property
    def explanation(self) -> str:
        """Explain the counts: those of the interfaces and of results.json add up to other totals. May be empty."""
        count, total = sum(self.client.values()), len(self.binding)
        sentences = []
        if count:
            met = self.client["passed"] + self.client["warning"]
            kept = "them all" if met == count else f"{met} of them"
            sentences.append(
                f"These are the {total} rules that bind the service. {count} more "
                f"{'binds' if count == 1 else 'bind'} clients only: the suite is the client in this run, and its own "
                f"requests met {kept}. The counts in results.json include all {total + count}."
            )
        if (listed := sum(row.rules for row in self.interfaces)) > total:
            sentences.append(f"A rule that v2 and v3 share counts for both: the interfaces add up to {listed}.")
        return " ".join(sentences)

    def reason(self, block: Blocker) -> str:
        """Return why something blocks; for a violated item its statement, because `violations_of` say the rest."""
        statements = [rule.statement for rule in self.binding if rule.id in block.rules and self.violations_of(block)]
        return next(iter(statements), block.reason)

    def violations_of(self, block: Blocker) -> tuple[FindingCount, ...]:
        """Return the distinct violations of an item of a partner's go-live list; empty for any other reason."""
        rules = block.rules if block.cause == "failed" else ()
        return tuple(each for rule in rules for each in self.violations.get(rule, ()))

    def instructions(self, block: Blocker) -> list[str]:
        """Return how a partner shows the items that are not shown, each text once; empty for any other reason."""
        if block.cause != "untested":
            return []
        found = (rule.instructions for rule in self.binding if rule.id in block.rules and rule.instructions)
        return list(dict.fromkeys(found))

    def effect(self, blocker: Blocker) -> str:
        """Return in brackets how much a cause explains; empty for one without rules, and for items of a partner."""
        rules = len(blocker.rules)
        if not rules or self.noun == "item":
            return ""
        parts = [f"{'fails' if blocker.cause == 'failed' else 'blocks'} {rules} rule{'' if rules == 1 else 's'}"]
        if blocker.blocked:
            parts.append(f"blocks {len(blocker.blocked)}")
        if blocker.cause == "failed" and blocker.checks > 1:
            parts.append(f"{blocker.checks - 1} similar")
        return f" ({', '.join(parts)})"

    def word(self, verdict: Verdict | Cause) -> str:
        """Return the word for a verdict or a blocking reason of a rule, or of an item of the go-live list."""
        word = ITEM_WORDS.get(verdict) if self.noun == "item" else None
        return word or verdict.replace("_", " ")


def overview(results: Results) -> Overview:
    """Return the overview of the results of a service or a partner."""
    decision = decide(results)
    integration = results.integration
    waived = frozenset(waiver.rule for waiver in decision.waived)
    unjudged = ("untested", "not_applicable") if results.is_exploration else ()
    judged = (rule for rule in results.rules if rule.verdict not in unjudged)
    binding = sorted(
        (rule for rule in judged if integration or rule.binds != "client"),
        key=lambda rule: interface_order(rule.version),
    )
    if integration:
        title = "Go-live certificate" if decision.certifies else "Go-live report"
        areas = dict.fromkeys(rule.area for rule in binding)
        rows = [_row(area, "", [rule for rule in binding if rule.area == area], waived) for area in areas]
        lead = _lead_of_partner(integration.version, binding)
    elif results.is_exploration:
        title, rows, lead = "Exploration", [], _lead_of_exploration(results)
    else:
        title = "Certificate of conformance" if decision.certifies else "Conformance report"
        rows = [
            _row(name, text, rules_of_interface(name, binding, results), waived) for name, text in INTERFACES.items()
        ]
        lead = _lead(binding, decision)
    return Overview(
        decision,
        title,
        lead,
        "item" if integration else "rule",
        tuple(binding),
        tuple(rows),
        count_verdicts(binding),
        count_verdicts(rule for rule in results.rules if rows and not integration and rule.binds == "client"),
        _self_test(results),
        violations_by_item(results),
    )


def _lead_of_exploration(results: Results) -> str:
    found = [each for explored in results.explored for each in explored.found]
    firm = sum(each.is_firm for each in found)
    conversations = sum(each.conversations for each in results.explored)
    shown = f"{firm or 'no'} violation{'s' if firm > 1 else ''}"
    if len(found) > firm:
        shown += f", {len(found) - firm} flaky or not repeated"
    return f"{conversations:,} random conversations show {shown}. An exploration alone certifies nothing."


def _self_test(results: Results) -> str:
    if results.target == EMBEDDED:
        return _SELF_TEST
    return _REHEARSAL if results.integration and is_loopback(results.target) else ""


def interface_order(version: str) -> tuple[int, int]:
    """Return a sort key for the version of a rule, such as ``v2+v3``: v4 first, and what versions share last."""
    order = list(INTERFACES)
    places = [order.index(name) if name in order else len(order) for name in version.split("+")]
    return min(places), len(places)


def count_verdicts(rules: Iterable[RuleResult]) -> dict[Verdict, int]:
    """Count rules by verdict, worst first; all six verdicts are there."""
    counted = Counter(rule.verdict for rule in rules)
    return {verdict: counted[verdict] for verdict in WORST_FIRST}


def rules_of_interface(name: str, binding: Sequence[RuleResult], results: Results) -> list[RuleResult]:
    """Return the rules of an interface. A rule of v2 and v3 belongs to those of the two that the run examined."""
    is_examined = name in results.scope.versions or name not in ("v4", "v3", "v2")
    return [rule for rule in binding if is_examined and name in rule.version.split("+")]


def _row(name: str, title: str, rules: Sequence[RuleResult], waived: frozenset[str]) -> InterfaceRow:
    graded = {rule.verdict for rule in rules if rule.id not in waived}
    worst: Verdict = next((verdict for verdict in WORST_FIRST if verdict in graded), "passed")
    conclusion = _CONCLUSIONS[worst] if rules else "not examined"
    accepted = sum(rule.id in waived for rule in rules)
    return InterfaceRow(name, title, conclusion, len(rules), accepted, count_verdicts(rules))


def _lead(binding: Sequence[RuleResult], decision: Decision) -> str:
    """Return the decision on a service in one sentence, counting only the rules that bind it."""
    counts = count_verdicts(binding)
    met = counts["passed"] + counts["warning"]
    tested = f"{met} of the {len(binding)} rules that bind the service {'is' if met == 1 else 'are'} tested and met"
    tested += f" ({counts['warning']} with a warning)" if counts["warning"] else ""
    absent = counts["not_applicable"]
    others = f", {absent} {'does' if absent == 1 else 'do'} not apply" if absent else ""
    match decision.outcome:
        case "CERTIFIED":
            return f"{tested}{others}."
        case "CERTIFIED WITH WAIVERS":
            return f"{tested}{others}; the other applicable rules are waived."
        case "NOT CERTIFIED":
            failed = len({name for block in decision.blocks if block.cause == "failed" for name in block.rules})
            violated = "1 rule is violated" if failed == 1 else f"{failed} rules are violated"
            return f"{violated if failed else 'A waiver is no longer valid'}; {tested}."
        case _:
            # A violation that no waiver accepts leads to another decision.
            waived = counts["failed"]
            rules = "1 rule" if waived == 1 else f"{waived} rules"
            found = f"All violations are waived ({rules})" if waived else "No violation was found"
            return f"{found}, but the run is incomplete: {tested}."


def _lead_of_partner(version: str, items: Sequence[RuleResult]) -> str:
    counts = count_verdicts(items)
    shown, absent = counts["passed"] + counts["warning"], counts["not_applicable"]
    others = (
        (counts["failed"], "violated"),
        (counts["untested"], "not shown"),
        (counts["error"], "could not be judged"),
        (absent, "does not apply" if absent == 1 else "do not apply"),
    )
    first = f"{shown} of {len(items) - absent} items of the go-live list for {version} are shown"
    sentence = ", ".join((first, *(f"{count} {words}" for count, words in others if count)))
    return f"{sentence}. {RECORD_ANEW}" if counts["failed"] else f"{sentence}."
