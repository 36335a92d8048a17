"""Comparing returned passengers with those that were sent; `test_order_responses` compares names."""

import pytest

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.node import Node
from airworthy.contract.conversation.v4 import echo


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


def test_punctuation_of_other_texts_counts() -> None:
    assert differences({"birthDate": "1990-01-02"}, {"birthDate": "1990-0102"}) == ["birthDate"]


def test_member_of_one_passenger_is_lost() -> None:
    """Optional members may be left out (OPEN-48), but not those of the second passenger alone."""
    sent = [{"number": at, "type": "adult", "middleName": "Maria", "birthDate": "1990-01-02"} for at in (1, 2)]
    lost = [sent[0], {"number": 2, "type": "adult", "birthDate": None}]
    found = [(each.path, each.soft) for each in compared(sent, lost)]
    assert found == [(("passengers", 1, "birthDate"), True), (("passengers", 1, "middleName"), True)]
    assert not compared(sent, [{"number": at, "type": "adult"} for at in (1, 2)])
