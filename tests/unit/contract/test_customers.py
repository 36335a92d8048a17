"""What belongs to another customer, in traffic of several customers."""

import pytest

from airworthy.contract import Contract
from unit.contract.all_examples import BEFORE, exchange, family
from unit.contract.examples import combined, put
from unit.contract.judging import Weighed, on_response
from unit.contract.test_later_responses import by_another

FOREIGN = {
    "getFares": "V4-FARES-FOREIGN",
    "createOrder": "V4-OFFER-FOREIGN",
    "confirmOrder": "V4-ORDER-FOREIGN",
    "getOrder": "V4-ORDER-FOREIGN",
    "getReservation": "V4-RESERVATION-FOREIGN",
    "findReservation": "V4-RESERVATION-FOREIGN",
    "cancelRequest": "V23-FOREIGN",
    "createBookings": "V23-FOREIGN",
    "getBookings": "V23-FOREIGN",
}


@pytest.mark.parametrize("operation", FOREIGN)
def test_resource_of_another_customer_only_warns(whole_contract: Contract, operation: str) -> None:
    before = [exchange(each, name=each, after=at / 10) for at, each in enumerate(BEFORE[operation])]

    def judged(code: str) -> Weighed:
        if family(operation) == "V4":
            own = exchange("searchOffers", sent=put("customerCode", code), name="own", after=1)
        else:
            returned = combined(put("requests[0].id", 99), put("requests[0].customer_code", code))
            own = exchange("createRequests", sent=put("customer_code", code), returned=returned, name="own", after=1)
        sent = {"sent": put("customer_code", code)} if operation == "createBookings" else {}
        late = exchange(operation, name="late", after=2, **sent)
        return on_response(whole_contract, *before, by_another(own), by_another(late))

    assert (FOREIGN[operation], "status", True) in judged("ANOTHER")
    assert judged("agency1 ") == judged("AGENCY1") == []
    assert on_response(whole_contract, *before, by_another(exchange(operation, name="late", after=2))) == []
