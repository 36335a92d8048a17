"""Faults in Search Offers, Get Offer, Get Fares and Get Baggage."""

import re
from dataclasses import replace
from datetime import datetime, timedelta
from http import HTTPStatus
from uuid import uuid4

from airworthy.sandbox.faults import table as row
from airworthy.sandbox.faults.changes import (
    Json,
    after,
    change,
    having,
    increase,
    new_id,
    on_rejection,
    others,
    put,
    remove,
    rename,
    unwrap,
    when,
)
from airworthy.sandbox.faults.table import FAILS, WARNS, Table, rule
from airworthy.sandbox.http.exchange import SandboxRequest, SandboxResponse
from airworthy.sandbox.model.geography import airports_of
from airworthy.sandbox.service.service import Handler, SandboxService

_PRICING = "passengerPricingByPassengerType"
_INFORMATION = "providerAdditionalPassengerInformationByPassengerType"
_PRICE = "pricePerPiece/amount"


_ANOTHER_DAY = "2031-05-05T10:00:00"
_LONDON = frozenset(airport.code for airport in airports_of("LON", "CITY"))


def _types(body: Json) -> list[str]:
    """Return the types of the locations of a search, that of the origin first."""
    return [body["outboundSegment"][end]["type"] for end in ("origin", "destination")]


def _with_few_infants(body: Json) -> Json:
    return body | {"infants": min(body["infants"], body["adults"])}


def _fares_of_a_round_trip(service: SandboxService, request: SandboxRequest) -> Json:
    """Respond with the fares of round-trip offers that belong to another organisation."""
    offer = service.store.offers.get(request.path["offerId"])
    return service.v4_resources.fares(offer) if offer and offer.trip.inbound else None


def _fares_of_own_flights(service: SandboxService, request: SandboxRequest) -> Json:
    """Respond with the fares of an offer of flights that the organisation also has an offer of."""
    offer = service.store.offers.get(request.path["offerId"])
    own = (each.trip for each in service.store.offers.newest() if each.organisation == request.organisation.name)
    return service.v4_resources.fares(offer) if offer and offer.trip in own else None


def _fares_of_an_ordered_offer(service: SandboxService, request: SandboxRequest) -> Json:
    """Respond with fares to Get Fares for an expired offer that was ordered."""
    offer = service.store.offers.get(request.path["offerId"])
    is_ordered = offer is not None and any(order.offer.id == offer.id for order in service.store.orders.newest())
    return service.v4_resources.fares(offer) if offer and is_ordered else None


def _raise_other_prices(service: SandboxService, request: SandboxRequest, listed: Json) -> None:
    """List a higher price of the bags of all fares but the cheapest."""
    offer = service.store.offers.get(service.identifier(request.path["offerId"]))
    for each in listed["fareBaggageOptions"]:
        for option in each["outboundSegmentOptions"] or ():
            if offer and each["fareId"] != offer.cheapest.id:
                option["pricePerPiece"]["amount"] += 1


def _dearer_both_ways(item: Json) -> Json:
    ways = (item.get(f"{way}SegmentBaggageSelection") for way in ("outbound", "inbound"))
    price = item.get("pricePerPiece")
    return item | {"pricePerPiece": price | {"amount": 3 * price["amount"]}} if price and all(ways) else item


def _with_another_way_back(offers: Json) -> Json:
    """Add an offer with inbound flights on another day to those of a round trip."""
    others = [
        offer | {"id": str(uuid4()), "inboundSegment": {"sections": [each | {"departureDate": _ANOTHER_DAY}]}}
        for offer in offers[-1:]
        if offer.get("inboundSegment")
        for each in offer["inboundSegment"]["sections"]
    ]
    return offers + others


def _expire_sooner(service: SandboxService, offer: str) -> None:
    if stored := service.store.offers.get(offer):
        service.store.offers.put(stored.id, replace(stored, expires=stored.expires - timedelta(minutes=10)))


def _expire_soon_with_infants(service: SandboxService, request: SandboxRequest, offer: Json) -> None:
    """Keep offers for infants for 20 minutes."""
    if request.body["infants"]:
        _expire_sooner(service, offer["id"])


def _expire_soon_once_read(service: SandboxService, request: SandboxRequest, _: Json) -> None:
    """Keep an offer for 20 minutes once its baggage was read."""
    _expire_sooner(service, request.path["offerId"])


def _expire_with_the_first(service: SandboxService, _: SandboxRequest, offer: Json) -> None:
    """Keep an offer only as long as the first one with the same flights."""
    stored, now = service.store.offers.get(offer["id"]), service.clock.now()
    ends = [each.expires for each in service.store.offers.newest() if stored and each.trip == stored.trip]
    if stored:
        service.store.offers.put(stored.id, replace(stored, expires=min(end for end in ends if end > now)))


def _take_over(service: SandboxService, _: SandboxRequest, offer: Json) -> None:
    """Keep one offer of a trip, whichever organisation stores it."""
    stored, now = service.store.offers.get(offer["id"]), service.clock.now()
    for each in service.store.offers.newest():
        if stored and each.trip == stored.trip and each.organisation != stored.organisation:
            service.store.offers.put(each.id, replace(each, expires=now))


def _as_searched_with_a_cheaper_one(fares: Json) -> Json:
    shown = [{"id": each["id"], "price": {"totalAmount": each["totalPrice"]["amount"]}} for each in fares]
    return [*shown, {"id": str(uuid4()), "price": {"totalAmount": 1.0}}]


def _find_nothing_on_days_of_one_digit(request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
    """Find no offers where the month or the day of a departure has one digit."""
    is_short = re.search(rb'"departureDate": ?"[0-9]+-([0-9]-|[0-9]+-[0-9]")', request.raw)
    return replace(response, status=HTTPStatus.OK, body={"offers": []}) if is_short else response


def _arrive_too_early(handler: Handler, service: SandboxService, request: SandboxRequest) -> Json | SandboxResponse:
    """Respond with offers that arrive twelve hours too early."""
    if request.operation == "getOffer":
        _move_arrivals(request.body, 12)
    response = handler(service, request)
    if isinstance(response, dict) and request.operation in ("searchOffers", "getOffer"):
        for offer in response.get("offers", [response]):
            _move_arrivals(offer, -12)
    return response


def _move_arrivals(offer: Json, hours: int) -> None:
    for section in offer["outboundSegment"]["sections"]:
        moved = datetime.fromisoformat(section["arrivalDate"]) + timedelta(hours=hours)
        section["arrivalDate"] = moved.isoformat()


FAULTS: Table = {
    rule("V4-OFFER-ADULTS"): FAILS,
    "offer-not-nine-adults: an offer request for nine adults": row.rejects(when("getOffer", adults=9)),
    rule("V4-OFFER-CHILDREN"): FAILS,
    "offer-not-eight-children: an offer request for eight children": row.rejects(when("getOffer", children=8)),
    rule("V4-OFFER-INFANTS"): FAILS,
    "offer-more-infants: an offer request with more infants than adults": row.accepts("infants-over-adults@getOffer"),
    "offer-not-nine-infants: an offer request for nine infants": row.rejects(when("getOffer", infants=9)),
    "offer-more-infants-both-ways: takes any number of infants": row.reads(
        change("getOffer:", _with_few_infants), of=when("getOffer", tripType="ROUND_TRIP")
    ),
    rule("V4-OFFER-INBOUND"): FAILS,
    "offer-round-trip-without-inbound": row.accepts("inbound-missing@getOffer"),
    "offer-inbound-crash": row.crashes("inbound-missing@getOffer"),
    rule("V4-OFFER-FIELDS"): FAILS,
    "offer-inbound-never-null: an offer request without way back": row.rejects(when("getOffer", inboundSegment=None)),
    rule("V4-OFFER-SECTION"): FAILS,
    "offer-class-required": row.needs("getOffer:/outboundSegment/sections/*/travelClass"),
    rule("V4-OFFER-CHEAPEST-FARE", "OPEN-03: the documents do not show the response of Get Fares"): WARNS,
    "fare-not-cheapest: lists a fare that is cheaper than the cheapest fare of the offer": change(
        "getFares:/fares", lambda fares: [*fares, fares[-1] | {"totalPrice": {"amount": 1.0, "currency": "EUR"}}]
    ),
    "fare-not-cheapest-as-searched: lists fares as searches do, one of which is cheaper than the cheapest one": change(
        "getFares:/fares", _as_searched_with_a_cheaper_one
    ),
    rule("V4-OFFER-ROUND-TRIP"): FAILS,
    "offer-inbound-dropped": remove("getOffer:/inboundSegment"),
    "offer-inbound-null": put("getOffer:/inboundSegment", None),
    rule("V4-OFFER-ADDITIONAL-INFORMATION", "The documents do not say which keys the information has"): WARNS,
    "offer-child-not-described": remove(f"getOffer:/{_INFORMATION}/child"),
    rule("V4-OFFER-PASSENGER-COUNT"): FAILS,
    "offer-priced-for-one": put(f"getOffer:/cheapestFare/{_PRICING}/*/numberOfPassengers", 1),
    "offer-round-trip-infants: prices the fare of a round-trip offer for one infant more, if any": row.responds(
        change(f"getOffer:/cheapestFare/{_PRICING}/infant/numberOfPassengers", lambda count: count and count + 1),
        to=when("getOffer", tripType="ROUND_TRIP"),
    ),
    "offer-round-trip-one-child: prices the fare of a round-trip offer for at most one child": row.responds(
        change(f"getOffer:/cheapestFare/{_PRICING}/child/numberOfPassengers", lambda count: min(count, 1)),
        to=when("getOffer", tripType="ROUND_TRIP"),
    ),
    rule("V4-OFFER-UNAVAILABLE"): FAILS,
    "sold-out-crashes: an offer request for a sold-out itinerary": row.crashes("itinerary-gone"),
    "sold-out-empty: an offer request for a sold-out itinerary": row.serves_empty("itinerary-gone"),
    "sold-out-sold: offers a sold-out itinerary": row.tolerates("itinerary-gone"),
    rule("V4-OFFER-FOREIGN", "The documents do not say what another organisation may do"): WARNS,
    "offers-ordered-by-all: creates orders from an offer for another organisation": row.tolerates("offer-foreign"),
    "baggage-for-all": row.tolerates("baggage-foreign"),
    rule("V4-FARES-LIVE"): FAILS,
    "fares-rejected: Get Fares for an offer that is still valid": row.rejects(when("getFares"), 409),
    rule("V4-FARES-LIVE", "OPEN-03: the structure of the fares response is not documented"): WARNS,
    "fares-renamed": rename("getFares:", "fares", "items"),
    rule("V4-FARES-MISSING"): FAILS,
    "fares-missing-404: Get Fares for an offer that does not exist": row.rejects_with(404, "fares-missing"),
    "id-beginning-getFares": row.finds_by_beginning,
    "fares-missing-null": row.serves("fares-missing", {"fares": None}),
    rule("V4-FARES-EXPIRED"): FAILS,
    "fares-after-expiry: responds with fares to Get Fares for an expired offer": row.tolerates("fares-expired"),
    "fares-of-orders-after-expiry": on_rejection(_fares_of_an_ordered_offer, "fares-expired"),
    "fares-expired-410: Get Fares for an expired offer": row.rejects_with(410, "fares-expired"),
    rule("V4-FARES-FOREIGN"): FAILS,
    "fares-for-all": row.tolerates("fares-foreign"),
    "fares-of-own-flights": on_rejection(_fares_of_own_flights, "fares-foreign"),
    "round-trip-fares-for-all": on_rejection(_fares_of_a_round_trip, "fares-foreign"),
    "fares-foreign-403": row.rejects_with(403, "fares-foreign"),
    rule("V4-BAGGAGE-OPTIONS"): FAILS,
    "baggage-bare": unwrap("getBaggage:", "fareBaggageOptions"),
    rule("V4-BAGGAGE-UNKNOWN-OFFER"): FAILS,
    "baggage-unknown-400: Get Baggage for an unknown offer": row.rejects_with(400, "offer-unknown@getBaggage"),
    "id-beginning-getBaggage": row.finds_by_beginning,
    "baggage-unknown-empty": row.serves_empty("offer-unknown@getBaggage", "fareBaggageOptions"),
    rule("V4-BAGGAGE-FARES", "OPEN-03: how Get Fares names the fares is not documented"): WARNS,
    "baggage-of-other-fares": new_id("getBaggage:/fareBaggageOptions/*/fareId"),
    rule("V4-BAGGAGE-PRICE"): FAILS,
    "baggage-other-price": increase(f"getBaggage:/fareBaggageOptions/*/outboundSegmentOptions/*/{_PRICE}", 1),
    "baggage-other-price-back": increase(f"getBaggage:/fareBaggageOptions/*/inboundSegmentOptions/*/{_PRICE}", 1),
    "baggage-other-price-of-fare": after("getBaggage", _raise_other_prices),
    "baggage-other-price-of-items": change("createOrder:/selectedBaggage/*", _dearer_both_ways),
    rule("V4-OFFER-RETENTION"): FAILS,
    "offers-short-lived: keeps offers for 10 minutes": row.sets(offer_lifetime=timedelta(minutes=10)),
    "offers-live-29-minutes: keeps offers for 29 minutes": row.sets(offer_lifetime=timedelta(minutes=29)),
    "offers-of-infants-live-20-minutes": after("getOffer", _expire_soon_with_infants),
    "offers-live-20-minutes-once-read": after("getBaggage", _expire_soon_once_read),
    "offers-expire-with-the-first": after("getOffer", _expire_with_the_first),
    rule("V4-ORDER-OPENS"): FAILS,
    "offers-taken-over": after("getOffer", _take_over),
    rule("V4-SEARCH-CITIES", "OPEN-77: how many offers a search returns is not documented"): WARNS,
    "search-not-from-airports-of-a-city: finds flights from London, but none from its airports": row.responds(
        put("searchOffers:/offers", []),
        to=when("searchOffers", lambda body: body["outboundSegment"]["origin"]["code"] in _LONDON),
    ),
    rule("V4-SEARCH-ITINERARY"): FAILS,
    "offer-second-carrier": others("getOffer:/outboundSegment/sections", put("/marketingCarrierCode", "ZZ")),
    "search-other-day": put("searchOffers:/offers/*/outboundSegment/sections/*/departureDate", _ANOTHER_DAY),
    "search-sections-to-one-airport": change(
        "searchOffers:/offers/*/outboundSegment/sections",
        lambda sections: [sections[0] | {"destination": sections[-1]["destination"]}, *sections[1:]],
    ),
    "search-other-origin": put("searchOffers:/offers/*/outboundSegment/sections/*/origin", "HEL"),
    rule("V4-SEARCH-ITINERARY", "The documents do not say explicitly that an offer has the requested flights"): WARNS,
    "offer-other-operator": put("getOffer:/outboundSegment/sections/*/operatingCarrierCode", "ZZ"),
    "offer-other-flights-back": put("getOffer:/inboundSegment/sections/*/flightNumber", "1"),
    rule("V4-SEARCH-ITINERARY", "OPEN-02: the structure of the inbound segment is not documented"): WARNS,
    "search-other-day-back": change("searchOffers:/offers", _with_another_way_back),
    "arrives-too-early": row.behaves(_arrive_too_early),
    rule("V4-SEARCH-INFANTS"): FAILS,
    "search-not-four-infants: a search for four adults and four infants": row.rejects(when("searchOffers", infants=4)),
    "search-more-infants: a search with more infants than adults": row.accepts("infants-over-adults@searchOffers"),
    "search-infants-crash: a search with more infants than adults": row.crashes("infants-over-adults@searchOffers"),
    "search-fewer-infants: a search with as many infants as adults": row.rejects(
        when("searchOffers", lambda body: body["infants"] == body["adults"])
    ),
    "search-more-infants-both-ways: takes all infants": row.reads(
        change("searchOffers:", _with_few_infants), of=when("searchOffers", tripType="ROUND_TRIP")
    ),
    rule("V4-SEARCH-INFANTS", "OPEN-55: a service may limit the sum of the passengers"): WARNS,
    "search-not-nine-infants: a search for nine adults and nine infants": row.rejects(when("searchOffers", infants=9)),
    rule("V4-SEARCH-ADULTS"): FAILS,
    "search-not-nine-adults: a search for nine adults": row.rejects(when("searchOffers", adults=9)),
    "search-ten-adults: a search for ten adults": row.accepts("searchOffers:/adults:maximum"),
    rule("V4-SEARCH-CHILDREN"): FAILS,
    "search-not-eight-children: a search for eight children": row.rejects(when("searchOffers", children=8)),
    rule("V4-SEARCH-TRIP-TYPE"): FAILS,
    "search-one-way-only: searches for round trips": row.rejects(when("searchOffers", tripType="ROUND_TRIP")),
    "search-round-trip-adults: searches for a round trip with children": row.rejects(
        when("searchOffers", lambda body: body["children"] > 0, tripType="ROUND_TRIP")
    ),
    rule("V4-SEARCH-LOCATION"): FAILS,
    "search-city-with-airport: searches between a city and an airport": row.rejects(
        when("searchOffers", lambda body: len(set(_types(body))) > 1)
    ),
    "search-cities-one-way: searches for a round trip between cities": row.rejects(
        when("searchOffers", lambda body: "CITY" in _types(body), tripType="ROUND_TRIP")
    ),
    "search-airports-only": row.rejects(having("searchOffers:/outboundSegment/origin/type", const="CITY")),
    rule("V4-SECTION-AIRPORTS"): FAILS,
    "city-in-sections: responds with the code of the city to a search from a city": row.responds(
        put("searchOffers:/offers/*/outboundSegment/sections/*/origin", "LON"),
        to=when("searchOffers", lambda body: _types(body)[0] == "CITY"),
    ),
    rule("V4-SEARCH-LOCATION", "OPEN-77: the number of offers is open"): WARNS,
    "city-of-destination: finds no offers between an airport and a city of destination": row.responds(
        put("searchOffers:/offers", []), to=when("searchOffers", lambda body: _types(body) == ["AIRPORT", "CITY"])
    ),
    rule("V4-SEARCH-DEPARTURE-DATE"): FAILS,
    "search-one-digit-days: accepts months and days of one digit": row.does(rewrite=_find_nothing_on_days_of_one_digit),
    rule("V4-SEARCH-INBOUND"): FAILS,
    "search-round-trip-without-inbound": row.accepts("inbound-missing@searchOffers"),
    "search-inbound-crash": row.crashes("inbound-missing@searchOffers"),
    rule("V4-SEARCH-INBOUND-NULL"): FAILS,
    "search-inbound-never-null: a search without way back": row.rejects(when("searchOffers", inboundSegment=None)),
    rule("V4-SEARCH-TRAVEL-CLASS"): FAILS,
    "search-sells-business": row.tolerates("search-class"),
    "search-rejects-business: a search for a travel class other than ECONOMY": row.rejects_with(400, "search-class"),
    "search-class-required": row.needs("searchOffers:/travelClass"),
    "search-round-trips-in-business: ignores the travel class": row.reads(
        put("searchOffers:/travelClass", "ECONOMY"), of=when("searchOffers", tripType="ROUND_TRIP")
    ),
    "search-cities-in-business: ignores the travel class of a search between cities": row.reads(
        put("searchOffers:/travelClass", "ECONOMY"), of=when("searchOffers", lambda body: "CITY" in _types(body))
    ),
    rule("V4-SEARCH-EDGE-CASES"): FAILS,
    "search-edge-crashes: a search that cannot find offers": row.crashes("search-edge"),
    "search-city-crashes: searches from an unknown city": row.crashes(
        having("searchOffers:/*/origin", const={"code": "QQQ", "type": "CITY"})
    ),
    "search-city-back-crashes: searches back to an unknown city": row.crashes(
        having("searchOffers:/inboundSegment/destination", const={"code": "QQQ", "type": "CITY"})
    ),
    rule("V4-SEARCH-OFFERS"): FAILS,
    "offers-bare": unwrap("searchOffers:", "offers"),
    rule("V4-SEARCH-ROUND-TRIP"): FAILS,
    "search-inbound-dropped": remove("searchOffers:/offers/*/inboundSegment"),
    "search-inbound-null": put("searchOffers:/offers/*/inboundSegment", None),
    rule("V4-SEARCH-ROUND-TRIP", "OPEN-02: the documents do not show the inbound segment of a response"): WARNS,
    "search-inbound-of-outbound: responds to a one-way search with offers that have an inbound segment": row.responds(
        change("searchOffers:/offers/*", lambda offer: offer | {"inboundSegment": offer["outboundSegment"]}),
        to=when("searchOffers", tripType="ONE_WAY"),
    ),
    rule("V4-SEARCH-PASSENGER-COUNT"): FAILS,
    "search-priced-for-one": put(f"searchOffers:/offers/*/fare/{_PRICING}/*/numberOfPassengers", 1),
    "search-priced-without-infant": remove(f"searchOffers:/offers/*/fare/{_PRICING}/infant"),
    "search-round-trip-one-child: prices the fares of round trips for at most one child": row.responds(
        change(f"searchOffers:/offers/*/fare/{_PRICING}/child/numberOfPassengers", lambda count: min(count, 1)),
        to=when("searchOffers", tripType="ROUND_TRIP"),
    ),
}
