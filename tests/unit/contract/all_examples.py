"""The examples of all interfaces together, for tests that treat every operation alike."""

from collections.abc import Callable
from typing import Any

from airworthy.contract import Exchange
from airworthy.contract.body import Json
from unit.contract import examples as v4
from unit.contract.v3 import v3_examples as v3

SENT: dict[str, Json] = {**v4.SENT, **v3.SENT}
RETURNED: dict[str, Json] = {**v4.RETURNED, **v3.RETURNED}
ENDPOINTS = {**{name: (method, f"/v4{path}") for name, (method, path) in v4.ENDPOINTS.items()}, **v3.ENDPOINTS}


def exchange(operation: str, **more: Any) -> Exchange:  # noqa: ANN401 - the arguments of both functions
    """Return an exchange of an operation, as the function of its interface does."""
    make: Callable[..., Exchange] = v4.exchange if operation in v4.ENDPOINTS else v3.exchange
    return make(operation, **more)


def family(operation: str) -> str:
    """Return how the ids of the rules of an operation's interface begin."""
    return "V4" if operation in v4.ENDPOINTS else "V23"
