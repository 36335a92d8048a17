"""Identify the set of requirements that a result was taken against.

Every release freezes its requirement set in ``schemas/requirement_sets/<version>.json``. The current set is computed
from the features and the schemas. Two results with the same digest were taken against the same requirements.
"""

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from airworthy import __version__
from airworthy.errors import UsageError
from airworthy.register import GO_LIVE, QUOTE, Rule, go_live_rules, read_rules, rules
from airworthy.resources import resource

FORMAT: Final = "airworthy-requirement-set-1"
NAME: Final = "Flight Booking Service"
_FROZEN: Final = "requirement_sets"
# These schemas describe the project's own documents, not the service.
_OWN_SCHEMAS: Final = frozenset((_FROZEN, "report", "profile.json"))
_ANNOTATIONS: Final = frozenset(("title", "description", "$comment", "example", "examples"))


@dataclass(frozen=True, slots=True)
class RequirementSet:
    """A set of requirements. ``rules`` maps each rule id to the digest of the rule; digests are SHA-256."""

    name: str
    version: str
    digest: str
    rules: Mapping[str, str]


def current_set() -> RequirementSet:
    """Return the requirement set of the installed features and schemas, named after the release or its difference."""
    return _installed(resource("features"), resource("schemas"))


@cache
def _installed(features: Path, schemas: Path) -> RequirementSet:
    return _set(rules(features), features, schemas)


@cache
def go_live_set() -> RequirementSet:
    """Return the requirement set of a partner: the go-live list, and the schemas that its traffic is judged by."""
    features, schemas = resource("features") / GO_LIVE, resource("schemas")
    digests = {rule.id: _rule_digest(rule) for rule in go_live_rules()}
    version = f"go-live list of Airworthy {__version__}"
    return RequirementSet(NAME, version, _content_digest(features, schemas), dict(sorted(digests.items())))


def compute_set(features: Path, schemas: Path) -> RequirementSet:
    """Compute the requirement set of two folders.

    Its version is that of the frozen set with the same digest. Otherwise it is ``unreleased``, with the difference from
    the latest frozen set: ``unreleased, based on 0.1.0 (rules: 3 added, 1 removed, 2 changed)``.
    """
    # The features may have changed since they were first read.
    return _set(read_rules(features), features, schemas)


def _set(found: Iterable[Rule], features: Path, schemas: Path) -> RequirementSet:
    digests = {rule.id: _rule_digest(rule) for rule in found}
    digest = _content_digest(features, schemas)
    frozen = frozen_sets(schemas)
    version = next((each.version for each in frozen if each.digest == digest), "")
    return RequirementSet(NAME, version or _unreleased(digests, frozen), digest, dict(sorted(digests.items())))


def frozen_sets(schemas: Path) -> tuple[RequirementSet, ...]:
    """Return the frozen requirement sets, oldest first. Raises UsageError if a file is not a requirement set."""
    sets = [_read(path) for path in (schemas / _FROZEN).glob("*.json")]
    return tuple(sorted(sets, key=lambda each: _version_key(each.version)))


def freeze(features: Path, schemas: Path, version: str) -> Path:
    """Write the current requirement set under a version and return the path.

    Raises UsageError if the version is already frozen with other content.
    """
    current = compute_set(features, schemas)
    path = schemas / _FROZEN / f"{version}.json"
    if path.exists() and _read(path).digest != current.digest:
        raise UsageError(f"{path}: version {version} is already frozen with other requirements, raise the version")
    document = {"format": FORMAT, **asdict(current), "version": version}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return path


def _unreleased(digests: Mapping[str, str], frozen: tuple[RequirementSet, ...]) -> str:
    if not frozen:
        return "unreleased"
    base = frozen[-1]
    added, removed = digests.keys() - base.rules.keys(), base.rules.keys() - digests.keys()
    changed = [each for each in digests.keys() & base.rules.keys() if digests[each] != base.rules[each]]
    parts = [
        f"{len(ids)} {done}" for ids, done in ((added, "added"), (removed, "removed"), (changed, "changed")) if ids
    ]
    difference = f"rules: {', '.join(parts)}" if parts else "same rules, different checks"
    return f"unreleased, based on {base.version} ({difference})"


def _rule_digest(rule: Rule) -> str:
    parts = (rule.id, rule.statement, rule.note, rule.source, rule.binds, rule.excluded_reason or "")
    return _sha256("\n".join(parts))


def _content_digest(features: Path, schemas: Path) -> str:
    """Return the digest of everything in the features and schemas that a check depends on.

    The layout of files, comments, the quotes of rules, and the descriptions in schemas do not change it.
    """
    texts = ((path.relative_to(features), path) for path in features.rglob("*.feature"))
    parts = [(relative, _feature_text(path)) for relative, path in texts if relative.parts[0] != GO_LIVE]
    for path in schemas.rglob("*.json"):
        relative = path.relative_to(schemas)
        if relative.parts[0] not in _OWN_SCHEMAS:
            document = _without_annotations(json.loads(path.read_text(encoding="utf-8")))
            parts.append((relative, json.dumps(document, sort_keys=True)))
    in_order = sorted((path.as_posix(), text) for path, text in parts)
    return _sha256("\n".join(f"{path} {_sha256(text)}" for path, text in in_order))


def _feature_text(path: Path) -> str:
    lines = (line.strip() for line in QUOTE.sub("", path.read_text(encoding="utf-8")).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("#"))


def _without_annotations(value: Any, *, is_names: bool = False) -> Any:  # noqa: ANN401 - any JSON value
    """Drop annotations from a schema. Below ``properties`` the keys are names of fields, not keywords."""
    if isinstance(value, dict):
        kept = value if is_names else {key: each for key, each in value.items() if key not in _ANNOTATIONS}
        return {
            key: _without_annotations(each, is_names=key == "properties" and not is_names) for key, each in kept.items()
        }
    if isinstance(value, list):
        return [_without_annotations(each) for each in value]
    return value


def _read(path: Path) -> RequirementSet:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.pop("format") != FORMAT:
            raise UsageError(f"{path}: expected the format {FORMAT}")
        return RequirementSet(**document)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{path}: not a requirement set: {error}") from None


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) if part.isdecimal() else 0 for part in version.split("."))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


if __name__ == "__main__":
    sys.stdout.write(f"{freeze(resource('features'), resource('schemas'), __version__)}\n")
