"""Faults in Create Order."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, after, before, when
from airworthy.sandbox.faults.fault import Wrapper
from airworthy.sandbox.faults.table import rule, table
from airworthy.sandbox.http.exchange import SandboxRequest
from airworthy.sandbox.resources.v4.states import Offer
from airworthy.sandbox.service.service import SandboxService


def _reject_all_but_the_cheapest_fare(service: SandboxService, request: SandboxRequest) -> None:
    offer = service.store.offers.get(request.query.get("offerId", ""))
    others = [fare.id for fare in offer.fares if fare != offer.cheapest] if offer else []
    if request.query.get("fareId") in others:
        raise service.rejection("fare-foreign")


def _renew_lately_expired(service: SandboxService, request: SandboxRequest) -> None:
    today, month = service.clock.now().date(), timedelta(days=30)
    for passenger in request.body["passengers"]:
        identification = passenger.get("identification") or {}
        if (today - month).isoformat() < identification.get("expirationDate", "") <= today.isoformat():
            identification["expirationDate"] = (today + month).isoformat()


def _reject_documents_that_expire_soon(service: SandboxService, request: SandboxRequest) -> None:
    limit = (service.clock.now().date() + timedelta(days=183)).isoformat()
    documents = [each.get("identification") or {} for each in request.body["passengers"]]
    if any(each.get("expirationDate", limit) < limit for each in documents):
        raise service.rejection("document-expired")


def _identifies(fits: Callable[[Json], bool], change: Callable[[Json], Json]) -> Wrapper:
    """Change the identifications of the passengers that fit."""

    def prepare(_: SandboxService, request: SandboxRequest) -> None:
        for each in request.body["passengers"]:
            if each.get("identification") and fits(each):
                each["identification"] = change(each["identification"])

    return before("createOrder", prepare)


def _is(kind: str) -> Callable[[Json], bool]:
    return lambda passenger: passenger["type"] == kind


def _complete(identification: Json) -> Json:
    complete = {"identificationNumber": "X", "expirationDate": "2099-01-01", "issueCountryCode": "ES"}
    return complete | identification


def _renewed(identification: Json) -> Json:
    return identification | {"expirationDate": "2099-01-01"}


def _fill_in_birth_dates(_: SandboxService, request: SandboxRequest) -> None:
    for each in [each for each in request.body["passengers"] if each["type"] == "child"][1:]:
        each.setdefault("birthDate", "2020-01-01")


def _drop_further_items(_: SandboxService, request: SandboxRequest) -> None:
    items = {each["passengerNumber"]: each for each in reversed(request.body["selectedBaggage"])}
    request.body["selectedBaggage"] = [items[number] for number in sorted(items)]


def _add_items_of_infants(_: SandboxService, request: SandboxRequest) -> None:
    items = request.body["selectedBaggage"]
    known = {each["passengerNumber"] for each in items}
    infants = [each["number"] for each in request.body["passengers"] if each["type"] == "infant"]
    more = [{"passengerNumber": each, "outboundSegmentBaggageSelection": []} for each in infants if each not in known]
    request.body["selectedBaggage"] = [*items, *more]


def _renew(service: SandboxService, offer: Offer) -> None:
    expires = service.clock.now() + service.policy.offer_lifetime
    service.store.offers.put(offer.id, replace(offer, expires=expires))


def _renew_valid_offers(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Start the 30 minutes of the offer that a request names again, or of every offer if it names none."""
    named = request.path.get("offerId") or request.query.get("offerId")
    for offer in service.store.offers.newest():
        if offer.expires > service.clock.now() and named in (None, offer.id):
            _renew(service, offer)


def _keeps(fits: Callable[[Offer, Json], bool]) -> Wrapper:
    """Store an offer again when it is ordered, if the offer and the order fit."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        offer = service.store.offers.get(request.query.get("offerId", ""))
        if offer and fits(offer, request.body):
            _renew(service, offer)

    return before("createOrder", prepare)


FAULTS = table(
    rule("V4-ORDER-QUERY"),
    row.accepts("order-without-fare: an order without the query parameter fareId", "query-missing"),
    row.crashes("order-query-crash: Create Order without a query parameter", "query-missing"),
    rule("V4-ORDER-REQUIRED"),
    row.accepts(
        "order-without-baggage: an order without selectedBaggage",
        "createOrder:/selectedBaggage:*",
        "baggage-per-passenger",
    ),
    row.unchecked("createOrder:/passengers:minItems"),
    rule("V4-ORDER-OPTIONAL"),
    row.requires("createOrder:/passengers/*/middleName"),
    row.requires("createOrder:/passengers/*/secondLastName"),
    row.requires("createOrder:/passengers/*/nationalityCountryCode"),
    row.requires("createOrder:/passengers/*/phone"),
    row.requires("createOrder:/selectedBaggage/*/inboundSegmentBaggageSelection"),
    rule("V4-ORDER-OPTIONAL", warns="The credentials are for flows for which the operator provides them"),
    row.rejects(
        "order-credentials-rejected: carrierPortalCredentials of the contact",
        when("createOrder", lambda body: "carrierPortalCredentials" in body["customerContact"]),
    ),
    rule("V4-ORDER-BIRTH-DATE"),
    row.accepts("child-without-birth-date: an order with a child without birthDate", "birth-date-missing"),
    row.behaves(
        "second-child-without-birth-date: requires the birth date of the first child only",
        before("createOrder", _fill_in_birth_dates),
    ),
    row.rejects_value("createOrder:/passengers/*/birthDate", "02-29"),
    rule("V4-ORDER-TITLE"),
    row.rejects_value("createOrder:/passengers/*/title", "MS"),
    rule("V4-ORDER-CONTACT"),
    row.rejects_value("createOrder:/customerContact/gender", "MALE"),
    rule(
        "V4-ORDER-ADULT-BIRTH-DATE", warns="OPEN-43: how a supplier allows adults without birthDate is not documented"
    ),
    row.accepts(
        "adult-without-birth-date: an order with an adult without birthDate, though the offer lists it as required",
        "adult-birth-date-missing",
    ),
    rule("V4-ORDER-IDENTIFICATION"),
    row.accepts("identification-incomplete: an identification that has only a type", "identification-incomplete"),
    row.behaves(
        "child-document-incomplete: accepts a child's identification without some of its members",
        _identifies(_is("child"), _complete),
    ),
    row.behaves(
        "infant-document-incomplete: accepts an infant's identification without some of its members",
        _identifies(_is("infant"), _complete),
    ),
    rule("V4-ORDER-IDENTIFICATION-EXPIRY"),
    row.accepts("document-expired: an identification that has expired", "document-expired"),
    row.behaves(
        "document-expired-lately: accepts an identification that expired in the last month",
        before("createOrder", _renew_lately_expired),
    ),
    row.behaves(
        "expired-national-id: checks the expiry date of passports only",
        _identifies(lambda each: each["identification"]["type"] != "PASSPORT", _renewed),
    ),
    row.behaves(
        "expired-infant-document: does not check the expiry date of an infant's identification",
        _identifies(_is("infant"), _renewed),
    ),
    rule("V4-ORDER-IDENTIFICATION-EXPIRY", warns="A service may check whether an airline accepts the document"),
    row.behaves(
        "document-for-half-a-year: rejects an identification that expires within half a year",
        before("createOrder", _reject_documents_that_expire_soon),
    ),
    rule("V4-ORDER-BAGGAGE-PER-PASSENGER"),
    row.accepts("baggage-for-some: a baggage selection that leaves out passengers", "baggage-per-passenger"),
    row.behaves(
        "baggage-further-items: ignores a second item of selected baggage for the same passenger",
        before("createOrder", _drop_further_items),
    ),
    row.behaves(
        "baggage-without-infants: accepts an order without an item of selected baggage for the infant",
        before("createOrder", _add_items_of_infants),
    ),
    rule("V4-ORDER-PAYMENT-METHOD"),
    row.accepts("payment-both: an order with both card and balance, or with neither", "payment-method-one@createOrder"),
    rule("V4-ORDER-FARE-OF-OFFER"),
    row.accepts("any-fare: an order for a fare that does not belong to the offer", "fare-foreign"),
    rule("V4-ORDER-FARE-OF-OFFER", warns="A fare may require more of the passengers, such as a residence"),
    row.behaves(
        "cheapest-fare-only: rejects an order for another fare than the cheapest",
        before("createOrder", _reject_all_but_the_cheapest_fare),
    ),
    rule("V4-ORDER-UNKNOWN-OFFER"),
    row.rejects_with("unknown-offer-400: an order for an unknown offer", 400, "offer-unknown@createOrder"),
    row.finds_by_beginning("createOrder"),
    rule("V4-ORDER-EXPIRED-OFFER"),
    row.accepts("expired-offer-ordered: an order for an expired offer", "offer-expired"),
    row.behaves(
        "expired-round-trip-ordered: accepts an order for an expired offer of a round trip",
        _keeps(lambda offer, _: offer.trip.inbound is not None),
    ),
    row.behaves(
        "expired-offer-ordered-by-balance: accepts an order by balance for an expired offer",
        _keeps(lambda _, order: order["paymentMethod"].get("balance") is True),
    ),
    row.crashes("expired-offer-crash: an order for an expired offer", "offer-expired"),
    row.behaves(
        "offer-renewed-by-reading: stores an offer for another 30 minutes when its fares or baggage options are read",
        after("get[FB]a*", _renew_valid_offers),
    ),
    row.behaves(
        "offer-renewed-by-order: stores an offer for another 30 minutes when an order is created from it",
        after("createOrder", _renew_valid_offers),
    ),
    row.behaves(
        "offers-renewed-by-offer: stores every offer for another 30 minutes when another one is stored",
        after("getOffer", _renew_valid_offers),
    ),
    row.sets("offers-live-31-minutes: keeps offers for 31 minutes", offer_lifetime=timedelta(minutes=31)),
)
