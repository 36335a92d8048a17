"""Paths that some servers read as a documented one are judged as that one."""

from dataclasses import replace

import pytest

from airworthy.contract import Contract, Exchange, ServiceAddress
from airworthy.contract.http.paths import LONGEST_PATH, normalised_path
from unit.contract.examples import exchange, put, rejected
from unit.contract.judging import last_findings

# Every one is `/v4/search` for some server.
SPELLINGS = {
    "dot": "/v4/./search",
    "two dots": "/x/../v4/search",
    "two dots above the root": "/../../v4/x/../search",
    "three dots": "/v4/.../search",
    "encoded dots": "/v4/x/%2e%2E/search",
    "parameter of dots": "/v4/x/..;a=b/search",
    "parameters": "/v4;a=b/search;c",
    "upper case": "/V4/Search",
    "doubled slashes": "//v4///search",
    "many slashes": "/" * LONGEST_PATH + "v4/search",
    "encoded slash": "/v4%2Fsearch",
    "backslash": "/v4\\search",
    "encoded backslash": "/v4%5csearch",
    "encoded letter": "/v4/%73earch",
    "letter encoded twice": "/v4/%2573earch",
    "encoded upper case": "/v4/%53earch",
    "dot at the end": "/v4/search.",
    "dots and blanks at the end": "/v4/search%20.%20.",
    "blank before a segment": "/v4/%20search",
    "encoded null": "/v4/search%00.html",
    "encoded question mark": "/v4/search%3Fa=b",
    "encoded hash": "/v4/search%23a",
    "wide letters": "/v4/\uff53earch",
    "encoded wide letters": "/v4/%EF%BD%93earch",
}


def spelled(path: str, adults: int = 1, status: int = 200) -> Exchange:
    made = exchange("searchOffers", sent=put("adults", adults), url=f"https://service.example{path}")
    return made if status == 200 else rejected(made, status)


@pytest.mark.parametrize("path", SPELLINGS.values(), ids=SPELLINGS)
def test_path_is_judged_in_normal_form(path: str) -> None:
    made = spelled(path, adults=0, status=400)
    for base in ((), ("https://service.example",)):
        contract = Contract.load(service=ServiceAddress(base))
        operation = contract.operation("POST", f"https://service.example{path}")
        assert operation
        assert operation.id == "searchOffers"
        # Whether the service rejects the request, accepts it, or has not seen it yet.
        for each in (made, spelled(path, adults=0), replace(made, response=None)):
            found = [(finding.kind, finding.rule) for finding in contract.judge(each) if finding.side == "request"]
            assert ("violation", "V4-SEARCH-ADULTS") in found
    conforming = {(each.kind, each.rule, each.drift) for each in Contract.load().judge(spelled(path))}
    assert conforming <= {("drift", "V4-OPERATIONS", "unknown-operation")}
    assert normalised_path(normalised_path(path)) == normalised_path(path)


@pytest.mark.parametrize("path", ["/v4/./search", "/v4//search", "/v4/search/"])
@pytest.mark.parametrize("status", [301, 404, 405])
def test_service_that_reads_the_path_in_another_way_is_not_judged(path: str, status: int) -> None:
    (finding,) = last_findings(spelled(path, adults=0, status=status))

    assert (finding.kind, finding.side, finding.drift) == ("drift", "request", "unknown-operation")


def test_base_url_is_compared_in_normal_form() -> None:
    contract = Contract.load(service=ServiceAddress(("https://service.example/Flights",)))

    for path in ("/flights/v4/search", "/x/..//Flights/v4/search", "/Flights%2Fv4/search"):
        assert contract.operation("POST", f"https://service.example{path}")
    assert contract.operation("POST", "https://service.example./Flights/v4/search")
    assert contract.resolve("POST", "https://service.example/Flights/../v4/search") is None


def test_values_in_a_path_keep_their_case(contract: Contract) -> None:
    resolved = contract.resolve("POST", "https://service.example/V4/Order/AbC%2fConfirm")

    assert resolved
    assert resolved.respelled
    assert (resolved.operation and resolved.operation.id, resolved.path_values) == ("confirmOrder", {"orderId": "AbC"})


@pytest.mark.parametrize("path", ["/static/app.js", "/v44/search", "/search/v4", "/v4/searches", "/vv4/./search"])
def test_other_paths_name_no_operation(contract: Contract, path: str) -> None:
    assert contract.operation("POST", f"https://service.example{path}") is None
