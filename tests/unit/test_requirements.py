"""Requirement sets: what changes the digest, and how a set that is not frozen is named."""

import json
import re
from pathlib import Path

import pytest

from airworthy.errors import UsageError
from airworthy.requirements import compute_set, current_set, freeze, frozen_sets
from airworthy.resources import resource

FEATURE = """Feature: Search

  @V4-ONE
  Rule: Offers have a fare
    Source: v4, Search

    Scenario: A search
      Given a search

  @V4-TWO
  Rule: Prices are in EUR
    Source: v4, Search
"""
CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"
SCHEMA = {"description": "An offer", "properties": {"title": {"type": "string", "description": "A title"}}}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """The features and the schemas of a small service."""
    features, schemas = tmp_path / "features", tmp_path / "schemas"
    (schemas / "report").mkdir(parents=True)
    features.mkdir()
    (features / "search.feature").write_text(FEATURE)
    (schemas / "offer.json").write_text(json.dumps(SCHEMA))
    return features, schemas


def test_unchanged_set_has_the_version_of_the_frozen_one_which_is_not_overwritten(folders: tuple[Path, Path]) -> None:
    current = compute_set(*folders)
    assert (current.version, list(current.rules), len(current.digest)) == ("unreleased", ["V4-ONE", "V4-TWO"], 64)

    path = freeze(*folders, "0.1.0")
    assert path.name == "0.1.0.json"
    assert compute_set(*folders).version == "0.1.0"
    assert freeze(*folders, "0.1.0").read_text() == path.read_text()

    (folders[1] / "offer.json").write_text("{}")
    with pytest.raises(UsageError, match="already frozen"):
        freeze(*folders, "0.1.0")


@pytest.mark.parametrize(
    ("before", "after", "version"),
    [
        ("@V4-TWO", "@V4-NEW", "unreleased, based on 0.9.0 (rules: 1 added, 1 removed)"),
        ("Prices are in EUR", "Prices are in euros", "unreleased, based on 0.9.0 (rules: 1 changed)"),
        ("Given a search", "Given a search with a child", "unreleased, based on 0.9.0 (same rules, different checks)"),
        ("    Scenario", "  # a comment\n\n      Scenario", "0.9.0"),
        ("\n    Scenario", '    "Each offer\n     has a fare."\n\n    Scenario', "0.9.0"),
    ],
)
def test_changed_feature(folders: tuple[Path, Path], before: str, after: str, version: str) -> None:
    freeze(*folders, "0.9.0")
    path = folders[0] / "search.feature"
    path.write_text(FEATURE.replace(before, after))
    assert compute_set(*folders).version == version


@pytest.mark.parametrize(
    ("name", "document", "is_same"),
    [
        ("offer.json", SCHEMA | {"description": "Another text"}, True),
        ("offer.json", {"properties": {"title": {"type": "string"}}}, True),
        ("offer.json", {"properties": {}}, False),
        ("offer.json", SCHEMA | {"required": ["title"]}, False),
        ("report/results.json", {"type": "object"}, True),
    ],
)
def test_changed_schema(folders: tuple[Path, Path], name: str, document: object, *, is_same: bool) -> None:
    before = compute_set(*folders)
    (folders[1] / name).write_text(json.dumps(document))
    assert (compute_set(*folders).digest == before.digest) == is_same


def test_latest_frozen_set_is_the_base(folders: tuple[Path, Path]) -> None:
    for version in ("0.10.0", "0.9.0"):
        freeze(*folders, version)
    (folders[1] / "offer.json").write_text("{}")
    assert [each.version for each in frozen_sets(folders[1])] == ["0.9.0", "0.10.0"]
    assert compute_set(*folders).version.startswith("unreleased, based on 0.10.0")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "airworthy-results-1"}'])
def test_broken_frozen_set_is_a_usage_error(folders: tuple[Path, Path], text: str) -> None:
    (folders[1] / "requirement_sets").mkdir()
    (folders[1] / "requirement_sets" / "0.1.0.json").write_text(text)
    with pytest.raises(UsageError, match=r"0\.1\.0\.json"):
        frozen_sets(folders[1])


def test_current_set_contains_every_rule() -> None:
    assert len(current_set().rules) > 200


def test_every_release_has_a_frozen_set() -> None:
    released = re.findall(r"^## \[([0-9.]+)\]", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    assert [each.version for each in frozen_sets(resource("schemas"))] == released[::-1] != []
