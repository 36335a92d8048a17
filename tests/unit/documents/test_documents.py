"""The OpenAPI and schema documents are valid and complete, and both validators read them alike."""

import json
import runpy
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_type_hints

import jsonschema
import pytest
from datamodel_code_generator import InputFileType, generate
from datamodel_code_generator.enums import DataModelType
from jsonschema_rs import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from airworthy.contract import CompiledSchema, Contract
from airworthy.contract.bodies.body import Json
from airworthy.contract.http.operations import operations
from airworthy.documents.bundles import bundle, bundled
from airworthy.documents.references import DocumentError, inlined, packaged_documents
from unit.contract.all_examples import EXAMPLES, Example
from unit.contract.examples import ENDPOINTS, error
from unit.contract.mutations import mutations

DOCUMENTS = packaged_documents()
VERSIONS = ("v4", "v3", "v2", "payment")
ALL = ("v2", "v3", "v4")
METHODS = {"get", "post", "put", "patch", "delete"}
# The statuses of documented rejections, by operation.
_RESPONSES = {
    "400 401": "getFares searchFlights searchRoundTrips searchFlightsV2",
    "400 401 404": "searchOffers getOffer getBaggage createOrder getOrder getReservation findReservation getBookings "
    "getBookingsV2",
    "400 401 404 409": "verifyFlight createRequests createRequestsV2",
    "400 401 403 404 409": "cancelRequest",
    "400 401 403 404 409 422": "createBookings createBookingsV2",
    "400 401 403 404 406 422": "confirmOrder",
}
RESPONSES = {name: {*statuses.split()} for statuses, names in _RESPONSES.items() for name in names.split()}
# What generated types have to say: ids, dates and codes are texts.
TYPED: dict[str, dict[str, dict[str, object]]] = {
    "v4": {
        "SearchRequest": {"inboundSegment": "SearchRequestSegment | None"},
        "Order": {"id": str, "reservationId": str | None},
        "Section": {"departureDate": str, "flightNumber": str, "marketingCarrierCode": str},
        "SearchRequestSegment": {"departureDate": str},
        "ValuesMoney": {"amount": float, "currency": Literal["EUR"]},
    },
    "v3": {"FlightWithBagsFound": {"id": int, "departure_date": str}, "Place": {"iata_code": str}},
    "v2": {"FlightWithLuggageFound": {"id": int, "departure_date": str}, "Place": {"iata_code": str}},
    "payment": {"PaymentMethod": {"id": str}},
}
STATUS_OPEN = {"verifyFlight", "createRequestsV2", "createBookingsV2", "searchFlightsV2"}
STATUS_OPEN |= {"getOrder", "getReservation", "findReservation", "getBookings", "getBookingsV2"}


def nodes(node: Json) -> Iterator[dict[str, Json]]:
    """Yield each object in a part of a document."""
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    yield from (node,) if isinstance(node, dict) else ()
    for child in children:
        yield from nodes(child)


def shape(operation: str, side: str) -> CompiledSchema:
    found = next(each for each in Contract.load(ALL).operations() if each.id == operation)
    chosen = found.request if side == "request" else found.response(200)
    assert chosen is not None
    return chosen


# The bundle


@pytest.mark.parametrize("version", VERSIONS)
def test_bundle_is_a_valid_openapi_document(version: str) -> None:
    document = bundle(version)
    OpenAPIV31SpecValidator(json.loads(json.dumps(document))).validate()
    assert document["openapi"].startswith("3.1")
    references = (node["$ref"] for node in nodes(document) if isinstance(node.get("$ref"), str))
    assert {reference[:13] for reference in references} <= {"#/components/"}


@pytest.mark.parametrize("version", ALL)
def test_bundle_has_every_operation_with_its_responses(version: str) -> None:
    document = bundle(version)
    known = {name: each for name, each in ENDPOINTS.items() if each[1].startswith(f"/{version}/")}
    operations = {
        operation["operationId"]: (method.upper(), path, set(operation["responses"]))
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }
    assert set(operations) == set(known)
    for name, (method, path, statuses) in operations.items():
        assert method == known[name][0]
        assert path.count("/") + 1 == known[name][1].partition("?")[0].count("/")
        assert statuses == {"2XX" if name in STATUS_OPEN else "200", "4XX", "500", *RESPONSES[name]}


def without_schemas(node: Json) -> Json:
    """Return a part of an OpenAPI document without its schemas and annotations."""
    if isinstance(node, list):
        return [without_schemas(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {key: without_schemas(each) for key, each in node.items() if key != "schema" and not key.startswith("x-")}


@pytest.mark.parametrize("version", VERSIONS)
def test_bundle_has_the_same_content_as_the_files(version: str) -> None:
    path = f"{version}/openapi.json"
    found, expected = inlined({path: bundle(version)}, path), inlined(DOCUMENTS, path)
    assert without_schemas(found["paths"]) == without_schemas(expected["paths"])
    for of_bundle, of_files in zip(operations(version, found), operations(version, expected), strict=True):
        bodies = [each.body for each in EXAMPLES if each.operation == of_files.id]
        values = [*bodies, *(each.value for body in bodies for each in mutations(body))]
        responses = zip(of_bundle.responses.values(), of_files.responses.values(), strict=True)
        for pair in ((of_bundle.request, of_files.request), *responses):
            one, other = (each and list(map(Draft202012Validator(each.document).is_valid, values)) for each in pair)
            assert one == other


@pytest.mark.parametrize("version", VERSIONS)
def test_bundle_suits_code_generators(version: str, tmp_path: Path) -> None:
    document = bundle(version)
    assert all("type" in each for each in document["components"]["schemas"].values())
    assert all(node.keys() <= {"$ref", "description"} for node in nodes(document) if isinstance(node.get("$ref"), str))
    # openapi-typescript would make an object without any member of it.
    parts = (part for node in nodes(document) for part in node.get("allOf", ()))
    assert not any(each.get("type") == "object" and "properties" not in each for each in parts)

    # A warning says that the program lacks something.
    types = tmp_path / "types.py"
    generate(
        json.dumps(document),
        input_file_type=InputFileType.OpenAPI,
        output=types,
        output_model_type=DataModelType.TypingTypedDict,
        formatters=[],
    )

    made = runpy.run_path(str(types))
    for name, members in TYPED[version].items():
        hints, expected = (
            get_type_hints(each, made) for each in (made[name], type(name, (), {"__annotations__": members}))
        )
        assert {member: hints[member] for member in members} == expected


def test_plain_keywords_say_what_conditions_and_negations_say() -> None:
    schemas = bundle("v4")["components"]["schemas"]
    identification, secure = schemas["OrderRequestIdentification"], schemas["ConfirmationThreeDSecure"]
    assert set(identification["required"]) == identification["properties"].keys()
    assert secure["properties"]["electronic_commerce_indicator"]["enum"] == ["05", "06", "01", "02"]


def test_bundle_has_no_titles_or_annotations_of_this_project() -> None:
    document = bundle("v4")
    assert '"x-' not in json.dumps(document)
    assert '"title": "' not in json.dumps(document["components"]["schemas"])


@pytest.mark.parametrize("version", ALL)
def test_key_or_token_is_in_the_authorization_header(version: str) -> None:
    *bearer, bare = bundle(version)["components"]["securitySchemes"].values()
    assert (bare["type"], bare["in"], bare["name"]) == ("apiKey", "header", "Authorization")
    assert [(each["type"], each["scheme"]) for each in bearer] == [("http", "bearer")] * (version != "v4")
    assert version != "v4" or bundle(version)["security"] == [{"apiKey": []}]


def test_version_without_a_document() -> None:
    with pytest.raises(DocumentError, match="v9/openapi"):
        bundle("v9")


# References


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ({"a.json": {"$ref": "b.json"}}, "the document b.json does not exist"),
        ({"a.json": {"$ref": "#/$defs/x"}}, "refers to #/\\$defs/x, which does not exist"),
        ({"a.json": {"properties": {"a": {"$ref": "#"}}}}, "refers to itself"),
        (
            {"a.json": {"type": "object", "$ref": "b.json"}, "b.json": {"type": "array"}},
            "has type next to a reference to b.json",
        ),
    ],
)
def test_reference_without_a_target(documents: dict[str, Any], message: str) -> None:
    with pytest.raises(DocumentError, match=message):
        inlined(documents, "a.json")


def test_schemas_with_the_same_name_cannot_be_bundled() -> None:
    documents = {
        "v/a.json": {"x": {"$ref": "b.json"}, "y": {"$ref": "../w/b.json"}},
        "v/b.json": {"type": "object"},
        "w/b.json": {"type": "array"},
    }
    with pytest.raises(DocumentError, match="two schemas that would both be named B"):
        bundled(documents, "v/a.json")


def test_bundled_examples_are_components() -> None:
    documents = {
        "v/a.json": {"examples": {"one": {"$ref": "examples.json#/examples/sent"}}},
        "v/examples.json": {"examples": {"sent": {"value": {"title": "kept"}}}},
    }
    assert bundled(documents, "v/a.json") == {
        "examples": {"one": {"$ref": "#/components/examples/sent"}},
        "components": {"examples": {"sent": {"value": {"title": "kept"}}}},
    }


def test_keywords_beside_a_reference_are_merged() -> None:
    documents = {
        "v/a.json": {"x": {"$ref": "b.json#/$defs/c~1d", "title": "mine", "minLength": 1}},
        "v/b.json": {"$defs": {"c/d": {"$ref": "../w.json", "title": "its"}}},
        "w.json": {"type": "string"},
    }
    assert inlined(documents, "v/a.json") == {"x": {"type": "string", "title": "mine", "minLength": 1}}
    assert bundled(documents, "v/a.json") == inlined(documents, "v/a.json") | {"components": {}}


# The schemas

OTHERS: list[object] = [None, 1, "x", [], {}, error(404, "Not Found")]


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in DOCUMENTS
        if not path.startswith("revisions/") and not path.endswith(("openapi.json", "examples.json"))
    ],
)
def test_schema_file_is_valid(path: str) -> None:
    jsonschema.Draft202012Validator.check_schema(DOCUMENTS[path])
    assert DOCUMENTS[path]["$schema"].endswith("2020-12/schema")
    assert DOCUMENTS[path]["description"]


@pytest.mark.parametrize("version", ALL)
def test_drift_dictionary_names_its_sources(version: str) -> None:
    document = inlined(DOCUMENTS, f"revisions/{version}.json")
    assert isinstance(document["description"], str)
    assert all(entry["places"] and entry["source"] for entry in (*document["members"], *document["values"]))
    assert version not in {*document["otherVersions"], *(each.get("version") for each in document["members"])}


def test_schemas_have_known_annotations_only() -> None:
    judged = (document for path, document in DOCUMENTS.items() if not path.startswith("revisions/"))
    used = {key for document in judged for node in nodes(document) for key in node if key.startswith("x-")}
    known = {"x-rule", "x-counts", "x-sensitive", "x-open", "x-soft", "x-binds", "x-reason", "x-message", "x-expected"}
    assert used == known | {"x-unmaintained-from", "x-public", "x-like", "x-form", "x-unlisted"}


@pytest.mark.parametrize("operation", [*ENDPOINTS, "createPaymentMethod"])
def test_every_schema_defect_has_a_rule(operation: str) -> None:
    found = next(each for each in Contract.load(ALL).operations() if each.id == operation)
    for judged in [found.request, *found.responses.values()]:
        assert judged is None or all(defect.rule for value in OTHERS for defect in judged.defects(value))
    assert all(each.rule for each in found.parameters if each.required and each.place == "query")
    assert all(defect.rule for each in found.parameters for defect in each.schema.defects("?"))


# Both validators agree

# Every so manyth mutation: one of each kind at each place would take minutes.
STEP = 23


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.side}-{example.name}")
def test_both_validators_agree(example: Example) -> None:
    judged = shape(example.operation, example.side)
    for body in (example.body, *OTHERS, *(each.value for each in islice(mutations(example.body), 0, None, STEP))):
        agree(judged, body)


def agree(judged: CompiledSchema, body: object) -> None:
    oracle = jsonschema.Draft202012Validator(judged.document)
    places = {tuple(each.absolute_path) for each in oracle.iter_errors(body)}
    found = {defect.path for defect in judged.defects(body)}
    assert bool(found) == bool(places)
    assert all(any(place[: len(other)] == other for other in places) for place in found)
    if judged.is_valid(body):
        assert judged.examine(body) == ([], [])
