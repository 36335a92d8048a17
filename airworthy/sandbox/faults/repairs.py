"""How a service that tolerates an invalid request goes on with it.

A handler expects valid requests. A tolerated violation of a schema is replaced with a valid value before the handler
runs; after any other tolerated rejection the request, or the stored record, is changed and handled again.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any

from airworthy.sandbox.faults.valid_bodies import with_valid_value
from airworthy.sandbox.http.exchange import Json, SandboxRequest
from airworthy.sandbox.http.rejections import COUNTING
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.resources.v3.responses import BAG_TYPES
from airworthy.sandbox.service.request_bodies import body_violations
from airworthy.sandbox.service.service import SandboxService

Repair = Callable[[SandboxService, SandboxRequest], None]


def repaired_body(operation: str, body: Any, tolerates: Callable[[str], bool]) -> Any:  # noqa: ANN401 - any JSON
    """Return a body with a valid value in place of each violation that is tolerated."""
    for violation in list(body_violations(operation, body)):
        is_repairable = violation.keyword not in COUNTING or violation.keyword == "minProperties"
        if is_repairable and tolerates(violation.rejection):
            body = with_valid_value(operation, copy.deepcopy(body), violation.pointer)
    return body


def repair(name: str, service: SandboxService, request: SandboxRequest) -> bool:
    """Make a request acceptable that was rejected under a name; return False if there is no way."""
    for pattern, change in REPAIRS.items():
        if fnmatchcase(name, pattern):
            change(service, request)
            return True
    return False


def _use_first_key(_: SandboxService, request: SandboxRequest) -> None:
    request.headers["authorization"] = ORGANISATIONS[0].key


def _use_first_token(service: SandboxService, request: SandboxRequest) -> None:
    form, token = service.choices.authorization_form, ORGANISATIONS[0].token
    was_bearer = request.headers.get("authorization", "").lower().startswith("bearer ")
    bare = form == "bare on POST" and request.operation.startswith(("create", "cancel", "verify"))
    request.headers["authorization"] = token if bare and not was_bearer else f"Bearer {token}"


def _add_inbound(_: SandboxService, request: SandboxRequest) -> None:
    """Add a way back: the reverse of a search segment, or the itinerary of the way out."""
    outbound = request.body["outboundSegment"]
    reversed_ends = (
        {} if "sections" in outbound else {"origin": outbound["destination"], "destination": outbound["origin"]}
    )
    request.body["inboundSegment"] = outbound | reversed_ends


def _use_cheapest_fare(service: SandboxService, request: SandboxRequest) -> None:
    offer = service.store.offers.get(service.identifier(request.query.get("offerId", "")))
    if offer is not None:
        request.query["fareId"] = offer.cheapest.id


def _pay_by_card(_: SandboxService, request: SandboxRequest) -> None:
    request.body["paymentMethod"] = {"card": True}


def _reopen_order(service: SandboxService, request: SandboxRequest) -> None:
    order_id = service.identifier(request.path["orderId"])
    service.store.orders.change(order_id, lambda order: replace(order, status="OPEN", claimed=False))


def _reopen_booking_requests(service: SandboxService, request: SandboxRequest) -> None:
    ids = request.body.get("request_ids") or request.body.get("requests") or ()
    expires = service.clock.now() + timedelta(minutes=1)
    for each in ids:
        service.store.booking_requests.change(
            int(each),
            lambda found: replace(found, stored_status="pending", claimed=False, expires=max(found.expires, expires)),
        )


def _use_default(name: str, value: str | None) -> Repair:
    """Return a repair that replaces a query parameter, or drops it."""

    def change(_: SandboxService, request: SandboxRequest) -> None:
        request.query.pop(name, None)
        if value is not None:
            request.query[name] = value

    return change


def _choose_no_bags(service: SandboxService, request: SandboxRequest) -> None:
    bags = request.body["bags"]
    for number in request.body["flight_ids"]:
        flight = service.timetable.find(int(number))
        if flight is not None and str(flight.id) not in bags:
            options = {kind: service.v3_resources.options(flight, kind) for kind in BAG_TYPES}
            bags[str(flight.id)] = {
                kind: [each | {"quantity": 0} for each in listed] for kind, listed in options.items()
            }
    known = {str(int(number)) for number in request.body["flight_ids"]}
    request.body["bags"] = {number: options for number, options in bags.items() if number in known}


def _round_quantities(_: SandboxService, request: SandboxRequest) -> None:
    for option in _bag_options(request.body):
        option["quantity"] = max(0, int(option["quantity"]))


def _bag_options(body: Json) -> Iterator[Json]:
    for options in body.get("luggage", {}).values():
        yield from options
    for kinds in body.get("bags", {}).values():
        for options in kinds.values():
            yield from options or ()


REPAIRS: Mapping[str, Repair] = MappingProxyType(
    {
        "key-missing": _use_first_key,
        "key-wrong": _use_first_key,
        "key-part": _use_first_key,
        "key-other-case": _use_first_key,
        "key-wrong-prefixed": _use_first_key,
        "token-missing@*": _use_first_token,
        "token-wrong@*": _use_first_token,
        "token-other-case@*": _use_first_token,
        "inbound-missing@*": _add_inbound,
        "query-missing": _use_cheapest_fare,
        "fare-foreign": _use_cheapest_fare,
        "payment-method-one@createOrder": _pay_by_card,
        "order-booked": _reopen_order,
        "request-expired": _reopen_booking_requests,
        "request-cancelled": _reopen_booking_requests,
        "request-booked": _reopen_booking_requests,
        "bags-keys": _choose_no_bags,
        "bags-quantity": _round_quantities,
        "luggage-quantity": _round_quantities,
        "*:query/origin:required": _use_default("origin", "MAD"),
        "*:query/destination:required": _use_default("destination", "PMI"),
        "*:query/start:pattern": _use_default("start", None),
        "*:query/end:pattern": _use_default("end", None),
        "*:query/returnStart:pattern": _use_default("returnStart", None),
        "*:query/returnEnd:pattern": _use_default("returnEnd", None),
        "*:query/seats:type": _use_default("seats", None),
    }
)
