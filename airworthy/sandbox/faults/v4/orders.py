"""Faults in Create Order."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from fnmatch import fnmatchcase

import orjson

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import Json, after, before, change, having, rename
from airworthy.sandbox.faults.fault import Row
from airworthy.sandbox.faults.table import FAILS, WARNS, Table, rule
from airworthy.sandbox.faults.updates import remembered
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.resources.v4.states import Offer
from airworthy.sandbox.service.service import SandboxService


def _reject_all_but_the_cheapest_fare(service: SandboxService, request: SandboxRequest) -> None:
    """Reject an order for another fare than the cheapest."""
    offer = service.store.offers.get(request.query.get("offerId", ""))
    others = [fare.id for fare in offer.fares if fare != offer.cheapest] if offer else []
    if request.query.get("fareId") in others:
        raise service.rejection("fare-foreign")


def _read_first_selections_only(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    """Require the members of the first selection of each array only."""
    rejection = response.rejected.name if response.rejected else ""
    if not fnmatchcase(rejection, "createOrder:/selectedBaggage/*Selection/*:required"):
        return response
    selected = [value for item in orjson.loads(request.raw)["selectedBaggage"] for value in item.values()]
    first = [each[0] for each in selected if isinstance(each, list) and each]
    return response if any(len(each) < len(first[0]) for each in first) else SandboxResponse(200, {})


def _renew_lately_expired(service: SandboxService, request: SandboxRequest) -> None:
    """Accept an identification that expired in the last month."""
    today = service.clock.now().date()
    _accept_documents(request, today - timedelta(days=30), today)


def _renew_expired_since_the_start(service: SandboxService, request: SandboxRequest) -> None:
    """Accept an identification that was valid on the day of the first order."""
    today = service.clock.now().date()
    _accept_documents(request, remembered(service).setdefault("first day", today), today)


def _accept_documents(request: SandboxRequest, since: date, today: date) -> None:
    for passenger in request.body["passengers"]:
        identification = passenger.get("identification") or {}
        if since.isoformat() < identification.get("expirationDate", "") <= today.isoformat():
            identification["expirationDate"] = "2099-01-01"


def _reject_documents_that_expire_soon(service: SandboxService, request: SandboxRequest) -> None:
    """Reject an identification that expires within half a year."""
    limit = (service.clock.now().date() + timedelta(days=183)).isoformat()
    documents = [each.get("identification") or {} for each in request.body["passengers"]]
    if any(each.get("expirationDate", limit) < limit for each in documents):
        raise service.rejection("document-expired")


def _identifies(fits: Callable[[Json], bool], how: Callable[[Json], Json]) -> Row:
    """Change the identifications of the passengers that fit."""
    edit = change("/identification", how)
    return row.reads(change("createOrder:/passengers/*", lambda each: edit(each) if fits(each) else each))


def _is(kind: str) -> Callable[[Json], bool]:
    return lambda passenger: passenger["type"] == kind


def _complete(identification: Json) -> Json:
    complete = {"identificationNumber": "X", "expirationDate": "2099-01-01", "issueCountryCode": "ES"}
    return complete | identification


def _renewed(identification: Json) -> Json:
    return identification | {"expirationDate": "2099-01-01"}


def _fill_in_birth_dates(_: SandboxService, request: SandboxRequest) -> None:
    """Require the birth date of the first child only."""
    for each in [each for each in request.body["passengers"] if each["type"] == "child"][1:]:
        each.setdefault("birthDate", "2020-01-01")


def _without_further_items(selected: Json) -> Json:
    items = {each["passengerNumber"]: each for each in reversed(selected)}
    return [items[number] for number in sorted(items)]


def _drop_items_of_nobody(_: SandboxService, request: SandboxRequest) -> None:
    """Ignore an item of selected baggage for a passenger who is not in the order."""
    numbers = [each["number"] for each in request.body["passengers"]]
    items = [each for each in request.body["selectedBaggage"] if each["passengerNumber"] in numbers]
    request.body["selectedBaggage"] = items


def _add_items_of_infants(_: SandboxService, request: SandboxRequest) -> None:
    """Accept an order without an item of selected baggage for the infant."""
    items = request.body["selectedBaggage"]
    known = {each["passengerNumber"] for each in items}
    infants = [each["number"] for each in request.body["passengers"] if each["type"] == "infant"]
    more = [{"passengerNumber": each, "outboundSegmentBaggageSelection": []} for each in infants if each not in known]
    request.body["selectedBaggage"] = [*items, *more]


def _renew(service: SandboxService, offer: Offer) -> None:
    expires = service.clock.now() + service.policy.offer_lifetime
    service.store.offers.put(offer.id, replace(offer, expires=expires))


def _renew_offers(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Start the 30 minutes of the offer that a request names again, or of every offer if it names none."""
    named = request.path.get("offerId") or request.query.get("offerId")
    for offer in service.store.offers.newest():
        if offer.expires > service.clock.now() and named in (None, offer.id):
            _renew(service, offer)


def _keeps(fits: Callable[[Offer, SandboxRequest], bool]) -> Row:
    """Store an offer again when it is ordered, if the offer and the request fit."""

    def prepare(service: SandboxService, request: SandboxRequest) -> None:
        offer = service.store.offers.get(request.query.get("offerId", ""))
        if offer and fits(offer, request):
            _renew(service, offer)

    return before("createOrder", prepare)


def _look_up_fares_by_flights(service: SandboxService, request: SandboxRequest) -> None:
    """Take a fare of another offer for that of the ordered one if both offers have the same flights."""
    ordered, named = service.store.offers.get(request.query.get("offerId", "")), request.query.get("fareId")
    for offer in service.store.offers.newest():
        if ordered and offer.trip == ordered.trip and named in [fare.id for fare in offer.fares]:
            request.query["fareId"] = ordered.fares[[fare.id for fare in offer.fares].index(named)].id


FAULTS: Table = {
    rule("V4-ORDER-QUERY"): FAILS,
    "order-without-fare: an order without the query parameter fareId": row.accepts("query-missing"),
    "order-query-crash: Create Order without a query parameter": row.crashes("query-missing"),
    rule("V4-ORDER-REQUIRED"): FAILS,
    "order-without-baggage": row.accepts("createOrder:/selectedBaggage:*", "baggage-per-passenger"),
    "unchecked:createOrder:/passengers:minItems": row.accepts("createOrder:/passengers:minItems"),
    rule("V4-ORDER-OPTIONAL"): FAILS,
    "required:createOrder:/passengers/*/middleName": row.requires,
    "required:createOrder:/passengers/*/secondLastName": row.requires,
    "required:createOrder:/passengers/*/nationalityCountryCode": row.requires,
    "required:createOrder:/passengers/*/phone": row.requires,
    "required:createOrder:/selectedBaggage/*/inboundSegmentBaggageSelection": row.requires,
    rule("V4-ORDER-OPTIONAL", "The credentials are for flows for which the operator provides them"): WARNS,
    "order-credentials-rejected": row.rejects(having("createOrder:/customerContact/carrierPortalCredentials")),
    rule("V4-ORDER-BIRTH-DATE"): FAILS,
    "child-without-birth-date: an order with a child without birthDate": row.accepts("birth-date-missing"),
    "second-child-without-birth-date": before("createOrder", _fill_in_birth_dates),
    "undocumented:createOrder:/passengers/*/birthDate:02-29": row.rejects_value,
    rule("V4-ORDER-TITLE"): FAILS,
    "undocumented:createOrder:/passengers/*/title:MS": row.rejects_value,
    rule("V4-ORDER-ADULT-BIRTH-DATE", "OPEN-43: how suppliers allow adults without birthDate is not documented"): WARNS,
    "adult-without-birth-date": row.accepts("adult-birth-date-missing"),
    rule("V4-ORDER-IDENTIFICATION"): FAILS,
    "identification-incomplete: an identification that has only a type": row.accepts("identification-incomplete"),
    "child-document-incomplete: accepts a child's incomplete identification": _identifies(_is("child"), _complete),
    "infant-document-incomplete: accepts an infant's incomplete identification": _identifies(_is("infant"), _complete),
    rule("V4-ORDER-IDENTIFICATION-EXPIRY"): FAILS,
    "document-expired: an identification that has expired": row.accepts("document-expired"),
    "document-expired-lately": before("createOrder", _renew_lately_expired),
    "document-expired-since-the-start": before("createOrder", _renew_expired_since_the_start),
    "expired-national-id: checks the expiry date of passports only": _identifies(
        lambda each: (each.get("identification") or {}).get("type") != "PASSPORT", _renewed
    ),
    "expired-infant-document: ignores the expiry of infants' identifications": _identifies(_is("infant"), _renewed),
    rule("V4-ORDER-IDENTIFICATION-EXPIRY", "A service may check whether an airline accepts the document"): WARNS,
    "document-for-half-a-year": before("createOrder", _reject_documents_that_expire_soon),
    rule("V4-ORDER-BAGGAGE-SELECTION"): FAILS,
    "further-selections-incomplete: accepts further selections of bags that lack members": row.does(
        rewrite=_read_first_selections_only
    ),
    rule("V4-ORDER-BAGGAGE-PER-PASSENGER"): FAILS,
    "baggage-for-some: a baggage selection that leaves out passengers": row.accepts("baggage-per-passenger"),
    "baggage-further-items: ignores a second item of selected baggage for the same passenger": row.reads(
        change("createOrder:/selectedBaggage", _without_further_items)
    ),
    "baggage-without-infants": before("createOrder", _add_items_of_infants),
    "baggage-of-nobody": before("createOrder", _drop_items_of_nobody),
    rule("V4-ORDER-PAYMENT-METHOD"): FAILS,
    "payment-both: an order with both card and balance, or with neither": row.accepts("payment-method-one@createOrder"),
    "payment-any: takes every unknown payment method for card": row.reads(
        rename("createOrder:/paymentMethod", "voucher", "card")
    ),
    rule("V4-ORDER-FARE-OF-OFFER"): FAILS,
    "any-fare: an order for a fare that does not belong to the offer": row.accepts("fare-foreign"),
    "fare-of-the-same-flights": before("createOrder", _look_up_fares_by_flights),
    rule("V4-ORDER-FARE-OF-OFFER", "A fare may require more of the passengers, such as a residence"): WARNS,
    "cheapest-fare-only": before("createOrder", _reject_all_but_the_cheapest_fare),
    rule("V4-ORDER-UNKNOWN-OFFER"): FAILS,
    "unknown-offer-400: an order for an unknown offer": row.rejects_with(400, "offer-unknown@createOrder"),
    "id-beginning-createOrder": row.finds_by_beginning,
    rule("V4-ORDER-EXPIRED-OFFER"): FAILS,
    "expired-offer-ordered: an order for an expired offer": row.accepts("offer-expired"),
    "expired-round-trip-ordered: orders expired round trips": _keeps(lambda offer, _: offer.trip.inbound is not None),
    "expired-offer-ordered-by-balance: accepts an order by balance for an expired offer": _keeps(
        lambda _, request: request.body["paymentMethod"].get("balance") is True
    ),
    "expired-other-fare-ordered: accepts an order of another fare than the cheapest of an expired offer": _keeps(
        lambda offer, request: request.query["fareId"] != offer.cheapest.id
    ),
    "expired-offer-crash: an order for an expired offer": row.crashes("offer-expired"),
    "offer-renewed-by-reading: stores an offer anew when its fares or bags are read": after("get[FB]a*", _renew_offers),
    "offer-renewed-by-order: stores an offer anew when it is ordered": after("createOrder", _renew_offers),
    "offers-renewed-by-offer: stores every offer anew with another one": after("getOffer", _renew_offers),
    "offers-live-31-minutes: keeps offers for 31 minutes": row.sets(offer_lifetime=timedelta(minutes=31)),
}
