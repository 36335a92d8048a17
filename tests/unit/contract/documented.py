"""The example of each operation in the OpenAPI documents."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from airworthy.contract.bodies.body import Json
from airworthy.documents.references import packaged_documents, target

VERSIONS: Final = ("v4", "v3", "v2", "payment")


class Documented(NamedTuple):
    """An operation with its example; ``path`` has the query, ``media_type`` is that of the request."""

    operation: str
    version: str
    method: str
    path: str
    media_type: str
    sent: Json
    returned: Json


def documented(version: str) -> Iterator[Documented]:
    """Yield the example of each operation; every body and every required parameter has to have one."""
    document = f"{version}/openapi.json"

    def resolved(node: Mapping[str, Any]) -> Json:
        return target(packaged_documents(), node["$ref"], document)[1] if "$ref" in node else node

    def bodies(holder: Mapping[str, Any]) -> dict[str, Json]:
        given = {media: content["examples"].values() for media, content in holder.get("content", {}).items()}
        return {media: resolved(only)["value"] for media, (only,) in given.items()}

    for path, methods in packaged_documents()[document]["paths"].items():
        for method, operation in methods.items():
            given: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
            for each in map(resolved, operation.get("parameters", ())):
                if each.get("required") or "example" in each:
                    given[each["in"]][each["name"]] = each["example"]
            target_path = f"{path.format(**given['path'])}?{urlencode(given['query'])}".removesuffix("?")
            [(media_type, sent)] = bodies(operation.get("requestBody", {})).items() or [("", None)]
            success = next(each for status, each in operation["responses"].items() if status.startswith("2"))
            returned = bodies(success)["application/json"]
            yield Documented(operation["operationId"], version, method.upper(), target_path, media_type, sent, returned)
