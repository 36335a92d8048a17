"""Sends what the documents allow, derived from an accepted request, and collects what the service rejects."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from airworthy.contract.findings.finding import Finding
from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import Untested, comparisons
from airworthy.suite.positives import DerivedPositive, body_positives, changed_together, rounds
from conformance.parsed_response import ParsedResponse
from conformance.service_client import ServiceClient
from conformance.validation import AcceptedRequest

# A flight may be sold out, and an offer used up: a rejected request is sent again for other resources.
_ATTEMPTS = 3
_MOST_ATTEMPTS = 10

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class RejectedPositive:
    """Documented values that the service rejects, with its response; several of them only together."""

    positives: tuple[DerivedPositive, ...]
    response: ParsedResponse

    @property
    def rule(self) -> str:
        """The rule of the member whose value is rejected; empty where members are left out."""
        return "" if len(self.positives) > 1 or self.positives[0].is_left_out else self.positives[0].rule

    @property
    def shown(self) -> str:
        """The members and their values."""
        return " and ".join(each.shown for each in self.positives)


@dataclass(frozen=True, slots=True)
class SentPositives:
    """How many documented values were sent, and which of them the service rejects."""

    count: int = 0
    rejected: tuple[RejectedPositive, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentedValues:
    """The positives of a request, as the service sees them."""

    service: ServiceClient
    request: AcceptedRequest

    def send(self) -> SentPositives:
        """Send every positive, several in one request.

        Where it rejects several in one request, each is sent alone.
        """
        known = list(self._derived())
        if not known:
            raise Untested("no documented value can be derived from the accepted request")
        groups = [[each.key for each in group] for group in rounds(known)]
        return SentPositives(len(known), tuple(rejected for group in groups for rejected in self._rejected(group)))

    def _rejected(self, keys: Sequence[Key]) -> Iterator[RejectedPositive]:
        together = self._attempt(keys)
        if together is None:
            return
        alone = [self._attempt([key]) for key in keys] if len(keys) > 1 else []
        yield from [each for each in alone if each] or [together]

    def _attempt(self, keys: Sequence[Key]) -> RejectedPositive | None:
        """Send positives in one request, and return them if the service rejects them for several resources.

        A conflict counts only if the service accepts the request without them: the flight may be sold out meanwhile.
        """
        rejected: list[RejectedPositive] = []
        for _ in range(_MOST_ATTEMPTS):
            if len(rejected) == _ATTEMPTS:
                break
            draft = self.request.draft()
            positives = tuple(each for each in self._derived() if each.key in keys)
            if not positives:
                return None
            response = self.service.send(replace(draft, body=changed_together(draft.body, positives)))
            self.request.note(response)
            if response.succeeded:
                return None
            if response.status != HTTPStatus.CONFLICT or self.service.send(draft).succeeded:
                rejected.append(RejectedPositive(positives, response))
            self.request.renew()
        self.service.explain(response.exchange)
        if not rejected:
            raise Untested("the flights of [routes.*] are sold out: the request fails without the values, too")
        return rejected[-1]

    def _derived(self) -> Iterator[DerivedPositive]:
        draft = self.request.draft()
        operation = self.service.operation(draft)
        assert operation is not None, f"{draft.method} {draft.path} is not documented"
        for each in body_positives(operation, draft.body, self.request.below):
            if not each.is_left_out or self.request.may_leave_out(each.pointer):
                yield each


def expect_accepted(sent: SentPositives, capture: Capture) -> None:
    """Fail the rule of each member whose documented value is rejected, and this rule for members that are left out."""
    comparisons.add(sent.count)
    rejected = sent.rejected
    for each in rejected:
        if each.rule not in ("", *capture.rules):
            capture.findings.append(_finding(each))
    own = [each for each in rejected if each.rule in ("", *capture.rules)]
    if own:
        own[0].response.expect(
            False,
            f"the service must accept the request where {'; '.join(dict.fromkeys(each.shown for each in own))}",
            expected="status 200",
            actual=f"status {', '.join(sorted({str(each.response.status) for each in own}))}",
        )
    if rejected:
        raise Untested(f"the service rejects documented values: {'; '.join(each.shown for each in rejected)}")


def _finding(rejected: RejectedPositive) -> Finding:
    return Finding(
        rule=rejected.rule,
        kind="violation",
        side="response",
        pointer="status",
        message=f"the service rejects the request, although it may be that {rejected.shown}",
        expected="status 200",
        actual=f"status {rejected.response.status}",
        exchange=rejected.response.exchange.id,
    )
