"""Faults in Create Order."""

from dataclasses import replace
from datetime import timedelta

from airworthy.sandbox.exchange import Json, SandboxRequest, SandboxResponse
from airworthy.sandbox.faults.changes import when, with_status
from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.service import Handler, SandboxService


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
        "order-without-contact",
        "V4-ORDER-REQUIRED",
        "The service creates an order without customerContact",
        tolerates=("createOrder:/customerContact:*",),
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
    Fault(
        "order-incomplete-422",
        "V4-ORDER-REQUIRED",
        "The service rejects an order without customerContact with 422",
        rewords={"createOrder:/customerContact:required": with_status(422)},
    ),
    Fault(
        "order-inbound-baggage-required",
        "V4-ORDER-OPTIONAL",
        "The service requires the inbound baggage selection of passengers",
        rejects=when(
            "createOrder",
            lambda body: any("inboundSegmentBaggageSelection" not in each for each in body["selectedBaggage"]),
        ),
    ),
    Fault(
        "order-middle-name-required",
        "V4-ORDER-OPTIONAL",
        "The service requires middleName of passengers",
        rejects=when("createOrder", lambda body: body["passengers"][0].get("middleName") is None),
    ),
    Fault(
        "order-second-name-required",
        "V4-ORDER-OPTIONAL",
        "The service requires secondLastName of passengers",
        rejects=when("createOrder", lambda body: body["passengers"][0].get("secondLastName") is None),
    ),
    Fault(
        "order-phone-required",
        "V4-ORDER-OPTIONAL",
        "The service requires phone of passengers",
        rejects=when("createOrder", lambda body: body["passengers"][0].get("phone") is None),
    ),
    Fault(
        "order-credentials-rejected",
        "V4-ORDER-OPTIONAL",
        "The service rejects carrierPortalCredentials of the contact",
        rejects=when("createOrder", lambda body: "carrierPortalCredentials" in body["customerContact"]),
        verdict="warning",
        reason="The credentials are for flows for which the operator provides them",
    ),
    Fault(
        "passenger-without-name",
        "V4-ORDER-PASSENGER",
        "The service creates an order with a passenger without name",
        tolerates=("createOrder:/passengers/*/name:*",),
    ),
    Fault(
        "passenger-number-text",
        "V4-ORDER-PASSENGER",
        "The service accepts a string as the number of a passenger",
        tolerates=("createOrder:/passengers/[*]/number:type",),
    ),
    Fault(
        "passenger-without-gender",
        "V4-ORDER-PASSENGER",
        "The service creates an order with a passenger without gender",
        tolerates=("createOrder:/passengers/*/gender:required",),
    ),
    Fault(
        "passenger-422",
        "V4-ORDER-PASSENGER",
        "The service rejects a passenger without name with 422",
        rewords={"createOrder:/passengers/*/name:required": with_status(422)},
    ),
    Fault(
        "passenger-any-type",
        "V4-ORDER-PASSENGER-TYPE",
        "The service treats any passenger type as adult",
        tolerates=("createOrder:/passengers/[*]/type:[te]*",),
    ),
    Fault(
        "passenger-any-title",
        "V4-ORDER-TITLE",
        "The service treats any title as MR",
        tolerates=("createOrder:/passengers/*/title:[te]*",),
    ),
    Fault(
        "passenger-not-ms",
        "V4-ORDER-TITLE",
        "The service rejects the title MS",
        rejects=when("createOrder", lambda body: body["passengers"][0]["title"] == "MS"),
    ),
    Fault(
        "passenger-any-gender",
        "V4-ORDER-GENDER",
        "The service treats any gender as MALE",
        tolerates=("createOrder:/passengers/*/gender:enum",),
    ),
    Fault(
        "passenger-gender-422",
        "V4-ORDER-GENDER",
        "The service rejects an invalid gender with 422",
        rewords={"createOrder:/passengers/*/gender:enum": with_status(422)},
    ),
    Fault(
        "child-without-birth-date",
        "V4-ORDER-BIRTH-DATE",
        "The service creates an order with a child without birthDate",
        tolerates=("birth-date-missing",),
    ),
    Fault(
        "any-birth-date",
        "V4-ORDER-BIRTH-DATE",
        "The service accepts any string as birthDate",
        tolerates=("createOrder:/passengers/*/birthDate:*",),
    ),
    Fault(
        "adult-without-birth-date",
        "V4-ORDER-ADULT-BIRTH-DATE",
        "The service creates an order with an adult without birthDate, though the offer lists it as required",
        tolerates=("adult-birth-date-missing",),
        verdict="warning",
        reason="OPEN-43: how a supplier allows adults without birthDate is not documented",
    ),
    Fault(
        "identification-any-type",
        "V4-ORDER-IDENTIFICATION",
        "The service accepts any identification type",
        tolerates=("createOrder:/passengers/*/identification/type:enum",),
    ),
    Fault(
        "identification-incomplete",
        "V4-ORDER-IDENTIFICATION",
        "The service accepts an identification that has only a type",
        tolerates=("identification-incomplete",),
    ),
    Fault(
        "identification-any-date",
        "V4-ORDER-IDENTIFICATION",
        "The service accepts any string as the expirationDate of an identification",
        tolerates=("createOrder:/passengers/*/identification/expirationDate:*",),
    ),
    Fault(
        "document-expired",
        "V4-ORDER-IDENTIFICATION-EXPIRY",
        "The service accepts an identification that has expired",
        tolerates=("document-expired",),
    ),
    Fault(
        "country-any-length",
        "V4-ORDER-COUNTRY-CODES",
        "The service accepts any string as a country code",
        tolerates=("createOrder:*ountryCode*:pattern",),
    ),
    Fault(
        "country-422",
        "V4-ORDER-COUNTRY-CODES",
        "The service rejects a country code of three letters with 422",
        rewords={"createOrder:*ountryCode*:pattern": with_status(422)},
    ),
    Fault(
        "phone-unchecked",
        "V4-ORDER-PHONE",
        "The service does not validate phones",
        tolerates=(
            "createOrder:*/phone:type",
            "createOrder:*/phone/number:type",
        ),
    ),
    Fault(
        "contact-without-email",
        "V4-ORDER-CONTACT",
        "The service accepts a customer contact without email",
        tolerates=("createOrder:/customerContact/email:*",),
    ),
    Fault(
        "contact-without-phone",
        "V4-ORDER-CONTACT",
        "The service accepts a customer contact without phone",
        tolerates=("createOrder:/customerContact/phone:required",),
    ),
    Fault(
        "contact-any-gender",
        "V4-ORDER-CONTACT",
        "The service accepts any gender of a customer contact",
        tolerates=("createOrder:/customerContact/gender:[te]*",),
    ),
    Fault(
        "baggage-any-type",
        "V4-ORDER-BAGGAGE-SELECTION",
        "The service accepts any type of selected baggage",
        tolerates=(
            "createOrder:/selectedBaggage/*/type:*",
            "createOrder:/selectedBaggage/*/*/*/type:*",
        ),
    ),
    Fault(
        "baggage-pieces-text",
        "V4-ORDER-BAGGAGE-SELECTION",
        "The service accepts a string as numberOfPieces of selected baggage",
        tolerates=("createOrder:/selectedBaggage/*/numberOfPieces:*",),
    ),
    Fault(
        "baggage-selection-422",
        "V4-ORDER-BAGGAGE-SELECTION",
        "The service rejects an incomplete baggage selection with 422",
        rewords={"createOrder:/selectedBaggage/*:required": with_status(422)},
    ),
    Fault(
        "baggage-for-some",
        "V4-ORDER-BAGGAGE-PER-PASSENGER",
        "The service accepts a baggage selection that leaves out passengers",
        tolerates=("baggage-per-passenger",),
    ),
    Fault(
        "payment-both",
        "V4-ORDER-PAYMENT-METHOD",
        "The service accepts an order with both card and balance, or with neither",
        tolerates=("payment-method-one@createOrder",),
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
        "contact-of-a-man",
        "V4-ORDER-CONTACT",
        "The service rejects a contact whose gender is MALE",
        rejects=when("createOrder", lambda body: body["customerContact"]["gender"] == "MALE"),
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
    Fault(
        "unknown-offer-400",
        "V4-ORDER-UNKNOWN-OFFER",
        "The service rejects an order for an unknown offer with 400",
        rewords={"offer-unknown@createOrder": with_status(400)},
    ),
    Fault(
        "expired-offer-ordered",
        "V4-ORDER-EXPIRED-OFFER",
        "The service creates an order for an expired offer",
        tolerates=("offer-expired",),
    ),
    Fault(
        "expired-offer-crash",
        "V4-ORDER-EXPIRED-OFFER",
        "The service responds to an order for an expired offer with 500",
        rewords={"offer-expired": with_status(500)},
    ),
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
