"""The contract of the Flight Booking Service, made executable: an `Exchange` goes in, `Finding`s come out.

::

    contract, journey = Contract.load(), Journey()
    findings = contract.judge(exchange, journey)

Nothing here knows who made the exchange or reads the network; only `Contract.load` reads files, the package's own.
"""

from typing import Any

from airworthy.contract.contract import Contract
from airworthy.contract.conversation.store import Memory, Store
from airworthy.contract.conversation.v4 import Journey
from airworthy.contract.documents import DocumentError, Documents, bundled
from airworthy.contract.exchange import Exchange, Headers, Request, Response, header
from airworthy.contract.finding import DriftClass, Finding, Kind, Side
from airworthy.contract.loading import packaged_documents
from airworthy.contract.operations import Call, Operation, Parameter, Service
from airworthy.contract.reading import Sensitive
from airworthy.contract.shape import Shape

__all__ = [
    "Call",
    "Contract",
    "DocumentError",
    "Documents",
    "DriftClass",
    "Exchange",
    "Finding",
    "Headers",
    "Journey",
    "Kind",
    "Memory",
    "Operation",
    "Parameter",
    "Request",
    "Response",
    "Sensitive",
    "Service",
    "Shape",
    "Side",
    "Store",
    "bundle",
    "header",
]


def bundle(version: str) -> dict[str, Any]:
    """Return a version's OpenAPI 3.1 document with everything that it refers to, as one document.

    Raises `DocumentError` for a version that has none.
    """
    return bundled(packaged_documents(), f"{version}/openapi.json")
