"""Faults in POST bookings."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import (
    Json,
    add,
    after,
    before,
    change,
    having,
    on_rejection,
    unread,
    when,
    with_success,
)
from airworthy.sandbox.faults.fault import Row, fault_rejection
from airworthy.sandbox.faults.table import FAILS, WARNS, Table, rule
from airworthy.sandbox.faults.updates import (
    accept_attempts_in_version_1,
    is_of_mastercard_in_version_1,
    remembered,
    reopen,
    sent_requests,
    without_abort,
    without_release,
    without_transaction,
)
from airworthy.sandbox.http.exchange import SandboxRequest
from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.resources.v3.states import BookingRequest, RequestStatus
from airworthy.sandbox.service.service import Handler, SandboxService

_INDICATOR = "/three_d_secure/electronic_commerce_indicator"
_ALL, _THIRD = slice(None), slice(2, None)
_BY_CARD = add("createBookings*:", self_psp=False, payment_method="pm_card_visa")


def _book_external_ids_once(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json:
    """Respond to a second booking with an external_id with the first one."""
    if not request.operation.startswith("createBookings"):
        return handler(service, request)
    booked, key = remembered(service), ("booked", request.body.get("external_id"))
    if key not in booked:
        booked[key] = handler(service, request)
    return booked[key]


def _reject_external_ids_of_others(service: SandboxService, request: SandboxRequest) -> None:
    """Reject an external_id that another organisation has sent."""
    sent, own = request.body.get("external_id"), request.organisation.name
    if sent and remembered(service).setdefault(("sent by", sent), own) != own:
        raise fault_rejection(service, "external-id-of-others", 409)


def _cancel_others(service: SandboxService, request: SandboxRequest, body: Json) -> None:
    """Cancel the other booking request when one of two is booked alone."""
    together = remembered(service)
    if "requests" in body:
        created = {each["id"] for each in body["requests"]}
        together.update((("together", each), created) for each in created)
        return
    booked = {each.id for each in sent_requests(service, request)}
    for other in set().union(*(together.get(("together", each), ()) for each in booked)) - booked:
        found = service.store.booking_requests.get(other)
        if found is not None and found.stored_status == "pending":
            service.store.booking_requests.change(other, lambda each: each.cancel(service.clock.now()))


def _mark_infants_by_position(_: SandboxService, request: SandboxRequest) -> None:
    """Take the last passengers of a v2 booking for its infants."""
    passengers = request.body["passengers"]
    infants = sum(each["is_infant"] for each in passengers)
    for at, passenger in enumerate(passengers):
        passenger["is_infant"] = at >= len(passengers) - infants


def _limit_further_luggage(_: SandboxService, request: SandboxRequest) -> None:
    """Accept more luggage than passengers for the second of two booking requests."""
    most, luggage = len(request.body["passengers"]), request.body["luggage"]
    for options in (luggage.get(str(each), ()) for each in request.body["requests"][1:]):
        for option in options:
            option["quantity"] = min(option["quantity"], most)


def _limit_first_option(_: SandboxService, request: SandboxRequest) -> None:
    """Accept more luggage than passengers in all luggage options but the first."""
    for options in request.body["luggage"].values():
        for option in options[1:]:
            option["quantity"] = min(option["quantity"], len(request.body["passengers"]))


def _sort_luggage(_: SandboxService, request: SandboxRequest) -> None:
    """Take the luggage of a v2 booking for that of its booking requests in ascending order."""
    luggage = request.body["luggage"]
    listed = [luggage.get(str(each), []) for each in request.body["requests"]]
    request.body["luggage"] = dict(zip(sorted(luggage), listed, strict=False))


def _fill_in_luggage(_: SandboxService, request: SandboxRequest) -> None:
    """Do not require luggage for the second of two booking requests."""
    for each in request.body["requests"][1:]:
        request.body["luggage"].setdefault(str(each), [])


def _reopen(status: RequestStatus | None = None, member: str = "", which: slice = _ALL) -> Callable[..., None]:
    """Return what makes some of a booking's requests pending again: all, those with a status, or if it has a member."""

    def make_pending(service: SandboxService, request: SandboxRequest, *_: object) -> None:
        for each in sent_requests(service, request)[which] if not member or request.body.get(member) else ():
            if status in (None, each.status(service.clock.now())):
                reopen(service, each)

    return make_pending


def _reopens(status: RequestStatus | None = None, member: str = "", which: slice = _ALL) -> Row:
    return before("createBookings*", _reopen(status, member, which))


def _prolong(service: SandboxService, keys: Sequence[int], by: timedelta = timedelta(hours=1)) -> None:
    for key in keys:
        service.store.booking_requests.change(key, lambda found: replace(found, expires=found.expires + by))


def _keep_pairs(service: SandboxService, _: SandboxRequest, body: Json) -> None:
    """Keep two booking requests for longer than one."""
    created = [each["id"] for each in body["requests"]]
    _prolong(service, created if len(created) > 1 else ())


def _expire_soon_with_infants(service: SandboxService, _: SandboxRequest, body: Json) -> None:
    """Keep booking requests with infants for three minutes less than others."""
    with_infants = [each["id"] for each in body["requests"] if each["passengers"].get("infants")]
    _prolong(service, with_infants, timedelta(minutes=-3))


def _prolong_rejected(service: SandboxService, request: SandboxRequest) -> None:
    """Keep a booking request for another hour when its booking is rejected."""
    if request.operation.startswith("createBookings"):
        _prolong(service, [each.id for each in sent_requests(service, request)])


def _reopen_same_flights(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Make cancelled booking requests of a flight pending again when it is requested again."""
    for each in service.store.booking_requests.newest():
        if each.stored_status == "cancelled" and each.flight.id in request.body["flight_ids"]:
            reopen(service, each)


def _prolong_over_midnight(service: SandboxService, request: SandboxRequest) -> None:
    """Keep booking requests of the day before."""
    today = service.clock.now().date()
    _prolong(service, [each.id for each in sent_requests(service, request) if each.created.date() < today])


def _charge_no_authenticated_card(_: SandboxService, request: SandboxRequest) -> None:
    """Book with a declined card whose holder was authenticated."""
    if having(f"*:{_INDICATOR}", const="05")(request):
        del request.body["payment_method"], request.body["three_d_secure"]
        request.body["self_psp"] = True


def _authenticates(fits: Callable[[SandboxService, SandboxRequest], object]) -> Row:
    """Return a row of a service that takes some authentications that were only attempted for full ones."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        secure = request.body.get("three_d_secure") or {}
        if secure.get("electronic_commerce_indicator") in ("01", "06") and fits(service, request):
            secure["electronic_commerce_indicator"] = "05"

    return before("createBookings*", prepare)


def _pays_by(**card: str) -> Callable[[SandboxService, SandboxRequest], object]:
    """Return a condition: the card of a booking has a member with a value."""

    def fits(service: SandboxService, request: SandboxRequest) -> object:
        method = service.provider.method(request.body["payment_method"])
        return method and all(getattr(method, name) == value for name, value in card.items())

    return fits


def _know_customers_by_their_beginning(_: SandboxService, request: SandboxRequest) -> None:
    """Accept a known customer code that is followed by other text."""
    sent = str(request.body.get("customer_code"))
    known = [each.customer_code for each in ORGANISATIONS if sent.startswith(each.customer_code)]
    request.body |= {"customer_code": known[0]} if known else {}


def _know_all_on_deposit(_: SandboxService, request: SandboxRequest) -> None:
    if request.body.get("self_psp") and "customer_data" not in request.body:
        request.body["customer_code"] = request.organisation.customer_code


def _has_several_requests(body: Json) -> bool:
    return len(body.get("request_ids") or body["requests"]) > 1


def _authorize_by_customer_code(_: SandboxService, request: SandboxRequest) -> None:
    """Accept self_psp with the customer code of an organisation authorised for it."""
    authorised = {each.customer_code for each in ORGANISATIONS if each.self_psp}
    if request.body.get("self_psp") and request.body.get("customer_code") in authorised:
        request.body |= {"self_psp": False, "payment_method": "pm_card_visa"}
        request.body["customer_code"] = request.organisation.customer_code


def _crash_on_unknown_others(service: SandboxService, request: SandboxRequest) -> None:
    """Respond with 500 to a booking if one of several booking requests is unknown."""
    listed = request.body.get("request_ids") or request.body.get("requests") or ()
    if 1 < len(listed) != len(sent_requests(service, request)):
        raise fault_rejection(service, "unknown-request-among-others", 500)


def _nothing_at_the_second(rejected: Rejected) -> Rejected:
    return with_success({"bookings": []})(rejected) if "/request_ids/1" in str(rejected.body) else rejected


FAULTS: Table = {
    rule("V23-BOOKINGS-BOOK"): FAILS,
    "bookings-rejected: every v3 booking": row.rejects(when("createBookings"), 409),
    "bookings-rejected-in-v2: every v2 booking": row.rejects(when("createBookingsV2"), 409),
    "no-3ds-1": row.rejects(having("createBookings:/three_d_secure/version", const="1.0.2")),
    "no-3ds-2.1": row.rejects(having("createBookings:/three_d_secure/version", const="2.1.0")),
    "no-3ds-1-in-v2": row.rejects(having("createBookingsV2:/three_d_secure/version", const="1.0.2")),
    "external-id-once": row.behaves(_book_external_ids_once),
    rule("V23-EXTERNAL-ID"): FAILS,
    "external-id-cut-off": change("*Bookings*:/bookings/*/external_id", lambda sent: sent and sent[:32]),
    "external-id-in-small-letters": change("*Bookings*:/bookings/*/external_id", lambda sent: sent and sent.lower()),
    "external-id-of-others": before("createBookings*", _reject_external_ids_of_others),
    rule("V23-BOOKINGS-BOOK", "The documents do not exclude that a booking ends other booking requests"): WARNS,
    "booked-apart-cancelled": after("create[RB]*", _cancel_others),
    rule("V23-BOOKING-FIELDS"): FAILS,
    "infants-by-position": before("createBookingsV2", _mark_infants_by_position),
    rule("V3-BOOKINGS-REQUIRED"): FAILS,
    "booking-second-id-unread: responds with an empty list to a second id that is not a number": row.does(
        rewords={"createBookings:/request_ids*:type": _nothing_at_the_second}
    ),
    rule("V3-BOOKINGS-REQUESTS"): FAILS,
    "booking-of-three: books three booking requests at once": row.tolerates("createBookings:/request_ids:maxItems"),
    rule("V23-BOOKINGS-PAYMENT"): FAILS,
    "booking-unpaid: books without payment_method": row.tolerates("createBookings*:/payment_method:required"),
    "booking-unpaid-crash: a booking without payment_method": row.crashes("*:/payment_method:required"),
    rule("V23-BOOKINGS-SELF-PSP"): FAILS,
    "no-deposit: self_psp": row.rejects(when("createBookings*", self_psp=True), 403),
    rule("V23-BOOKINGS-SELF-PSP-UNAUTHORIZED"): FAILS,
    "deposit-for-all: self_psp from organisations that are not authorised for it": row.accepts("self-psp-unauthorized"),
    "deposit-by-customer-data: accepts self_psp of any organisation that describes its customer": row.reads(
        _BY_CARD, of=when("createBookingsV2", lambda body: "customer_data" in body, self_psp=True)
    ),
    "deposit-for-several: accepts self_psp of any organisation for several booking requests": row.reads(
        _BY_CARD, of=when("createBookings*", _has_several_requests, self_psp=True)
    ),
    rule("V23-BOOKINGS-SELF-PSP-UNAUTHORIZED", "The documents do not say who may use a customer code"): WARNS,
    "deposit-by-customer-code": before("createBookings*", _authorize_by_customer_code),
    rule("V23-BOOKINGS-CUSTOMER-UNKNOWN"): FAILS,
    "booking-for-anybody: any customer code for a booking": row.accepts("customer-unknown"),
    "customer-known-by-beginning": before("createBookings*", _know_customers_by_their_beginning),
    "deposit-for-anybody: books on deposit for anybody": before("createBookings*", _know_all_on_deposit),
    "customer-unknown-crash: an unknown customer code": row.crashes("customer-unknown"),
    rule("V23-BOOKINGS-PAYMENT-FAILS"): FAILS,
    "declined-booked: books with a declined card": row.tolerates("card-declined"),
    "declined-stays-pending: leaves a booking request pending after its payment failed": row.sets(update=without_abort),
    "aborted-conflict: the booking of an aborted booking request": row.rejects_with(409, "request-aborted"),
    "attempt-stays-pending: leaves a request pending after an attempt to authenticate": (
        on_rejection(_reopen(), "secure-attempted")
    ),
    "declined-booked-with-3ds": before("createBookings*", _charge_no_authenticated_card),
    "aborted-booked-on-deposit: books an aborted booking request on deposit": _reopens("aborted", "self_psp"),
    "aborted-booked-with-3ds: books an aborted booking request with 3D Secure": _reopens("aborted", "three_d_secure"),
    rule("V23-BOOKINGS-ONCE"): FAILS,
    "booked-twice: books a booking request that is already booked again": row.tolerates("request-booked"),
    "booked-again-empty: a second booking": row.serves_empty("request-booked", "bookings"),
    "booked-again-crash: a second booking": row.crashes("request-booked"),
    "booking-race": row.sets(update=without_transaction(BookingRequest)),
    "second-booked-again: books the second of two requests again": after(
        "createBookings*", _reopen(which=slice(1, None))
    ),
    "third-booked-again: books three booking requests of which the last is booked": _reopens("booked", which=_THIRD),
    "booked-again-on-deposit: books a booking request again on deposit": _reopens("booked", "self_psp"),
    rule("V3-BOOKINGS-CANCELLED"): FAILS,
    "cancelled-booked: books a cancelled booking request": row.tolerates("request-cancelled"),
    "cancelled-booked-on-deposit: books a cancelled booking request on deposit": _reopens("cancelled", "self_psp"),
    "requested-again-reopens": after("createRequests", _reopen_same_flights),
    "cancelled-booked-first: books two booking requests of which the first is cancelled": _reopens(which=slice(-1)),
    rule("V23-REQUEST-LIFETIME"): FAILS,
    "rejection-prolongs": on_rejection(_prolong_rejected, "*"),
    "foreign-attempt-prolongs: keeps a booking request for another hour when another organisation tries to book it": (
        on_rejection(_prolong_rejected, "request-foreign@*")
    ),
    "never-expired-over-midnight": before("createBookings*", _prolong_over_midnight),
    "pair-lives-longer": after("createRequests*", _keep_pairs),
    "infants-live-shorter": after("createRequests*", _expire_soon_with_infants),
    "third-expired-booked: books three requests of which the last has expired": _reopens("expired", which=_THIRD),
    "expired-booked-on-deposit: books an expired booking request on deposit": _reopens("expired", "self_psp"),
    rule("V23-BOOKINGS-UNKNOWN-REQUEST"): FAILS,
    "unknown-request-booked": row.serves_empty("request-unknown@createBookings*", "bookings"),
    "unknown-request-409": row.rejects_with(409, "request-unknown@createBookings*"),
    "unknown-request-crash: the booking of an unknown booking request": row.crashes("request-unknown@createBookings*"),
    "unknown-request-among-others": before("createBookings*", _crash_on_unknown_others),
    rule("V23-BOOKINGS-CONFLICT"): FAILS,
    "unavailable-booked: books a flight in v3 that is no longer available": row.tolerates("flight-gone@createBookings"),
    "unavailable-410": row.rejects_with(410, "flight-gone@createBookings*"),
    rule("V23-BOOKINGS-CONFLICT", "Which price difference is unacceptable is not documented (v3, Errors, 409)"): WARNS,
    "old-price-booked: books in v3 at a price that has changed": row.tolerates("price-moved@createBookings"),
    rule("V23-3DS-VALUES"): FAILS,
    "no-mastercard-booked-in-version-1": row.rejects(when("createBookings*", is_of_mastercard_in_version_1), 422),
    "secure-indicator-03: the indicator 03": row.accepts(f"createBookings*:{_INDICATOR}:x-unlisted"),
    "secure-any-indicator": row.tolerates("createBookings*:/three_d_secure/electronic_commerce_indicator:*"),
    rule("V23-3DS-FAILED"): FAILS,
    "secure-attempt-paid: books after an authentication that was only attempted": row.tolerates("secure-attempted"),
    "secure-attempt-paid-for-two: books two booking requests after an authentication that was only attempted": (
        _authenticates(lambda service, request: len(sent_requests(service, request)) > 1)
    ),
    "secure-attempt-paid-in-version-1": before("createBookings*", accept_attempts_in_version_1),
    "secure-attempt-paid-by-mastercard: books after the attempt to authenticate a Mastercard": _authenticates(
        _pays_by(brand="mastercard")
    ),
    "secure-attempt-verifies: takes the attempt to authenticate for the verification of a card": _authenticates(
        _pays_by(outcome="verification")
    ),
    "secure-failure-paid: books after a failed authentication": row.tolerates("secure-failed"),
    rule(
        "V23-BOOKINGS-CORRECTED",
        "The documents do not say that nothing else ends a request (v3, States and transitions)",
    ): WARNS,
    "rejected-booking-locks": row.sets(update=without_release),
    rule("V23-BOOKINGS-AS-REQUESTED"): FAILS,
    "luggage-of-two-pieces: books at most two pieces of luggage": row.reads(
        change("createBookingsV2:/luggage/*/*/quantity", lambda quantity: min(quantity, 2))
    ),
    "luggage-by-position": before("createBookingsV2", _sort_luggage),
    rule("V2-LUGGAGE"): FAILS,
    "luggage-unpriced: reads the first luggage only": row.does(
        rewrite=unread("createBookingsV2", "luggage", {"bookings": []})
    ),
    "luggage-of-the-first-only": before("createBookingsV2", _limit_further_luggage),
    "luggage-of-the-first-option-only": before("createBookingsV2", _limit_first_option),
    "luggage-of-one-piece": row.rejects(having("createBookingsV2:/luggage/*/*/quantity", minimum=2)),
    "luggage-under-any-id: luggage for booking requests that are not booked": row.accepts("luggage-keys"),
    "luggage-without-limit: any quantity of luggage": row.accepts("luggage-quantity"),
    rule("V2-LUGGAGE", "OPEN-99: the completeness of luggage is open"): WARNS,
    "second-luggage-optional": before("createBookingsV2", _fill_in_luggage),
    rule("V2-BOOKINGS-CUSTOMER-DATA"): FAILS,
    "required:createBookingsV2:/customer_data/is_company": row.requires,
    "customer-without-vat": row.rejects(having("createBookingsV2:/customer_data/vat_number")),
    "customer-never-company": row.rejects(having("createBookingsV2:/customer_data/is_company", const=True)),
    rule("V23-BOOKINGS-PAYMENT-METHOD-UNKNOWN"): FAILS,
    "unknown-method-crash: a payment method that does not exist": row.crashes("payment-method-unknown"),
    rule("V23-BOOKINGS-OPTIONAL"): FAILS,
    "required:createBookings:/address": row.requires,
    "required:createBookingsV2:/external_id": row.requires,
    "required:createBookingsV2:/passengers/*/nationality": row.requires,
    rule("V2-BOOKINGS-REQUESTS"): FAILS,
    "v2-booking-of-four: books four v2 booking requests at once": row.tolerates("createBookingsV2:/requests:maxItems"),
    rule("V2-BOOKINGS-CUSTOMER"): FAILS,
    "v2-booking-for-nobody: a v2 booking without a customer": row.accepts("customer-missing"),
    "v2-deposit-for-nobody: books on deposit without a customer": before("createBookingsV2", _know_all_on_deposit),
    "v2-customer-data-declined: leaves requests with customer_data pending": (
        on_rejection(_reopen(None, "customer_data"), "card-declined")
    ),
    "v2-no-customer-data": row.rejects(having("createBookingsV2:/customer_data")),
}
