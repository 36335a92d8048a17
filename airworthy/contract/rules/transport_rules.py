"""Rules on headers and status codes that every version has, each under its own id."""

from collections.abc import Iterator
from http import HTTPStatus

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.http.transaction import Transaction
from airworthy.contract.rules.coded_rules import every_version, transaction_rule


@transaction_rule(every_version("AUTH-KEY-SENT"), "request")
def key_is_sent(transaction: Transaction) -> Iterator[Defect]:
    """Every request carries the key in the Authorization header.

    How a service rejects a request without one is open (OPEN-32).
    """
    if _has_no_key(transaction):
        text = "the request has no API key"
        yield Defect((), text, "the API key", "missing", where="header:Authorization", tolerable=True)


@transaction_rule(every_version("CONTENT-TYPE"), "request")
def content_type(transaction: Transaction) -> Iterator[Defect]:
    """A POST declares its body as JSON. Only warns: how a service treats other requests is open (OPEN-75)."""
    media = (transaction.sent_header("Content-Type") or "").partition(";")[0].strip().lower()
    has_body = transaction.url.operation is not None and transaction.url.operation.request is not None
    if has_body and media != "application/json":
        actual = media if wording.is_plain(media) and media else "missing" if not media else "another type"
        text = f"the Content-Type of the request is {actual}, not application/json"
        where = "header:Content-Type"
        yield Defect((), text, "application/json", actual, where=where, soft=True, tolerable=True)


@transaction_rule(every_version("ACCEPT"), "request")
def accept(transaction: Transaction) -> Iterator[Defect]:
    """A request accepts JSON. Only warns: how a service treats other requests is open (OPEN-75)."""
    accepted = transaction.sent_header("Accept")
    ranges = {part.partition(";")[0].strip().lower() for part in (accepted or "").split(",")}
    if ranges.isdisjoint({"application/json", "application/*", "*/*"}):
        actual = "missing" if accepted is None else "other types"
        text = "the Accept header of the request does not include application/json"
        where = "header:Accept"
        yield Defect((), text, "application/json", actual, where=where, soft=True, tolerable=True)


@transaction_rule(every_version("HTTPS-ONLY"), "response", about=lambda transaction, _: not transaction.url.secure)
def https_only(transaction: Transaction) -> Iterator[Defect]:
    """The service does not fulfil requests over plain HTTP."""
    if not transaction.url.secure and transaction.succeeded:
        text = "the service fulfils a request over plain HTTP"
        yield Defect((), text, "a status that is not a success", str(transaction.status), where="status")


@transaction_rule(every_version("SUCCESS-STATUS"), "response", about=lambda transaction, _: transaction.succeeded)
def success_status(transaction: Transaction) -> Iterator[Defect]:
    """A successful response has status 200, unless the documents leave it open, and is not a redirect.

    A redirect helps no client that uses HTTPS and sends a key, but no sentence forbids one, as to a cache near the
    client, so that it only warns; 304 answers a conditional request to a cache. Another success than 200 only warns
    where the documents write no status, as of Get Order (v4, GET /order/{orderId}).
    """
    status = transaction.status
    asked_well = transaction.url.secure and bool(transaction.sent_header("Authorization"))
    is_redirect = HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST and status != HTTPStatus.NOT_MODIFIED
    is_unwritten = transaction.fulfilled and transaction.exchange.request.method == "GET" and status != HTTPStatus.OK
    if (is_redirect and asked_well) or is_unwritten or (transaction.succeeded and not transaction.fulfilled):
        text = f"the request {'is redirected' if is_redirect else 'succeeds'} with {status}, not 200"
        yield Defect((), text, "200", str(status), where="status", soft=is_redirect or is_unwritten)


@transaction_rule(every_version("AUTH-MISSING-KEY"), "response", about=lambda transaction, _: _has_no_key(transaction))
def missing_key(transaction: Transaction) -> Iterator[Defect]:
    """A request without a key is rejected."""
    if transaction.succeeded and _has_no_key(transaction):
        text = "the service fulfils a request without an API key"
        yield Defect((), text, "a status that is not a success", str(transaction.status), where="status")


def _has_no_key(transaction: Transaction) -> bool:
    return not transaction.credential[1] and not transaction.hides_credential
