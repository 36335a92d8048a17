"""Send requests to the service.

A request ends in one of three ways: the service does it, the service rejects it (`Rejected`), or nobody knows
(`Unclear`). After an unclear response, ask the service what it did before you book anything again.
"""

from typing import Any

import requests

Json = dict[str, Any]
_TIMEOUT = (5, 60)
_CLIENT_ERROR, _SERVER_ERROR = 400, 500


class Rejected(Exception):
    """The service rejected a request, which had no effect."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"status {status}: {body[:200]}")
        self.status = status


class Unclear(Exception):
    """The response is missing, or does not say whether the request had an effect."""


class PaymentFailed(Exception):
    """The payment failed, and nothing is booked."""


class Service:
    """The service at a base URL with its version, such as ``https://api.example.com/v4``."""

    def __init__(self, base_url: str, authorization: str, *, ca_bundle: str | bool = True) -> None:
        self._base_url = base_url
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.verify = ca_bundle
        self.session.headers.update({"Authorization": authorization, "Accept": "application/json"})

    def get(self, path: str, **query: str) -> Json:
        """Return the body of a response to GET."""
        return self._send("GET", path, query, None)

    def post(self, path: str, body: Json, **query: str) -> Json:
        """Return the body of a response to POST."""
        return self._send("POST", path, query, body)

    def _send(self, method: str, path: str, query: dict[str, str], body: Json | None) -> Json:
        try:
            response = self.session.request(
                method, self._base_url + path, params=query, json=body, timeout=_TIMEOUT, allow_redirects=False
            )
        except requests.RequestException as error:
            raise Unclear(f"{method} {path}: {type(error).__name__}") from None
        if response.status_code >= _SERVER_ERROR:
            raise Unclear(f"{method} {path}: status {response.status_code}")
        if response.status_code >= _CLIENT_ERROR:
            raise Rejected(response.status_code, response.text)
        found: Json = response.json()
        return found
