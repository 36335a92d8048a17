"""Findings on requests that need earlier exchanges, or that are about card data."""

from dataclasses import replace
from typing import Any

import pytest

from airworthy.contract import Contract, Exchange, Response, ServiceAddress
from exchange_parts import changed_request, changed_response
from unit.contract.examples import BAG, BASE, FARE, HEADERS, JSON, OFFER, SENT, drop, exchange, put, rejected, section
from unit.contract.judging import last_findings, on_request
from unit.contract.payment.test_rules import FIELDS, payment
from unit.contract.v3 import v3_examples as trips

OTHER = "00000000-0000-4000-8000-000000000001"
BACK = {"sections": [section(origin="BCN", destination="MAD")]}
INBOUND = "selectedBaggage[0].inboundSegmentBaggageSelection"

# Card data


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"cvc": "123"}, "/cvc"),
        ({"card": {"cvv": 123}}, "/card/cvv"),
        ({"payment": {"security_code": "***"}}, "/payment/security_code"),
        ({"cardSecurityCode": "123"}, "/cardSecurityCode"),
        ({"exp_month": "04"}, "/exp_month"),
        ({"card[exp_year]": "2030"}, "/card[exp_year]"),
        ({"creditCard": {"expiry": "04/30"}}, "/creditCard/expiry"),
        ({"cardExpiryDate": "04/30"}, "/cardExpiryDate"),
    ],
)
def test_security_code_and_expiry_date_are_card_data(body: dict[str, Any], place: str) -> None:
    made = exchange("confirmOrder", sent=SENT["confirmOrder"] | body)
    assert ("V4-CARD-DATA", place, False) in on_request(made)


def test_card_details_in_query_header_and_form() -> None:
    queried = exchange("getFares", url=f"{BASE}/v4/offer/{OFFER}/fares?cvc=123")
    assert ("V4-CARD-DATA", "query:cvc", False) in on_request(queried)
    headers = (*HEADERS, ("X-Card-CVC", "123"))
    assert on_request(exchange("getFares", headers=headers)) == [("V4-CARD-DATA", "header:X-Card-CVC", False)]
    form = b"card%5Bcvc%5D=123&card%5Bexp_month%5D=04"
    details = on_request(exchange("confirmOrder", sent=form, status=400))
    assert details.count(("V4-CARD-DATA", "", False)) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"card": {"cvc": None, "expiry": ""}},
        {"expirationDate": "2031-05-01", "expires": "2031-05-01"},
        {"passport": {"expiry": "2031-05-01"}},
        {"cvcCheck": "pass", "cardBrand": "visa", "experience": 1, "security": "high"},
        {"passport_expiry_date": "2031-05-01"},
    ],
)
def test_similar_names_are_not_card_details(body: dict[str, Any]) -> None:
    made = exchange("confirmOrder", sent=SENT["confirmOrder"] | body)
    assert [each for each in on_request(made) if each[0] == "V4-CARD-DATA"] == []
    assert on_request(exchange("createOrder")) == []
    assert last_findings(payment(FIELDS)) == []


# v4


def test_create_order_with_the_offer_id_of_a_search() -> None:
    searched, offered = exchange("searchOffers", returned=put("offers[0].id", OTHER)), exchange("getOffer")
    by_search, unknown = (
        rejected(exchange("createOrder", url=f"{BASE}/v4/order?offerId={OTHER}&fareId={fare}"))
        for fare in (FARE, OTHER)
    )
    assert on_request(searched, offered, by_search) == [("V4-ORDER-QUERY", "query:offerId", False)]
    assert on_request(searched, offered, unknown) == [("V4-ORDER-QUERY", "query:offerId", True)]
    for search in (searched, exchange("searchOffers")):
        assert on_request(search, offered, exchange("createOrder")) == []
    assert on_request(searched, by_search) == []


@pytest.mark.parametrize(
    ("name", "value"), [("flightNumber", "1"), ("departureDate", "2035-03-14T09:00:00"), ("origin", "BCN")]
)
def test_get_offer_for_a_flight_that_no_search_found(name: str, value: str) -> None:
    request = rejected(exchange("getOffer", sent=put(f"outboundSegment.sections[0].{name}", value)))
    search = exchange("searchOffers")
    place = "/outboundSegment/sections/0"
    assert on_request(search, request) == [("V4-OFFER-SECTION", place, True)]
    assert on_request(request) == []
    other_key = exchange("searchOffers", headers=(("Authorization", "other"), *HEADERS[1:]))
    assert on_request(other_key, request) == []
    spelled = exchange("getOffer", sent=put("outboundSegment.sections[0].origin", "mad"))
    assert on_request(search, spelled) == []


def test_inbound_baggage_in_a_one_way_order() -> None:
    chosen = rejected(exchange("createOrder", sent=put(INBOUND, [BAG])))
    found = ("V4-ORDER-INBOUND-BAGGAGE", "/selectedBaggage/0/inboundSegmentBaggageSelection", False)
    assert on_request(exchange("getOffer"), exchange("getBaggage"), chosen) == [found]
    assert on_request(chosen) == []
    both = put("tripType", "ROUND_TRIP"), put("inboundSegment", BACK)
    assert on_request(exchange("getOffer", sent=both), chosen) == []
    for nothing in (None, [], [BAG | {"numberOfPieces": 0}]):
        made = exchange("createOrder", sent=put(INBOUND, nothing))
        assert on_request(exchange("getOffer"), made) == []


def test_create_order_with_the_fare_of_another_offer() -> None:
    second = exchange("getOffer", returned=(put("id", OTHER), put("cheapestFare.id", OTHER)), name="2")
    order = rejected(exchange("createOrder", url=f"{BASE}/v4/order?offerId={OTHER}&fareId={FARE}"))
    fares = exchange(
        "getFares", url=f"{BASE}/v4/offer/{OTHER}/fares", returned={"fares": [{"id": OTHER}, {"id": FARE}]}
    )
    bags = put("fareBaggageOptions[0].fareId", OTHER)
    baggage = exchange("getBaggage", url=f"{BASE}/v4/offer/{OTHER}/baggage", returned=bags)
    for listed, softness in (([], [True]), ([fares], []), ([baggage], [False])):
        judged = on_request(exchange("getOffer"), second, *listed, order)
        assert judged == [("V4-ORDER-FARE-OF-OFFER", "query:fareId", soft) for soft in softness]


def test_identification_is_allowed_if_the_offer_lists_no_types() -> None:
    place = "providerAdditionalPassengerInformationByPassengerType.adult.providerIdentificationTypeOptions"
    offer = exchange("getOffer", returned=put(place, []))
    assert on_request(offer, exchange("createOrder")) == []


@pytest.mark.parametrize(
    ("query", "found"),
    [(f"offerId={FARE}&fareId={OFFER}", ["query:offerId", "query:fareId"]), (f"offerId={OFFER}&fareId={OTHER}", [])],
)
def test_id_of_another_resource(query: str, found: list[str]) -> None:
    order = rejected(exchange("createOrder", url=f"{BASE}/v4/order?{query}"), 404)
    judged = [each for each in on_request(exchange("getOffer"), order) if each[0] == "V4-ORDER-ID-FORM"]
    assert judged == [("V4-ORDER-ID-FORM", place, False) for place in found]


def test_booking_is_looked_up_by_its_record_locator() -> None:
    for status, expected in ((404, [("V23-LOOK-UP", "query:cp_reference", True)]), (200, [])):
        look_up = trips.queried("getBookings", f"cp_reference={trips.LOCATOR.lower()}", after=1, status=status)
        assert on_request(exchange("getBookings"), look_up) == expected


def test_portal_credentials_without_a_password() -> None:
    made = exchange("createOrder", sent=put("customerContact.carrierPortalCredentials", {"username": "amelia"}))
    place = "/customerContact/carrierPortalCredentials/password"
    assert on_request(made) == [("V4-ORDER-CONTACT", place, False)]
    assert [each for each in last_findings(made) if each.side == "response"] == []


# v3 and v2


@pytest.mark.parametrize(("origin", "found"), [("LON", [("V23-FLIGHTS-REQUIRED", "query:origin", False)]), ("LHR", [])])
def test_city_code_for_an_airport(origin: str, found: list[tuple[str, str, bool]]) -> None:
    url = f"https://service.example/v3/flights?origin={origin}&destination=MAD&start=2035-03-14&end=2035-03-15"
    made = rejected(exchange("searchFlights", url=url))
    assert on_request(made) == found


@pytest.mark.parametrize(("price", "warns"), [(20.5, True), (23.5, False)])
def test_luggage_at_another_price(price: float, warns: bool) -> None:
    option = put("requests[0].flight.luggage_options", [{"weight": 23, "price": 23.5}])
    held = exchange("createRequestsV2", returned=option)
    chosen = put(f"luggage.{trips.REQUEST}", [{"quantity": 1, "weight": 23, "price": price}])
    judged = on_request(held, exchange("createBookingsV2", sent=chosen))
    assert judged == [("V2-LUGGAGE", f"/luggage/{trips.REQUEST}/0/price", True)] * warns


def requested(*changes: object, operation: str = "createRequests") -> Exchange:
    return exchange(operation, sent=changes)


def test_booking_request_for_a_flight_that_no_search_found() -> None:
    for search, operation, member, rule in (
        ("searchFlights", "createRequests", "flight_ids", "V3-REQUESTS-FLIGHTS"),
        ("searchFlightsV2", "createRequestsV2", "flights", "V2-REQUESTS-FLIGHTS"),
    ):
        bags = [put("bags", {"77": trips.NO_BAGS})] if operation == "createRequests" else []
        other = rejected(requested(put(f"{member}[0]", 77), *bags, operation=operation), 404)
        found = [(rule, f"/{member}/0", True)]
        assert on_request(exchange(search), other) == found
        assert on_request(other) == []
        assert on_request(exchange(search), exchange(operation)) == []
    back = rejected(requested(put("flight_ids", [trips.BACK]), put("bags", {str(trips.BACK): trips.NO_BAGS})), 409)
    # The flights of a fare may be on another page (OPEN-95).
    assert on_request(exchange("searchRoundTrips", returned=drop("flights[1]")), back) == []


def test_client_searches_in_one_version_and_books_in_another() -> None:
    bearer = (("Authorization", "Bearer test-key"), *HEADERS[1:])
    request = exchange("createRequests", headers=bearer)
    assert on_request(exchange("searchOffers"), request) == [("V23-CURRENT-REVISION", "/flight_ids/0", True)]
    assert on_request(exchange("searchFlights", headers=bearer), exchange("getOffer")) == [
        ("V4-CURRENT-REVISION", "/outboundSegment", True)
    ]
    unseen = replace(exchange("searchFlights", headers=bearer), response=Response(200, JSON, None))
    assert on_request(exchange("searchOffers"), unseen, request) == []
    both = exchange("searchOffers"), exchange("searchFlights", headers=bearer)
    assert on_request(*both, request) == on_request(request) == []


def test_bag_option_that_no_search_showed() -> None:
    bags = f"bags.{trips.FLIGHT}"
    more = requested(put(f"{bags}.checked[2]", {"quantity": 1, "weight": 20}), put(f"{bags}.checked[0].quantity", 0))
    place = "/bags/?/checked/2"
    assert on_request(exchange("searchFlights"), more) == [("V3-BAGS-LISTED", place, True)]
    assert on_request(more) == []
    unwanted = requested(put(f"{bags}.checked[2]", {"quantity": 0, "weight": 20}))
    assert on_request(exchange("searchFlights"), unwanted) == []
    luggage = f"luggage.{trips.REQUEST}[0].weight"
    heavy = requested(put(luggage, 99), operation="createBookingsV2")
    found = [("V2-LUGGAGE", f"/luggage/{trips.REQUEST}/0/weight", True)]
    assert on_request(exchange("createRequestsV2"), heavy) == found
    assert on_request(heavy) == []


@pytest.mark.parametrize("name", ["bags", "luggage"])
def test_bags_of_a_passenger_instead_of_the_booking_request(name: str) -> None:
    made = requested(put(f"passengers[0].{name}", {"checked": 1}))
    assert on_request(made) == [("V3-BAGS-KEYS", f"/passengers/0/{name}", False)]
    assert {each.side for each in last_findings(made)} == {"request"}


def test_round_trip_request_for_a_fare_that_was_not_listed() -> None:
    both = {str(each): trips.NO_BAGS for each in (trips.FLIGHT, trips.BACK)}
    trip = rejected(
        requested(put("flight_ids", [trips.FLIGHT, trips.BACK]), put("bags", both), put("fare_type", "round_trip")), 409
    )
    found = [trips.flight(bags=trips.NO_BAGS, id=each) for each in (trips.FLIGHT, trips.BACK)]
    search = exchange("searchFlights", returned={"results": found, "next_page_id": None})
    wrong = ("V3-REQUESTS-FARE-TYPE", "/flight_ids")
    assert on_request(search, trip) == [(*wrong, True)]
    fares: tuple[object, ...] = ([], {}, None)
    for none in fares:
        no_fares = exchange("searchRoundTrips", returned={"fares": none, "flights": [], "next_page_id": None})
        assert on_request(search, no_fares, trip) == [(*wrong, True)]
    assert on_request(search, exchange("searchRoundTrips"), trip) == []
    unseen = replace(no_fares, response=Response(200, JSON, None))
    assert on_request(search, no_fares, unseen, trip) == []
    assert on_request(trip) == []


# Traffic of other hosts


def test_path_without_a_version(whole_contract: Contract) -> None:
    service = whole_contract.for_service(ServiceAddress(("https://service.example/api",)))
    made = exchange("searchOffers", url="https://service.example/api/search", status=404)
    (finding,) = service.judge(made)
    assert (finding.rule, finding.drift, finding.pointer) == ("V4-OPERATIONS", "unknown-version", "path")
    assert finding.message == "the path does not name a version"
    for url in ("https://service.example/api/health", "https://service.example/search", "https://other.example/search"):
        assert service.judge(exchange("searchOffers", url=url)) == []
    assert whole_contract.judge(made) == []


def test_removed_version_in_the_path_of_an_unrelated_host() -> None:
    url = "https://maps.example/v1/search"
    unrelated = exchange("searchOffers", url=url, sent={"q": "Palma"})
    assert last_findings(unrelated) == []
    assert last_findings(exchange("getFares", url="https://maps.example/v1/order/7")) == []
    assert last_findings(exchange("searchOffers"), unrelated)[0].rule == "V4-REMOVED-VERSIONS"
    assert last_findings(exchange("searchOffers", url=url))[0].rule == "V4-REMOVED-VERSIONS"


def test_unreadable_body_is_reported_on_its_side() -> None:
    twice = b'{"id": "pm_1", "id": "pm_2"}'
    made = payment(FIELDS)
    unread = last_findings(changed_response(made, body=twice))
    assert [(each.kind, each.side) for each in unread] == [("unreadable", "response")]
    uncaptured = last_findings(changed_request(made, body=None))
    assert [(each.kind, each.side) for each in uncaptured] == [("unreadable", "request")]
