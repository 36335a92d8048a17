"""Faults in POST bookings."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from weakref import WeakKeyDictionary

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import (
    Json,
    after,
    before,
    change,
    first,
    increase,
    on_rejection,
    others,
    put,
    unread,
    when,
    with_success,
)
from airworthy.sandbox.faults.fault import Condition, Wrapper, fault_rejection
from airworthy.sandbox.faults.table import rule, table
from airworthy.sandbox.faults.updates import reopen, sent_requests, without_abort, without_release, without_transaction
from airworthy.sandbox.http.exchange import SandboxRequest
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.resources.v3.states import BookingRequest, RequestStatus
from airworthy.sandbox.service.service import Handler, SandboxService

_INDICATOR = "electronic_commerce_indicator"


def _secured(version: str, operation: str = "createBookings") -> Condition:
    return when(operation, lambda body: (body.get("three_d_secure") or {}).get("version") == version)


def _numbered(bookings: Json) -> Json:
    return [{**each, "cp_reference": f"{each['cp_reference']}-{at}"} for at, each in enumerate(bookings)]


_BOOKED = WeakKeyDictionary[SandboxService, dict[str, Json]]()


def _book_external_ids_once(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    if not request.operation.startswith("createBookings"):
        return handler(service, request)
    booked, external_id = _BOOKED.setdefault(service, {}), str(request.body.get("external_id"))
    if external_id not in booked:
        booked[external_id] = handler(service, request)
    return booked[external_id]


_TOGETHER = WeakKeyDictionary[SandboxService, dict[int, set[int]]]()


def _cancel_others(service: SandboxService, request: SandboxRequest, body: Json) -> None:
    """Cancel what was created together with a booking request that is booked, and is not booked itself."""
    together = _TOGETHER.setdefault(service, {})
    if "requests" in body:
        created = {each["id"] for each in body["requests"]}
        together.update((each, created) for each in created)
        return
    booked = {each.id for each in sent_requests(service, request)}
    for other in set().union(*(together.get(each, set()) for each in booked)) - booked:
        found = service.store.booking_requests.get(other)
        if found is not None and found.stored_status == "pending":
            service.store.booking_requests.change(other, lambda each: each.cancel(service.clock.now()))


def _mark_infants_by_position(_: SandboxService, request: SandboxRequest) -> None:
    passengers = request.body["passengers"]
    infants = sum(each["is_infant"] for each in passengers)
    for at, passenger in enumerate(passengers):
        passenger["is_infant"] = at >= len(passengers) - infants


def _limit_further_luggage(_: SandboxService, request: SandboxRequest) -> None:
    """Take more luggage than passengers for as much as passengers, except for the first booking request."""
    most, luggage = len(request.body["passengers"]), request.body["luggage"]
    for options in (luggage.get(str(each), ()) for each in request.body["requests"][1:]):
        for option in options:
            option["quantity"] = min(option["quantity"], most)


def _fill_in_luggage(_: SandboxService, request: SandboxRequest) -> None:
    """Book the booking requests after the first without luggage where none is listed for them."""
    for each in request.body["requests"][1:]:
        request.body["luggage"].setdefault(str(each), [])


def _on_deposit(body: Json) -> slice:
    return slice(None) if body.get("self_psp") else slice(0)


def _authenticated(body: Json) -> slice:
    return slice(None) if body.get("three_d_secure") else slice(0)


def _third(_: Json) -> slice:
    return slice(2, None)


def _reopens(which: Callable[[Json], slice], status: RequestStatus) -> Wrapper:
    """Return a handler that takes some booking requests of a booking for pending if they have a status."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        for each in sent_requests(service, request)[which(request.body)]:
            if each.status(service.clock.now()) == status:
                reopen(service, each)

    return before("createBookings*", prepare)


def _keep_pairs(service: SandboxService, _: SandboxRequest, body: Json) -> None:
    for each in body["requests"] if len(body["requests"]) > 1 else ():
        service.store.booking_requests.change(
            each["id"], lambda found: replace(found, expires=found.expires + timedelta(hours=1))
        )


def _prolong_at_rejection(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    try:
        return handler(service, request)
    except Rejected:
        for each in sent_requests(service, request) if request.operation.startswith("createBookings") else ():
            service.store.booking_requests.change(
                each.id, lambda found: replace(found, expires=found.expires + timedelta(hours=1))
            )
        raise


def _reopen_all(service: SandboxService, request: SandboxRequest) -> None:
    for each in sent_requests(service, request):
        reopen(service, each)


def _reopen_further(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    for each in sent_requests(service, request)[1:]:
        reopen(service, each)


def _reopen_first_of_two(service: SandboxService, request: SandboxRequest) -> None:
    for each in sent_requests(service, request)[:-1]:
        reopen(service, each)


def _charge_no_authenticated_card(_: SandboxService, request: SandboxRequest) -> None:
    """Book on deposit if the holder of the card was authenticated."""
    if (request.body.get("three_d_secure") or {}).get(_INDICATOR) == "05":
        del request.body["payment_method"], request.body["three_d_secure"]
        request.body["self_psp"] = True


def _authenticate_for_two(service: SandboxService, request: SandboxRequest) -> None:
    secure = request.body.get("three_d_secure") or {}
    if len(sent_requests(service, request)) > 1 and secure.get("electronic_commerce_indicator") in ("01", "06"):
        secure["electronic_commerce_indicator"] = "05"


def _know_customers_by_their_beginning(_: SandboxService, request: SandboxRequest) -> None:
    sent = str(request.body.get("customer_code"))
    known = [each.customer_code for each in ORGANISATIONS if sent.startswith(each.customer_code)]
    request.body |= {"customer_code": known[0]} if known else {}


def _know_every_customer_on_deposit(_: SandboxService, request: SandboxRequest) -> None:
    if request.body.get("self_psp") and "customer_data" not in request.body:
        request.body["customer_code"] = request.organisation.customer_code


def _authorize_by_customer_code(_: SandboxService, request: SandboxRequest) -> None:
    authorised = {each.customer_code for each in ORGANISATIONS if each.self_psp}
    if request.body.get("self_psp") and request.body.get("customer_code") in authorised:
        request.body |= {"self_psp": False, "payment_method": "pm_card_visa"}
        request.body["customer_code"] = request.organisation.customer_code


def _crash_on_unknown_others(service: SandboxService, request: SandboxRequest) -> None:
    listed = request.body.get("request_ids") or request.body.get("requests") or ()
    if 1 < len(listed) != len(sent_requests(service, request)):
        raise fault_rejection(service, "unknown-request-among-others", 500)


def _nothing_at_the_second(rejected: Rejected) -> Rejected:
    return with_success({"bookings": []})(rejected) if "/request_ids/1" in str(rejected.body) else rejected


def _has_two_of_one(options: Json) -> bool:
    return any(option["quantity"] > 1 for option in options)


def _without_bags_in_the_total(booking: Json) -> Json:
    fees = booking["bags_fee"].values() if "bags_fee" in booking else (booking["luggage_fee"],)
    return booking | {"total_price": round(booking["total_price"] - sum(fees), 2)}


FAULTS = table(
    rule("V23-BOOKINGS-BOOK"),
    row.rejects("bookings-rejected: every v3 booking", when("createBookings"), 409),
    row.rejects("bookings-rejected-in-v2: every v2 booking", when("createBookingsV2"), 409),
    row.rejects("no-3ds-1: a booking with 3D Secure version 1.0.2", _secured("1.0.2")),
    row.rejects("no-3ds-2.1: a booking with 3D Secure version 2.1.0", _secured("2.1.0")),
    row.rejects("no-3ds-1-in-v2: a v2 booking with 3D Secure version 1.0.2", _secured("1.0.2", "createBookingsV2")),
    row.responds(
        "booked-another-departure", put("createBookings*:/bookings/*/flight/departure_date", "2031-05-05 10:00:00")
    ),
    row.behaves(
        "external-id-once: responds to a second booking with an external_id with the first one", _book_external_ids_once
    ),
    row.responds("booked-before-requested", put("createBookings*:/bookings/*/created_at", "2020-05-05T10:00:00+00:00")),
    rule("V23-BOOKINGS-BOOK", warns="The documents do not exclude that a booking ends other booking requests"),
    row.behaves(
        "booked-apart-cancelled: cancels the other booking request when one of two is booked alone",
        after("create[RB]*", _cancel_others),
    ),
    rule("V23-BOOKING-FIELDS"),
    row.behaves(
        "infants-by-position: takes the last passengers of a v2 booking for its infants",
        before("createBookingsV2", _mark_infants_by_position),
    ),
    rule("V23-BOOKINGS-AS-REQUESTED"),
    row.responds(
        "booking-without-bags",
        put("*Bookings*:/bookings/*/bags", {"checked": [], "cabin": []}),
        put("*Bookings*:/bookings/*/luggage", []),
    ),
    row.responds("second-luggage-lost", others("createBookingsV2:/bookings", put("/luggage", []))),
    row.responds("retrieved-first-luggage", first("getBookingsV2:/bookings/*/luggage")),
    row.responds(
        "retrieved-bags-lost",
        put("getBookings*:/bookings/*/bags/cabin", []),
        put("getBookings*:/bookings/*/luggage", []),
    ),
    rule("V23-BOOKINGS-AS-REQUESTED", warns="Some differences are acceptable (v3, Errors, 409)"),
    row.does(
        "booked-dearer-infants: books infants at a higher price than that of the booking request",
        change("createBookings*:/bookings/*/infant_price", lambda price: price and price + 10),
    ),
    row.responds("booking-dearer", increase("createBookings*:/bookings/*/price", 10)),
    row.responds("booking-bags-for-nothing", put("createBookings:/bookings/*/bags_fee/*", 0)),
    rule("V3-BOOKINGS-REQUIRED"),
    row.does(
        "booking-second-id-unread: responds with 200 and an empty list if the second of two ids is not a number",
        rewords={"createBookings:/request_ids*:type": _nothing_at_the_second},
    ),
    rule("V3-BOOKINGS-REQUESTS"),
    row.tolerates("booking-of-three: books three booking requests at once", "createBookings:/request_ids:maxItems"),
    rule("V23-BOOKINGS-TOGETHER"),
    row.does(
        "references-apart: assigns a separate cp_reference to each booking of one v3 request",
        change("createBookings:/bookings", _numbered),
    ),
    row.does(
        "references-apart-in-v2: assigns a separate cp_reference to each booking of one v2 request",
        change("createBookingsV2:/bookings", _numbered),
    ),
    rule("V23-BOOKINGS-PAYMENT"),
    row.tolerates("booking-unpaid: books without payment_method", "createBookings*:/payment_method:required"),
    row.crashes("booking-unpaid-crash: a booking without payment_method", "*:/payment_method:required"),
    rule("V23-BOOKINGS-SELF-PSP"),
    row.rejects("no-deposit: self_psp", when("createBookings*", self_psp=True), 403),
    rule("V23-BOOKINGS-SELF-PSP-UNAUTHORIZED"),
    row.accepts("deposit-for-all: self_psp from organisations that are not authorised for it", "self-psp-unauthorized"),
    rule("V23-BOOKINGS-SELF-PSP-UNAUTHORIZED", warns="The documents do not say who may use a customer code"),
    row.behaves(
        "deposit-by-customer-code: accepts self_psp with the customer code of an organisation authorised for it",
        before("createBookings*", _authorize_by_customer_code),
    ),
    rule("V23-BOOKINGS-CUSTOMER-UNKNOWN"),
    row.accepts("booking-for-anybody: any customer code for a booking", "customer-unknown"),
    row.behaves(
        "customer-known-by-beginning: accepts a known customer code that is followed by other text",
        before("createBookings*", _know_customers_by_their_beginning),
    ),
    row.behaves(
        "deposit-for-anybody: does not check the customer code of bookings on deposit",
        before("createBookings*", _know_every_customer_on_deposit),
    ),
    row.crashes("customer-unknown-crash: an unknown customer code", "customer-unknown"),
    rule("V23-BOOKINGS-PAYMENT-FAILS"),
    row.tolerates("declined-booked: books with a declined card", "card-declined"),
    row.sets("declined-stays-pending: leaves a booking request pending after its payment failed", update=without_abort),
    row.rejects_with("aborted-conflict: the booking of an aborted booking request", 409, "request-aborted"),
    row.behaves(
        "attempt-stays-pending: leaves a booking request pending after an authentication that was only attempted",
        on_rejection(_reopen_all, "secure-attempted"),
    ),
    row.behaves(
        "declined-booked-with-3ds: books with a declined card whose holder was authenticated",
        before("createBookings*", _charge_no_authenticated_card),
    ),
    row.behaves(
        "aborted-booked-on-deposit: books an aborted booking request on deposit", _reopens(_on_deposit, "aborted")
    ),
    row.behaves(
        "aborted-booked-with-3ds: books an aborted booking request if the holder of the card was authenticated",
        _reopens(_authenticated, "aborted"),
    ),
    rule("V23-BOOKINGS-ONCE"),
    row.tolerates("booked-twice: books a booking request that is already booked again", "request-booked"),
    row.serves_empty("booked-again-empty: a second booking", "request-booked", "bookings"),
    row.crashes("booked-again-crash: a second booking", "request-booked"),
    row.sets(
        "booking-race: accepts several bookings of one booking request that arrive at the same time",
        update=without_transaction(BookingRequest),
    ),
    row.behaves(
        "second-booked-again: books the second of two booking requests again that were booked together",
        after("createBookings*", _reopen_further),
    ),
    row.behaves(
        "third-booked-again: books three v2 booking requests of which the last is already booked",
        _reopens(_third, "booked"),
    ),
    row.behaves("booked-again-on-deposit: books a booking request again on deposit", _reopens(_on_deposit, "booked")),
    rule("V3-BOOKINGS-CANCELLED"),
    row.tolerates("cancelled-booked: books a cancelled booking request", "request-cancelled"),
    row.behaves(
        "cancelled-booked-on-deposit: books a cancelled booking request on deposit", _reopens(_on_deposit, "cancelled")
    ),
    row.behaves(
        "cancelled-booked-first: books two booking requests of which the first is cancelled",
        before("createBookings*", _reopen_first_of_two),
    ),
    rule("V23-REQUEST-LIFETIME"),
    row.behaves(
        "rejection-prolongs: keeps a booking request for another hour when its booking is rejected",
        _prolong_at_rejection,
    ),
    row.behaves(
        "pair-lives-longer: keeps two booking requests for longer than one", after("createRequests*", _keep_pairs)
    ),
    row.behaves(
        "third-expired-booked: books three v2 booking requests of which the last has expired",
        _reopens(_third, "expired"),
    ),
    row.behaves(
        "expired-booked-on-deposit: books an expired booking request on deposit", _reopens(_on_deposit, "expired")
    ),
    rule("V23-BOOKINGS-UNKNOWN-REQUEST"),
    row.serves_empty(
        "unknown-request-booked: the booking of an unknown booking request",
        "request-unknown@createBookings*",
        "bookings",
    ),
    row.rejects_with(
        "unknown-request-409: the booking of an unknown booking request", 409, "request-unknown@createBookings*"
    ),
    row.crashes("unknown-request-crash: the booking of an unknown booking request", "request-unknown@createBookings*"),
    row.behaves(
        "unknown-request-among-others: responds with 500 to a booking if one of several booking requests is unknown",
        before("createBookings*", _crash_on_unknown_others),
    ),
    rule("V23-BOOKINGS-CONFLICT"),
    row.tolerates("unavailable-booked: books a flight in v3 that is no longer available", "flight-gone@createBookings"),
    row.rejects_with(
        "unavailable-410: the booking of a flight that is no longer available", 410, "flight-gone@createBookings*"
    ),
    rule("V23-BOOKINGS-CONFLICT", warns="Which price difference is unacceptable is not documented (v3, Errors, 409)"),
    row.tolerates("old-price-booked: books in v3 at a price that has changed", "price-moved@createBookings"),
    rule("V23-3DS-VALUES"),
    row.rejects(
        "no-mastercard-booked: the indicator of a fully authenticated Mastercard",
        when("createBookings*", lambda body: (body.get("three_d_secure") or {}).get(_INDICATOR) == "02"),
        422,
    ),
    row.tolerates(
        "secure-any-indicator: treats any electronic_commerce_indicator of a booking as 05",
        "createBookings*:/three_d_secure/electronic_commerce_indicator:*",
    ),
    rule("V23-3DS-FAILED"),
    row.tolerates("secure-attempt-paid: books after an authentication that was only attempted", "secure-attempted"),
    row.behaves(
        "secure-attempt-paid-for-two: books two booking requests after an authentication that was only attempted",
        before("createBookings*", _authenticate_for_two),
    ),
    row.tolerates("secure-failure-paid: books after a failed authentication", "secure-failed"),
    rule(
        "V23-BOOKINGS-CORRECTED",
        warns="The documents do not say that nothing else ends a booking request (v3, States and transitions)",
    ),
    row.sets(
        "rejected-booking-locks: does not book a booking request after its booking with an unusable one was rejected",
        update=without_release,
    ),
    rule("V2-LUGGAGE"),
    row.does(
        "luggage-unpriced: accepts incomplete luggage options of a booking of several booking requests",
        rewrite=unread("createBookingsV2", "luggage", {"bookings": []}),
    ),
    row.behaves(
        "luggage-of-the-first-only: accepts more luggage than passengers for the second of two booking requests",
        before("createBookingsV2", _limit_further_luggage),
    ),
    row.rejects(
        "luggage-of-one-piece: a v2 booking with two pieces of a luggage option",
        when("createBookingsV2", lambda body: any(map(_has_two_of_one, body["luggage"].values()))),
    ),
    row.accepts("luggage-under-any-id: luggage for booking requests that are not booked", "luggage-keys"),
    row.accepts("luggage-without-limit: any quantity of luggage", "luggage-quantity"),
    rule("V2-LUGGAGE", warns="OPEN-99: the completeness of luggage is open"),
    row.behaves(
        "second-luggage-optional: does not require luggage for the second of two booking requests",
        before("createBookingsV2", _fill_in_luggage),
    ),
    rule("V23-BOOKINGS-TOTAL-BAGS", warns="OPEN-82: what a total price includes is not documented"),
    row.does(
        "booking-total-without-bags: responds to a booking with a total_price without the fee of the bags",
        change("createBookings*:/bookings/*", _without_bags_in_the_total),
    ),
    rule("V23-BOOKING-STATUS", warns="OPEN-11: when a booking is canceled is not documented"),
    row.responds("booking-canceled-at-once", put("createBookings*:/bookings/*/status", "CANCELED")),
    rule("V2-BOOKINGS-CUSTOMER-DATA"),
    row.requires("createBookingsV2:/customer_data/is_company"),
    row.rejects(
        "customer-without-vat: vat_number in customer_data",
        when("createBookingsV2", lambda body: "vat_number" in body.get("customer_data", {})),
    ),
    row.rejects(
        "customer-never-company: customer_data with is_company set to true",
        when("createBookingsV2", lambda body: body.get("customer_data", {}).get("is_company") is True),
    ),
    rule("V23-BOOKINGS-PAYMENT-METHOD-UNKNOWN"),
    row.crashes("unknown-method-crash: a payment method that does not exist", "payment-method-unknown"),
    rule("V23-BOOKINGS-OPTIONAL"),
    row.requires("createBookings:/address"),
    row.requires("createBookingsV2:/external_id"),
    row.requires("createBookingsV2:/passengers/*/nationality"),
    rule("V2-BOOKINGS-REQUESTS"),
    row.tolerates("v2-booking-of-four: books four v2 booking requests at once", "createBookingsV2:/requests:maxItems"),
    rule("V2-BOOKINGS-CUSTOMER"),
    row.accepts("v2-booking-for-nobody: a v2 booking without a customer", "customer-missing"),
    row.behaves(
        "v2-deposit-for-nobody: books on deposit in v2 without a customer",
        before("createBookingsV2", _know_every_customer_on_deposit),
    ),
    row.rejects(
        "v2-no-customer-data: customer_data in a v2 booking",
        when("createBookingsV2", lambda body: "customer_data" in body),
    ),
    rule(
        "V2-BOOKING-LUGGAGE",
        warns="OPEN-81: the quantity of a luggage option may be the number of pieces that are included",
    ),
    row.responds("luggage-for-nothing", put("*BookingsV2:/bookings/*/luggage_fee", 0)),
    rule("V2-BOOKING-LUGGAGE", warns="OPEN-82: how a price is computed is not documented"),
    row.responds("luggage-fee-unwanted", increase("*BookingsV2:/bookings/*/luggage_fee", 23.5)),
)
