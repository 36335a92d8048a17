"""How a service that tolerates an invalid request goes on with it.

A handler expects valid requests. A tolerated violation of a schema is replaced with a valid value before the handler
runs; after any other tolerated rejection the request, or the stored record, is changed and handled again.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from airworthy.sandbox.faults.updates import reopen, sent_requests
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.exchange import Json, SandboxRequest
from airworthy.sandbox.http.rejections import COUNTING
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.resources.v3.responses import BAG_TYPES
from airworthy.sandbox.service.request_bodies import OPERATIONS, body_violations
from airworthy.sandbox.service.service import SandboxService

Repair = Callable[[SandboxService, SandboxRequest], None]
# Maps whose keys are the ids in a list: each can be derived from the other.
_KEYED = {"bags": "flight_ids", "luggage": "requests"}
_PLACES = {"origin": "MAD", "destination": "PMI"}
_LISTED = {listed: keyed for keyed, listed in _KEYED.items()}


def repaired_body(operation: str, body: Any, tolerates: Callable[[str], bool]) -> Any:  # noqa: ANN401 - any JSON
    """Return a body with a valid value in place of each violation that is tolerated, or without the optional member."""
    for name, violation in list(body_violations(operation, body)):
        is_repairable = violation.keyword not in COUNTING or violation.keyword == "minProperties"
        if is_repairable and tolerates(name):
            body = _repaired(operation, copy.deepcopy(body), violation.pointer.split("/")[1:])
    return body


def _repaired(operation: str, body: Any, parts: list[str]) -> Any:  # noqa: ANN401 - any JSON
    """Return a body with the value that the documented example has at a place, or else without the member.

    Where the member is required and the example has none, the object that contains it is repaired.
    """
    if not parts:
        return schemas.example(operation)
    holder = _at(body, parts[:-1])
    if holder is None:
        return body
    value = _valid(operation, holder, parts)
    if value is not None or _is_of_section(parts):
        holder[int(parts[-1]) if isinstance(holder, list) else parts[-1]] = value
    elif schemas.pattern_of("".join(f"/{part}" for part in parts)) in _optional(operation):
        holder.pop(parts[-1], None)
    else:
        return _repaired(operation, body, parts[:-1])
    return body


@cache
def _optional(operation: str) -> frozenset[str]:
    return frozenset(each.pointer for each in schemas.schema_fields(OPERATIONS[operation]) if not each.required)


def _is_of_section(parts: list[str]) -> bool:
    """Return whether a place is a member of a section, where null stands for any value."""
    return "sections" in parts[:-2]


def _valid(operation: str, holder: Any, parts: list[str]) -> Any:  # noqa: ANN401 - any JSON
    """Return a valid value for a place, adapted to the values next to it; None if the example has none."""
    name, example = parts[-1], schemas.example(operation)
    if _is_of_section(parts):
        return None
    if name == "payment_method":
        return "pm_card_visa"
    if name in ("number", "passengerNumber") and parts[0] != "customerContact" and "phone" not in parts:
        # Passenger numbers start at one.
        return int(parts[1]) + 1
    # The examples are one-way, and the customer of a v2 booking has the members of its booker.
    value = _at(example, [part.replace("inbound", "outbound") for part in parts if part != "customer_data"])
    if name in _KEYED and isinstance(ids := holder.get(_KEYED[name]), list):
        return {str(each): next(iter(value.values())) for each in ids}
    if name in _LISTED and isinstance(keyed := holder.get(_LISTED[name]), dict):
        return [int(each) for each in keyed if each.isdecimal()]
    return value


def _at(value: Any, parts: list[str]) -> Any:  # noqa: ANN401 - any JSON
    """Return the value at a place, None if there is none; an example has one item, and one member in a map of ids."""
    for part in parts:
        if isinstance(value, list):
            value = value[int(part)] if int(part) < len(value) else value[0] if value else None
        elif isinstance(value, dict):
            value = next(iter(value.values()), None) if part.isdecimal() and part not in value else value.get(part)
        else:
            return None
    return value


def repair(name: str, service: SandboxService, request: SandboxRequest) -> bool:
    """Make a request acceptable that was rejected under a name; return False if there is no way."""
    if ":query/" in name:
        return _use_default(name, request)
    for pattern, change in REPAIRS.items():
        if fnmatchcase(name, pattern):
            change(service, request)
            return True
    return False


def _use_first_key(_: SandboxService, request: SandboxRequest) -> None:
    request.headers["authorization"] = ORGANISATIONS[0].key


def _use_first_token(service: SandboxService, request: SandboxRequest) -> None:
    form, token = service.choices.v3.authorization_form, ORGANISATIONS[0].token
    was_bearer = request.headers.get("authorization", "").lower().startswith("bearer ")
    bare = form == "bare on POST" and request.operation.startswith(("create", "cancel", "verify"))
    request.headers["authorization"] = token if bare and not was_bearer else f"Bearer {token}"


def _add_inbound(_: SandboxService, request: SandboxRequest) -> None:
    """Add a way back: the reverse of a search segment, or the itinerary of the way out."""
    outbound = request.body["outboundSegment"]
    ends = {} if "sections" in outbound else {"origin": outbound["destination"], "destination": outbound["origin"]}
    request.body["inboundSegment"] = outbound | ends


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
    for each in sent_requests(service, request):
        reopen(service, each)


def _use_default(name: str, request: SandboxRequest) -> bool:
    """Replace the query parameter that a rejection names, or drop it; return False if nothing changes."""
    parameter = name.partition("/")[2].partition(":")[0]
    before = dict(request.query)
    request.query.pop(parameter, None)
    if parameter in _PLACES:
        request.query[parameter] = _PLACES[parameter]
    return request.query != before


def _choose_no_bags(service: SandboxService, request: SandboxRequest) -> None:
    bags = request.body["bags"]
    for number in request.body["flight_ids"]:
        flight = service.timetable.find(int(number))
        if flight is not None and str(flight.id) not in bags:
            options = {kind: service.v3_resources.options(flight, kind) for kind in BAG_TYPES}
            bags[str(flight.id)] = {kind: [one | {"quantity": 0} for one in each] for kind, each in options.items()}
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


REPAIRS: Mapping[str, Repair] = {
    "key-*": _use_first_key,
    "token-*@*": _use_first_token,
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
}
