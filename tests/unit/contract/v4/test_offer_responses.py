"""Found and stored offers, compared with the search or the request for the offer."""

import pytest

from unit.contract.examples import RETURNED, SENT, Change, changed, drop, exchange, pricing, put, rejected
from unit.contract.judging import found, last_findings, on_response, weighed

SEARCHED = "offers[0].outboundSegment.sections[0]"
FOUND = "/offers/0/outboundSegment/sections/0"


@pytest.mark.parametrize("operation", ["searchOffers", "getOffer"])
@pytest.mark.parametrize(
    ("requested", "priced", "kind"),
    [
        ((2, 0, 0), (1, 0, 0), "adult/numberOfPassengers"),
        ((1, 1, 0), (1, 0, 0), "child"),
        ((1, 0, 0), (1, 0, 1), "infant/numberOfPassengers"),
    ],
)
def test_fare_is_priced_for_other_passengers(
    operation: str, requested: tuple[int, int, int], priced: tuple[int, int, int], kind: str
) -> None:
    search = operation == "searchOffers"
    fare = "offers[0].fare" if search else "cheapestFare"
    rule = "V4-SEARCH-PASSENGER-COUNT" if search else "V4-OFFER-PASSENGER-COUNT"
    counts = zip(("adults", "children", "infants"), requested, strict=True)
    sent = changed(SENT[operation], *(put(name, count) for name, count in counts))
    path = f"{fare}.passengerPricingByPassengerType"
    place = "/" + path.replace(".", "/").replace("[0]", "/0") + f"/{kind}"
    information = "providerAdditionalPassengerInformationByPassengerType"
    adult = RETURNED["getOffer"][information]["adult"]
    # A child without additional information would be another finding.
    informed = () if search else (put(information, dict.fromkeys(("adult", "child", "infant"), adult)),)

    def returned(counts: tuple[int, int, int]) -> tuple[Change, ...]:
        return put(path, pricing(*counts)), *informed

    assert found(exchange(operation, sent=sent, returned=returned(priced))) == [("response", rule, place)]
    assert found(exchange(operation, sent=sent, returned=returned(requested))) == []


@pytest.mark.parametrize(
    ("departs", "origin", "soft"),
    [
        ("2035-03-14T17:10:00", "BCN", []),
        ("2035-03-14T16:20:00", "BCN", []),  # the clocks may have gone back
        ("2035-03-14T16:00:00", "BCN", [True]),
        ("2035-03-14T16:00:00", "IBZ", []),
        ("later", "BCN", [False]),
    ],
)
def test_section_departs_before_the_previous_one_arrives(departs: str, origin: str, soft: list[bool]) -> None:
    first = RETURNED["searchOffers"]["offers"][0]["outboundSegment"]["sections"][0]
    second = first | {"origin": origin, "departureDate": departs, "arrivalDate": "2035-03-14T19:00:00"}
    found = last_findings(exchange("searchOffers", returned=put("offers[0].outboundSegment.sections", [first, second])))
    place = "/offers/0/outboundSegment/sections/1/departureDate"
    assert [each.soft for each in found if each.pointer == place] == soft


@pytest.mark.parametrize(("arrives", "broken"), [("2035-03-13T17:00:00", False), ("2035-03-13T15:59:00", True)])
def test_section_arrives_a_day_before_it_departs(arrives: str, broken: bool) -> None:
    """A flight across the date line arrives hours before it departs, in local time."""
    made = exchange("searchOffers", returned=put(f"{SEARCHED}.arrivalDate", arrives))
    assert found(made) == [("response", "V4-SEARCH-ITINERARY", f"{FOUND}/arrivalDate")] * broken


@pytest.mark.parametrize(
    ("operation", "place", "rule"),
    [
        ("searchOffers", "offers[0].inboundSegment", ("V4-SEARCH-ROUND-TRIP", "/offers/0/inboundSegment")),
        ("getOffer", "inboundSegment", ("V4-OFFER-ROUND-TRIP", "/inboundSegment")),
    ],
)
def test_round_trip_offer_without_inbound_segment(operation: str, place: str, rule: tuple[str, str]) -> None:
    sent = put("tripType", "ROUND_TRIP"), put("inboundSegment", SENT[operation]["outboundSegment"])
    for returned in (None, drop(place)):
        assert found(exchange(operation, sent=sent, returned=returned)) == [("response", *rule)]


def test_round_trip_offer_with_an_inbound_segment_of_any_form() -> None:
    sent = put("tripType", "ROUND_TRIP"), put("inboundSegment", SENT["searchOffers"]["outboundSegment"])
    returned = put("offers[0].inboundSegment", ["any", "form"])
    assert found(exchange("searchOffers", sent=sent, returned=returned)) == []


@pytest.mark.parametrize("end", ["origin", "destination"])
def test_search_returns_another_itinerary(end: str) -> None:
    made = exchange("searchOffers", returned=put(f"{SEARCHED}.{end}", "PMI"))
    assert weighed(made) == [("V4-SEARCH-ITINERARY", f"{FOUND}/{end}", False)]


def test_city_is_not_compared_with_an_airport() -> None:
    assert found(exchange("searchOffers", sent=put("outboundSegment.origin", {"code": "LON", "type": "CITY"}))) == []


@pytest.mark.parametrize(
    ("requested", "broken"), [("BUSINESS", True), ("FIRST", True), ("economy", False), ("X", False)]
)
def test_search_in_another_class_returns_offers(requested: str, broken: bool) -> None:
    sent = changed(SENT["searchOffers"], put("travelClass", requested))
    assert found(exchange("searchOffers", sent=sent)) == [("response", "V4-SEARCH-TRAVEL-CLASS", "/offers")] * broken
    assert found(exchange("searchOffers", sent=sent, returned={"offers": []})) == []


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        (put("travelClass", "BUSINESS"), True),
        (put("travelClass", "X"), False),
        (put("outboundSegment.departureDate", "2020-01-01"), False),
        (put("outboundSegment.destination.code", "mad"), False),
        (put("children", 9), False),
        (put("inboundSegment", SENT["searchOffers"]["outboundSegment"]), False),
        (put("promotion", "x"), False),
    ],
)
def test_search_in_another_class_is_rejected(change: Change, broken: bool) -> None:
    made = rejected(exchange("searchOffers", sent=(put("travelClass", "BUSINESS"), change)))
    assert on_response(made) == ([("V4-SEARCH-TRAVEL-CLASS", "status", True)] if broken else [])
    assert on_response(rejected(made, 404, "Not Found")) == []


@pytest.mark.parametrize(
    ("change", "is_searched", "soft"),
    [
        (put("outboundSegment.sections[0].origin", "PMI"), False, False),
        (put("outboundSegment.sections[0].marketingCarrierCode", "ZZ"), True, False),
        (put("outboundSegment.sections[0].operatingCarrierCode", "ZZ"), True, True),
        (put("outboundSegment.sections[0].flightNumber", "77"), True, False),
        (put("outboundSegment.sections[0].operatingCarrierCode", "ZZ"), False, True),
        (put("outboundSegment.sections[0].arrivalDate", "2035-03-14T18:00:00"), True, True),
    ],
)
def test_stored_offer_has_other_flights(change: Change, is_searched: bool, soft: bool) -> None:
    """Other flights than a search has found are firm, other times (OPEN-56) and operating carriers are not."""
    seen = [exchange("searchOffers", name="1")] if is_searched else []
    made = exchange("getOffer", returned=change, name="2")
    [(rule, _, found)] = on_response(*seen, made)
    assert (rule, found) == ("V4-SEARCH-ITINERARY", soft)
