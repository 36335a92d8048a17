"""No web page can use the sandbox's own endpoints."""

import pytest

from .agency import Agency

FOREIGN = {
    "origin of a page": {"Origin": "https://evil.example"},
    "origin with another port": {"Origin": "https://127.0.0.1:1"},
    "origin of a file": {"Origin": "null"},
    "host of a page": {"Host": "evil.example"},
    "host that looks like a loopback address": {"Host": "127.0.0.1.evil.example"},
    "host of the network": {"Host": "192.0.2.1:8443"},
    "no host": {"Host": ""},
}
ENDPOINTS = [
    ("POST", "/sandbox/clock", b'{"seconds": 60}'),
    ("POST", "/sandbox/faults", b'{"names": []}'),
    ("POST", "/sandbox/export", b""),
    ("GET", "/sandbox/clock", b""),
    ("GET", "/sandbox/profile", b""),
    ("GET", "/", b""),
    ("GET", "/lookup", b""),
]


def moved(agency: Agency) -> float:
    amount: float = agency.ask("GET", "/sandbox/clock").json()["moved"]
    return amount


@pytest.mark.parametrize("foreign", FOREIGN.values(), ids=FOREIGN)
def test_foreign_request_is_rejected(agency: Agency, foreign: dict[str, str]) -> None:
    before = moved(agency)
    for method, path, body in ENDPOINTS:
        response = agency.ask(method, path, data=body, headers=foreign | {"Content-Type": "application/json"})

        assert response.status_code in (400, 403), path
        assert agency.key not in response.text
    assert moved(agency) == before


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_request_of_another_site_is_rejected(agency: Agency, site: str) -> None:
    headers = {"Sec-Fetch-Site": site, "Content-Type": "application/json"}

    assert agency.ask("POST", "/sandbox/clock", data=b'{"seconds": 60}', headers=headers).status_code == 403


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", "application/jsonp"]
)
def test_only_json_is_accepted(agency: Agency, media: str) -> None:
    before = moved(agency)
    for method, path, body in ENDPOINTS[:3]:
        assert agency.ask(method, path, data=body, headers={"Content-Type": media}).status_code == 415
    assert moved(agency) == before


def test_other_origins_cannot_ask_for_permission(agency: Agency) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    response = agency.ask("OPTIONS", "/sandbox/clock", headers=headers)

    assert response.status_code == 405
    assert not [name for name in response.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST:8443"])
def test_page_of_the_sandbox_may_use_its_endpoints(agency: Agency, host: str) -> None:
    headers = {"Host": host, "Origin": f"https://{host}", "Sec-Fetch-Site": "same-origin"}

    assert agency.ask("POST", "/sandbox/clock", json={"seconds": 0}, headers=headers).status_code == 200
