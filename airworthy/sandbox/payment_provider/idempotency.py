"""Idempotency keys: a repeated request gets the response to the first one, and has no other effect."""

import hashlib
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from airworthy.sandbox.model.tables import BoundedTable
from airworthy.sandbox.payment_provider.records import ProviderError

LONGEST_KEY = 255
_MOST_KEYS = 2_000


@dataclass(frozen=True, slots=True)
class ProviderResponse:
    """A response of the provider; ``replayed`` if it is the response to an earlier request with the same key."""

    status: int
    body: Mapping[str, Any]
    replayed: bool = False


class IdempotencyKeys:
    """The responses to the last requests with an idempotency key.

    A response is kept if the request had an effect: a success, or a payment that failed. So a client can correct an
    invalid request and send it with the same key. Requests are compared by a digest, as they may contain cards.
    """

    def __init__(self) -> None:
        self._responses: BoundedTable[tuple[str, bytes, ProviderResponse]] = BoundedTable(_MOST_KEYS)
        self._secret = secrets.token_bytes(32)
        self._lock = threading.Lock()

    def respond(
        self, account: str, key: str, path: str, parameters: Mapping[str, str], handle: Callable[[], ProviderResponse]
    ) -> ProviderResponse:
        """Return the kept response to a request with this key, or else the result of ``handle``.

        Raises `ProviderError` if the key belongs to another request.
        """
        if len(key) > LONGEST_KEY:
            message = f"Idempotency keys must have at most {LONGEST_KEY} characters"
            raise ProviderError(400, "parameter_invalid", message)
        digest = hashlib.blake2b(repr(sorted(parameters.items())).encode(), key=self._secret).digest()
        # The lock makes a request wait for an earlier one with the same key.
        with self._lock:
            kept = self._responses.get((account, key))
            if kept is None:
                response = handle()
                if response.status in (HTTPStatus.OK, HTTPStatus.PAYMENT_REQUIRED):
                    self._responses.put((account, key), (path, digest, response))
                return response
        first_path, first_digest, response = kept
        if path != first_path:
            raise _reused("for the same endpoint that they were first used for")
        if digest != first_digest:
            raise _reused("with the same parameters that they were first used with")
        return ProviderResponse(response.status, response.body, replayed=True)


def _reused(how: str) -> ProviderError:
    message = f"Keys for idempotent requests can only be used {how}. Use another key for another request."
    return ProviderError(400, "", message, kind="idempotency_error")
