"""The contract finds in a redacted exchange what it found in the real one, so that evidence can be judged again."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any, Final

import pytest

from airworthy.contract import Contract, Conversation, Exchange, Finding
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.redaction import Redactor
from airworthy.sandbox.faults import Fault, derived, faults
from collected_suite import CollectedSuite
from integration.conftest import FullRun
from integration.evidence.fidelity import compare_fault, compare_with_evidence
from unit.contract.examples import OF_V4, RETURNED, SENT, drop, exchange, put
from unit.contract.payment.test_rules import FIELDS, payment

pytestmark = pytest.mark.exhaustive
POSTS = [each for each in SENT if each in OF_V4]

CONTRACT: Final = Contract.load()
WRONG: Final[tuple[object, ...]] = (
    *(None, "", 7, ["Ada"], {"name": "Ada"}, "ES\n", "Éa", "2026-02-30", "2026-11-01", "adult"),
    *("1990-12-10T00:00:00", "BOOKED", "4242424242424242", "4242 4242 4242 4242", "4242424242424241", "a@b"),
)


def basic(credentials: str) -> str:
    return "Basic " + base64.b64encode(credentials.encode()).decode()


def leaves(body: Any, path: str = "") -> Iterator[str]:  # noqa: ANN401 - any JSON value
    match body:
        case dict():
            for name, item in body.items():
                yield from leaves(item, f"{path}.{name}" if path else name)
        case list() if body:
            yield from leaves(body[0], f"{path}[0]")
        case _:
            yield path


def judged(redactor: Redactor | None, *made: Exchange) -> list[Finding]:
    conversation = Conversation()
    return [
        replace(finding, exchange="")
        for each in made
        for finding in CONTRACT.judge(redactor.exchange(each) if redactor else each, conversation)
    ]


def assert_same(*made: Exchange) -> None:
    assert judged(Redactor(CONTRACT, Pseudonyms(b"k" * 32)), *made) == judged(None, *made)


@pytest.mark.parametrize(
    ("side", "operation"),
    [*(("sent", each) for each in POSTS), ("returned", "createOrder"), ("returned", "getReservation")],
)
def test_redacted_wrong_body_has_the_same_findings(side: str, operation: str) -> None:
    for path in leaves((SENT if side == "sent" else RETURNED)[operation]):
        for change in (drop(path), *(put(path, value) for value in WRONG)):
            sent, returned = (change, None) if side == "sent" else (None, change)
            assert_same(exchange(operation, sent=sent, returned=returned))


@pytest.mark.parametrize("path", ["passengers[0].name", "customerContact.phone.number", "note", "passengers[0].number"])
@pytest.mark.parametrize(
    "card", ["4242424242424242", "4242-4242-4242-4242", "nr. 4242 4242 4242 4242.", 4242424242424242]
)
def test_redacted_card_number_has_the_same_findings(path: str, card: str | int) -> None:
    made = exchange("createOrder", sent=put(path, card))
    # With a random key, a pseudonym could have these digits by chance.
    redacted = Redactor(CONTRACT, Pseudonyms(b"k" * 32)).exchange(made)
    assert b"4242" not in (redacted.request.body or b"")
    for each in (made, redacted):
        found = [finding.pointer for finding in CONTRACT.judge(each) if finding.rule == "V4-CARD-DATA"]
        assert found == ["/" + path.replace("[0]", "/0").replace(".", "/")]


def test_redacted_echo_with_a_difference_has_the_same_findings() -> None:
    for path, value in product(leaves(RETURNED["createOrder"]), ("Eve", "1991-01-02", 7, None)):
        assert_same(exchange("getOffer"), exchange("createOrder", returned=put(path, value), after=1))


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"",
        b"[]",
        b'"Ada"',
        b'{"passengers": [{"name": "Ada", "name": "Eve"}]}',
        b'\xef\xbb\xbf{"passengers": []}',
        b'{"passengers": NaN}',
        b"<p>Ada</p>",
        b"\xff\xfe",
        b'{"name": "Ada \\ud800"}',
    ],
)
def test_redacted_body_that_is_not_json_has_the_same_findings(body: bytes) -> None:
    for operation in POSTS:
        assert_same(exchange(operation, sent=body))
        assert_same(exchange(operation, returned=body))


@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("Authorization", "Bearer test-key"),),
        (("Authorization", ""),),
        (("Authorization", "Basic dGVzdDo="),),
        (("authorization", "test-key"), ("Cookie", "a=b"), ("X-Card", "4242424242424242")),
    ],
)
def test_redacted_headers_have_the_same_findings(headers: tuple[tuple[str, str], ...]) -> None:
    for operation in OF_V4:
        assert_same(exchange(operation, headers=headers))


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"card[number]": "4242 4242 4242 4242"},
        {"card[number]": "4242424242424241"},
        {"card[number]": "x"},
        {"card[exp_month]": "13"},
        {"card[cvc]": "12"},
        {"type": ""},
        {"billing_details[email]": "ada@example.com"},
    ],
)
def test_redacted_payment_has_the_same_findings(change: dict[str, str]) -> None:
    for token in ("", "Bearer rk_1", "Basic", basic("rk_1:"), basic(":rk_1"), "Basic ???", "rk_1"):
        made = payment(FIELDS | change, token=token)
        assert_same(made)
        written = repr(Redactor(CONTRACT, Pseudonyms(b"k" * 32)).exchange(made))
        assert "4242" not in written
        assert "rk_1" not in written
        assert "ada@" not in written


# The least usual behaviour, and the one with the most undocumented fields. `test_rejudgement` judges documented runs.
DIALECTS: Final = ("odd", "talkative")
# Some faults of every interface; the content export has no exchanges. The tests above try every wrong value, so most
# are of behaviour. `make faults-evidence` takes all faults.
# Two days of a month may have the same pseudonym, which hides another day of birth by chance.
LEFT_OUT: Final = {"record-born-later", *(fault.name for fault in derived.faults())}
SELECTED: Final = [
    each
    for each in (
        *[each for each in faults().values() if each.name not in LEFT_OUT and not each.rule.startswith("EXPORT")][::15],
        *list(derived.faults())[::300],
    )
    # A rule of which drift is only noted may have a scenario that sends nothing.
    if each.verdict != "passed"
]


@pytest.mark.parametrize("dialect", [DIALECTS[0], pytest.param(DIALECTS[1], marks=pytest.mark.further)])
def test_evidence_of_a_dialect_has_the_same_findings(full_run: FullRun, dialect: str) -> None:
    found = compare_with_evidence(full_run(dialect).folder)
    assert found.differences == {}
    # The scenarios of the rules that bind the client send invalid requests.
    assert found.findings > found.exchanges / 4


@pytest.mark.parametrize("fault", SELECTED, ids=lambda fault: fault.name)
def test_evidence_of_a_fault_has_the_same_findings(suite: CollectedSuite, fault: Fault) -> None:
    name, found = compare_fault(suite, fault)

    assert found.differences == {}, name
    assert found.exchanges
