"""What coded rules are about: the things in a response that their functions compare."""

from collections.abc import Callable, Iterator
from typing import Any

from airworthy.contract.bodies.applications import has_content
from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation import Conversation
from airworthy.contract.http.transaction import Transaction

About = str | Callable[[Transaction, Conversation], int]


def subjects(about: About, transaction: Transaction, conversation: Conversation) -> int:
    """Return how many things in a transaction a coded rule is about.

    A path such as ``bookings/*/flight_changes/*`` names values in the body of a successful response.
    """
    if callable(about):
        return about(transaction, conversation)
    return sum(map(has_content, _at(transaction.delivered, about.split("/") if about else [])))


def _at(value: Json, path: list[str]) -> Iterator[Any]:
    if not path:
        yield value
    elif path[0] == "*":
        for item in value if isinstance(value, list) else ():
            yield from _at(item, path[1:])
    elif isinstance(value, dict):
        yield from _at(value.get(path[0]), path[1:])
