"""Count how often each rule was applied to something in a response: the evidence behind a verdict "passed".

A keyword of a schema is applied to each value that it meets, a coded rule to what its ``about`` names. A value without
content does not count: null, an empty array or object, an object whose members are all empty. Only the suite counts;
judging an exchange does not depend on it.
"""

from collections import Counter
from dataclasses import dataclass, field

from jsonschema_rs import Draft202012Validator

from airworthy.contract.bodies.body import Json

Applications = Counter[str]

ASSERTIONS = frozenset(
    (
        *("type", "enum", "const", "pattern", "format", "required", "dependentRequired", "propertyNames", "not"),
        *("minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum", "minProperties", "maxProperties"),
        *("exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems"),
    )
)
"""The keywords of JSON Schema that restrict a value."""


@dataclass
class SchemaRules:
    """The rules of a schema, by the values that their keywords apply to.

    ``members``, ``others`` and ``items`` have the rules of what is inside; ``conditions`` are branches that apply to
    valid values only (``if`` and ``then``) or to invalid ones (``else``).
    """

    rules: set[str] = field(default_factory=set)
    members: dict[str, "SchemaRules"] = field(default_factory=dict)
    others: "SchemaRules | None" = None
    items: "SchemaRules | None" = None
    conditions: list[tuple[Draft202012Validator, bool, "SchemaRules"]] = field(default_factory=list)

    @classmethod
    def of(cls, schema: Json) -> "SchemaRules":
        """Return the rules of a schema without references; the nearest enclosing ``x-rule`` owns a keyword."""
        found = cls()
        _collect(schema, "", found)
        return found

    def count(self, value: Json, applied: Applications) -> bool:
        """Add to ``applied`` how often each rule was applied to a value; return whether the value has content."""
        if self is _NOTHING:
            return has_content(value)
        if isinstance(value, dict):
            others = self.others or _NOTHING
            inside = [self.members.get(name, others).count(each, applied) for name, each in value.items()]
            content = any(inside)
        elif isinstance(value, list):
            items = self.items or _NOTHING
            content = bool([items.count(each, applied) for each in value])
        else:
            content = value is not None
        if content:
            for rule in self.rules:
                applied[rule] += 1
            for condition, expected, branch in self.conditions:
                if condition.is_valid(value) is expected:
                    branch.count(value, applied)
        return content


_NOTHING = SchemaRules()


def has_content(value: Json) -> bool:
    """Return whether a value is something that a rule can be applied to; the first content inside decides."""
    if isinstance(value, dict):
        return any(map(has_content, value.values()))
    return bool(value) if isinstance(value, list) else value is not None


def _collect(schema: Json, rule: str, found: SchemaRules) -> None:
    if not isinstance(schema, dict):
        return
    if "x-rule" in schema:
        rule = schema["x-rule"] if schema.get("x-counts", True) else ""
    if rule and not ASSERTIONS.isdisjoint(schema):
        found.rules.add(rule)
    for name, member in schema.get("properties", {}).items():
        _collect(member, rule, found.members.setdefault(name, SchemaRules()))
    for member in filter(None, (*schema.get("patternProperties", {}).values(), schema.get("additionalProperties"))):
        found.others = found.others or SchemaRules()
        _collect(member, rule, found.others)
    if "items" in schema:
        found.items = found.items or SchemaRules()
        _collect(schema["items"], rule, found.items)
    for branch in (each for name in ("allOf", "anyOf", "oneOf") for each in schema.get(name, ())):
        _collect(branch, rule, found)
    for name, expected in (("then", True), ("else", False)):
        if name in schema:
            branch_rules = SchemaRules()
            _collect(schema[name], rule, branch_rules)
            found.conditions.append((Draft202012Validator(schema["if"]), expected, branch_rules))
