"""The register of rules: ids are unique, rules are complete, and the contract refers to existing rules."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import airworthy.contract
from airworthy.contract.rules.coded_rules import CODED_RULES
from airworthy.errors import UsageError
from airworthy.register import ID, Rule, go_live_rules, rule, rules
from airworthy.resources import resource

RULES = rules()
ONE = """
@v4
Feature: Search
  @V4-SEARCH-ONE @both
  Rule: A search is one
    It may be two (OPEN-01).
    Source: v4, POST /search
    "Supports airport
     and city codes."
    About: a search

    Scenario: One
      When something happens

    Scenario Outline: <many>
      When something happens
      Examples:
        | many |
        | 2    |

  @V4-SEARCH-NONE @excluded
  Rule: Nothing shows this
    Excluded: it cannot be seen.
    Source: v4, Events
"""


def marked(node: object) -> Iterator[dict[str, str]]:
    """Yield the parts of a schema that name a rule."""
    if isinstance(node, dict):
        if isinstance(node.get("x-rule"), str):
            yield node
        for child in node.values():
            yield from marked(child)
    elif isinstance(node, list):
        for child in node:
            yield from marked(child)


def marked_in(*patterns: str) -> Iterator[dict[str, str]]:
    for path in (path for pattern in patterns for path in resource("schemas").glob(pattern)):
        yield from marked(json.loads(path.read_text()))


def rules_of_schemas() -> set[str]:
    return {node["x-rule"] for node in marked_in("v4/*.json", "v3/*.json", "v2/*.json", "payment/*.json")}


def rules_of_code() -> set[str]:
    folder = Path(airworthy.contract.__file__).parent
    texts = [
        node.value
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    known = {text for text in texts if re.fullmatch(r"(?:V4|V3|V2|V23|PAYMENT)(?:-[A-Z0-9]+)+", text)}
    return known | {rule.id for rule in CODED_RULES}


def test_feature_is_read(tmp_path: Path) -> None:
    (tmp_path / "v4").mkdir()
    (tmp_path / "v4" / "search.feature").write_text(ONE)
    one, none = rules(tmp_path)
    assert one == Rule(
        id="V4-SEARCH-ONE",
        version="v4",
        area="Search",
        statement="A search is one",
        source="v4, POST /search",
        binds="both",
        tags=("v4", "V4-SEARCH-ONE", "both"),
        excluded_reason=None,
        scenarios=("One", "<many>"),
        path="v4/search.feature",
        quote="Supports airport and city codes.",
        note="It may be two (OPEN-01).",
        about="a search",
        lines=(
            "It may be two (OPEN-01).",
            'Source: v4, POST /search "Supports airport and city codes."',
            "About: a search",
        ),
        steps=(("When something happens",), ("When something happens",)),
    )
    assert one.cited == '"Supports airport and city codes." (v4, POST /search)'
    assert (none.binds, none.excluded_reason, none.scenarios) == ("service", "it cannot be seen.", ())
    assert (none.source, none.quote, none.cited) == ("v4, Events", "", "v4, Events")


def test_invalid_feature_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "broken.feature").write_text("Feature: x\n  Scenario: y\n    Given z\n    nonsense\n")
    with pytest.raises(UsageError, match=r"broken\.feature is not valid Gherkin"):
        rules(tmp_path)


def test_rules_are_found_by_id() -> None:
    assert len(RULES) > 100
    assert all(rule(one.id) == one for one in RULES)
    assert rule("V4-NO-SUCH-RULE") is None
    shared, own = rule("V23-LOOK-UP"), rule("V3-BOOKINGS-REQUIRED")
    assert shared is not None
    assert own is not None
    assert (shared.version, shared.versions, own.versions) == ("v2+v3", ("v2", "v3"), ("v3",))


@pytest.mark.parametrize(
    ("versions", "families"),
    [
        (("v4",), {"V4", "PAYMENT", "EXPORT"}),
        (("v3",), {"V3", "V23", "PAYMENT", "EXPORT"}),
        (("v2",), {"V2", "V23", "PAYMENT", "EXPORT"}),
        (("v2", "v3", "v4"), {"V2", "V3", "V23", "V4", "PAYMENT", "EXPORT"}),
    ],
)
def test_rules_of_selected_interfaces(versions: tuple[str, ...], families: set[str]) -> None:
    assert {one.id.partition("-")[0] for one in rules(versions=versions)} == families


def test_rule_ids_and_scenario_names_within_a_feature_are_unique() -> None:
    """Of scenarios with the same name, pytest-bdd runs only the last one."""
    names = Counter((one.path, scenario) for one in RULES for scenario in one.scenarios)

    for counted in (names, Counter(one.id for one in RULES)):
        assert [each for each, count in counted.items() if count > 1] == []


def test_optional_rule_has_a_scenario_that_looks_for_it() -> None:
    """Without one, a rule that may have nothing to examine would pass at a service that accepts no request."""
    for one in (each for each in RULES if each.optional):
        text = (resource("features") / one.path).read_text().partition(f"@{one.id}")[2].partition("Rule:")[2]
        assert " When " in text.partition("Rule:")[0], one.id


def test_every_rule_is_complete() -> None:
    for one in RULES:
        assert ID.fullmatch(one.id)
        assert sum(1 for tag in one.tags if ID.fullmatch(tag)) == 1, one.id
        assert one.statement.strip(), one.id
        names_document = re.match(r"(?:v4|v3/v2|v3|v2|export|payment)\b.*,", one.source)
        assert names_document, f"{one.id}: add a line such as 'Source: v4, POST /search', got {one.source!r}"
        assert bool(one.scenarios) != bool(one.excluded_reason), f"{one.id}: add a scenario, or 'Excluded:' and why"
        assert ("excluded" in one.tags) == bool(one.excluded_reason), f"{one.id}: @excluded belongs to 'Excluded:'"
        assert set(one.versions) <= set(one.tags), f"{one.id}: tag the rule or its feature with each interface"


def test_every_rule_quotes_its_source() -> None:
    """``make rule-review`` compares the quotes with the documents, which are not in this repository."""
    for one in (*RULES, *go_live_rules()):
        assert one.source, one.id
        assert 1 <= len(one.quote.split()) <= 25, f"{one.id}: quote the sentence that it rests on below 'Source:'"
        assert one.quote not in re.split("; |, | / ", one.source), f"{one.id}: quote a sentence, not a heading"


def test_contract_names_existing_rules_only() -> None:
    known = {one.id for one in RULES}
    assert rules_of_schemas() - known == set(), "x-rule names a rule that no feature has"
    assert rules_of_code() - known == set(), "a coded rule has an id that no feature has"
    assert len(rules_of_schemas()) > 50
    assert len(rules_of_code()) > 30


def test_client_rule_is_never_violated_by_the_service() -> None:
    """The schemas or coded rules mark requests that a service may accept."""
    requests = ("v4/*-request.json", "v4/confirmation.json", "v[23]/*-request.json")
    both = {node["x-rule"] for node in marked_in(*requests) if node.get("x-binds") != "client"}
    assert len(both) > 10
    assert {one.id for one in RULES if one.binds == "client"} & both == set()
