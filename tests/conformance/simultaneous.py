"""Requests that arrive at the same time: their outcome must be one that some order of the requests would have had."""

from collections.abc import Callable, Sequence
from functools import partial

from airworthy.contract.http.exchange import Exchange
from airworthy.suite.outcomes import expect
from conformance.parsed_response import ParsedResponse, shown_statuses
from conformance.request_draft import RequestDraft
from conformance.service_client import ServiceClient


def send_at_once(
    service_client: ServiceClient, drafts: Sequence[RequestDraft], read: RequestDraft | None = None, apart: float = 0.0
) -> tuple[ParsedResponse, ...]:
    """Send requests at the same time or a few seconds ``apart``, each over a connection of its own.

    Return the responses in order.

    ``read`` opens the connections before: while one request shakes hands, the others would be done. Without it, those
    of as many requests just before are still open.
    """
    if not drafts:
        return ()
    at_once = service_client.client.send_at_once
    if read:
        at_once([partial(service_client.send, read) for _ in drafts])
    return tuple(at_once([partial(service_client.send, draft) for draft in drafts], apart=apart))


def expect_serial_outcome(
    responses: Sequence[ParsedResponse],
    *,
    succeeded: int,
    allowed: int,
    message: str,
    warn: Callable[[str, Exchange], None],
) -> None:
    """Fail if more requests have succeeded than any order of them allows; warn if fewer have.

    A service that rejects a request only because of another one at the same time is not ruled out by the documents.
    """
    exchange = responses[0].exchange
    expect(
        succeeded <= allowed,
        message,
        expected=f"at most {allowed} of {len(responses)} succeed",
        actual=shown_statuses(responses),
        pointer="status",
        exchange=exchange,
    )
    if succeeded < allowed:
        warn(f"{message}: expected {allowed} of {len(responses)} to succeed, {shown_statuses(responses)}", exchange)
