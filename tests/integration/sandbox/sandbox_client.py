"""Requests to a sandbox over TLS."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import requests

from airworthy.sandbox import SandboxServer
from command_line import AIRWORTHY, start

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

    def ask(self, method: str, path: str, **parts: Any) -> requests.Response:  # noqa: ANN401 - of a request
        """Send a request to a path, or to the address of another server."""
        url = path if "://" in path else self.server.base_url + path
        return self.session.request(method, url, timeout=60, **parts)

    def state(self, **query: object) -> Json:
        """Return what the dashboard shows of the sandbox."""
        found: Json = self.ask("GET", "/sandbox/state", params=query).json()
        return found

    def send_with(
        self, method: str, path: str, authorization: str, body: object, query: Mapping[str, object]
    ) -> requests.Response:
        """Send a request with an ``Authorization`` header."""
        parameters = {name: str(value) for name, value in query.items()}
        headers = {"Authorization": authorization, "Accept": "application/json"}
        return self.ask(method, path, params=parameters, json=body, headers=headers)


@contextmanager
def started_sandbox(
    *options: object, environment: Mapping[str, str] | None = None
) -> Iterator[tuple["subprocess.Popen[str]", Json]]:
    """Run ``airworthy sandbox`` on a free port, and yield its process and the profile that it prints."""
    command = (*AIRWORTHY, "sandbox", "--json", "--port", "0", *options)
    with start(*command, environment=environment) as running:
        assert running.stdout
        shown = running.stdout.readline()
        while not shown.endswith("\n}\n"):
            shown += running.stdout.readline()
        yield running, json.loads(shown)
