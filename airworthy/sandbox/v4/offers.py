"""Search, Get Offer, Get Fares, Get Baggage: what leads to an order."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from itertools import islice, product
from uuid import UUID, uuid4

from airworthy.sandbox.geography import airports_of
from airworthy.sandbox.inventory import Itinerary, Passengers, Trip, card_fee, day_of, total_price
from airworthy.sandbox.service import SandboxRequest, SandboxService, SupplierFailure
from airworthy.sandbox.situations import situation
from airworthy.sandbox.states import Fare, Offer
from airworthy.sandbox.v4.responses import Json, shuffled

_MOST_OFFERS = {"few": 2, "many": 16}
_MOST_SEATS = 9
# What the dearer fares cost on top, and the checked bags that they include.
_FARES = ((1.0, 0), (1.25, 1), (1.6, 2))


def passengers_of(body: Json) -> Passengers:
    """Return the passengers that Search or Get Offer is asked for."""
    return Passengers(int(body["adults"]), int(body["children"]), int(body["infants"]))


# Search


def search_offers(service: SandboxService, call: SandboxRequest) -> Json:
    """POST /search: offers for the itineraries between two places; nobody has verified them yet."""
    body = call.body
    check_request(service, call)
    if body["customerCode"] != call.organisation.customer_code:
        if service.choices.customer_code_unknown == "empty":
            return {"offers": []}
        if service.choices.customer_code_unknown != "results":
            service.reject("customer-code-unknown")
    if not is_economy(service, body) and service.denies("search-class"):
        return {"offers": []}
    ways = [body["outboundSegment"]]
    if body["tripType"] == "ROUND_TRIP":
        ways.append(body["inboundSegment"])
    if not is_sold(service, ways, passengers_of(body)):
        if service.choices.search_edge != "empty":
            service.reject("search-edge")
        service.denies("search-edge")
        return {"offers": []}
    found = [search_offer(service, call, trip) for trip in trips(service, ways, passengers_of(body))]
    return {"offers": [service.answers.search_offer(each, call.organisation) for each in ordered(service, found)]}


def check_request(service: SandboxService, call: SandboxRequest) -> None:
    """Refuse what single fields of Search and Get Offer cannot show."""
    body = call.body
    if body["infants"] > body["adults"]:
        service.reject(f"infants-over-adults@{call.operation}")
    if body["tripType"] == "ROUND_TRIP":
        if body.get("inboundSegment") is None:
            service.reject(f"inbound-missing@{call.operation}")
            body["inboundSegment"] = turned(body["outboundSegment"])
    elif "inboundSegment" not in body:
        if service.choices.one_way_inbound_left_out != "accepted":
            service.reject("inbound-left-out")
    elif body["inboundSegment"] is not None and service.choices.one_way_inbound_sent != "ignored":
        service.reject("inbound-sent")


def turned(segment: Json) -> Json:
    """Return a way back, where a fault lets it be missing: a search segment turned round, or the same itinerary."""
    if "sections" in segment:
        return segment
    return segment | {"origin": segment["destination"], "destination": segment["origin"]}


def is_economy(service: SandboxService, holder: Json) -> bool:
    """Say whether ECONOMY is asked for, which is the default."""
    asked: str = holder.get("travelClass", "ECONOMY")
    return asked == "ECONOMY" or (service.choices.class_case == "any" and asked.upper() == "ECONOMY")


def is_sold(service: SandboxService, ways: list[Json], passengers: Passengers) -> bool:
    """Say whether a search asks for something that is sold at all."""
    days = [day_of(way["departureDate"]) for way in ways]
    today = service.clock.now().date()
    return (
        passengers.adults + passengers.children <= _MOST_SEATS
        and days == sorted(days)
        and all(service.inventory.sold_on(day, today) for day in days)
        and all(any(pairs(way)) for way in ways)
    )


def pairs(way: Json) -> Iterator[tuple[str, str]]:
    """Yield the pairs of airports between the two places of a search segment."""
    origins, destinations = (
        airports_of(way[end]["code"].upper(), way[end]["type"]) for end in ("origin", "destination")
    )
    for origin, destination in product(origins, destinations):
        if origin.city != destination.city:
            yield origin.code, destination.code


def trips(service: SandboxService, ways: list[Json], passengers: Passengers) -> Iterator[Trip]:
    """Yield what can be sold: itineraries with seats for all, or pairs of them that meet."""
    chosen = [list(itineraries(service, way, passengers)) for way in ways]
    together = (Trip(*each) for each in product(*chosen) if len(each) == 1 or meet(*each))
    yield from islice(together, _MOST_OFFERS[service.choices.offer_count])


def meet(outbound: Itinerary, inbound: Itinerary) -> bool:
    """Say whether the way back begins after the way out has ended."""
    return outbound.sections[-1].arrival < inbound.sections[0].departure


def itineraries(service: SandboxService, way: Json, passengers: Passengers) -> Iterator[Itinerary]:
    """Yield the itineraries of one way, on all pairs of airports in turn."""
    for origin, destination in pairs(way):
        special = situation(origin, destination)
        if special.supplier_fails:
            raise SupplierFailure
        if passengers.infants and not special.infants:
            continue
        for each in service.inventory.itineraries(origin, destination, day_of(way["departureDate"])):
            if each.seats >= passengers.adults + passengers.children:
                yield each


def search_offer(service: SandboxService, call: SandboxRequest, trip: Trip) -> Offer:
    """Return an offer as Search shows it; some dialects remember its id."""
    offer = new_offer(service, call, trip, passengers_of(call.body), trip.price)
    if service.choices.search_offer_id == "usable":
        service.book.offers.put(offer.id, offer)
    if service.choices.search_offer_id == "kept by Get Offer":
        service.book.repeated.put(same(offer), offer.id)
    return offer


def ordered(service: SandboxService, offers: list[Offer]) -> list[Offer]:
    """Return offers in the order of the dialect."""
    match service.choices.offer_order:
        case "departure":
            return sorted(offers, key=lambda offer: offer.trip.outbound.sections[0].departure)
        case "shuffled":
            return shuffled(offers, service.seed)
        case _:
            return sorted(offers, key=lambda offer: offer.cheapest.total)


# Get Offer


def get_offer(service: SandboxService, call: SandboxRequest) -> Json:
    """POST /offer: verify an itinerary with the supplier and keep the offer for 30 minutes."""
    body = call.body
    check_request(service, call)
    if (
        body["customerCode"] != call.organisation.customer_code
        and service.choices.customer_code_unknown_at_offer != "accepted"
    ):
        service.reject("customer-code-unknown")
    ways = [body["outboundSegment"]]
    if body["tripType"] == "ROUND_TRIP":
        ways.append(body["inboundSegment"])
    if not all(is_economy(service, holder) for holder in (body, *(each for way in ways for each in way["sections"]))):
        if service.choices.offer_other_class == "empty":
            return {}
        service.reject("class-unsupported")
    passengers = passengers_of(body)
    trip = verified(service, ways, passengers)
    price = round(trip.price * trip.situation.price_factor)
    offer = with_known_id(service, new_offer(service, call, trip, passengers, price))
    return service.answers.offer(service.book.offers.put(offer.id, offer), call.organisation)


def verified(service: SandboxService, ways: Iterable[Json], passengers: Passengers) -> Trip:
    """Return the trip that is asked for, if the supplier still sells it; raises `Rejected`."""
    today = service.clock.now().date()
    found = [service.inventory.find(way["sections"]) for way in ways]
    trip = Trip(*(each for each in found if each is not None)) if all(found) else None
    if trip is None or not all(
        service.inventory.sold_on(each.sections[0].departure.date(), today)
        and each.seats >= passengers.adults + passengers.children
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
    service: SandboxService, call: SandboxRequest, trip: Trip, passengers: Passengers, adult_price: int
) -> Offer:
    """Return an offer with its fares; where the dialect repeats ids, with the id that it had before."""
    fares = tuple(
        Fare(
            str(uuid4()), round(adult_price * factor), total_price(round(adult_price * factor), passengers), checked, 1
        )
        for factor, checked in _FARES
    )
    expires = service.clock.now() + service.policy.offer_lifetime
    fee = card_fee(trip, fares[0].total) if service.choices.card_fee in {"shown", "absent"} else 0
    return Offer(str(uuid4()), call.organisation.name, trip, passengers, fares, fee, expires)


def with_known_id(service: SandboxService, offer: Offer) -> Offer:
    """Return an offer with the id that its itinerary had before, where the dialect repeats ids."""
    known = service.book.repeated.get(same(offer))
    if service.choices.search_offer_id == "kept by Get Offer" and known is not None:
        return replace(offer, id=known)
    if service.choices.repeated_offer == "same id":
        before = service.book.offers.get(known or "")
        service.book.repeated.put(same(offer), before.id if before else offer.id)
        return replace(offer, id=before.id, fares=before.fares) if before else offer
    return offer


def same(offer: Offer) -> Hashable:
    """Return what makes two calls of Get Offer the same call."""
    return (offer.organisation, offer.trip, offer.passengers)


# Fares and baggage


def get_fares(service: SandboxService, call: SandboxRequest) -> Json:
    """GET /offer/{offerId}/fares: all fares of a live offer of one's own, none of any other."""
    organisation = call.organisation
    try:
        offer = service.book.offers.get(str(UUID(call.path["offerId"])))
    except ValueError:
        if service.choices.fares_malformed_id != "empty":
            raise service.rejection("fares-id-malformed") from None
        offer = None
    if offer is None:
        service.denies("fares-missing")
        return {"fares": []}
    if offer.organisation != organisation.name and service.denies("fares-foreign"):
        return {"fares": []}
    if offer.expires <= service.clock.now() and service.denies("fares-expired"):
        return {"fares": []}
    return service.answers.fares(offer)


def get_baggage(service: SandboxService, call: SandboxRequest) -> Json:
    """GET /offer/{offerId}/baggage: the paid baggage of each fare."""
    organisation = call.organisation
    offer = service.book.offers.get(service.identifier(call.path["offerId"]))
    if offer is None:
        raise service.rejection(f"offer-unknown@{call.operation}")
    for wrong, name, choice in (
        (offer.organisation != organisation.name, "baggage-foreign", service.choices.baggage_foreign),
        (offer.expires <= service.clock.now(), "baggage-expired", service.choices.baggage_expired),
    ):
        if wrong and choice == "empty":
            return {"fareBaggageOptions": []}
        if wrong:
            service.reject(name)
    return service.answers.baggage(offer)
