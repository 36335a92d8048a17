"""The simplified schema accepts exactly the bodies that the original schemas accept."""

from itertools import product

import orjson
import pytest
from jsonschema_rs import Draft202012Validator

from airworthy.contract import CompiledSchema, Contract
from airworthy.contract.bodies.body import Body, Json
from airworthy.contract.schema.known_members import KnownMembers
from airworthy.contract.schema.simplification import bare, simplified
from unit.contract.all_examples import RETURNED, SENT
from unit.contract.mutations import mutations

TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 1}
PARTS: list[Json] = [
    True,
    False,
    {},
    {"title": "thing", "type": "object"},
    {"type": ["object", "null"]},
    {"type": ["object", "array", "null"], "minItems": 1},
    {"type": ["number", "null"]},
    {"type": ["integer", "null"]},
    {"required": ["a"]},
    {"required": ["a", "b"]},
    {"minProperties": 2},
    {"maxProperties": 1},
    {"properties": {"a": TEXT}},
    {"properties": {"a": {"minLength": 1}, "b": COUNT}},
    {"properties": {"a": False}},
    {"properties": {"a": TEXT}, "additionalProperties": False},
    {"properties": {"a": TEXT}, "additionalProperties": False, "required": ["a"], "minProperties": 2},
    {"properties": {"a": True, "b": True}, "additionalProperties": False},
    {"properties": {"a": True, "b": COUNT}, "additionalProperties": TEXT, "required": ["a", "b"]},
    {"properties": {"a": True}, "patternProperties": {"b": COUNT}, "additionalProperties": False, "required": ["a"]},
    {"patternProperties": {"a": TEXT}},
    {"patternProperties": {"b": {"minimum": 2}}, "additionalProperties": False},
    {"propertyNames": {"enum": ["a", "b"]}},
    {"propertyNames": {"enum": ["a"]}},
    {"items": COUNT, "maxItems": 1},
    {"items": {"maximum": 1}, "minItems": 1, "maxItems": 2},
    {"contains": {"const": 2}, "maxContains": 1},
    {"contains": {"const": 1}},
    {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
    {"if": {"type": "array"}, "else": {"properties": {"a": COUNT}}},
    {"type": ["integer", "number"]},
    {"type": ["integer", "string"]},
    {"enum": [None, {"a": "x"}, [1]]},
    {"enum": [None, "x", 1]},
    {"enum": ["x", "", True]},
    {"pattern": "^x$"},
    {"pattern": "^x$|^$"},
    {"pattern": "^$|^y$"},
    {"anyOf": [{"required": ["b"]}, {"type": "array"}], "not": {"type": "null"}},
    {"allOf": [{"required": ["b"]}, {"properties": {"b": COUNT}}]},
]
SCALARS: list[Json] = [None, "", "x", 1, 2, 1.5]
VALUES: list[Json] = [
    *SCALARS,
    {},
    *({name: value} for name, value in product(("a", "b", "ab", "c"), SCALARS)),
    *({"a": one, "b": other} for one, other in product(SCALARS, SCALARS)),
    *({"a": "x", "b": 2, name: value} for name, value in product(("ab", "c"), SCALARS)),
    [],
    *([value] for value in SCALARS),
    *([one, other] for one, other in product((1, 2, "x"), repeat=2)),
    [1, 1, 1],
    [1, 2, 1],
]


def assert_alike(plain: Json) -> None:
    before, after = Draft202012Validator(plain), Draft202012Validator(simplified(plain))
    for value in VALUES:
        assert after.is_valid(value) == before.is_valid(value), (plain, simplified(plain), value)


@pytest.mark.parametrize("one", PARTS, ids=str)
def test_simplified_schema_accepts_the_same_values(one: Json) -> None:
    for other in PARTS:
        assert_alike({"allOf": [one, other]})
        assert_alike({"properties": {"a": True, "b": one}, "allOf": [{"properties": {"b": other}}]})
        assert_alike({"items": one, "allOf": [{"items": other}, {"required": ["a"]}]})
    assert_alike({"allOf": [one, *PARTS[8:20]]})


def test_simplified_schema_decides_mutations_alike(whole_contract: Contract) -> None:
    for operation in (each for each in whole_contract.operations() if each.id in RETURNED):
        for shape, example in (
            (operation.request, SENT.get(operation.id)),
            (operation.response(200), RETURNED[operation.id]),
        ):
            if shape is None:
                continue
            plain = (
                Draft202012Validator(bare(shape.document)),
                Draft202012Validator(KnownMembers.of(shape.document).structure()),
            )
            for value in (example, *(each.value for each in mutations(example))):
                is_valid = all(each.is_valid(value) for each in plain)
                assert shape.is_valid(value) == is_valid, orjson.dumps(value)
                assert shape.is_clean(Body(value)) == (is_valid and shape.members.is_harmless(value))


def test_simplified_search_schema_has_no_allof(whole_contract: Contract) -> None:
    shape = next(each for each in whole_contract.operations() if each.id == "searchOffers").response(200)
    assert isinstance(shape, CompiledSchema)
    text = orjson.dumps(simplified({"allOf": [bare(shape.document), KnownMembers.of(shape.document).structure()]}))
    assert b"allOf" not in text
    assert b"minProperties" in text


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (
            {"allOf": [{"required": ["a"]}, {"required": ["b"], "minItems": 1}], "minItems": 2},
            {"required": ["a", "b"], "minItems": 2},
        ),
        (
            {
                "allOf": [
                    {"properties": {"a": {"type": "string"}}, "required": ["a"]},
                    {"properties": {"a": True}, "additionalProperties": False},
                ]
            },
            {"properties": {"a": {"type": "string"}}, "additionalProperties": False, "minProperties": 1},
        ),
        (
            {"properties": {"b": True}, "allOf": [{"properties": {"a": True}, "additionalProperties": False}]},
            {"properties": {"b": True}, "allOf": [{"properties": {"a": True}, "additionalProperties": False}]},
        ),
        (
            {"if": {"type": "null"}, "then": False, "allOf": [{"if": True, "else": False}]},
            {"if": {"type": "null"}, "then": False, "allOf": [{"if": True, "else": False}]},
        ),
    ],
)
def test_merged_keywords(schema: Json, expected: Json) -> None:
    assert simplified(schema) == expected
