"""The offer-based interface: its operations in the order in which a booking goes, and their way in and out."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

import orjson
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from airworthy.sandbox import offers, orders
from airworthy.sandbox.service import LARGEST_BODY, Answer, Call, Handler, Service

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True, slots=True)
class Operation:
    """A documented operation: its id in the OpenAPI document, where it is, and what answers it."""

    id: str
    method: str
    path: str
    handler: Handler


OPERATIONS = (
    Operation("searchOffers", "POST", "/search", offers.search_offers),
    Operation("getOffer", "POST", "/offer", offers.get_offer),
    Operation("getFares", "GET", "/offer/{offerId}/fares", offers.get_fares),
    Operation("getBaggage", "GET", "/offer/{offerId}/baggage", offers.get_baggage),
    Operation("createOrder", "POST", "/order", orders.create_order),
    Operation("confirmOrder", "POST", "/order/{orderId}/confirm", orders.confirm_order),
    Operation("getOrder", "GET", "/order/{orderId}", orders.get_order),
    Operation("getReservation", "GET", "/reservation/{reservationId}", orders.get_reservation),
    Operation("findReservation", "GET", "/reservation", orders.find_reservation),
)


def routes(service: Service) -> Iterator[Route]:
    """Yield the routes of ``{base_url}/v4``: what is documented, then what is refused."""
    for operation in OPERATIONS:
        yield Route(operation.path, _endpoint(service, operation), methods=[operation.method])
    for path in dict.fromkeys(operation.path for operation in OPERATIONS):
        yield Route(path, refusing(service, "method-unknown"), methods=_METHODS)
    yield Route("/{path:path}", refusing(service, "path-unknown"), methods=_METHODS)


def refusing(service: Service, name: str) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that refuses all requests by a name."""

    async def endpoint(_: Request) -> Response:
        return respond(service.refuse_path(name))

    return endpoint


def _endpoint(service: Service, operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        call = Call(
            service=service,
            operation=operation.id,
            path=request.path_params,
            query=request.query_params,
            headers=request.headers,
            raw=await _body(request),
        )
        return respond(await run_in_threadpool(service.answer, operation.handler, call))

    return endpoint


async def _body(request: Request) -> bytes:
    """Read a body as far as is needed to see that it is too large."""
    raw = bytearray()
    async for part in request.stream():
        raw += part
        if len(raw) > LARGEST_BODY:
            break
    return bytes(raw)


def respond(answer: Answer) -> Response:
    """Return an answer as it goes out."""
    if isinstance(answer.body, bytes):
        return Response(answer.body, answer.status, {"content-type": "text/plain"} | dict(answer.headers))
    headers = {"content-type": "application/json"} | dict(answer.headers)
    return Response(orjson.dumps(answer.body), answer.status, headers)
