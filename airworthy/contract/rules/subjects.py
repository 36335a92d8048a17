"""What coded rules are about: the things in a response that their functions compare."""

from collections.abc import Callable

from airworthy.contract.bodies.applications import has_content
from airworthy.contract.conversation import Conversation
from airworthy.contract.http.transaction import Transaction

About = str | Callable[[Transaction, Conversation], int]


def subjects(about: About, transaction: Transaction, conversation: Conversation) -> int:
    """Return how many things in a transaction a coded rule is about.

    A path such as ``bookings/*/flight_changes/*`` names values in the body of a successful response.
    """
    if callable(about):
        return about(transaction, conversation)
    return sum(has_content(node.value) for node in transaction.response.each(about))
