"""A check before the first scenario: one cheap request to each interface shows whether the target can be examined."""

import uuid
from dataclasses import dataclass, field
from typing import Final

from airworthy.contract.exchange import Exchange, Response, header
from airworthy.target.client import Client, InconclusiveError
from airworthy.target.profile import Organisation, Profile
from airworthy.target.transport import ExchangeError, ExchangeErrorKind

_SERVER_ERROR: Final = 500
_UNAUTHORIZED: Final = (401, 403)
_REDIRECTS: Final = range(300, 400)


def check_target(profile: Profile) -> None:
    """Check whether the target of a profile can be examined. Raises as `preflight`."""
    client = Client(profile.base_url, ca_bundle=profile.ca_bundle, timeout=profile.timeout_seconds)
    try:
        preflight(client, profile)
    finally:
        client.close()


def preflight(client: Client, profile: Profile) -> None:
    """Send each examined interface a request for a resource that does not exist.

    A target that responds with anything but the cases below is examined: the scenarios find its violations.

    Raises:
        ExchangeError: the target cannot be reached, does not speak TLS, is not trusted, does not respond, responds with
            HTML, redirects, rejects the key or fails every request. The message is one line.
    """
    for version in profile.versions:
        probe = _Probe(client, *_probe_requests(version, profile.organisation))
        exchange = probe.send()
        if problem := probe.problem(exchange):
            kind, reason = problem
            raise ExchangeError(kind, f"{client.base_url}: {reason}", exchange)


def _probe_requests(version: str, organisation: Organisation) -> tuple[str, str, str, str]:
    """Return the paths of two cheap requests to an interface, the key for them, and the key in the other form."""
    unknown = uuid.uuid4()
    if version == "v4":
        assert organisation.v4 is not None
        key = organisation.v4.key.reveal()
        return f"/v4/offer/{unknown}/fares", f"/v4/offer/{unknown}/baggage", key, f"Bearer {key}"
    credentials = organisation.tokens[version]
    key, token = credentials.authorization("GET"), credentials.token.reveal()
    other = token if key != token else f"Bearer {token}"
    reference = unknown.hex[:8].upper()
    return f"/{version}/bookings?cp_reference={reference}", f"/{version}/flights?origin=MAD&destination=BCN", key, other


@dataclass(frozen=True)
class _Probe:
    client: Client
    path: str
    second_path: str
    key: str = field(repr=False)
    key_in_other_form: str = field(repr=False)

    def send(self) -> Exchange:
        return self._get(self.path, self.key)

    def problem(self, exchange: Exchange) -> tuple[ExchangeErrorKind, str] | None:
        response = exchange.response
        if response is None:
            return "closed", "the target does not respond"
        status = f"status {response.status}"
        if _is_html(response) and self._is_website():
            return "HTML", f"the target responds with HTML ({status}); check the base URL"
        if response.status in _REDIRECTS:
            return "down", f"the target redirects ({status}); use the URL that it redirects to"
        if response.status in _UNAUTHORIZED and not self._accepts_other_form():
            version = self.path.split("/")[1]
            return "key", f"the target rejects the {version} key ({status}); check that it is a key of this service"
        if response.status >= _SERVER_ERROR:
            second = self._get(self.second_path, self.key).response
            if second is None or second.status >= _SERVER_ERROR:
                return "down", f"the target fails every request ({status})"
        return None

    def _is_website(self) -> bool:
        """Return whether a second path is HTML, too. A single error of v3 or v2 may be HTML (OPEN-14)."""
        response = self._get(self.second_path, self.key).response
        return response is None or _is_html(response)

    def _accepts_other_form(self) -> bool:
        """Return whether only this form of the key is rejected: a violation, which the scenarios report."""
        response = self._get(self.path, self.key_in_other_form).response
        return response is not None and response.status not in _UNAUTHORIZED

    def _get(self, path: str, key: str) -> Exchange:
        try:
            return self.client.send("GET", path, key=key)
        except InconclusiveError as error:
            raise ExchangeError("down", f"{self.client.base_url}: {error}") from None


def _is_html(response: Response) -> bool:
    start = (response.body or b"")[:200].lstrip().lower()
    declared = "html" in (header(response.headers, "Content-Type") or "").lower()
    return start.startswith((b"<!doctype", b"<html")) or (declared and not start.startswith((b"{", b"[")))
