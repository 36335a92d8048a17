"""Rules of v4 that need several exchanges."""

import json
from dataclasses import replace
from http import HTTPStatus

import pytest

from airworthy.contract import Contract, Conversation, Exchange, InMemoryStore
from airworthy.contract.conversation.v4 import OFFERS_OF_A_FARE
from unit.contract.examples import (
    FARE,
    HEADERS,
    OFFER,
    ORDER,
    PASSENGER,
    RESERVATION,
    RETURNED,
    SENT,
    Change,
    Finder,
    changed,
    drop,
    exchange,
    money,
    put,
    rejected,
)

OTHER = "00000000-0000-4000-8000-000000000000"
BAG = "selectedBaggage[0].outboundSegmentBaggageSelection[0]"
BALANCE = {"balance": True}


def order_from(offer: str, fare: str) -> Exchange:
    returned = changed(RETURNED["createOrder"], put("offer.id", offer), put("offer.fare.id", fare))
    return exchange(
        "createOrder", url=f"https://service.example/v4/order?offerId={offer}&fareId={fare}", returned=returned
    )


# An offer and its orders


@pytest.mark.parametrize(("minutes", "broken"), [(29.9, False), (30.05, False), (31, True), (600, True)])
def test_create_order_with_an_expired_offer(found: Finder, minutes: float, broken: bool) -> None:
    late = exchange("createOrder", after=minutes, name="2")
    on_request = ("request", "V4-ORDER-EXPIRED-OFFER", "query:offerId")
    on_response = ("response", "V4-ORDER-EXPIRED-OFFER", "status")
    assert found(exchange("getOffer"), late) == ([on_request, on_response] if broken else [])
    assert found(exchange("getOffer"), rejected(late, 404, "Not Found")) == ([on_request] if broken else [])
    assert found(late) == []


def test_create_order_after_a_second_get_offer(found: Finder) -> None:
    assert found(exchange("getOffer"), exchange("getOffer", after=20), exchange("createOrder", after=45)) == []


def test_offer_may_be_renewed_by_a_get_offer_whose_response_was_not_seen(found: Finder) -> None:
    again = exchange("getOffer", after=20)
    unseen = replace(again, response=replace(again.response, body=None)) if again.response else again
    late = exchange("createOrder", after=45)
    expired = [("request", "V4-ORDER-EXPIRED-OFFER", "query:offerId"), ("response", "V4-ORDER-EXPIRED-OFFER", "status")]
    assert found(exchange("getOffer"), unseen, late, exchange("getFares", after=46)) == []
    assert found(exchange("getOffer"), replace(again, response=None), late) == []
    assert found(exchange("getOffer"), rejected(again, 404, "Not Found"), late) == expired


def test_get_fares_of_an_expired_offer(found: Finder) -> None:
    late = exchange("getFares", after=31)
    assert found(exchange("getOffer"), late) == [("response", "V4-FARES-EXPIRED", "/fares")]
    assert found(exchange("getOffer"), exchange("getFares", after=31, returned={"fares": []})) == []
    assert found(exchange("getOffer"), exchange("getFares", after=29)) == []


def test_create_order_with_a_fare_of_another_offer(found: Finder) -> None:
    other = changed(RETURNED["getOffer"], put("id", OTHER), put("cheapestFare.id", OTHER))
    on_request = ("request", "V4-ORDER-FARE-OF-OFFER", "query:fareId")
    on_response = ("response", "V4-ORDER-FARE-OF-OFFER", "status")
    seen = [exchange("getOffer"), exchange("getOffer", returned=other)]
    assert found(*seen, order_from(OFFER, OTHER)) == [on_request, on_response]
    assert found(*seen, rejected(order_from(OFFER, OTHER), 422, "Unprocessable Entity")) == [on_request]
    assert found(*seen, order_from(OTHER, OTHER)) == []


@pytest.mark.parametrize(("offers", "broken"), [(1, True), (OFFERS_OF_A_FARE - 1, True), (OFFERS_OF_A_FARE + 5, False)])
def test_fare_of_many_offers_may_belong_to_any_offer(found: Finder, offers: int, broken: bool) -> None:
    others = [
        exchange("getOffer", returned=changed(RETURNED["getOffer"], put("id", key), put("cheapestFare.id", OTHER)))
        for key in (f"00000000-0000-4000-8000-{number:012}" for number in range(offers))
    ]
    on_request = ("request", "V4-ORDER-FARE-OF-OFFER", "query:fareId")
    unknown = rejected(order_from(OFFER, OTHER), 422, "Unprocessable Entity")
    assert found(exchange("getOffer"), *others, unknown) == ([on_request] if broken else [])


def test_create_order_with_a_fare_that_get_fares_does_not_list(found: Finder) -> None:
    unknown = rejected(order_from(OFFER, OTHER), 404, "Not Found")
    assert found(exchange("getOffer"), unknown) == []
    assert found(exchange("getOffer"), exchange("getFares"), unknown) == [
        ("request", "V4-ORDER-FARE-OF-OFFER", "query:fareId")
    ]
    listed = exchange("getFares", returned={"fares": [{"fare": {"key": FARE}}, {"fare": {"key": OTHER}}]})
    assert found(exchange("getOffer"), listed, unknown) == []
    without_ids = exchange("getFares", returned={"fares": [{"totalPrice": money(1)}]})
    assert found(exchange("getOffer"), without_ids, unknown) == []


def test_create_order_with_a_fare_that_get_baggage_lists(found: Finder) -> None:
    bags = changed(RETURNED["getBaggage"], put("fareBaggageOptions[0].fareId", OTHER))
    unknown = rejected(order_from(OFFER, OTHER), 404, "Not Found")
    assert found(exchange("getOffer"), exchange("getBaggage", returned=bags), exchange("getFares"), unknown) == []


@pytest.mark.parametrize(("adults", "broken"), [(1, False), (2, True)])
def test_create_order_with_other_passengers_than_the_offer(found: Finder, adults: int, broken: bool) -> None:
    people = [PASSENGER | {"number": number} for number in range(1, adults + 1)]
    bags = [{"passengerNumber": number, "outboundSegmentBaggageSelection": []} for number in range(1, adults + 1)]
    sent = changed(SENT["createOrder"], put("passengers", people), put("selectedBaggage", bags))
    made = rejected(exchange("createOrder", sent=sent), 422, "Unprocessable Entity")
    assert found(exchange("getOffer"), made) == (
        [("request", "V4-ORDER-PASSENGER-COUNT", "/passengers")] if broken else []
    )


def test_baggage_options_for_a_fare_that_get_fares_does_not_list(contract: Contract) -> None:
    other = changed(RETURNED["getBaggage"], put("fareBaggageOptions[0].fareId", OTHER))
    place = "/fareBaggageOptions/0/fareId"
    for fares, warns in (([{"id": FARE}], True), ([{"id": FARE}, {"id": OTHER}], False), ([{"name": "light"}], False)):
        conversation = Conversation()
        for each in (exchange("getOffer"), exchange("getFares", returned={"fares": fares})):
            contract.judge(each, conversation)
        found = contract.judge(exchange("getBaggage", returned=other), conversation)
        expected = [("V4-BAGGAGE-FARES", place, True)] if warns else []
        assert [(finding.rule, finding.pointer, finding.soft) for finding in found] == expected


@pytest.mark.parametrize(("first", "second", "broken"), [(1, 1, False), (2, 1, True), (2, 0, False)])
def test_selections_of_one_type_have_more_pieces_than_offered(
    contract: Contract, first: int, second: int, broken: bool
) -> None:
    conversation = Conversation()
    contract.judge(exchange("getOffer"), conversation)
    contract.judge(exchange("getBaggage"), conversation)
    chosen = [{"type": "CHECK_IN", "numberOfPieces": pieces, "kilosPerPiece": 20} for pieces in (first, second)]
    sent = changed(SENT["createOrder"], put(BAG.removesuffix("[0]"), chosen))
    found = contract.judge(rejected(exchange("createOrder", sent=sent)), conversation)
    place = "/selectedBaggage/0/outboundSegmentBaggageSelection"
    expected = [("V4-ORDER-BAGGAGE-MAXIMUM", place, True)] if broken else []
    assert [(finding.rule, finding.pointer, finding.soft) for finding in found] == expected


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (put(f"{BAG}.numberOfPieces", 3), "numberOfPieces"),
        (put(f"{BAG}.kilosPerPiece", 30), "kilosPerPiece"),
        (put(f"{BAG}.type", "CABIN"), "type"),
        (put(f"{BAG}.numberOfPieces", 2), None),
        (put(f"{BAG}.numberOfPieces", 0), None),
    ],
)
def test_create_order_with_more_baggage_than_offered(contract: Contract, change: Change, pointer: str | None) -> None:
    conversation = Conversation()
    contract.judge(exchange("getOffer"), conversation)
    contract.judge(exchange("getBaggage"), conversation)
    made = rejected(exchange("createOrder", sent=changed(SENT["createOrder"], change)))
    found = [(finding.rule, finding.pointer, finding.soft) for finding in contract.judge(made, conversation)]
    place = f"/selectedBaggage/0/outboundSegmentBaggageSelection/0/{pointer}"
    assert found == ([("V4-ORDER-BAGGAGE-MAXIMUM", place, True)] if pointer else [])


@pytest.mark.parametrize(("kind", "warns"), [("PASSPORT", False), ("NIF", False), ("NIE", True)])
def test_create_order_with_an_identification_type_that_is_not_offered(
    contract: Contract, kind: str, warns: bool
) -> None:
    conversation = Conversation()
    contract.judge(exchange("getOffer"), conversation)
    sent = changed(SENT["createOrder"], put("passengers[0].identification.type", kind))
    found = [
        (finding.rule, finding.soft)
        for finding in contract.judge(rejected(exchange("createOrder", sent=sent)), conversation)
    ]
    assert found == ([("V4-ORDER-IDENTIFICATION-OPTION", True)] if warns else [])


def test_create_order_without_the_required_birth_date_of_an_adult(contract: Contract) -> None:
    conversation = Conversation()
    sent = changed(SENT["createOrder"], drop("passengers[0].birthDate"))
    assert contract.judge(rejected(exchange("createOrder", sent=sent)), conversation) == []
    contract.judge(exchange("getOffer"), conversation)
    found = contract.judge(exchange("createOrder", sent=sent), conversation)
    assert [(finding.side, finding.rule, finding.soft) for finding in found] == [
        ("request", "V4-ORDER-ADULT-BIRTH-DATE", True),
        ("response", "V4-ORDER-ADULT-BIRTH-DATE", True),
    ]


# Totals


def priced(total: float, *, pieces: int = 1, method: str = "card", each: float = 35, name: str = "1") -> Exchange:
    selection = {"type": "CHECK_IN", "numberOfPieces": pieces, "kilosPerPiece": 20}
    sent = changed(SENT["createOrder"], put(BAG, selection), put("paymentMethod", {method: True}))
    returned = changed(
        RETURNED["createOrder"],
        put("id", f"c7a1b2d3-1c2b-4d5e-8f90-00000000000{name}"),
        put(BAG, selection | {"pricePerPiece": money(each)}),
        put("paymentMethod", {method: True}),
        put("totalPrice", money(total)),
    )
    return exchange("createOrder", sent=sent, returned=returned, name=name)


TOTAL = ("response", "V4-ORDER-TOTAL-BAGGAGE", "/totalPrice/amount")
FEE = ("response", "V4-ORDER-TOTAL-CARD-FEE", "/totalPrice/amount")


@pytest.mark.parametrize(
    ("method", "first", "second", "broken"),
    [
        ("balance", 200.0, 270.0, False),
        ("balance", 200.0, 270.01, False),
        ("balance", 200.0, 200.0, True),
        ("balance", 200.0, 235.0, True),
        ("balance", 200.0, 280.0, True),
        ("card", 200.0, 270.0, False),
        ("card", 200.0, 271.4, False),
        ("card", 200.0, 250.0, True),
    ],
)
def test_order_total_does_not_rise_by_the_price_of_the_baggage(
    found: Finder, method: str, first: float, second: float, broken: bool
) -> None:
    without, with_bags = priced(first, pieces=0, method=method), priced(second, pieces=2, method=method, name="2")
    assert found(exchange("getOffer"), without, with_bags) == ([TOTAL] if broken else [])
    assert found(exchange("getOffer"), with_bags, without) == ([TOTAL] if broken else [])
    assert found(without, with_bags) == []


@pytest.mark.parametrize(
    ("card", "pieces", "soft"),
    [
        (202.5, 0, None),
        (201.0, 0, True),
        (203.0, 0, True),
        (200.0, 0, False),
        (199.0, 0, False),
        (202.5, 1, None),
        (203.0, 1, None),
        (201.0, 1, True),
        (200.0, 1, False),
    ],
)
def test_order_total_by_card_includes_the_fee(contract: Contract, card: float, pieces: int, soft: bool | None) -> None:
    """The displayed fee is 2.50; baggage may add to it."""
    orders = [priced(card, pieces=pieces), priced(200, pieces=pieces, method="balance", name="2")]
    for first, second in (orders, reversed(orders)):
        conversation = Conversation()
        for each in (exchange("getOffer"), first):
            assert contract.judge(each, conversation) == []
        found = [(finding.rule, finding.soft) for finding in contract.judge(second, conversation)]
        assert found == ([] if soft is None else [("V4-ORDER-TOTAL-CARD-FEE", soft)])


def test_order_total_without_a_displayed_fee(found: Finder) -> None:
    shown = changed(RETURNED["getOffer"], put("paymentOptions", [{"type": "card"}, {"type": "balance"}]))
    orders = [priced(200), priced(200, method="balance", name="2")]
    assert found(exchange("getOffer", returned=shown), *orders) == []


@pytest.mark.parametrize(
    ("total", "pieces", "method", "expected"),
    [
        (193.0, 2, "card", []),
        (190.5, 2, "card", [("V4-ORDER-TOTAL-CARD-FEE", True)]),
        (190.5, 2, "balance", []),
        (190.48, 2, "card", [("V4-ORDER-TOTAL-BAGGAGE", False)]),
        (123.0, 2, "card", [("V4-ORDER-TOTAL-BAGGAGE", False)]),
        (123.0, 2, "balance", [("V4-ORDER-TOTAL-BAGGAGE", True)]),
        (123.0, 0, "card", []),
        (120.5, 0, "card", [("V4-ORDER-TOTAL-CARD-FEE", True)]),
        (110.0, 0, "card", []),
    ],
)
def test_order_total_is_at_least_its_parts(
    contract: Contract, total: float, pieces: int, method: str, expected: list[tuple[str, bool]]
) -> None:
    """The fare of the offer costs 120.50, a piece 35.00, and the displayed fee is 2.50."""

    def found(order: Exchange, *seen: Exchange) -> list[tuple[str, bool]]:
        conversation = Conversation()
        assert [contract.judge(each, conversation) for each in seen] == [[] for _ in seen]
        return [(finding.rule, finding.soft) for finding in contract.judge(order, conversation)]

    order, offer = priced(total, pieces=pieces, method=method), exchange("getOffer")
    assert found(order, offer) == expected
    assert found(order) == []


def test_fare_of_a_resident_may_cost_less(found: Finder) -> None:
    order = priced(123.0, pieces=2)
    resident = put("passengers[0].localityCodeOfResidency", "070407")
    sent = changed(json.loads(order.request.body or b""), resident)
    returned = changed(json.loads(order.response.body or b"") if order.response else {}, resident)
    assert found(exchange("getOffer"), order) == [TOTAL]
    assert found(exchange("getOffer"), exchange("createOrder", sent=sent, returned=returned)) == []


PRICE = "/selectedBaggage/0/outboundSegmentBaggageSelection/0/pricePerPiece/amount"
LISTED = "fareBaggageOptions[0].outboundSegmentOptions"
OF_20_KG = changed(RETURNED["getBaggage"], put(f"{LISTED}[0].maxKilosPerPiece", 20))


@pytest.mark.parametrize(("each", "broken"), [(35, False), (35.004, False), (36, True)])
def test_price_per_piece_is_that_of_the_baggage_option(found: Finder, each: float, broken: bool) -> None:
    seen = exchange("getOffer"), exchange("getBaggage", returned=OF_20_KG)
    assert found(*seen, priced(300, each=each)) == ([("response", "V4-BAGGAGE-PRICE", PRICE)] if broken else [])
    assert found(priced(300, each=each)) == []


def test_price_per_piece_of_one_of_several_equal_options(found: Finder) -> None:
    listed = OF_20_KG["fareBaggageOptions"][0]["outboundSegmentOptions"]
    both = changed(OF_20_KG, put(LISTED, [*listed, listed[0] | {"pricePerPiece": money(70)}]))
    assert found(exchange("getOffer"), exchange("getBaggage", returned=both), priced(300, each=70)) == []


def test_price_per_piece_of_an_item(found: Finder) -> None:
    seen, order = (exchange("getOffer"), exchange("getBaggage", returned=OF_20_KG)), RETURNED["createOrder"]
    changes = drop(f"{BAG}.pricePerPiece"), put("selectedBaggage[0].pricePerPiece", money(36))
    made = exchange("createOrder", returned=changed(order, *changes))
    assert found(*seen, made) == [("response", "V4-BAGGAGE-PRICE", "/selectedBaggage/0/pricePerPiece/amount")]


# Confirmation


def test_second_confirmation_succeeds(found: Finder) -> None:
    again = exchange("confirmOrder", after=2, name="2")
    on_request = ("request", "V4-CONFIRM-ONCE", "path")
    assert found(exchange("confirmOrder", after=1), again) == [on_request, ("response", "V4-CONFIRM-ONCE", "status")]
    assert found(exchange("confirmOrder", after=1), rejected(again, 409, "Conflict")) == [on_request]
    assert found(exchange("getOrder", after=1), rejected(again, 409, "Conflict")) == [on_request]


def test_simultaneous_confirmations_both_succeed(found: Finder) -> None:
    first = exchange("confirmOrder", elapsed=1.0)
    second = exchange("confirmOrder", after=0.005, elapsed=1.0, name="2")
    assert found(first, second) == [("response", "V4-CONFIRM-CONCURRENT", "status")]
    assert found(first, rejected(second, 409, "Conflict")) == []


def test_failed_order_may_be_confirmed_again(found: Finder) -> None:
    failed = exchange("confirmOrder", returned=changed(RETURNED["createOrder"], put("status", "FAILED")))
    assert found(exchange("createOrder"), failed, exchange("confirmOrder", after=1, name="3")) == []


def test_confirm_order_with_another_payment_method(found: Finder) -> None:
    booked = changed(RETURNED["confirmOrder"], put("paymentMethod", BALANCE))
    made = exchange("confirmOrder", sent={"paymentMethod": BALANCE}, returned=booked, after=1)
    on_request = ("request", "V4-CONFIRM-SAME-METHOD", "/paymentMethod")
    assert found(exchange("createOrder"), rejected(made, 422, "Unprocessable Entity")) == [on_request]
    assert found(exchange("createOrder"), made) == [
        on_request,
        ("response", "V4-CONFIRM-SAME-METHOD", "status"),
    ]
    assert found(made) == []


# Get Order and reservations


@pytest.mark.parametrize("status", ["OPEN", "FAILED"])
def test_booked_order_is_open_or_failed_later(found: Finder, status: str) -> None:
    back = changed(RETURNED["createOrder"], put("status", status))
    late = exchange("getOrder", returned=back, after=2)
    assert found(exchange("confirmOrder"), late) == [("response", "V4-ORDER-STAYS-BOOKED", "/status")]
    at_once = exchange("getOrder", returned=back)
    assert found(exchange("confirmOrder"), at_once) == []
    failed = [("response", "V4-ORDER-READ", "/status")] if status == "FAILED" else []
    assert found(exchange("createOrder"), late) == failed


READ = [
    (put("offer.id", OTHER), "V4-ORDER-OFFER", "/offer/id"),
    (put("offer.fare.id", OTHER), "V4-ORDER-OFFER", "/offer/fare/id"),
    (put("reservationId", OTHER), "V4-ORDER-RESERVATION-ID", "/reservationId"),
    (put("passengers[0].firstLastName", "King"), "V4-ORDER-PASSENGERS-ECHO", "/passengers/0/firstLastName"),
    (put("customerContact.cityName", "Malaga"), "V4-ORDER-CONTACT-ECHO", "/customerContact/cityName"),
    (
        put(f"{BAG}.numberOfPieces", 2),
        "V4-ORDER-BAGGAGE-ECHO",
        "/selectedBaggage/0/outboundSegmentBaggageSelection/0/numberOfPieces",
    ),
    (put("paymentMethod", BALANCE), "V4-ORDER-PAYMENT-METHOD-ECHO", "/paymentMethod"),
]


@pytest.mark.parametrize(("change", "rule", "pointer"), READ, ids=[rule for _, rule, _ in READ])
def test_get_order_differs_from_create_order(found: Finder, change: Change, rule: str, pointer: str) -> None:
    made = exchange("getOrder", returned=changed(RETURNED["getOrder"], change), after=2)
    seen = exchange("createOrder"), exchange("confirmOrder", after=1)
    assert found(*seen, made) == [("response", rule, pointer)]
    assert found(made) == []


RESERVED = [
    (put("passengers[0].name", "Eda"), "/passengers/0/name"),
    (put("passengers[0].number", 2), "/passengers"),
    (put("orderId", OTHER), "/orderId"),
]


@pytest.mark.parametrize(("change", "pointer"), RESERVED)
def test_reservation_differs_from_its_order(found: Finder, change: Change, pointer: str) -> None:
    made = exchange("getReservation", returned=changed(RETURNED["getReservation"], change), after=2)
    seen = exchange("createOrder"), exchange("confirmOrder", after=1)
    assert found(*seen, made) == [("response", "V4-RESERVATION-MATCHES-ORDER", pointer)]
    assert found(*seen, exchange("findReservation", after=3)) == []


def test_reservation_has_another_email_address(found: Finder) -> None:
    returned = changed(
        RETURNED["getReservation"], put("email", "x@example.com"), put("customerContact.email", "x@example.com")
    )
    made = exchange("getReservation", returned=returned, after=2)
    assert found(exchange("createOrder"), exchange("confirmOrder"), made) == [
        ("response", "V4-RESERVATION-MATCHES-ORDER", "/email")
    ]


@pytest.mark.parametrize(
    ("member", "value", "warns"),
    [("name", "Eda", True), ("cityName", "Bath", True), ("lastNames", "LOVELACE", False), ("cityName", None, False)],
)
def test_reservation_has_another_contact(contract: Contract, member: str, value: object, warns: bool) -> None:
    conversation = Conversation()
    sent = changed(SENT["createOrder"], put("customerContact.lastNames", "Lovelace"))
    contract.judge(exchange("createOrder", sent=sent), conversation)
    contract.judge(exchange("confirmOrder", after=1), conversation)
    returned = changed(
        RETURNED["getReservation"],
        put("customerContact.lastNames", "Lovelace"),
        put(f"customerContact.{member}", value),
    )
    found = contract.judge(exchange("getReservation", after=2, returned=returned), conversation)
    assert [(each.rule, each.pointer, each.soft) for each in found if each.soft] == (
        [("V4-RESERVATION-MATCHES-ORDER", f"/customerContact/{member}", True)] if warns else []
    )


@pytest.mark.parametrize(("minutes", "soft"), [(14, False), (16, True)])
def test_new_order_is_found(contract: Contract, minutes: int, soft: bool) -> None:
    conversation = Conversation()
    contract.judge(exchange("createOrder"), conversation)
    (finding,) = contract.judge(rejected(exchange("getOrder", after=minutes), 404, "Not Found"), conversation)
    assert (finding.rule, finding.pointer, finding.soft) == ("V4-ORDER-READ", "status", soft)


def test_reservation_has_another_id_than_in_its_order(found: Finder) -> None:
    returned = changed(RETURNED["findReservation"], put("id", OTHER))
    made = exchange("findReservation", returned=returned, after=2)
    assert found(exchange("createOrder"), exchange("confirmOrder"), made) == [
        ("response", "V4-RESERVATION-MATCHES-ORDER", "/id")
    ]


# The memory


def test_ids_are_compared_without_letter_case(found: Finder) -> None:
    read = exchange(
        "getOrder",
        url=f"https://service.example/v4/order/{ORDER.upper()}",
        returned=changed(RETURNED["getOrder"], put("reservationId", RESERVATION.upper())),
        after=2,
    )
    assert found(exchange("createOrder"), exchange("confirmOrder"), read) == []


def test_memory_drops_the_least_recently_used_entry() -> None:
    memory = InMemoryStore(limit=3)
    for key in "abc":
        memory.put("order", key, key)
    assert memory.get("order", "a") == "a"
    memory.put("order", "d", "d")
    assert [memory.get("order", key) for key in "abcd"] == ["a", None, "c", "d"]
    assert len(memory) == 3


def test_memory_of_a_conversation_is_bounded(contract: Contract) -> None:
    memory = InMemoryStore(limit=10)
    conversation = Conversation(memory)
    for number in range(50):
        offer = changed(RETURNED["getOffer"], put("id", f"5f0c1f6e-3f7e-4a0e-9f43-{number:012}"))
        contract.judge(exchange("getOffer", returned=offer), conversation)
    for number in range(50):
        contract.judge(priced(100 + number, name=str(number % 10)), conversation)
    assert len(memory) == 2 * 10 + 4  # offers and orders; one fare and one key; the searches and the service


# What a later response must still say


def test_order_of_a_fare_for_other_passengers(found: Finder) -> None:
    number = "offer.fare.passengerPricingByPassengerType.adult.numberOfPassengers"
    place = "/offer/fare/passengerPricingByPassengerType/adult/numberOfPassengers"
    other = exchange("createOrder", returned=changed(RETURNED["createOrder"], put(number, 2)), after=1)
    assert found(exchange("getOffer"), other) == [("response", "V4-ORDER-OFFER", place)]
    more = exchange("getOffer", sent=changed(SENT["getOffer"], put("adults", 2)))
    assert ("response", "V4-ORDER-OFFER", place) not in found(more, other)


def test_order_of_a_fare_with_another_price_warns(contract: Contract) -> None:
    dearer = changed(RETURNED["createOrder"], put("offer.fare.totalPrice", money(130.5)))
    conversation = Conversation()
    contract.judge(exchange("getOffer"), conversation)
    (finding,) = contract.judge(exchange("createOrder", returned=dearer, after=1), conversation)
    assert (finding.rule, finding.pointer, finding.soft) == ("V4-ORDER-OFFER", "/offer/fare/totalPrice/amount", True)


@pytest.mark.parametrize(
    ("fares", "broken"),
    [
        ([(FARE, 120.5), (OTHER, 90)], True),
        ([(FARE, 120.5), (OTHER, 130)], False),
        # Prices of another kind, such as those of one passenger.
        ([(FARE, 60.25), (OTHER, 90)], False),
        ([(OTHER, 90)], False),
    ],
)
def test_fare_that_is_cheaper_than_the_cheapest(found: Finder, fares: list[tuple[str, float]], broken: bool) -> None:
    listed = exchange(
        "getFares", returned={"fares": [{"id": key, "totalPrice": money(price)} for key, price in fares]}, after=1
    )
    place = ("response", "V4-OFFER-CHEAPEST-FARE", "/fares/1/totalPrice/amount")
    assert (place in found(exchange("getOffer"), listed)) is broken


def test_reservation_with_another_reference_warns(contract: Contract) -> None:
    conversation = Conversation()
    for each in (exchange("confirmOrder"), exchange("getReservation", after=1)):
        assert contract.judge(each, conversation) == []
    same = changed(RETURNED["findReservation"], put("pnr", "ab12cd"))
    assert contract.judge(exchange("findReservation", returned=same, after=2), conversation) == []
    other = changed(RETURNED["findReservation"], put("pnr", "ZZ99ZZ"))
    (finding,) = contract.judge(exchange("findReservation", returned=other, after=3), conversation)
    assert (finding.rule, finding.pointer, finding.soft) == ("V4-RESERVATION-MATCHES-ORDER", "/pnr", True)


@pytest.mark.parametrize(
    ("status", "key", "broken"),
    [(401, "wrong", True), (404, "another", True), (403, "another", False), (422, "another", False)],
)
def test_order_fails_by_a_confirmation_with_the_right_to_confirm_it(
    found: Finder, status: int, key: str, broken: bool
) -> None:
    headers = (("Authorization", key), *HEADERS[1:])
    failed = changed(RETURNED["createOrder"], put("status", "FAILED"))
    confirmation = rejected(exchange("confirmOrder", headers=headers, after=1), status, HTTPStatus(status).phrase)
    places = found(exchange("createOrder"), confirmation, exchange("getOrder", returned=failed, after=2))
    assert (("response", "V4-ORDER-READ", "/status") in places) is broken
