"""Requests to a sandbox over TLS."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import requests

from airworthy.sandbox import SandboxServer

Json = dict[str, Any]


@dataclass
class SandboxClient:
    """One organisation's client of a running sandbox."""

    server: SandboxServer
    session: requests.Session = field(default_factory=requests.Session, kw_only=True)

    def __post_init__(self) -> None:
        self.session.trust_env = False
        self.session.verify = str(self.server.ca_bundle)

    @property
    def today(self) -> date:
        """The day by the clock of the sandbox."""
        return self.server.service.clock.now().date()

    def send_with(
        self, method: str, path: str, authorization: str, body: object, query: Mapping[str, object]
    ) -> requests.Response:
        """Send a request with an ``Authorization`` header; repeat it if it is throttled."""
        for _ in range(3):
            response = self.session.request(
                method,
                self.server.base_url + path,
                params={name: str(value) for name, value in query.items()},
                json=body,
                headers={"Authorization": authorization, "Accept": "application/json"},
                timeout=60,
            )
            if response.status_code not in {429, 503}:
                return response
        return response
