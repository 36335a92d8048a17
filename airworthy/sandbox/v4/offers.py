"""Search Offers, Get Offer, Get Fares and Get Baggage."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from itertools import islice, product
from random import Random
from uuid import UUID, uuid4

from airworthy.sandbox.http.exchange import Json, SandboxRequest
from airworthy.sandbox.model.geography import airports_of
from airworthy.sandbox.model.inventory import Itinerary, Passengers, Trip, card_fee, day_of, total_price
from airworthy.sandbox.model.situations import situation
from airworthy.sandbox.resources.v4.states import Fare, Offer
from airworthy.sandbox.service.service import SandboxService, SupplierFailure

_MAX_OFFERS = {"few": 2, "many": 16}
_CUSTOMER_CODE = "/customerCode: expected the customer code that belongs to the API key"
# The most seats that the sandbox sells in one offer.
_MAX_SEATS = 9
# What part of the itineraries has room for infants or is sold out, in dialects that sell only some.
_INFANTS_EVERY = 2
_GONE_EVERY = 3
# Price factor and number of included checked bags of each fare.
_FARES = ((1.0, 0), (1.25, 1), (1.6, 2))


def passengers_of(body: Json) -> Passengers:
    """Return the numbers of passengers in the body of Search or Get Offer."""
    return Passengers(int(body["adults"]), int(body["children"]), int(body["infants"]))


def search_offers(service: SandboxService, request: SandboxRequest) -> Json:
    """POST /search: return unverified offers for the itineraries between two places."""
    body = request.body
    check_request(service, request)
    is_known = body["customerCode"] == request.organisation.customer_code
    if not is_known and service.choices.v4.customer_code_unknown != "results":
        service.reject("customer-code-unknown", _CUSTOMER_CODE)
    if not is_economy(service, body):
        service.reject("search-class", "/travelClass: expected ECONOMY")
    segments, passengers = segments_of(body), passengers_of(body)
    if not is_sold(service, segments, passengers):
        raise service.rejection("search-edge")
    found = [search_offer(service, request, trip) for trip in trips(service, segments, passengers)]
    resources = service.v4_resources
    return {"offers": [resources.search_offer(each, request.organisation) for each in ordered(service, found)]}


def segments_of(body: Json) -> list[Json]:
    """Return the outbound segment of a body and, for a round trip, the inbound segment."""
    is_round_trip = body["tripType"] == "ROUND_TRIP"
    return [body["outboundSegment"], *([body["inboundSegment"]] if is_round_trip else [])]


def check_request(service: SandboxService, request: SandboxRequest) -> None:
    """Check the rules of Search and Get Offer that concern several fields."""
    body = request.body
    if body["infants"] > body["adults"]:
        service.reject(f"infants-over-adults@{request.operation}", f"/infants: expected at most {body['adults']}")
    if body["tripType"] == "ROUND_TRIP":
        if body.get("inboundSegment") is None:
            detail = "/inboundSegment: missing in a round trip"
            raise service.rejection(f"inbound-missing@{request.operation}", detail)
    elif "inboundSegment" not in body:
        service.reject("inbound-left-out", "/inboundSegment: missing; expected null in a one-way request")
    elif body["inboundSegment"] is not None:
        service.reject("inbound-sent", "/inboundSegment: expected null in a one-way request")


def is_economy(service: SandboxService, holder: Json) -> bool:
    """Return whether the travel class is ECONOMY, which is the default."""
    travel_class = holder.get("travelClass", "ECONOMY")
    # A dialect may accept any JSON value here.
    is_in_any_case = service.choices.v4.class_case == "any" and str(travel_class).upper() == "ECONOMY"
    return travel_class == "ECONOMY" or is_in_any_case


def is_sold(service: SandboxService, segments: list[Json], passengers: Passengers) -> bool:
    """Return whether the service sells flights on these days, between these places, to so many passengers."""
    days = [day_of(segment["departureDate"]) for segment in segments]
    today = service.clock.now().date()
    return (
        passengers.seats <= _MAX_SEATS
        and days == sorted(days)
        and all(service.inventory.sold_on(day, today) for day in days)
        and all(any(pairs(segment)) for segment in segments)
    )


def pairs(segment: Json) -> Iterator[tuple[str, str]]:
    """Yield the pairs of airports between the two places of a search segment."""
    origins, destinations = (
        airports_of(segment[end]["code"].upper(), segment[end]["type"]) for end in ("origin", "destination")
    )
    for origin, destination in product(origins, destinations):
        if origin.city != destination.city:
            yield origin.code, destination.code


def trips(service: SandboxService, segments: list[Json], passengers: Passengers) -> Iterator[Trip]:
    """Yield the itineraries with enough seats or, for a round trip, the pairs of them that fit together."""
    by_segment = [list(itineraries(service, segment, passengers)) for segment in segments]
    found = (Trip(*each) for each in product(*by_segment))
    fitting = (each for each in found if each.inbound is None or each.outbound.arrival < each.inbound.departure)
    yield from islice(fitting, _MAX_OFFERS[service.choices.v4.offer_count])


def itineraries(service: SandboxService, segment: Json, passengers: Passengers) -> Iterator[Itinerary]:
    """Yield the itineraries of one segment, for each pair of airports."""
    for origin, destination in pairs(segment):
        special = situation(origin, destination)
        if special.supplier_fails:
            raise SupplierFailure
        if passengers.infants and not special.infants:
            continue
        for each in service.inventory.itineraries(origin, destination, day_of(segment["departureDate"])):
            available = with_free_seats(service, each)
            if has_room(service, available, passengers):
                yield with_seats(available, 0) if special.sold_out else available


def with_free_seats(service: SandboxService, itinerary: Itinerary) -> Itinerary:
    """Return an itinerary with the seats that orders have not taken, in dialects where they take any."""
    if service.choices.v4.seats_on_sale == "many":
        return itinerary
    return with_seats(itinerary, service.store.seats.left(itinerary, service.clock.now()))


def with_seats(itinerary: Itinerary, seats: int) -> Itinerary:
    """Return an itinerary with another number of free seats."""
    return replace(itinerary, sections=tuple(replace(each, seats=seats) for each in itinerary.sections))


def has_room(service: SandboxService, itinerary: Itinerary, passengers: Passengers) -> bool:
    """Return whether an itinerary is sold to so many passengers."""
    takes_all = service.choices.v4.infants_sold == "on all flights" or not passengers.infants
    return itinerary.seats >= passengers.seats and (takes_all or itinerary.sections[0].number % _INFANTS_EVERY == 0)


def search_offer(service: SandboxService, request: SandboxRequest, trip: Trip) -> Offer:
    """Return an offer for Search, and store what the dialect remembers of it."""
    offer = new_offer(service, request, trip, passengers_of(request.body), trip.price)
    if service.choices.v4.search_offer_id == "usable":
        service.store.offers.put(offer.id, offer)
    if service.choices.v4.search_offer_id == "reused by Get Offer":
        service.store.repeated_ids.put(same_offer_key(offer), offer.id)
    return offer


def ordered(service: SandboxService, offers: list[Offer]) -> list[Offer]:
    """Return offers in the order of the dialect."""
    if service.choices.v4.offer_order == "shuffled":
        return Random(service.seed).sample(offers, len(offers))  # noqa: S311 - not a source of secrets
    by_departure = service.choices.v4.offer_order == "departure"
    return sorted(offers, key=lambda each: each.trip.outbound.departure if by_departure else each.cheapest.total)


def get_offer(service: SandboxService, request: SandboxRequest) -> Json:
    """POST /offer: verify an itinerary with the supplier and store the offer for 30 minutes."""
    body = request.body
    check_request(service, request)
    if body["customerCode"] != request.organisation.customer_code:
        service.reject("customer-code-unknown-at-offer", _CUSTOMER_CODE)
    segments = segments_of(body)
    classes = (body, *(each for segment in segments for each in segment["sections"]))
    if not all(is_economy(service, each) for each in classes):
        raise service.rejection("class-unsupported", "travelClass: expected ECONOMY")
    passengers = passengers_of(body)
    trip = verified(service, segments, passengers)
    price = round(trip.price * trip.situation.price_factor)
    offer = with_known_id(service, new_offer(service, request, trip, passengers, price))
    return service.v4_resources.offer(service.store.offers.put(offer.id, offer), request.organisation)


def verified(service: SandboxService, segments: Iterable[Json], passengers: Passengers) -> Trip:
    """Return the requested trip; raises `Rejected` if the supplier no longer sells it."""
    today = service.clock.now().date()
    found = [service.inventory.find(segment["sections"]) for segment in segments]
    trip = Trip(*(each for each in found if each is not None)) if all(found) else None
    if trip is None or not all(
        service.inventory.sold_on(each.departure.date(), today)
        and has_room(service, with_free_seats(service, each), passengers)
        and (service.choices.v4.search_staleness == "none" or each.sections[0].number % _GONE_EVERY)
        for each in (trip.outbound, trip.inbound)
        if each is not None
    ):
        raise service.rejection("itinerary-gone")
    if trip.situation.supplier_fails:
        raise SupplierFailure
    if trip.situation.sold_out or (passengers.infants and not trip.situation.infants):
        service.reject("itinerary-gone")
    return trip


def new_offer(
    service: SandboxService, request: SandboxRequest, trip: Trip, passengers: Passengers, adult_price: int
) -> Offer:
    """Return a new offer with its fares; ``adult_price`` is in cents."""
    fares = []
    for number, (factor, checked) in enumerate(_FARES, start=1):
        fare_id = uuid4() if service.choices.v4.fare_ids == "of the offer" else UUID(int=number, version=4)
        price = round(adult_price * factor)
        fares.append(Fare(str(fare_id), price, total_price(price, passengers), checked, 1))
    expires = service.clock.now() + service.policy.offer_lifetime
    fee = card_fee(trip, fares[0].total) if service.choices.v4.card_fee in {"shown", "absent"} else 0
    return Offer(str(uuid4()), request.organisation.name, trip, passengers, tuple(fares), fee, expires)


def with_known_id(service: SandboxService, offer: Offer) -> Offer:
    """Return an offer, with the id and fares of an earlier offer for the same trip if the dialect repeats ids."""
    known = service.store.repeated_ids.get(same_offer_key(offer))
    if service.choices.v4.search_offer_id == "reused by Get Offer" and known is not None:
        return replace(offer, id=known)
    if service.choices.v4.repeated_offer == "same id":
        before = service.store.offers.get(known or "")
        service.store.repeated_ids.put(same_offer_key(offer), before.id if before else offer.id)
        return replace(offer, id=before.id, fares=before.fares) if before else offer
    return offer


def same_offer_key(offer: Offer) -> Hashable:
    """Return a key that is equal for two offers of the same trip to the same organisation."""
    return (offer.organisation, offer.trip, offer.passengers)


def get_fares(service: SandboxService, request: SandboxRequest) -> Json:
    """GET /offer/{offerId}/fares: return the fares of a live offer of the organisation, and none for any other id."""
    try:
        offer_id = str(UUID(request.path["offerId"]))
    except ValueError:
        is_empty = service.choices.v4.fares_malformed_id == "empty"
        raise service.rejection("fares-missing" if is_empty else "fares-id-malformed") from None
    offer = service.own(request, service.store.offers.get(offer_id), "fares-missing", "fares-foreign")
    if offer.expires <= service.clock.now():
        service.reject("fares-expired")
    return service.v4_resources.fares(offer)


def get_baggage(service: SandboxService, request: SandboxRequest) -> Json:
    """GET /offer/{offerId}/baggage: return the paid baggage of each fare."""
    found = service.store.offers.get(service.identifier(request.path["offerId"]))
    offer = service.own(request, found, f"offer-unknown@{request.operation}", "baggage-foreign")
    if offer.expires <= service.clock.now():
        service.reject("baggage-expired")
    return service.v4_resources.baggage(offer)
