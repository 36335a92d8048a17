"""Parse an exchange into a `Transaction`, and find its private values."""

from collections.abc import Iterable
from http import HTTPStatus
from itertools import chain

from airworthy.contract.body import EMPTY, Body, Pointer, read_form, read_json
from airworthy.contract.compiled_schema import CompiledSchema
from airworthy.contract.exchange import Exchange, header
from airworthy.contract.finding import Side
from airworthy.contract.operations import OK, Operation, ResolvedUrl
from airworthy.contract.transaction import Transaction

FORM = "application/x-www-form-urlencoded"
SECRET_HEADERS = ("authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key", "api-key")

PrivatePlace = tuple[Side, str, str]


def read_transaction(exchange: Exchange, url: ResolvedUrl, operation: Operation | None) -> Transaction:
    """Return an exchange with both bodies parsed, as far as they are judged."""
    response = exchange.response
    reads = operation is None or operation.request is not None
    request = _read(operation.media if operation else "", exchange.request.body) if reads else Body()
    is_judged = response is not None and (operation is None or judged_schema(operation, response.status) is not None)
    response_body = read_json(response.body) if response is not None and is_judged else Body()
    if response is not None and response_body.broken and _is_cut(response.headers, response.body or b""):
        response_body = Body(problem="the body is shorter than its Content-Length")
    return Transaction(exchange, url, request, response_body)


def judged_schema(operation: Operation, status: int) -> CompiledSchema | None:
    """Return the schema that a response is judged by: a success or a 4xx other than 429; None for all others."""
    rejected = HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR
    judged = operation.succeeds(status) or (rejected and status != HTTPStatus.TOO_MANY_REQUESTS)
    return operation.response(status) if judged else None


def _read(media: str, content: bytes | None) -> Body:
    return read_form(content) if media == FORM else read_json(content)


def _is_cut(headers: Iterable[tuple[str, str]], content: bytes) -> bool:
    length = header(tuple(headers), "Content-Length")
    plain = header(tuple(headers), "Content-Encoding") in (None, "", "identity")
    return plain and length is not None and length.isascii() and length.isdigit() and len(content) < int(length[:18])


def _secret_headers(side: Side, headers: Iterable[tuple[str, str]]) -> list[PrivatePlace]:
    return [(side, f"header:{name}", "secret") for name, _ in headers if name.lower() in SECRET_HEADERS]


def private_places(exchange: Exchange, url: ResolvedUrl | None) -> list[PrivatePlace]:
    """Return the private values of an exchange: side, pointer, kind."""
    found = _secret_headers("request", exchange.request.headers)
    operation = url.operation if url else None
    if url and operation:
        private = {parameter.name: parameter.sensitive for parameter in operation.parameters}
        found += [("request", f"query:{name}", private[name]) for name, _ in url.query if private.get(name)]
        found += _in_body("request", operation.request, operation.media, exchange.request.body)
    if exchange.response is not None:
        found += _secret_headers("response", exchange.response.headers)
        if operation:
            schema = _response_schema(operation, exchange.response.status)
            found += _in_body("response", schema, "", exchange.response.body)
    return found


def is_impersonal(operation: Operation | None, status: int) -> bool:
    """Return whether the schemas describe a successful response and mark nothing in it as private."""
    schema = _response_schema(operation, status) if operation and status < HTTPStatus.MULTIPLE_CHOICES else None
    return schema is not None and not schema.holds_private


def private_names(operations: Iterable[Operation]) -> dict[str, str]:
    """Return the names, in lower case, that are private in every schema that has them, with their kinds."""
    private: dict[str, str] = {}
    plain: set[str] = set()
    for operation in operations:
        schemas = {schema for schema in (operation.request, *operation.responses.values()) if schema is not None}
        for name, kind in chain.from_iterable(schema.names() for schema in schemas):
            if kind:
                private.setdefault(name.lower(), kind)
            elif kind is not None:
                plain.add(name.lower())
        for parameter in operation.parameters:
            if parameter.sensitive:
                private.setdefault(parameter.name.lower(), parameter.sensitive)
    return {name: kind for name, kind in private.items() if name not in plain}


def _response_schema(operation: Operation, status: int) -> CompiledSchema | None:
    return operation.response(OK if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES else status)


def _in_body(side: Side, schema: CompiledSchema | None, media: str, content: bytes | None) -> list[PrivatePlace]:
    # Parsing is expensive, and most schemas have nothing private.
    if schema is None or not schema.holds_private:
        return []
    body = _read(media, content)
    if body.problem == EMPTY:
        return []
    if not body.readable:
        return [(side, "", "unreadable")]
    return [(side, _raw_pointer(found.path), found.kind) for found in schema.private_values(body.value)]


def _raw_pointer(path: Pointer) -> str:
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
