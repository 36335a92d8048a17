"""The rules on headers and statuses that every version has, each under its own id."""

from collections.abc import Iterator
from http import HTTPStatus

from airworthy.contract import wording
from airworthy.contract.coded_rules import every_version_rule
from airworthy.contract.shape import Breach
from airworthy.contract.transaction import Message


@every_version_rule("AUTH-KEY-SENT", "request")
def key_is_sent(message: Message) -> Iterator[Breach]:
    """Every request carries the key in the Authorization header."""
    if not message.credential[1]:
        text = "the request carries no API key"
        yield Breach(
            message.rule("AUTH-KEY-SENT"),
            (),
            text,
            "the API key",
            "missing",
            where="header:Authorization",
            tolerable=True,
        )


@every_version_rule("CONTENT-TYPE", "request")
def content_type(message: Message) -> Iterator[Breach]:
    """A POST says that its body is JSON. What a service does else is open (OPEN-75): it only warns."""
    media = (message.sent_header("Content-Type") or "").partition(";")[0].strip().lower()
    has_body = message.call.operation is not None and message.call.operation.request is not None
    if has_body and media != "application/json":
        actual = media if wording.is_plain(media) and media else "missing" if not media else "another type"
        text = f"the header Content-Type is {actual}, not application/json"
        where = "header:Content-Type"
        yield Breach(
            message.rule("CONTENT-TYPE"), (), text, "application/json", actual, where=where, soft=True, tolerable=True
        )


@every_version_rule("ACCEPT", "request")
def accept(message: Message) -> Iterator[Breach]:
    """A request accepts JSON. What a service does else is open (OPEN-75): it only warns."""
    accepted = message.sent_header("Accept")
    ranges = {part.partition(";")[0].strip().lower() for part in (accepted or "").split(",")}
    if ranges.isdisjoint({"application/json", "application/*", "*/*"}):
        actual = "missing" if accepted is None else "other types"
        text = "the header Accept does not admit application/json"
        where = "header:Accept"
        yield Breach(
            message.rule("ACCEPT"), (), text, "application/json", actual, where=where, soft=True, tolerable=True
        )


@every_version_rule("HTTPS-ONLY", "response")
def https_only(message: Message) -> Iterator[Breach]:
    """Nothing is delivered over plain HTTP."""
    if not message.call.secure and message.succeeded:
        text = "the service answered a request over plain HTTP"
        yield Breach(
            message.rule("HTTPS-ONLY"), (), text, "no success over plain HTTP", str(message.status), where="status"
        )


@every_version_rule("SUCCESS-STATUS", "response")
def success_status(message: Message) -> Iterator[Breach]:
    """Success is answered with 200, where its status is written, and by the service itself.

    A redirect serves nobody who has asked by HTTPS and with a key; 304 is what a client has asked a cache for.
    """
    redirected = HTTPStatus.MULTIPLE_CHOICES <= message.status < HTTPStatus.BAD_REQUEST
    asked_well = message.call.secure and message.sent_header("Authorization")
    if (message.succeeded and not message.fulfilled) or (
        redirected and asked_well and message.status != HTTPStatus.NOT_MODIFIED
    ):
        way = "success is answered" if message.succeeded else "the request is redirected"
        text = f"{way} with {message.status}, not 200"
        yield Breach(message.rule("SUCCESS-STATUS"), (), text, "200", str(message.status), where="status")


@every_version_rule("AUTH-MISSING-KEY", "response")
def missing_key(message: Message) -> Iterator[Breach]:
    """A request without a key fails."""
    if message.succeeded and not message.credential[1]:
        text = "the service answered a request that carried no API key"
        yield Breach(message.rule("AUTH-MISSING-KEY"), (), text, "no success", str(message.status), where="status")
