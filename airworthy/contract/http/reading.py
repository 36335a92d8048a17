"""Parse an exchange into a `Transaction`."""

from collections.abc import Iterable
from http import HTTPStatus

from airworthy.contract.bodies.body import Body, read_form, read_json
from airworthy.contract.http.credentials import is_placeholder
from airworthy.contract.http.exchange import THROTTLING, Exchange, header
from airworthy.contract.http.operations import OK, Operation, ResolvedUrl
from airworthy.contract.http.transaction import Transaction
from airworthy.contract.schema.compiled_schema import CompiledSchema

FORM = "application/x-www-form-urlencoded"
_LONGEST_PLACEHOLDER = 64
_REJECTED = int(HTTPStatus.BAD_REQUEST)
# What responds so may be a proxy, a load balancer or a limit before the service, in a format of its own (OPEN-09).
_NOT_OF_THE_SERVICE = frozenset(
    (
        HTTPStatus.PROXY_AUTHENTICATION_REQUIRED,
        HTTPStatus.REQUEST_TIMEOUT,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.REQUEST_URI_TOO_LONG,
        HTTPStatus.MISDIRECTED_REQUEST,
        HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
        *THROTTLING,
    )
)


def read_transaction(exchange: Exchange, url: ResolvedUrl, operation: Operation | None) -> Transaction:
    """Return an exchange with both bodies parsed, as far as they are judged."""
    response = exchange.response
    reads = operation is None or operation.request is not None
    request = _read(operation.media if operation else "", _recorded(exchange.request.body)) if reads else Body()
    is_judged = response is not None and (operation is None or judged_schema(operation, response.status) is not None)
    response_body = read_json(_recorded(response.body)) if response is not None and is_judged else Body()
    if response is not None and response_body.broken and _is_cut(response.headers, response.body or b""):
        response_body = Body(problem="the body is shorter than its Content-Length")
    return Transaction(exchange, url, request, response_body)


def judged_schema(operation: Operation, status: int) -> CompiledSchema | None:
    """Return the schema that a response is judged by: a success or a 4xx of the service; None for all others."""
    rejected = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
    judged = operation.succeeds(status) or (rejected and status not in _NOT_OF_THE_SERVICE)
    return operation.response(status) if judged else None


def _recorded(content: bytes | None) -> bytes | None:
    """Return a body, or None for a placeholder."""
    is_short = content is not None and len(content) <= _LONGEST_PLACEHOLDER
    return None if is_short and content and is_placeholder(content.decode("utf-8", "replace")) else content


def _read(media: str, content: bytes | None) -> Body:
    return read_form(content) if media == FORM else read_json(content)


def _is_cut(headers: Iterable[tuple[str, str]], content: bytes) -> bool:
    length = header(tuple(headers), "Content-Length")
    plain = header(tuple(headers), "Content-Encoding") in (None, "", "identity")
    return plain and length is not None and length.isascii() and length.isdigit() and len(content) < int(length[:18])


def described_schema(operation: Operation, status: int) -> CompiledSchema | None:
    """Return the schema that describes a response: any success is like a 200, any other status like a 4xx."""
    succeeded = HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES
    return operation.response(OK if succeeded else status) or operation.response(OK if succeeded else _REJECTED)
