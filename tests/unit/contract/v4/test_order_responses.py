"""Orders and reservations in responses, compared with the request and with each other."""

import pytest

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation.v4 import echo
from unit.contract.examples import ORDER, RESERVATION, RETURNED, SENT, THREE_D, exchange, put, rejected
from unit.contract.judging import found, shown, weighed


@pytest.mark.parametrize(
    ("operation", "status", "rules"),
    [
        ("createOrder", "FAILED", ["V4-ORDER-OPENS"]),
        ("confirmOrder", "OPEN", ["V4-CONFIRM-BOOKS"]),
        ("confirmOrder", "FAILED", []),
    ],
)
def test_status_of_an_order(operation: str, status: str, rules: list[str]) -> None:
    made = exchange(operation, returned=RETURNED["createOrder"] | {"status": status})
    assert found(made) == [("response", rule, "/status") for rule in rules]


@pytest.mark.parametrize("indicator", ["06", "01"])
def test_order_is_booked_although_authentication_was_only_attempted(indicator: str) -> None:
    secure = THREE_D | {"electronic_commerce_indicator": indicator}
    made = exchange("confirmOrder", sent=SENT["confirmOrder"] | {"three_d_secure": secure})
    assert found(made) == [("response", "V4-CONFIRM-3DS-ATTEMPTED", "/status")]
    assert found(rejected(made, 422, "Unprocessable Entity")) == []


def test_other_payment_method_may_be_null() -> None:
    assert found(exchange("createOrder", returned=put("paymentMethod", {"card": True, "balance": None}))) == []


def test_country_code_may_change_letter_case() -> None:
    lower = put("customerContact.countryCode", "es"), put("customerContact.phone.countryCode", "es")
    assert found(exchange("createOrder", sent=lower)) == []
    other = found(exchange("createOrder", sent=put("customerContact.countryCode", "fr")))
    assert other == [("response", "V4-ORDER-CONTACT-ECHO", "/customerContact/countryCode")]


@pytest.mark.parametrize(
    ("sent", "returned", "broken"),
    [
        ("José", "JOSE", False),
        ("Núñez  Sol", "nunez sol", False),
        ("Nu\u0301n\u0303ez", "Núñez", False),
        ("Müller", "MUELLER", False),
        ("Müller", "Muller", False),
        ("O'Brien", "OBRIEN", False),
        ("Jean-Luc", "JEAN LUC", False),
        ("de la Cruz", "DELACRUZ", False),
        ("Weiß", "WEISS", False),
        ("Sørensen", "SOERENSEN", False),
        ("Sørensen", "Sorensen", False),
        ("Jean-Luc", "JEANLUC", False),
        ("Łukasz", "Lukasz", False),
        ("Николай", "NIKOLAI", False),
        ("Müller", "Miller", True),
        ("Jean-Luc", "Jean", True),
        ("O'Brien", "Grace", True),
        ("Müller", "MEULLER", True),
        ("José", "JosÃ©", True),
        ("José", "Jos?", True),
    ],
)
def test_name_in_another_spelling(sent: str, returned: str, broken: bool) -> None:
    made = exchange("createOrder", sent=put("passengers[0].name", sent), returned=put("passengers[0].name", returned))
    assert shown("rule", made) == ["V4-ORDER-PASSENGERS-ECHO"] * broken


# Passengers


def differences(sent: dict[str, object], returned: dict[str, object]) -> list[str]:
    return [str(each.path[-1]) for each in compared([{"number": 1, **sent}], [{"number": 1, **returned}])]


def compared(sent: object, returned: object) -> list[Defect]:
    return list(echo.passengers(sent, Node({"passengers": returned}) / "passengers"))


@pytest.mark.parametrize(
    ("returned", "found"),
    [
        ({"number": "600123456", "countryCode": "es"}, []),
        ({"number": "+34 600 123 456", "countryCode": "ES"}, []),
        ({"number": "600123457", "countryCode": "ES"}, ["number"]),
        ({"number": "600123456", "countryCode": "FR"}, ["countryCode"]),
        (None, []),
    ],
)
def test_phone_is_compared_by_its_digits(returned: object, found: list[str]) -> None:
    assert differences({"phone": {"number": "600 123456", "countryCode": "ES"}}, {"phone": returned}) == found


@pytest.mark.parametrize(("sent", "returned", "soft"), [("MS", "MRS", True), ("MRS", "MR", False), ("MR", "MS", False)])
def test_other_title_of_the_same_gender_only_warns(sent: str, returned: str, soft: bool) -> None:
    found = compared([{"number": 1, "title": sent}], [{"number": 1, "title": returned}])
    assert [each.soft for each in found] == [soft]


def test_punctuation_of_other_texts_counts() -> None:
    assert differences({"birthDate": "1990-01-02"}, {"birthDate": "1990-0102"}) == ["birthDate"]


def test_member_of_one_passenger_is_lost() -> None:
    """Optional members may be left out (OPEN-48), but not those of the second passenger alone."""
    sent = [{"number": at, "type": "adult", "middleName": "Maria", "birthDate": "1990-01-02"} for at in (1, 2)]
    lost = [sent[0], {"number": 2, "type": "adult", "birthDate": None}]
    found = [(each.path, each.soft) for each in compared(sent, lost)]
    assert found == [(("passengers", 1, "birthDate"), True), (("passengers", 1, "middleName"), True)]
    assert not compared(sent, [{"number": at, "type": "adult"} for at in (1, 2)])


# Retrieved orders and reservations


@pytest.mark.parametrize("status", ["OPEN", "FAILED"])
def test_booked_order_is_open_or_failed_later(status: str) -> None:
    back = RETURNED["createOrder"] | {"status": status}
    late = exchange("getOrder", returned=back, after=2)
    assert found(exchange("confirmOrder"), late) == [("response", "V4-ORDER-STAYS-BOOKED", "/status")]
    at_once = exchange("getOrder", returned=back)
    assert found(exchange("confirmOrder"), at_once) == []
    # It may have been confirmed at the same time, or through another proxy.
    assert found(exchange("createOrder"), late) == []


def test_ids_are_compared_without_letter_case() -> None:
    read = exchange(
        "getOrder",
        url=f"https://service.example/v4/order/{ORDER.upper()}",
        returned=put("reservationId", RESERVATION.upper()),
        after=2,
    )
    assert found(exchange("createOrder"), exchange("confirmOrder"), read) == []


def test_reservation_of_an_order_that_was_only_read() -> None:
    rule, seen = "V4-RESERVATION-MATCHES-ORDER", exchange("getOrder")
    passengers = exchange("findReservation", returned=put("passengers[0].firstLastName", "Hopper"), after=1)
    other_id = put("id", "00000000-0000-4000-8000-000000000000")
    renamed = exchange("findReservation", returned=other_id, after=2, name="renamed")
    assert weighed(seen, passengers) == [(rule, "/passengers/0/firstLastName", False)]
    assert weighed(exchange("findReservation"), renamed) == [(rule, "/id", False)]
    flight = exchange("findReservation", returned=put("outboundSegment.sections[0].flightNumber", "77"), after=3)
    assert weighed(seen, flight) == [(rule, "/outboundSegment/sections/0/flightNumber", True)]
    assert weighed(renamed) == []


def test_reservation_with_another_reference_warns() -> None:
    seen = exchange("confirmOrder"), exchange("getReservation", after=1)
    same = exchange("findReservation", returned=put("pnr", RETURNED["getReservation"]["pnr"].lower()), after=2)
    other = exchange("findReservation", returned=put("pnr", "ZZ99ZZ"), after=3)
    assert weighed(*seen, same) == []
    assert weighed(*seen, same, other) == [("V4-RESERVATION-MATCHES-ORDER", "/pnr", True)]
