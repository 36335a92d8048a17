"""``make rule-review``: the quotes of the rules are compared with the documents."""

from pathlib import Path

import pytest

from airworthy.register import go_live_rules, rules
from unit.test_docs import script

REVIEW = script("rule_review")
DOCUMENT = """# The service (v4)

## Endpoints

### POST /order

Query: `offerId` (UUID, required). The offer must be within
its 30 minutes.

| Field | Status | Notes |
|---|---|---|
| passengers | required | |
| selectedBaggage | required | one item per `passenger` |

## Errors

1. A wrong key gives 401; requests
   over plain HTTP fail.
2. A missing key fails.
"""


@pytest.mark.parametrize(
    ("source", "quote", "problem"),
    [
        ("v4, POST /order", "The offer must be within its 30 minutes.", ""),
        ("v4, Endpoints", "offerId (UUID, required)", ""),
        ("v4, POST /order", "selectedBaggage: required, one item per passenger", ""),
        ("v4, POST /order", "passengers: required … selectedBaggage: required", ""),
        ("v4, Endpoints; v4, Errors, item 1", "A wrong key … over plain HTTP fail", ""),
        ("v4, POST /order", "The offer must be within its 20 minutes.", "NOT IN THE DOCUMENT"),
        ("v4, POST /order", "The offer … one item per passenger", "NOT IN THE DOCUMENT"),
        ("v4, POST /order", "passenger: required", "NOT IN THE DOCUMENT"),
        ("v4, Errors", "A wrong key … A missing key fails.", "NOT IN THE DOCUMENT"),
        ("v4, Errors", "The offer must be within its 30 minutes.", "IN ANOTHER SECTION: Endpoints / POST /order"),
        ("v3, POST /order", "The offer must be within its 30 minutes.", "IN ANOTHER SECTION: Endpoints / POST /order"),
    ],
)
def test_quote_is_compared_with_the_document(source: str, quote: str, problem: str) -> None:
    assert REVIEW.Document.read(DOCUMENT).problem(source, quote) == problem


def test_every_rule_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "flight-booking-v4.md").write_text(DOCUMENT)

    assert REVIEW.main(tmp_path) == 1
    page, problems = capsys.readouterr()
    shown = [*rules(), *go_live_rules()]
    assert [rule.id for rule in shown if f'<tr id="{rule.id}">' not in page] == []
    assert "V4-SEARCH-CITIES: NOT IN THE DOCUMENT: Supports airport and city codes." in problems
    assert "v4/search-request.json#/properties/adults" in page
    assert "airworthy/contract/v4/request_rules.py: no_more_infants_than_adults" in page


def test_folder_without_documents_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert REVIEW.main(tmp_path) == 2
    assert "expected a folder with the documents flight-booking-*.md" in capsys.readouterr().err
