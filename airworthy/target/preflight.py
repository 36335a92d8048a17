"""Before the first scenario: one cheap call decides whether the target is fit to be examined."""

import uuid
from typing import Final

from airworthy.contract.exchange import Exchange, Response, header
from airworthy.target.client import Client, Inconclusive
from airworthy.target.secret import Secret
from airworthy.target.transport import NoAnswer, Trouble

_SERVER_ERROR: Final = 500
_REFUSED: Final = (401, 403)
_REDIRECTS: Final = range(300, 400)


def preflight(client: Client) -> None:
    """Ask for the fares of an offer that does not exist, which every v4 service answers.

    A service that answers at all, with whatever JSON, is examined: its faults are for the scenarios to find.

    Raises:
        NoAnswer: it cannot be reached, speaks no TLS, is not trusted, gives no answer, answers HTML, redirects, refuses
            the key or fails on every call. The message is one line.
    """
    first = _ask(client, "fares")
    if problem := _problem(client, first):
        trouble, line = problem
        raise NoAnswer(trouble, f"{client.base_url}: {line}", first)


def _problem(client: Client, first: Exchange) -> tuple[Trouble, str] | None:
    response = first.response
    if response is None:
        return "closed", "gives no answer"
    status = f"status {response.status}"
    if _is_html(response):
        return "HTML", f"answers HTML ({status}); is this the base URL?"
    if response.status in _REDIRECTS:
        return "down", f"redirects ({status}); name the URL that it leads to"
    if response.status in _REFUSED and not _accepts_prefixed(client):
        return "key", f"refuses the key ({status}); is it a key of this service?"
    if response.status >= _SERVER_ERROR:
        second = _ask(client, "baggage").response
        if second is None or second.status >= _SERVER_ERROR:
            return "down", f"fails on every call ({status})"
    return None


def _ask(client: Client, what: str, key: Secret | None = None) -> Exchange:
    path = f"/v4/offer/{uuid.uuid4()}/{what}"
    try:
        return client.send("GET", path, key=key) if key else client.send("GET", path)
    except Inconclusive as error:
        raise NoAnswer("down", f"{client.base_url}: {error}") from None


def _accepts_prefixed(client: Client) -> bool:
    """Whether the key is right and only its bare form refused: a broken rule, which the scenarios will show."""
    if client.key is None:
        return False
    response = _ask(client, "fares", Secret(f"Bearer {client.key.reveal()}")).response
    return response is not None and response.status not in _REFUSED


def _is_html(response: Response) -> bool:
    start = (response.body or b"")[:200].lstrip().lower()
    declared = "html" in (header(response.headers, "Content-Type") or "").lower()
    return start.startswith((b"<!doctype", b"<html")) or (declared and not start.startswith((b"{", b"[")))
