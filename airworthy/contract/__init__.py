"""The contract of the Flight Booking Service, made executable: it takes an `Exchange` and returns `Finding`s.

::

    contract, conversation = Contract.load(), Conversation()
    findings = contract.judge(exchange, conversation)

The contract does not know where an exchange comes from and does no I/O, except that `Contract.load` reads the
packaged schemas.
"""

from airworthy.contract.contract import Contract
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.store import InMemoryStore
from airworthy.contract.findings.finding import Finding, Kind, Side
from airworthy.contract.http.exchange import Exchange, Headers, Request, Response, header
from airworthy.contract.http.operations import Operation, ResolvedUrl, ServiceAddress
from airworthy.contract.schema.compiled_schema import CompiledSchema

__all__ = [
    "CompiledSchema",
    "Contract",
    "Conversation",
    "Exchange",
    "Finding",
    "Headers",
    "InMemoryStore",
    "Kind",
    "Operation",
    "Request",
    "ResolvedUrl",
    "Response",
    "ServiceAddress",
    "Side",
    "header",
]
