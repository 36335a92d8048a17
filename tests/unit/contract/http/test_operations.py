"""Finding the operation that a URL addresses, and whether the URL belongs to the service."""

from datetime import date

import pytest

from airworthy.contract import Contract, ServiceAddress
from airworthy.contract.http.operations import Operation
from unit.contract.examples import ENDPOINTS, OF_V4, OFFER, ORDER


def operation_id(contract: Contract, method: str, url: str) -> str | None:
    operation = contract.operation(method, url)
    return operation.id if operation else None


def documented(contract: Contract, method: str, path: str) -> Operation:
    operation = contract.operation(method, f"https://service.example{path}")
    assert operation is not None
    return operation


@pytest.mark.parametrize("base", ["https://service.example", "http://127.0.0.1:8080/a/b", "https://x/v4", ""])
def test_operation_is_found_after_any_prefix(whole_contract: Contract, base: str) -> None:
    for name, (method, path) in ENDPOINTS.items():
        assert operation_id(whole_contract, method, base + path) == name
        assert operation_id(whole_contract, method.lower(), base + path) == name


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("POST", "/search/", "searchOffers"),
        ("POST", "//search", "searchOffers"),
        ("POST", "/search?x=1#there", "searchOffers"),
        ("GET", f"/offer/{OFFER.replace('-', '%2D')}/fares", "getFares"),
        ("GET", "/order/any%2Fthing", "getOrder"),
        ("GET", "/reservation?orderId=", "findReservation"),
        ("GET", "/reservation", "findReservation"),
        ("GET", "/search", None),
        ("POST", "/Search", "searchOffers"),
        ("POST", f"/order/{ORDER}", None),
        ("GET", "/order//", None),
        ("PUT", "/order", None),
    ],
)
def test_path_spelling(contract: Contract, method: str, path: str, name: str | None) -> None:
    assert operation_id(contract, method, "https://service.example/v4" + path) == name


@pytest.mark.parametrize("url", ["", "https://[", "https://service.example/v44/search", "%"])
def test_url_of_another_service(contract: Contract, url: str) -> None:
    assert contract.operation("POST", url) is None


@pytest.mark.parametrize(
    ("base", "url", "ours"),
    [
        ("https://service.example", "https://service.example/v4/search", True),
        ("https://service.example/", "https://service.example:443/v4/search", True),
        ("https://service.example/api", "https://service.example/api/v4/search", True),
        ("https://service.example/api", "https://service.example/v4/search", False),
        ("https://service.example/api", "https://service.example/apiv4/v4/search", False),
        ("https://service.example", "https://other.example/v4/search", False),
        ("https://service.example", "http://service.example/v4/search", True),
        ("https://service.example:8443", "http://service.example:8080/v4/search", True),
        ("http://service.example", "https://service.example/v4/search", False),
        ("http://service.example", "http://service.example:8080/v4/search", False),
        ("https://service.example:8443", "https://service.example:9443/v4/search", False),
        ("https://SERVICE.example", "https://service.EXAMPLE/v4/search", True),
    ],
)
def test_base_url_decides_which_urls_belong_to_the_service(base: str, url: str, ours: bool) -> None:
    contract = Contract.load(service=ServiceAddress(base_urls=(base,)))
    assert (contract.operation("POST", url) is not None) is ours


def test_operation_has_its_parameters(contract: Contract) -> None:
    operation = documented(contract, "POST", "/v4/order?x=1")
    found = (operation.id, operation.version, operation.method, operation.path)
    assert found == ("createOrder", "v4", "POST", "/order")
    assert [(parameter.name, parameter.place, parameter.required) for parameter in operation.parameters] == [
        ("offerId", "query", True),
        ("fareId", "query", True),
    ]
    assert {each.id for each in contract.operations()} == {*OF_V4, "createPaymentMethod"}


def test_contract_has_the_operations_of_all_versions(whole_contract: Contract) -> None:
    names = [each.id for each in whole_contract.operations()]
    assert sorted(names) == sorted([*ENDPOINTS, "createPaymentMethod"])
    verify = documented(whole_contract, "POST", "/v3/flights/verify")
    assert verify.unmaintained == date(2026, 9, 25)
    assert [verify.succeeds(status) for status in (200, 201, 302, 404)] == [True, True, False, False]
    search = documented(whole_contract, "GET", "/v3/flights")
    assert [search.succeeds(status) for status in (200, 201)] == [True, False]


@pytest.mark.parametrize(("text", "value"), [("2", 2), ("-1", -1), ("x", "x"), ("2.0", "2.0"), ("", ""), ("٣", "٣")])
def test_number_in_a_query_is_parsed(whole_contract: Contract, text: str, value: object) -> None:
    search = documented(whole_contract, "GET", "/v3/flights")
    (seats,) = [each for each in search.parameters if each.name == "seats"]
    assert seats.read(text) == value
    assert search.parameters[0].read("2") == "2"


def test_contract_is_loaded_once() -> None:
    assert Contract.load() is Contract.load()
