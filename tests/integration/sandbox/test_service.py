"""The service in test mode, end to end over TLS."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import requests

from airworthy.sandbox import SandboxServer, SandboxSettings

from .agency import Agency, agencies, passenger


def status(response: requests.Response) -> tuple[int, int]:
    """Return the HTTP status and the one that the error body says."""
    return response.status_code, response.json()["statusCode"]


def test_every_dialect_books(dialect_agency: Agency) -> None:
    order = dialect_agency.opened(bag=True)
    booked = dialect_agency.confirm(order)
    again = dialect_agency.confirm(order)
    read = dialect_agency.call("GET", f"/order/{order['id']}")
    reservation = dialect_agency.call("GET", f"/reservation/{booked.json()['reservationId']}")
    found = dialect_agency.call("GET", "/reservation", orderId=order["id"])

    assert (booked.status_code, booked.json()["status"]) == (200, "BOOKED")
    assert 400 <= again.status_code < 500
    assert read.json() == booked.json()
    assert reservation.status_code == 200
    assert found.json() == reservation.json()
    assert reservation.json()["orderId"] == order["id"]


def test_every_dialect_books_a_round_trip(dialect_agency: Agency) -> None:
    offer = dialect_agency.offer(back=True).json()
    order = dialect_agency.order(offer)

    assert dialect_agency.confirm(order.json()).json()["status"] == "BOOKED"


def test_ten_confirmations_at_once_book_once(agency: Agency) -> None:
    order = agency.opened()
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: agency.confirm(order), range(10)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
    assert agency.call("GET", f"/order/{order['id']}").json()["status"] == "BOOKED"


def test_a_confirmation_race_is_a_fault_that_shows(agency: Agency, sandbox: SandboxServer) -> None:
    agency.session.post(f"{sandbox.base_url}/sandbox/faults", json={"names": ["confirm-race"]}, timeout=10)
    order = agency.opened()
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda _: agency.confirm(order), range(10)))

    assert sum(answer.status_code == 200 for answer in answers) > 1


def test_totals_include_baggage_and_the_fee_for_cards(agency: Agency) -> None:
    offer = agency.offer().json()
    card, with_bag, balance = (
        agency.order(offer, method, bag=bag).json()["totalPrice"]["amount"]
        for method, bag in (("card", False), ("card", True), ("balance", False))
    )
    bag = agency.call("GET", f"/offer/{offer['id']}/baggage").json()["fareBaggageOptions"][0]
    fees = {option["type"]: option.get("fee", {"amount": 0})["amount"] for option in offer["paymentOptions"]}

    assert balance == offer["cheapestFare"]["totalPrice"]["amount"]
    assert card - balance == pytest.approx(fees["card"])
    assert with_bag - card == pytest.approx(bag["outboundSegmentOptions"][0]["pricePerPiece"]["amount"])


@pytest.mark.parametrize(
    ("route", "expected"),
    [(("MAD", "SVQ"), 404), (("MAD", "OPO"), 200), (("BCN", "NCE"), 200), (("BIO", "ATH"), 200)],
)
def test_situations_happen_on_their_routes(agency: Agency, route: tuple[str, str], expected: int) -> None:
    offer = agency.offer(*route)

    assert offer.status_code == expected


def test_a_price_changes_between_search_and_offer(agency: Agency) -> None:
    found = agency.search("BCN", "PMI")["offers"][0]["fare"]["price"]["totalAmount"]

    assert agency.offer("BCN", "PMI").json()["cheapestFare"]["totalPrice"]["amount"] > found


def test_nothing_is_sold_where_and_when_nothing_is_sold(agency: Agency) -> None:
    assert agency.search("CIA", "EDI")["offers"] == []
    assert agency.search("QQQ", "BCN")["offers"] == []
    assert agency.search(travelClass="BUSINESS")["offers"] == []
    assert agency.search(adults=9, children=9)["offers"] == []


def test_a_supplier_that_fails_is_an_error_of_the_service(agency: Agency) -> None:
    assert agency.ask("GVA", "OSL").status_code == 500


def test_cities_are_searched_by_all_their_airports(agency: Agency) -> None:
    found = agency.search("LON", "MIL", kind="CITY")
    ends = {offer["outboundSegment"]["sections"][0]["origin"] for offer in found["offers"]}

    assert len(ends) > 1
    assert ends <= {"LHR", "LGW", "STN"}


def test_birth_dates_are_optional_where_the_supplier_allows_it(agency: Agency) -> None:
    without = passenger(1) | {"birthDate": "1990-01-01"}
    del without["birthDate"]

    assert agency.order(agency.offer("BCN", "NCE").json(), passengers=[without]).status_code == 200
    assert status(agency.order(agency.offer().json(), passengers=[without])) == (400, 400)


def test_an_offer_lives_for_thirty_minutes(agency: Agency, sandbox: SandboxServer) -> None:
    def wait(seconds: float) -> None:
        agency.session.post(f"{sandbox.base_url}/sandbox/clock", json={"seconds": seconds}, timeout=10)

    offer = agency.offer().json()
    wait(29 * 60)
    in_time = agency.order(offer)
    wait(2 * 60)
    too_late = agency.order(offer)
    fares = agency.call("GET", f"/offer/{offer['id']}/fares")

    assert in_time.status_code == 200
    assert status(too_late) == (404, 404)
    assert (fares.status_code, fares.json()) == (200, {"fares": []})
    assert agency.confirm(in_time.json()).json()["status"] == "BOOKED"


def test_what_is_not_ones_own_is_not_shown(agency: Agency, other_agency: Agency) -> None:
    offer = agency.offer().json()
    order = agency.order(offer).json()
    reservation = agency.confirm(order).json()["reservationId"]

    assert other_agency.call("GET", f"/offer/{offer['id']}/fares").json() == {"fares": []}
    assert status(other_agency.call("GET", f"/offer/{offer['id']}/baggage")) == (404, 404)
    assert status(other_agency.order(offer)) == (404, 404)
    assert status(other_agency.call("GET", f"/order/{order['id']}")) == (404, 404)
    assert status(other_agency.confirm(order)) == (404, 404)
    assert status(other_agency.call("GET", f"/reservation/{reservation}")) == (404, 404)
    assert status(other_agency.call("GET", "/reservation", orderId=order["id"])) == (404, 404)


def test_balance_is_for_those_who_have_it(agency: Agency, other_agency: Agency) -> None:
    balance = {"paymentMethod": {"balance": True}}

    assert agency.confirm(agency.opened(method="balance"), **balance).json()["status"] == "BOOKED"
    assert status(other_agency.confirm(other_agency.opened(method="balance"), **balance)) == (403, 403)


SECURE = {
    "version": "2.2.0",
    "electronic_commerce_indicator": "05",
    "cryptogram": "AAECAwQFBgcICQoLDA0ODxAREhM=",
    "transaction_id": "f25084f0-5b16-4c0a-ae5d-b24808a95e4b",
}


@pytest.mark.parametrize(
    ("fields", "expected", "left"),
    [
        ({"payment_method": "pm_card_chargeDeclined"}, 422, "FAILED"),
        ({"payment_method": "pm_never_created"}, 422, "FAILED"),
        ({"payment_method": "pm_card_authenticationRequired"}, 406, "OPEN"),
        ({"payment_intent_id": "pi_sandbox_not_ready"}, 406, "OPEN"),
        ({"payment_intent_id": "pi_sandbox_wrong_amount"}, 422, "FAILED"),
        ({"payment_method": "pm_card_visa", "payment_intent_id": "pi_sandbox_not_ready"}, 400, "OPEN"),
        ({"payment_method": "card_visa"}, 400, "OPEN"),
        ({"paymentMethod": {"balance": True}}, 400, "OPEN"),
        ({"paymentMethod": {"card": True}}, 400, "OPEN"),
        ({"payment_intent_id": "pi_sandbox_not_ready", "three_d_secure": SECURE}, 400, "OPEN"),
        (
            {"payment_method": "pm_card_visa", "three_d_secure": SECURE | {"electronic_commerce_indicator": "06"}},
            422,
            "FAILED",
        ),
        (
            {"payment_method": "pm_card_visa", "three_d_secure": SECURE | {"electronic_commerce_indicator": "07"}},
            400,
            "OPEN",
        ),
        ({"payment_method": "pm_card_visa", "three_d_secure": SECURE | {"cryptogram": "short"}}, 400, "OPEN"),
        ({"payment_method": "pm_card_authenticationRequired", "three_d_secure": SECURE}, 200, "BOOKED"),
    ],
)
def test_payments_end_as_documented(agency: Agency, fields: dict[str, Any], expected: int, left: str) -> None:
    order = agency.opened()

    assert agency.confirm(order, **fields).status_code == expected
    assert agency.call("GET", f"/order/{order['id']}").json()["status"] == left


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"passengers": []}, 400),
        ({"passengers": [passenger(1) | {"type": "child", "birthDate": None}]}, 400),
        ({"passengers": [passenger(1), passenger(3)]}, 400),
        ({"selectedBaggage": []}, 400),
        ({"paymentMethod": {}}, 400),
        ({"paymentMethod": {"card": True, "balance": True}}, 400),
        ({"paymentMethod": {"card": True, "balance": False}}, 200),
        ({"customerContact": None}, 400),
        (
            {
                "selectedBaggage": [
                    {
                        "passengerNumber": 1,
                        "outboundSegmentBaggageSelection": [
                            {"type": "CHECK_IN", "numberOfPieces": -1, "kilosPerPiece": 15}
                        ],
                    }
                ]
            },
            400,
        ),
    ],
)
def test_orders_are_checked(agency: Agency, change: dict[str, Any], expected: int) -> None:
    assert agency.order(agency.offer().json(), **change).status_code == expected


def test_credentials_are_not_echoed(agency: Agency) -> None:
    contact = agency.opened()["customerContact"] | {
        "carrierPortalCredentials": {"username": "amelia", "password": "canary"}
    }

    assert "canary" not in agency.order(agency.offer().json(), customerContact=contact).text


@pytest.mark.parametrize("number", ["not-a-uuid", "00000000-0000-4000-8000-000000000000"])
def test_unknown_ids_are_not_found(agency: Agency, number: str) -> None:
    for path in (f"/order/{number}", f"/reservation/{number}", f"/offer/{number}/baggage"):
        assert status(agency.call("GET", path)) == (404, 404)
    assert agency.call("GET", f"/offer/{number}/fares").json() == {"fares": []}
    assert status(agency.call("GET", "/reservation", orderId=number)) == (404, 404)


@pytest.mark.parametrize(
    ("route", "more", "expected"),
    [
        (("MAD", "LHR"), {}, 400),
        (("MAD", "LHR"), {"type": "PASSPORT"}, 200),
        (("MAD", "LPA"), {"type": "NIF"}, 400),
        (("MAD", "LPA"), {"type": "NIF", "locality": "350160"}, 200),
    ],
)
def test_a_strict_service_demands_what_an_offer_lists(
    route: tuple[str, str], more: dict[str, str], expected: int
) -> None:
    traveller = passenger(1)
    if "type" in more:
        traveller["identification"] = {
            "type": more["type"],
            "identificationNumber": "X0000000",
            "expirationDate": "2099-01-01",
            "issueCountryCode": "ES",
        }
    if "locality" in more:
        traveller["localityCodeOfResidency"] = more["locality"]
    with SandboxServer(SandboxSettings(dialect="strict")) as server:
        first, _ = agencies(server)
        with first.session:
            assert first.order(first.offer(*route).json(), passengers=[traveller]).status_code == expected
