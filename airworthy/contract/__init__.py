"""The contract of the Flight Booking Service, made executable: it takes an `Exchange` and returns `Finding`s.

::

    contract, conversation = Contract.load(), Conversation()
    findings = contract.judge(exchange, conversation)

The contract does not know where an exchange comes from and does no I/O, except that `Contract.load` reads the
packaged schemas.
"""

from typing import Any

from airworthy.contract.contract import Contract
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.store import ConversationStore, InMemoryStore
from airworthy.contract.findings.finding import DriftClass, Finding, Kind, Side
from airworthy.contract.http.exchange import Exchange, Headers, Request, Response, header
from airworthy.contract.http.operations import Operation, Parameter, ResolvedUrl, ServiceAddress
from airworthy.contract.schema.compiled_schema import CompiledSchema
from airworthy.contract.schema.documents import DocumentError, Documents, bundled
from airworthy.contract.schema.loading import packaged_documents

__all__ = [
    "CompiledSchema",
    "Contract",
    "Conversation",
    "ConversationStore",
    "DocumentError",
    "Documents",
    "DriftClass",
    "Exchange",
    "Finding",
    "Headers",
    "InMemoryStore",
    "Kind",
    "Operation",
    "Parameter",
    "Request",
    "ResolvedUrl",
    "Response",
    "ServiceAddress",
    "Side",
    "bundle",
    "header",
]


def bundle(version: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of a version, with everything that it refers to, as one document.

    Raises `DocumentError` if there is no such version.
    """
    return bundled(packaged_documents(), f"{version}/openapi.json")
