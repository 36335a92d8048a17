"""The contract of the Flight Booking Service, made executable: an `Exchange` goes in, `Finding`s come out.

::

    contract, conversation = Contract.load(), Conversation()
    findings = contract.judge(exchange, conversation)

Nothing here knows who made the exchange or reads the network; only `Contract.load` reads files, the package's own.
"""

from typing import Any

from airworthy.contract.compiled_schema import CompiledSchema
from airworthy.contract.contract import Contract
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.store import ConversationStore, InMemoryStore
from airworthy.contract.documents import DocumentError, Documents, bundled
from airworthy.contract.exchange import Exchange, Headers, Request, Response, header
from airworthy.contract.finding import DriftClass, Finding, Kind, Side
from airworthy.contract.loading import packaged_documents
from airworthy.contract.operations import Operation, Parameter, ResolvedUrl, ServiceAddress
from airworthy.contract.reading import PrivatePlace

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
    "PrivatePlace",
    "Request",
    "ResolvedUrl",
    "Response",
    "ServiceAddress",
    "Side",
    "bundle",
    "header",
]


def bundle(version: str) -> dict[str, Any]:
    """Return a version's OpenAPI 3.1 document with everything that it refers to, as one document.

    Raises `DocumentError` for a version that has none.
    """
    return bundled(packaged_documents(), f"{version}/openapi.json")
