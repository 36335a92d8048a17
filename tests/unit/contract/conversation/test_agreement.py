"""What two messages show of the same thing agrees, in the second of everything as in the first.

Every place of every response in conversations with two of everything is changed to another value, left out, set to
null, shortened and lengthened. What no rule notices is listed in `unnoticed_changes.txt` with its reason. What a schema
excludes says nothing about agreement: `test_mutations` shows its findings.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import orjson
import pytest

from airworthy.contract import Contract, Conversation, Exchange, InMemoryStore
from airworthy.contract.bodies.body import Json
from exchange_parts import changed_response, response_of
from unit.contract.mutation_findings import Branch
from unit.contract.mutations import GONE, allowed_mutations, places, with_change
from unit.contract.pairs import CONVERSATIONS

_NEXT = str.maketrans("ABCDEFGHabcdefgh0123456789", "BCDEFGHIbcdefghi1234567890")
_DAY = re.compile(r"(?<=\d{4}-\d\d-)\d\d")

UNNOTICED = allowed_mutations(Path(__file__).with_name("unnoticed_changes.txt"))


def other(value: Json) -> Json:
    """Return another value of the same form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str) and _DAY.search(value):
        return _DAY.sub(lambda day: f"{int(day[0]) % 28 + 1:02}", value, count=1)
    return value.translate(_NEXT) if isinstance(value, str) else None


def mutants(body: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield the place, the kind and the body of each change."""
    for path, value in places(body):
        if not path:
            continue
        changes: dict[str, Json] = {}
        if isinstance(value, list) and value:
            changes = {"emptied": [], "last missing": value[:-1], "last twice": [*value, value[-1]]}
        elif not isinstance(value, dict | list) and other(value) not in (None, value):
            changes = {"other": other(value)}
        if isinstance(path[-1], str):
            changes["missing"] = GONE
            if value is not None:
                changes["null"] = None
        place = "/".join("*" if isinstance(part, int) else part for part in path)
        yield from ((place, kind, with_change(body, path, changed)) for kind, changed in changes.items())


def is_noticed(contract: Contract, store: InMemoryStore, exchanges: Iterable[Exchange]) -> bool:
    """Return whether a rule finds something in the responses of exchanges that continue a conversation."""
    conversation = Conversation(store)
    return any(each.side == "response" for made in exchanges for each in contract.judge(made, conversation))


def unnoticed(contract: Contract) -> dict[tuple[str, str, str], None]:
    """Return the changes of the responses that no rule notices: the operation, the place, the kind."""
    found: dict[tuple[str, str, str], None] = {}
    documented = {each.id: each for each in contract.operations()}
    for conversation in CONVERSATIONS.values():
        trunk = InMemoryStore()
        for index, (operation, made) in enumerate(conversation):
            later = [each for _, each in conversation[index + 1 :]]
            schema = documented[operation].response(200)
            for place, kind, body in mutants(orjson.loads(response_of(made).body or b"")):
                changed = changed_response(made, body=orjson.dumps(body))
                is_valid = schema is not None and schema.is_valid(body)
                if is_valid and not is_noticed(contract, Branch(trunk), [changed, *later]):
                    found[operation, place, kind] = None
            contract.judge(made, Conversation(trunk))
    return found


@pytest.mark.parametrize("version", CONVERSATIONS)
def test_conforming_conversation_has_no_findings(whole_contract: Contract, version: str) -> None:
    assert not is_noticed(whole_contract, InMemoryStore(), [made for _, made in CONVERSATIONS[version]])


def test_change_is_noticed_or_its_reason_is_known(whole_contract: Contract) -> None:
    reasons = {each: [row for row in UNNOTICED if row.fits("response", *each)] for each in unnoticed(whole_contract)}
    unknown = [each for each, rows in reasons.items() if not rows]
    assert unknown == [], "compare it in a line of AGREEMENTS, or add the reason to unnoticed_changes.txt"
    assert {*UNNOTICED} - {*chain(*reasons.values())} == set(), "a rule notices what these allow"
