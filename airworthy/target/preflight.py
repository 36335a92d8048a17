"""Before the first scenario: one cheap call for each interface decides whether the target is fit to be examined."""

import uuid
from dataclasses import dataclass, field
from typing import Final

from airworthy.contract.exchange import Exchange, Response, header
from airworthy.target.client import Client, Inconclusive
from airworthy.target.profile import Organisation, Profile
from airworthy.target.transport import NoAnswer, Trouble

_SERVER_ERROR: Final = 500
_REFUSED: Final = (401, 403)
_REDIRECTS: Final = range(300, 400)


def preflight(client: Client, profile: Profile) -> None:
    """Ask each interface that is examined for something that does not exist, which every service answers.

    A service that answers at all, with whatever JSON, is examined: its faults are for the scenarios to find.

    Raises:
        NoAnswer: it cannot be reached, speaks no TLS, is not trusted, gives no answer, answers HTML, redirects, refuses
            the key or fails on every call. The message is one line.
    """
    for version in profile.versions:
        calls = _Calls(client, *_calls(version, profile.organisation))
        first = calls.first()
        if problem := calls.problem(first):
            trouble, line = problem
            raise NoAnswer(trouble, f"{client.base_url}: {line}", first)


def _calls(version: str, organisation: Organisation) -> tuple[str, str, str, str]:
    """Return a cheap call of an interface, another one, the key for them, and the key in its other form."""
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
class _Calls:
    client: Client
    cheap: str
    another: str
    key: str = field(repr=False)
    other_form: str = field(repr=False)

    def first(self) -> Exchange:
        return self._ask(self.cheap, self.key)

    def problem(self, first: Exchange) -> tuple[Trouble, str] | None:
        response = first.response
        if response is None:
            return "closed", "gives no answer"
        status = f"status {response.status}"
        if _is_html(response) and self._answers_nothing_else():
            return "HTML", f"answers HTML ({status}); is this the base URL?"
        if response.status in _REDIRECTS:
            return "down", f"redirects ({status}); name the URL that it leads to"
        if response.status in _REFUSED and not self._accepts_other_form():
            version = self.cheap.split("/")[1]
            return "key", f"refuses the {version} key ({status}); is it a key of this service?"
        if response.status >= _SERVER_ERROR:
            second = self._ask(self.another, self.key).response
            if second is None or second.status >= _SERVER_ERROR:
                return "down", f"fails on every call ({status})"
        return None

    def _answers_nothing_else(self) -> bool:
        """Whether another call gets a page, too: an error of v3 or v2 may be one (OPEN-14), a site has nothing else."""
        response = self._ask(self.another, self.key).response
        return response is None or _is_html(response)

    def _accepts_other_form(self) -> bool:
        """Whether the key is right and only this form of it refused: a broken rule, which the scenarios will show."""
        response = self._ask(self.cheap, self.other_form).response
        return response is not None and response.status not in _REFUSED

    def _ask(self, path: str, key: str) -> Exchange:
        try:
            return self.client.send("GET", path, key=key)
        except Inconclusive as error:
            raise NoAnswer("down", f"{self.client.base_url}: {error}") from None


def _is_html(response: Response) -> bool:
    start = (response.body or b"")[:200].lstrip().lower()
    declared = "html" in (header(response.headers, "Content-Type") or "").lower()
    return start.startswith((b"<!doctype", b"<html")) or (declared and not start.startswith((b"{", b"[")))
