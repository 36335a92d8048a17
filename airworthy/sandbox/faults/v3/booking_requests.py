"""Faults in POST requests, in the seats that booking requests hold, and in their cancellation."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import chain

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import (
    Json,
    Prepare,
    after,
    before,
    change,
    having,
    increase,
    on_rejection,
    put,
    unread,
    when,
)
from airworthy.sandbox.faults.fault import Row, fault_rejection, with_status
from airworthy.sandbox.faults.table import FAILS, WARNS, Table, rule
from airworthy.sandbox.faults.updates import RACE_SECONDS, reopen, sent_requests
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.resources.v3.states import BookingRequest
from airworthy.sandbox.resources.v3.timetable import Flight
from airworthy.sandbox.service.service import Handler, SandboxService


def _reopen(service: SandboxService, request: SandboxRequest) -> None:
    """Make a booking request pending again when it rejects its cancellation."""
    if cancelled := _cancelled(service, request):
        reopen(service, cancelled)


def _take_any_weight(service: SandboxService, request: SandboxRequest) -> None:
    """Take the checked bag options of a request for those of the flight in the same order."""
    for key, listed in request.body["bags"].items():
        flight = service.timetable.find(int(key)) if key.isdecimal() else None
        own = service.v3_resources.options(flight, "checked") if flight else ()
        for sent, option in zip(listed.get("checked") or (), own, strict=False):
            sent["weight"] = option["weight"]


def _cancelled(service: SandboxService, request: SandboxRequest) -> BookingRequest | None:
    return service.store.booking_requests.get(int(request.path["request_id"]))


def _cancel_young_ones(service: SandboxService, request: SandboxRequest) -> None:
    """Cancel booking requests within two minutes only."""
    found = _cancelled(service, request)
    if found and service.clock.now() - found.created > timedelta(minutes=2):
        raise fault_rejection(service, "cancelled-early-only", 409)


def _with_a_bag_for_each(body: Json) -> Json:
    return change("/bags/*/*/*/quantity", lambda quantity: min(quantity, len(body["passengers"])))(body)


def _hold_first_only(service: SandboxService, _: SandboxRequest, body: Json) -> None:
    """Sell the seats of the second of two booking requests again."""
    for each in body["requests"][1:]:
        if found := service.store.booking_requests.get(each["id"]):
            service.store.seats.free(found)


def _hold_nothing(service: SandboxService, *_: object) -> None:
    """Sell the seats of a booking request again."""
    for each in service.store.booking_requests.newest():
        service.store.seats.free(each)


def _hold_cancelled(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Hold the seats of a cancelled booking request until it would have expired."""
    if cancelled := _cancelled(service, request):
        service.store.seats.hold(cancelled, service.clock.now())


def _free_all_of_the_flight(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Free the seats of all booking requests of a flight when one of them is cancelled."""
    if cancelled := _cancelled(service, request):
        for each in service.store.booking_requests.newest():
            if each.itineraries == cancelled.itineraries:
                service.store.seats.free(each)


def _sell_booked_seats(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Sell the seats of a booking again."""
    for each in sent_requests(service, request):
        service.store.seats.free(each)


def _sell_booked_seats_of_children(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Sell the seats of a booking with children again."""
    for each in sent_requests(service, request):
        if each.counts.children:
            service.store.seats.free(each)


def _keep_booked_seats_for_a_while(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Sell the seats of a booking again when its booking request would have expired."""
    for each in sent_requests(service, request):
        service.store.seats.free(each)
        service.store.seats.hold(each, service.clock.now())


def _sells_at_once(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    """Sell the same seats to requests that arrive at the same time."""
    if not request.operation.startswith("createRequests"):
        return handler(service, request)
    free = {each.id for each in service.store.booking_requests.newest()}
    time.sleep(RACE_SECONDS)
    for each in service.store.booking_requests.newest():
        if each.id not in free:
            service.store.seats.free(each)
    return handler(service, request)


def _never_free_seats(service: SandboxService, *_: object) -> None:
    """Hold the seats of booking requests that have expired."""
    now = service.clock.now()
    for each in service.store.booking_requests.newest():
        if each.created == now or each.status(now) == "pending":
            service.store.seats.free(each)
            service.store.seats.hold(replace(each, expires=now + timedelta(days=365)), now)


def _seats_adults_only(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    """Hold no seats for the children of a v2 booking request."""
    if request.operation != "createRequestsV2":
        return handler(service, request)
    children = request.body["passengers"].pop("children", 0)
    response = handler(service, request)
    for each in response.body["requests"] if isinstance(response, SandboxResponse) else ():
        each["passengers"] = each["passengers"] | {"children": children}
    return response


def _reopen_the_second(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Do not cancel the second of two booking requests, though it says so."""
    cancelled = _cancelled(service, request)
    if cancelled and any(
        each.passengers == cancelled.passengers and each.id < cancelled.id
        for each in service.store.booking_requests.newest()
    ):
        reopen(service, cancelled)


def _flights(request: SandboxRequest) -> list[int]:
    """Return the flights of a booking request as they are in its body."""
    flights: list[int] = request.body["flights" if request.operation.endswith("V2") else "flight_ids"]
    return flights


def _blocks(ended: str, status: int) -> Prepare:
    """Reject a booking request for the flight of one that has ended in a way."""

    def block(service: SandboxService, request: SandboxRequest) -> None:
        ids = {each.flight.id for each in service.store.booking_requests.newest() if each.stored_status == ended}
        if ids & set(_flights(request)):
            raise fault_rejection(service, f"{ended}-flight-blocked", status)

    return block


def _keeps_the_first(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    """Hold the seats of the first of several flights even if another one is rejected."""
    try:
        return handler(service, request)
    except Rejected:
        if request.operation.startswith("createRequests"):
            flights = _flights(request)
            for each in flights[1:]:
                request.body.get("bags", {}).pop(str(each), None)
            del flights[1:]
            with suppress(Rejected):
                handler(service, request)
        raise


def _cancels_during_bookings(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    """Confirm the cancellation of a booking request that it books at the same time."""
    if request.operation != "cancelRequest":
        # Whichever request arrives first, the cancellation finds it pending and ends after the booking.
        if request.operation == "createBookings":
            time.sleep(RACE_SECONDS)
        return handler(service, request)
    found = _cancelled(service, request)
    was_pending = found is not None and found.stored_status == "pending"
    time.sleep(3 * RACE_SECONDS)
    try:
        return handler(service, request)
    except Rejected:
        if was_pending:
            return {"success": True}
        raise


def _leaves_out(is_left_out: Callable[[Flight | None], bool]) -> Row:
    """Return a handler that leaves flights out of a booking request that is for others, too."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        flights = _flights(request)
        if kept := [each for each in flights if not is_left_out(service.timetable.find(int(each)))]:
            flights[:] = kept
            if "bags" in request.body:
                request.body["bags"] = {str(each): request.body["bags"][str(each)] for each in kept}

    return before("createRequests*", prepare)


def _conflict_of_the_second_passenger(rejected: Rejected) -> Rejected:
    return with_status(409)(rejected) if "/passengers/1" in str(rejected.body) else rejected


def _has_more_bags_than_passengers(body: Json) -> bool:
    chosen = [option["quantity"] for bags in body["bags"].values() for option in bags["checked"]]
    return max(chosen, default=0) <= len(body["passengers"]) < sum(chosen) and len(body["bags"]) > 1


def _has_bags(body: Json) -> bool:
    return any(option["quantity"] for bags in body["bags"].values() for option in chain(*bags.values()))


def _has_both_kinds(bags: Json) -> bool:
    return all(any(option["quantity"] for option in options) for options in bags.values())


FAULTS: Table = {
    rule("V3-BAD-REQUEST"): FAILS,
    "request-second-passenger-409: rejects a second passenger who is incomplete with 409": row.does(
        rewords={"createRequests:/passengers/*/*:required": _conflict_of_the_second_passenger}
    ),
    "status-422:createBookings:/external_id:type": row.rejects_with(422, "createBookings:/external_id:type"),
    rule("V2-BAD-REQUEST"): FAILS,
    "status-422:createBookingsV2:/customer_data/vat_number:type": row.rejects_with(
        422, "createBookingsV2:/customer_data/vat_number:type"
    ),
    rule("V3-REQUESTS-REQUIRED"): FAILS,
    "unchecked:createRequests:/passengers:minItems": row.accepts("createRequests:/passengers:minItems"),
    rule("V3-REQUESTS-FLIGHTS"): FAILS,
    "request-for-three: a booking request for three flights": row.accepts("createRequests:/flight_ids:maxItems"),
    rule("V3-REQUESTS-OPTIONAL"): FAILS,
    "required:createRequests:/passengers/*/middle_name": row.requires,
    "required:createRequests:/passengers/*/passport_number": row.requires,
    rule("V3-REQUESTS-PASSENGER"): FAILS,
    "undocumented:createRequests:/passengers/*/date_of_birth:02-29": row.rejects_value,
    rule("V3-REQUESTS-FARE-TYPE"): FAILS,
    "no-round-trip-fares: the fare_type round_trip": row.rejects(when("createRequests", fare_type="round_trip")),
    "fare-type-crash: an invalid fare_type": row.crashes("createRequests:/fare_type:enum"),
    rule("V3-BAGS-KEYS"): FAILS,
    "bags-under-any-id: bags for flights that are not in the booking request": row.accepts("bags-keys"),
    "bags-keys-crash: bags for flights that are not in the booking request": row.crashes("bags-keys"),
    rule("V3-BAGS-NOT-EMPTY"): FAILS,
    "bags-empty: an empty bags object": row.accepts("createRequests:/bags:minProperties"),
    rule("V3-BAGS-LISTED"): FAILS,
    "bags-of-any-weight: takes bags of any weight": before("createRequests", _take_any_weight),
    "bags-unlisted: bags that leave out options of the flight": row.accepts("bags-listed"),
    rule("V3-BAGS-OPTION"): FAILS,
    "bags-of-the-first-only: reads the first bag options only": row.does(
        rewrite=unread("createRequests", "bags", {"requests": []})
    ),
    rule("V3-BAGS-QUANTITY"): FAILS,
    "bags-of-all-flights: many bags on all flights": row.rejects(
        when("createRequests", _has_more_bags_than_passengers)
    ),
    "bags-without-limit: any number of bags": row.accepts("bags-quantity"),
    "bags-without-limit-for-families: accepts more bags than passengers, if there are several": row.reads(
        change("createRequests:", _with_a_bag_for_each), of=having("createRequests:/passengers", minItems=2)
    ),
    "bags-without-limit-for-round-trips: accepts more bags than passengers with a round-trip fare": row.reads(
        change("createRequests:", _with_a_bag_for_each), of=when("createRequests", fare_type="round_trip")
    ),
    "bags-of-one-kind: a booking request with checked and cabin bags": row.rejects(
        when("createRequests", lambda body: any(map(_has_both_kinds, body["bags"].values())))
    ),
    rule("V23-REQUESTS-UNKNOWN-FLIGHT"): FAILS,
    "unknown-flight-400": row.rejects_with(400, "flight-unknown@createRequests"),
    "unknown-flight-422": row.rejects_with(422, "flight-unknown@createRequestsV2"),
    "unknown-flight-empty": row.serves_empty("flight-unknown@createRequests", "requests"),
    "unknown-flight-left-out: leaves out an unknown flight beside others": _leaves_out(lambda flight: flight is None),
    rule("V23-BOOKINGS-AS-REQUESTED", "The documents do not describe the bags of a booking"): WARNS,
    "bags-by-position: takes bags in the order in which a search lists them": before(
        "createRequests", _take_any_weight
    ),
    rule("V23-REQUESTS-GONE"): FAILS,
    "unavailable-left-out: leaves out an unavailable flight of a booking request that is for others, too": _leaves_out(
        lambda flight: flight is not None and flight.situation.gone_at_request
    ),
    "unavailable-requested": row.accepts("flight-gone@createRequests"),
    "unavailable-404": row.rejects_with(404, "flight-gone@createRequests"),
    "unavailable-requested-in-v2": row.accepts("flight-gone@createRequestsV2"),
    rule("V3-REQUESTS-ANSWER"): FAILS,
    "round-trips-without-bags: bags on the flights of a round-trip fare": row.rejects(
        when("createRequests", _has_bags, fare_type="round_trip")
    ),
    "request-for-one-only": row.rejects(having("createRequests:/flight_ids", minItems=2)),
    rule("V3-REQUESTS-BAGS-FEE", "OPEN-81: the quantity of a bag option may mean included pieces"): WARNS,
    "bags-fee-nothing": put("createRequests:/requests/*/bags_fee/checked", 0),
    rule("V3-REQUESTS-BAGS-FEE", "OPEN-81, OPEN-82: how bags_fee follows from prices is not documented"): WARNS,
    "bags-fee-nothing-included": (
        put("createRequests:/requests/*/bags_fee/checked", 0),
        put("createRequests:/requests/*/flight/bags/checked/*/quantity", 0),
    ),
    rule("V3-REQUESTS-BAGS-FEE", "OPEN-82: how a price is computed is not documented"): WARNS,
    "bags-fee-unwanted": (
        increase("createRequests:/requests/*/bags_fee/cabin", 14.9),
        increase("*Bookings:/bookings/*/bags_fee/cabin", 14.9),
    ),
    rule("V3-REQUESTS-COUNT"): FAILS,
    "counted-as-adults": put("createRequests:/requests/*/passengers/infants", 0),
    "counted-twice": change("createRequests:/requests/*/passengers/adults", lambda adults: 2 * adults),
    rule("V3-CANCEL"): FAILS,
    "cancel-fails": put("cancelRequest:/success", False),
    "cancel-rejected: every cancellation": row.rejects(when("cancelRequest"), 409),
    "cancelled-early-only": before("cancelRequest", _cancel_young_ones),
    rule("V23-REQUESTS-HOLD"): FAILS,
    "request-holds-nothing": after("*", _hold_nothing),
    "second-request-holds-nothing": after("createRequests*", _hold_first_only),
    "booked-seats-sold-again": after("createBookings*", _sell_booked_seats),
    "children-without-seats": row.behaves(_seats_adults_only),
    "booked-seats-of-children-sold-again": after("createBookings*", _sell_booked_seats_of_children),
    "booked-seats-kept-for-a-while": after("createBookings*", _keep_booked_seats_for_a_while),
    "seats-sold-at-once": row.behaves(_sells_at_once),
    "expired-seats-held": after("createRequests*", _never_free_seats),
    "rejected-request-holds-seats": row.behaves(_keeps_the_first),
    rule("V23-REQUESTS-HOLD", "A search may show fewer seats than a flight has (OPEN-37)"): WARNS,
    "seats-freed-by-others": after("cancelRequest", _free_all_of_the_flight),
    rule("V23-BOOKINGS-PAYMENT-FAILS"): FAILS,
    "aborted-flight-blocked": before("createRequests*", _blocks("aborted", 409)),
    rule("V3-CANCEL-NEW-FLOW"): FAILS,
    "cancelled-flight-blocked": before("createRequests", _blocks("cancelled", 403)),
    rule("V3-CANCEL-NEW-FLOW", "The documents do not say when the seats are free again"): WARNS,
    "cancelled-seats-held": after("cancelRequest", _hold_cancelled),
    rule("V3-CANCEL-PENDING"): FAILS,
    "cancelled-again: cancels booking requests in any status": row.tolerates("request-not-pending"),
    "refused-cancellation-reopens": on_rejection(_reopen, "request-not-pending"),
    "cancelled-at-once: confirms two cancellations of a booking request at the same time": row.behaves(
        _cancels_during_bookings
    ),
    "cancelled-again-crash: a second cancellation": row.crashes("request-not-pending"),
    rule("V3-CANCEL-UNKNOWN"): FAILS,
    "unknown-cancelled": row.serves("request-unknown@cancelRequest", {"success": True}),
    "unknown-cancelled-409": row.rejects_with(409, "request-unknown@cancelRequest"),
    rule("V23-REQUEST-LIFETIME"): FAILS,
    "expired-booked: books an expired booking request": row.tolerates("request-expired"),
    "requests-short-lived: keeps booking requests for two minutes": row.sets(request_lifetime=timedelta(minutes=2)),
    "requests-long-lived: keeps booking requests for an hour": row.sets(request_lifetime=timedelta(hours=1)),
    rule("V3-CANCEL-ONE"): FAILS,
    "second-not-cancelled": after("cancelRequest", _reopen_the_second),
    rule("V23-REQUESTS-FLIGHT"): FAILS,
    "request-of-another-route": put("createRequests:/requests/*/flight/destination/iata_code", "ORK"),
    rule("V23-REQUESTS-FLIGHT", "OPEN-37: search data are cached"): WARNS,
    "request-of-another-departure": put("createRequests*:/requests/*/flight/departure_date", "2031-05-05 10:00:00"),
    "request-of-another-number: responds with booking requests whose flight has another number": change(
        "createRequests*:/requests/*/flight/segments/*/marketing_carrier_flight_number",
        lambda number: number % 9999 + 1,
    ),
    rule("V23-REQUESTS-INFANTS", "OPEN-84: the documents name no number of infants that is accepted"): WARNS,
    "requests-for-one-infant": row.rejects(having("createRequestsV2:/passengers/infants", minimum=2)),
    "requests-for-three": row.rejects(having("createRequests:/passengers", minItems=4), 422),
    rule("V2-REQUESTS-FLIGHTS"): FAILS,
    "v2-request-for-four: a v2 booking request for four flights": row.accepts("createRequestsV2:/flights:maxItems"),
    "v2-request-for-two-only": row.rejects(having("createRequestsV2:/flights", minItems=3)),
    rule("V2-REQUESTS-CUSTOMER-CODE"): FAILS,
    "required:createRequestsV2:/customer_code": row.requires,
    "required:createRequestsV2:/passengers/infants": row.requires,
    rule("V3-CANCEL-OR-BOOK"): FAILS,
    "cancelled-during-booking": row.behaves(_cancels_during_bookings),
}
