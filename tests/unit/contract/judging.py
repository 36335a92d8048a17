"""Judge a conversation, and show the findings in its last exchange as tests compare them."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from operator import attrgetter
from typing import Any

from airworthy.contract import Contract, Conversation, Exchange, Finding
from unit.contract.examples import rejected

Weighed = list[tuple[str, str, bool]]
"""The rule, the place and the softness of each finding."""


def last_findings(*exchanges: Exchange) -> list[Finding]:
    """Judge exchanges as one conversation, and return the findings in the last one."""
    contract, conversation = Contract.load(("v2", "v3", "v4")), Conversation()
    return [contract.judge(each, conversation) for each in exchanges][-1]


def shown(members: str, *exchanges: Exchange, side: str = "") -> list[Any]:
    """Return some members of each finding in the last exchange of a conversation, of one side or of both."""
    of = attrgetter(*members.split())
    return [of(each) for each in last_findings(*exchanges) if side in ("", each.side)]


found = partial(shown, "side rule pointer")
weighed = partial(shown, "rule pointer soft")
on_request = partial(weighed, side="request")
on_response = partial(weighed, side="response")


def expect_mistake(
    before: Sequence[Exchange], late: Exchange, rule: str, place: str, status: int = 409, *, broken: bool = True
) -> None:
    """Expect that only what was before makes a request wrong, and that a service that accepts it is wrong, too."""
    sent, accepted = ("request", rule, place), ("response", rule, "status")
    assert found(*before, late) == [sent, accepted] * broken
    assert found(*before, rejected(late, status, HTTPStatus(status).phrase)) == [sent] * broken
    assert found(late) == []
