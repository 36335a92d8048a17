"""Faults in Create Order."""

from dataclasses import replace
from datetime import timedelta

from airworthy.sandbox.faults.changes import when, with_status
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import accepts, crashes, rejects_with
from airworthy.sandbox.http.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.service.service import Handler, SandboxService


def _orders_the_cheapest_fare(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Reject an order for another fare of its offer than the cheapest."""
    if request.operation == "createOrder":
        offer = service.store.offers.get(request.query.get("offerId", ""))
        others = [fare.id for fare in offer.fares if fare != offer.cheapest] if offer else []
        if request.query.get("fareId") in others:
            raise service.rejection("fare-foreign")
    return handler(service, request)


def _accepts_lately_expired(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Accept an identification that expired in the last month."""
    if request.operation == "createOrder":
        today = service.clock.now().date()
        for passenger in request.body["passengers"]:
            identification = passenger.get("identification") or {}
            expires = identification.get("expirationDate", "")
            if (today - timedelta(days=30)).isoformat() < expires <= today.isoformat():
                identification["expirationDate"] = (today + timedelta(days=30)).isoformat()
    return handler(service, request)


def _ignores_further_items(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Ignore all items of selected baggage of a passenger but the first."""
    if request.operation == "createOrder":
        items = {each["passengerNumber"]: each for each in reversed(request.body["selectedBaggage"])}
        request.body["selectedBaggage"] = [items[number] for number in sorted(items)]
    return handler(service, request)


def _renews_an_offer_that_is_read(
    handler: Handler, service: SandboxService, request: SandboxRequest
) -> Json | SandboxResponse:
    """Start the 30 minutes of an offer again when its fares or baggage options are read."""
    response = handler(service, request)
    if request.operation in ("getFares", "getBaggage"):
        offer = service.store.offers.get(request.path["offerId"])
        if offer and offer.expires > service.clock.now():
            expires = service.clock.now() + service.policy.offer_lifetime
            service.store.offers.put(offer.id, replace(offer, expires=expires))
    return response


FAULTS: tuple[Fault, ...] = (
    Fault(
        "order-without-fare",
        "V4-ORDER-QUERY",
        "The service creates an order without the query parameter fareId",
        tolerates=("query-missing",),
    ),
    Fault(
        "order-query-crash",
        "V4-ORDER-QUERY",
        "The service responds with 500 to Create Order without a query parameter",
        rewords={"query-missing": with_status(500)},
    ),
    Fault(
        "order-without-baggage",
        "V4-ORDER-REQUIRED",
        "The service creates an order without selectedBaggage",
        tolerates=(
            "createOrder:/selectedBaggage:*",
            "baggage-per-passenger",
        ),
    ),
    rejects_with(
        "order-incomplete-422",
        "V4-ORDER-REQUIRED",
        422,
        "an order without customerContact",
        "createOrder:/customerContact:required",
    ),
    Fault(
        "order-credentials-rejected",
        "V4-ORDER-OPTIONAL",
        "The service rejects carrierPortalCredentials of the contact",
        rejects=when("createOrder", lambda body: "carrierPortalCredentials" in body["customerContact"]),
        verdict="warning",
        reason="The credentials are for flows for which the operator provides them",
    ),
    rejects_with(
        "passenger-422",
        "V4-ORDER-PASSENGER",
        422,
        "a passenger without name",
        "createOrder:/passengers/*/name:required",
    ),
    rejects_with(
        "passenger-gender-422", "V4-ORDER-GENDER", 422, "an invalid gender", "createOrder:/passengers/*/gender:enum"
    ),
    Fault(
        "child-without-birth-date",
        "V4-ORDER-BIRTH-DATE",
        "The service creates an order with a child without birthDate",
        tolerates=("birth-date-missing",),
    ),
    Fault(
        "adult-without-birth-date",
        "V4-ORDER-ADULT-BIRTH-DATE",
        "The service creates an order with an adult without birthDate, though the offer lists it as required",
        tolerates=("adult-birth-date-missing",),
        verdict="warning",
        reason="OPEN-43: how a supplier allows adults without birthDate is not documented",
    ),
    accepts(
        "identification-incomplete",
        "V4-ORDER-IDENTIFICATION",
        "an identification that has only a type",
        "identification-incomplete",
    ),
    accepts(
        "document-expired", "V4-ORDER-IDENTIFICATION-EXPIRY", "an identification that has expired", "document-expired"
    ),
    rejects_with(
        "country-422",
        "V4-ORDER-COUNTRY-CODES",
        422,
        "a country code of three letters",
        "createOrder:*ountryCode*:pattern",
    ),
    rejects_with(
        "baggage-selection-422",
        "V4-ORDER-BAGGAGE-SELECTION",
        422,
        "an incomplete baggage selection",
        "createOrder:/selectedBaggage/*:required",
    ),
    accepts(
        "baggage-for-some",
        "V4-ORDER-BAGGAGE-PER-PASSENGER",
        "a baggage selection that leaves out passengers",
        "baggage-per-passenger",
    ),
    accepts(
        "payment-both",
        "V4-ORDER-PAYMENT-METHOD",
        "an order with both card and balance, or with neither",
        "payment-method-one@createOrder",
    ),
    Fault(
        "document-expired-lately",
        "V4-ORDER-IDENTIFICATION-EXPIRY",
        "The service accepts an identification that expired in the last month",
        wraps=_accepts_lately_expired,
    ),
    Fault(
        "baggage-further-items",
        "V4-ORDER-BAGGAGE-PER-PASSENGER",
        "The service ignores a second item of selected baggage for the same passenger",
        wraps=_ignores_further_items,
    ),
    Fault(
        "cheapest-fare-only",
        "V4-ORDER-FARE-OF-OFFER",
        "The service rejects an order for another fare than the cheapest",
        wraps=_orders_the_cheapest_fare,
        verdict="warning",
        reason="A fare may require more of the passengers, such as a residence",
    ),
    Fault(
        "any-fare",
        "V4-ORDER-FARE-OF-OFFER",
        "The service creates an order for a fare that does not belong to the offer",
        tolerates=("fare-foreign",),
    ),
    rejects_with(
        "unknown-offer-400", "V4-ORDER-UNKNOWN-OFFER", 400, "an order for an unknown offer", "offer-unknown@createOrder"
    ),
    Fault(
        "expired-offer-ordered",
        "V4-ORDER-EXPIRED-OFFER",
        "The service creates an order for an expired offer",
        tolerates=("offer-expired",),
    ),
    crashes("expired-offer-crash", "V4-ORDER-EXPIRED-OFFER", "an order for an expired offer", "offer-expired"),
    Fault(
        "offer-renewed-by-reading",
        "V4-ORDER-EXPIRED-OFFER",
        "The service stores an offer for another 30 minutes when its fares or baggage options are read",
        wraps=_renews_an_offer_that_is_read,
    ),
    Fault(
        "offers-short-lived",
        "V4-OFFER-RETENTION",
        "The service keeps offers for 10 minutes",
        policy={"offer_lifetime": timedelta(minutes=10)},
    ),
    Fault(
        "offers-live-29-minutes",
        "V4-OFFER-RETENTION",
        "The service keeps offers for 29 minutes",
        policy={"offer_lifetime": timedelta(minutes=29)},
    ),
    Fault(
        "offers-live-31-minutes",
        "V4-ORDER-EXPIRED-OFFER",
        "The service keeps offers for 31 minutes",
        policy={"offer_lifetime": timedelta(minutes=31)},
    ),
)
