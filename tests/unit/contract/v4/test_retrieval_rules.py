"""Orders and reservations that are retrieved, compared with what is known of them."""

import pytest

from airworthy.contract import Contract
from unit.contract.examples import ORDER, RESERVATION, RETURNED, Finder, changed, exchange, put
from unit.contract.judging import weighed

OTHER = "00000000-0000-4000-8000-000000000000"


@pytest.mark.parametrize("status", ["OPEN", "FAILED"])
def test_booked_order_is_open_or_failed_later(found: Finder, status: str) -> None:
    back = changed(RETURNED["createOrder"], put("status", status))
    late = exchange("getOrder", returned=back, after=2)
    assert found(exchange("confirmOrder"), late) == [("response", "V4-ORDER-STAYS-BOOKED", "/status")]
    at_once = exchange("getOrder", returned=back)
    assert found(exchange("confirmOrder"), at_once) == []
    # It may have been confirmed at the same time, or through another proxy.
    assert found(exchange("createOrder"), late) == []


@pytest.mark.parametrize(
    ("member", "value", "warns"),
    [("name", "Eda", True), ("cityName", "Bath", True), ("lastNames", "LOVELACE", False), ("cityName", None, True)],
)
def test_reservation_has_another_contact(contract: Contract, member: str, value: object, warns: bool) -> None:
    seen = exchange("createOrder", sent=put("customerContact.lastNames", "Lovelace")), exchange("confirmOrder", after=1)
    returned = changed(
        RETURNED["getReservation"],
        put("customerContact.lastNames", "Lovelace"),
        put(f"customerContact.{member}", value),
    )
    found = weighed(contract, *seen, exchange("getReservation", after=2, returned=returned))
    expected = [("V4-RESERVATION-MATCHES-ORDER", f"/customerContact/{member}", True)] if warns else []
    assert [each for each in found if each[2]] == expected


def test_ids_are_compared_without_letter_case(found: Finder) -> None:
    read = exchange(
        "getOrder",
        url=f"https://service.example/v4/order/{ORDER.upper()}",
        returned=put("reservationId", RESERVATION.upper()),
        after=2,
    )
    assert found(exchange("createOrder"), exchange("confirmOrder"), read) == []


def test_reservation_with_another_reference_warns(contract: Contract) -> None:
    seen = exchange("confirmOrder"), exchange("getReservation", after=1)
    same = exchange("findReservation", returned=put("pnr", "ab12cd"), after=2)
    other = exchange("findReservation", returned=put("pnr", "ZZ99ZZ"), after=3)
    assert weighed(contract, *seen, same) == []
    assert weighed(contract, *seen, same, other) == [("V4-RESERVATION-MATCHES-ORDER", "/pnr", True)]
