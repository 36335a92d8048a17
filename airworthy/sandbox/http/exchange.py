"""Requests to the sandbox and its responses, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from airworthy.sandbox.http.rejections import Rejected
from airworthy.sandbox.model.organisations import SandboxOrganisation

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SandboxResponse:
    """A response: ``body`` is a JSON document, or bytes with a content type of their own.

    ``rejected`` is the rejection that it expresses, None if the request was accepted.
    """

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)
    rejected: Rejected | None = field(default=None, compare=False)


@dataclass
class SandboxRequest:
    """A request to a documented operation; names of ``headers`` are in lower case.

    ``authenticate`` and ``read_body`` run when a handler first needs their result: in one dialect a handler finds the
    resource before anything reads the body. Both raise `Rejected`.
    """

    version: str
    operation: str
    path: Mapping[str, str]
    query: dict[str, str]
    headers: dict[str, str]
    raw: bytes
    has_body: bool
    authenticate: Callable[["SandboxRequest"], SandboxOrganisation]
    read_body: Callable[["SandboxRequest"], Json]

    @cached_property
    def organisation(self) -> SandboxOrganisation:
        """The organisation whose key or token the client sent."""
        return self.authenticate(self)

    @cached_property
    def body(self) -> Json:
        """The request body, which fits its schema."""
        return self.read_body(self)
