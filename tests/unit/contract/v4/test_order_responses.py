"""Orders in responses, compared with the request."""

import pytest

from airworthy.contract import Contract
from unit.contract.examples import RETURNED, SENT, THREE_D, Finder, changed, drop, exchange, money, put, rejected

BAG = "selectedBaggage[0].outboundSegmentBaggageSelection[0]"


def test_created_order_is_not_open(found: Finder) -> None:
    returned = changed(RETURNED["createOrder"], put("status", "FAILED"))
    assert found(exchange("createOrder", returned=returned)) == [("response", "V4-ORDER-OPENS", "/status")]


def test_confirmed_order_is_still_open(found: Finder) -> None:
    left_open = changed(RETURNED["createOrder"], put("status", "OPEN"))
    failed = changed(RETURNED["createOrder"], put("status", "FAILED"))
    assert found(exchange("confirmOrder", returned=left_open)) == [("response", "V4-CONFIRM-BOOKS", "/status")]
    assert found(exchange("confirmOrder", returned=failed)) == []


@pytest.mark.parametrize("indicator", ["06", "01"])
def test_order_is_booked_although_authentication_was_only_attempted(found: Finder, indicator: str) -> None:
    secure = THREE_D | {"electronic_commerce_indicator": indicator}
    made = exchange("confirmOrder", sent=SENT["confirmOrder"] | {"three_d_secure": secure})
    assert found(made) == [("response", "V4-CONFIRM-3DS-ATTEMPTED", "/status")]
    assert found(rejected(made, 422, "Unprocessable Entity")) == []


def test_other_payment_method_may_be_null(found: Finder) -> None:
    assert found(exchange("createOrder", returned=put("paymentMethod", {"card": True, "balance": None}))) == []
    neither = changed(RETURNED["createOrder"], put("paymentMethod", {"card": None}))
    rule = "V4-ORDER-PAYMENT-METHOD-ECHO"
    assert found(exchange("createOrder", returned=neither)) == [("response", rule, "/paymentMethod")]


def test_country_code_may_change_letter_case(found: Finder) -> None:
    sent = changed(SENT["createOrder"], put("customerContact.countryCode", "es"))
    assert found(exchange("createOrder", sent=changed(sent, put("customerContact.phone.countryCode", "es")))) == []
    other = found(exchange("createOrder", sent=changed(sent, put("customerContact.countryCode", "fr"))))
    assert other == [("response", "V4-ORDER-CONTACT-ECHO", "/customerContact/countryCode")]


def test_price_per_piece_may_be_on_the_item(found: Finder) -> None:
    returned = changed(
        RETURNED["createOrder"], drop(f"{BAG}.pricePerPiece"), put("selectedBaggage[0].pricePerPiece", money(35))
    )
    assert found(exchange("createOrder", returned=returned)) == []


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
def test_name_in_another_spelling(contract: Contract, sent: str, returned: str, broken: bool) -> None:
    made = exchange("createOrder", sent=put("passengers[0].name", sent), returned=put("passengers[0].name", returned))
    found = [finding.rule for finding in contract.judge(made)]
    assert found == (["V4-ORDER-PASSENGERS-ECHO"] if broken else [])
