"""Sends every negative that can be derived from an accepted request, and collects how the service responds."""

from abc import abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from airworthy.contract.findings.finding import Finding
from airworthy.suite.capture import Capture
from airworthy.suite.negatives import DerivedNegative, body_negatives, query_negatives
from airworthy.suite.outcomes import Untested
from conformance.parsed_response import ParsedResponse
from conformance.request_draft import RequestDraft
from conformance.service_client import ServiceClient

# What a wrong value may violate besides the rule of its member: a value of another revision is drift, and what cannot
# be read is not counted.
_CAUSED = (
    "V4-CURRENT-REVISION",
    "V23-CURRENT-REVISION",
    "V3-BAGS-LISTED",
    "V4-ORDER-BAGGAGE-PER-PASSENGER",
    "V4-ORDER-PASSENGER-COUNT",
    "V4-ORDER-PASSENGER-NUMBERS",
    "V2-BOOKINGS-PASSENGERS",
)
# How many failures a message lists.
_MOST_LISTED = 12


class AcceptedRequest:
    """A request of one operation that the service accepts, and that it accepts again whenever it is renewed.

    ``below`` limits the wrong values to one member of the body, where another pattern covers the others.
    """

    below: str = ""

    @abstractmethod
    def draft(self) -> RequestDraft:
        """Return the request, for resources that are still usable."""

    def renew(self) -> None:
        """Use other resources for the next request."""

    def may_leave_out(self, pointer: str) -> bool:
        """Return whether the resource in use leaves an optional member of the request open to the client."""
        return bool(pointer)

    def note(self, response: ParsedResponse) -> None:
        """Take note of the response to a wrong request, after which the resources may be unusable."""

    def finish(self) -> Finding | None:
        """Return a finding if the first rejection made the resources unusable, so that the others prove nothing.

        Then the resources are renewed after each response from now on. Fails if no wrong value explains the rejections.
        """
        return None


@dataclass
class RepeatableRequest(AcceptedRequest):
    """A request that uses no resource, such as a search."""

    request: RequestDraft
    below: str = ""

    def draft(self) -> RequestDraft:
        """Return the request."""
        return self.request


@dataclass(frozen=True, slots=True)
class SentNegative:
    """A wrong request with the response to it."""

    negative: DerivedNegative
    response: ParsedResponse

    @property
    def is_wrongly_accepted(self) -> bool:
        """Whether the service accepts a request that it must reject; that an order is FAILED rejects it (OPEN-24)."""
        return self.response.fulfilled and not self.negative.is_open

    @property
    def has_wrong_status(self) -> bool:
        """Whether the service does not accept the request, and has another status than the documents say."""
        if self.negative.status == "400":
            return not self.response.succeeded and self.response.status != HTTPStatus.BAD_REQUEST
        return not self.response.succeeded and not self.response.rejected


def derived(service: ServiceClient, draft: RequestDraft, below: str) -> Iterator[tuple[DerivedNegative, RequestDraft]]:
    """Yield the negatives of a request, each with the changed request."""
    operation = service.operation(draft)
    assert operation is not None, f"{draft.method} {draft.path} is not documented"
    if draft.body is not None:
        yield from ((each, replace(draft, body=each.sent)) for each in body_negatives(operation, draft.body, below))
    yield from ((each, replace(draft, query=each.sent)) for each in query_negatives(operation, draft.query))


def send_negatives(
    service: ServiceClient, request: AcceptedRequest, capture: Capture, rule: str = ""
) -> list[SentNegative]:
    """Send each negative of a request once, or those of a rule only.

    A request that is renewed in between is derived from anew. Combined negatives are sent instead of their parts, and
    the parts only if the service rejects all of them together.
    """
    sent = _sent_once(service, request, capture, rule)
    if unusable := request.finish():
        capture.findings.append(unusable)
        sent = _sent_once(service, request, capture, rule)
        request.finish()
    return sent


def _sent_once(service: ServiceClient, request: AcceptedRequest, capture: Capture, rule: str) -> list[SentNegative]:
    sent: list[SentNegative] = []
    base = request.draft()
    current = {each.key: (each, draft) for each, draft in derived(service, base, request.below)}
    combined = {part for negative, _ in current.values() for part in negative.parts}
    of_rule = (key for key, (negative, _) in current.items() if rule in ("", negative.rule))
    waiting = deque(key for key in of_rule if key not in combined)
    while waiting:
        if request.draft() is not base:
            base = request.draft()
            current = {each.key: (each, draft) for each, draft in derived(service, base, request.below)}
        key = waiting.popleft()
        if key not in current:
            continue
        negative, draft = current[key]
        capture.expected.update((*negative.broken, *_CAUSED))
        response = service.send(draft)
        sent.append(SentNegative(negative, response))
        if response.rejected:
            waiting.extendleft(negative.parts)
        request.note(response)
    return sent


def expect_rejected(sent: Sequence[SentNegative], capture: Capture) -> None:
    """Fail the rule of each member whose wrong value the service accepts, and this rule for another status than 400."""
    if not sent:
        raise Untested("no wrong value can be derived from the accepted request")
    accepted = [each for each in sent if each.is_wrongly_accepted]
    for each in accepted:
        _report(each, capture)
    reported = {finding.exchange for finding in capture.findings if finding.side == "response" and not finding.soft}
    unreported = [
        each for each in sent if each.negative.rule in capture.rules or each.response.exchange.id not in reported
    ]
    wrong = [each for each in unreported if each.has_wrong_status]
    if wrong:
        first = wrong[0]
        first.response.expect(
            False,
            f"the service must reject the request with {_status(first)} where {_listed(wrong)}",
            expected=f"status {first.negative.status}",
            actual=f"status {', '.join(sorted({str(each.response.status) for each in wrong}))}",
        )
    if accepted and not any(each.negative.rule in capture.rules for each in accepted):
        rules = ", ".join(sorted({each.negative.rule for each in accepted}))
        raise Untested(f"the service accepts wrong values ({rules}): {_listed(accepted)}")


def _status(each: SentNegative) -> str:
    return {"400": "400 Bad Request", "4xx": "a 4xx status code"}.get(each.negative.status, "4xx, or accept it,")


def _report(each: SentNegative, capture: Capture) -> None:
    """Add a finding for the rule of the member, with the member, the value and what was changed."""
    exchange = each.response.exchange.id
    found = [finding for finding in capture.findings if finding.exchange == exchange and finding.side == "response"]
    for finding in found:
        if finding.rule == each.negative.rule:
            capture.findings.remove(finding)
    capture.findings.append(
        Finding(
            rule=each.negative.rule,
            kind="violation",
            side="response",
            pointer="status",
            message=f"the service accepts the request, although {each.negative.shown}",
            expected=f"a rejection with status {each.negative.status}",
            actual=f"status {each.response.status}",
            exchange=exchange,
        )
    )


def _listed(sent: Sequence[SentNegative]) -> str:
    texts = [each.negative.shown for each in sent[:_MOST_LISTED]]
    more = len(sent) - len(texts)
    return "; ".join(texts) + (f"; and {more} more" if more else "")
