"""Conversations of a service that chooses freely where the documents are silent: nothing in them is a violation.

The other modules of this folder have one entry for each item of ``open-questions.md`` that shows on the wire.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from http import HTTPStatus

from airworthy.contract import Contract, Conversation, Exchange, Finding, Response, ServiceAddress, Side
from unit.contract.examples import JSON, Change, drop, exchange, put, rejected

Story = list[Exchange]
Stories = Mapping[str, list[Story]]


def rejections(made: Exchange, *statuses: int, before: Iterable[Exchange] = ()) -> list[Story]:
    return [[*before, rejected(made, status, HTTPStatus(status).phrase)] for status in statuses]


def responses(operation: str, path: str, *values: object, leave_out: bool = False) -> list[Story]:
    made = [exchange(operation, returned=put(path, value)) for value in values]
    if leave_out:
        made.append(exchange(operation, returned=(put(path, None), drop(path))))
    return [[each] for each in made]


def bodies(made: Exchange, status: int, *contents: bytes) -> list[Story]:
    return [[replace(made, response=Response(status, JSON, content))] for content in contents]


def echoed(operation: str, *changes: Change) -> Exchange:
    """Return an exchange whose response returns the changes that were sent."""
    return exchange(operation, sent=changes, returned=changes)


def sending(operation: str, *changes: Change, after: float | None = None, name: str = "1") -> Exchange:
    return exchange(operation, sent=changes, name=name, after=after)


@cache
def _contract() -> Contract:
    return Contract.load(("v2", "v3", "v4"), ServiceAddress(base_urls=("https://service.example",)))


def judged(story: Story, side: Side) -> list[Finding]:
    """Judge a conversation, and return the findings in its requests or in its responses."""
    conversation = Conversation()
    return [each for made in story for each in _contract().judge(made, conversation) if each.side == side]


against_the_client, against_the_service = partial(judged, side="request"), partial(judged, side="response")


def blamed(stories: Stories) -> dict[str, list[Finding]]:
    """Return the findings in the responses of each conversation that has some."""
    cases = [(f"{item}-{at}", story) for item, found in stories.items() for at, story in enumerate(found)]
    return {name: found for name, story in cases if (found := against_the_service(story))}
