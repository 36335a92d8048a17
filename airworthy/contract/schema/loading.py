"""Read the packaged schemas; no other module of the contract reads files."""

import json
from functools import cache

from airworthy.contract.schema.documents import Documents
from airworthy.resources import resource

FOLDERS = ("v4", "v3", "v2", "payment", "revisions")


@cache
def packaged_documents() -> Documents:
    """Return the JSON documents of the contract by their path below ``schemas/``."""
    root = resource("schemas")
    return {
        path.relative_to(root).as_posix(): json.loads(path.read_text(encoding="utf-8"))
        for folder in FOLDERS
        for path in sorted((root / folder).glob("*.json"))
    }
