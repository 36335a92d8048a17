"""Resolve the URL of a request to an operation of a version."""

import difflib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from itertools import accumulate
from operator import and_, eq
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlsplit

from airworthy.contract.bodies.body import Json, skim
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.http.paths import normalised_path, segments
from airworthy.contract.schema.compiled_schema import CompiledSchema

PAYMENT = "payment"
SERVED = ("v2", "v3", "v4")
"""The versions that the documents describe."""

OK = 200
MOST_PARAMETERS = 100
LONGEST_QUERY = 16_384
MOST_VERSIONS = 20
FEWEST_MEMBERS = 2
_VERSION = re.compile(r"v[234]")
_ANY_VERSION = re.compile(r"[vV]?[0-9]+(?:\.[0-9]+)?")
# Versions that are recognised in a path without a base URL.
_OTHER_VERSION = re.compile(r"[vV][0-9]+(?:\.[0-9]+)?|[0-9]+\.[0-9]+")
_PAYMENT_PREFIX = "/v1/"
_IDENTIFIER = re.compile(r"[^/]*[0-9{][^/]*")
_LONGEST_COMPARED = 200
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """Whose traffic is judged.

    ``base_urls`` are absolute (``https://host/prefix``, without the version). If there are none, every path with a
    segment ``v2``, ``v3`` or ``v4`` belongs to the service, and so may a documented operation under any other version.
    Below a base URL a documented operation without a version belongs to the service, too.
    ``payment_providers`` are absolute URLs; if there are none, every path that ends like the provider's belongs to it.
    ``allow_plain_http`` accepts plain HTTP, for traffic that is captured after TLS has ended.
    """

    base_urls: tuple[str, ...] = ()
    payment_providers: tuple[str, ...] = ()
    allow_plain_http: bool = False

    @property
    def names(self) -> frozenset[str]:
        """The forms in which a text names the addresses: URL, origin, host with port, and host."""
        urls = [(url, urlsplit(url)) for url in (*self.base_urls, *self.payment_providers)]
        return frozenset(
            name
            for url, parts in urls
            for name in (url.rstrip("/"), f"{parts.scheme}://{parts.netloc}", parts.netloc, parts.hostname)
            if name
        )

    def prefix_of(self, path: str) -> str:
        """Return the part of a path that is the path of an address."""
        paths = {urlsplit(url).path.rstrip("/") for url in (*self.base_urls, *self.payment_providers)}
        longest_first = sorted(paths, key=len, reverse=True)
        return next((each for each in longest_first if f"{path}/".startswith(f"{each}/")), "")


def family(version: str) -> str:
    """Return the prefix of rule ids for a version: ``V4``, or ``V23`` for the rules that v2 and v3 share."""
    return "V23" if version in ("v2", "v3") else version.upper()


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a path or a query; ``rule`` is violated if it is required and missing."""

    name: str
    place: str
    required: bool
    rule: str
    schema: CompiledSchema
    sensitive: str = ""

    def read(self, text: str) -> Json:
        """Return the value of a text in a URL: an integer if the schema requires one and the text is one."""
        is_number = self.schema.document.get("type") == "integer" and _INTEGER.fullmatch(text)
        return int(text) if is_number else text


@dataclass(frozen=True)
class Operation:
    """One operation of one version, as in its OpenAPI document.

    ``id`` is the operationId, ``name`` the summary, ``path`` the template without the version. ``request`` is the
    schema of the body (None if there is no body) and ``media`` its media type. ``responses`` has the schemas of
    response bodies by status or class of status (``4XX``), None where the documents leave the body open.
    ``unmaintained`` is the day after which the documents promise nothing about a deprecated operation.
    """

    id: str
    name: str
    version: str
    method: str
    path: str
    parameters: tuple[Parameter, ...]
    request: CompiledSchema | None
    media: str
    responses: Mapping[str, CompiledSchema | None] = field(hash=False)
    unmaintained: date | None = None

    def response(self, status: int) -> CompiledSchema | None:
        """Return the schema of a response with this status, or None if none is documented."""
        exact, family = str(status), f"{status // 100}XX"
        return self.responses.get(exact, self.responses.get(family, self.responses.get("default")))

    def succeeds(self, status: int) -> bool:
        """Return whether the documents show this status as success, or leave it open (``2XX``)."""
        return status == OK or (status // 100 == OK // 100 and "2XX" in self.responses)

    @cached_property
    def template(self) -> tuple[str, ...]:
        """The segments of the path, with parameters in braces."""
        return tuple(self.path.strip("/").split("/"))

    @cached_property
    def words(self) -> tuple[tuple[int, str], ...]:
        """The constant segments of the path with their positions."""
        return tuple((index, each) for index, each in enumerate(self.template) if not each.startswith("{"))

    @cached_property
    def names(self) -> tuple[tuple[int, str], ...]:
        """The parameters in the path with their positions."""
        return tuple((index, each.strip("{}")) for index, each in enumerate(self.template) if each.startswith("{"))


@dataclass(frozen=True, slots=True)
class ResolvedUrl:
    """A version, and the operation of it that a URL addresses, with its parameter values.

    ``version`` is empty if the path has none. ``operation`` is None if the version has no such operation.
    ``query`` has the name-value pairs in the order sent.
    ``secure`` says that the request uses HTTPS, or need not. ``respelled`` says that only the normal form of the path
    names the operation: another server may read the path differently.
    """

    version: str
    path: str
    operation: Operation | None
    path_values: Mapping[str, str]
    query: tuple[tuple[str, str], ...]
    secure: bool
    respelled: bool = False

    @property
    def family(self) -> str:
        """The prefix of the ids of rules of every version."""
        return family(self.version)

    def query_value(self, name: str) -> str | None:
        """Return the first value of a query parameter."""
        for key, value in self.query:
            if key == name:
                return value
        return None


def operations(version: str, document: Mapping[str, Any]) -> Iterator[Operation]:
    """Yield the operations of an OpenAPI document whose references are inlined."""
    compiled: dict[str, CompiledSchema] = {}

    def schema_of(document: dict[str, Any]) -> CompiledSchema:
        return compiled.setdefault(repr(document), CompiledSchema(document))

    for path, item in document["paths"].items():
        for method in _METHODS:
            if method not in item:
                continue
            operation = item[method]
            media, schema = _content(operation.get("requestBody", {}))
            yield Operation(
                id=operation["operationId"],
                name=operation.get("summary", ""),
                version=version,
                method=method.upper(),
                path=path,
                parameters=tuple(
                    Parameter(
                        name=parameter["name"],
                        place=parameter["in"],
                        required=parameter.get("required", False),
                        rule=parameter.get("x-rule", ""),
                        schema=schema_of(parameter["schema"]),
                        sensitive=parameter["schema"].get("x-sensitive", ""),
                    )
                    for parameter in operation.get("parameters", ())
                ),
                request=schema_of(schema) if schema is not None else None,
                media=media,
                responses={
                    status: schema_of(body) if (body := _content(response)[1]) is not None else None
                    for status, response in operation["responses"].items()
                },
                unmaintained=_day(operation.get("x-unmaintained-from")),
            )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _content(holder: Mapping[str, Any]) -> tuple[str, dict[str, Any] | None]:
    for media, content in holder.get("content", {}).items():
        return media, content.get("schema")
    return "", None


class OperationIndex:
    """Finds the operation that a URL addresses, among the operations of all versions."""

    def __init__(self, known: Iterator[Operation], service: ServiceAddress) -> None:
        self._known: dict[str, list[Operation]] = {}
        self._alike: dict[tuple[str, str, int], list[Operation]] = {}
        for operation in known:
            self._known.setdefault(operation.version, []).append(operation)
            alike = operation.version, operation.method, len(operation.template)
            self._alike.setdefault(alike, []).append(operation)
        self._service = service
        self._last: tuple[str, str, ResolvedUrl | None] = ("", "", None)

    def __iter__(self) -> Iterator[Operation]:
        """Iterate over all operations."""
        for known in self._known.values():
            yield from known

    def resolve(self, method: str, url: str) -> ResolvedUrl | None:
        """Return what a URL addresses, or None if it belongs to neither the service nor the payment provider."""
        # Counting, judging and recording an exchange each resolve the same URL, one after the other.
        last = self._last
        if (method, url) != last[:2]:
            self._last = last = (method, url, self._resolve(method, url))
        return last[2]

    def is_called(self, exchange: Exchange, url: ResolvedUrl) -> bool:
        """Return whether a request to another version has what a documented operation with its path requires.

        Other services have paths such as ``/v1/search``, too.
        """
        path = url.path.split("/")
        found = (self._match(each, exchange.request.method, path) for each in self._known if each != PAYMENT)
        return any(operation and _has_what_it_requires(operation, exchange, url, values) for operation, values in found)

    def most_alike(self, method: str, url: ResolvedUrl) -> list[Operation]:
        """Return the operations of the version that an undocumented one resembles most, if its path begins like theirs.

        The longest common beginning counts most, then the number of segments, then the method.
        """
        known = [(each, _shape(each.path)) for each in self._known.get(url.version, ())]
        words = sorted({word for _, shape in known for word in shape})
        written = _shape(url.path[:_LONGEST_COMPARED])
        path = [next(iter(difflib.get_close_matches(part, words, 1)), part) for part in written]
        ranks = [
            (sum(accumulate(map(eq, path, shape), and_)), -abs(len(path) - len(shape)), each.method == method)
            for each, shape in known
        ]
        best = max(ranks, default=(0, 0, False))
        return [each for (each, _), rank in zip(known, ranks, strict=True) if rank == best and best[0]]

    def resolve_as_written(self, method: str, url: str) -> ResolvedUrl | None:
        """Return what a URL stands for if its path is not normalised, not even by a slash less."""
        return self._resolve(method, url, normalised=False)

    def _resolve(self, method: str, url: str, *, normalised: bool = True) -> ResolvedUrl | None:
        try:
            split = urlsplit(url)
            pairs = parse_qsl(split.query[:LONGEST_QUERY], keep_blank_values=True) if split.query else []
            query = tuple(pairs[:MOST_PARAMETERS])
        except ValueError:
            return None
        secure = split.scheme != "http" or self._service.allow_plain_http
        written = self._read(method, split, query, secure)
        if written and normalised and written.operation:
            return replace(written, respelled="//" in split.path)
        if written and not normalised and ("//" in split.path or split.path.endswith("/")):
            return replace(written, operation=None, path_values={})
        if not normalised:
            return written
        path = normalised_path(split.path)
        # Most servers distinguish upper and lower case in a path, but not all do.
        folded = self._read(method, split._replace(path=path.lower()), query, secure, folded=True)
        return _respelled(folded, segments(path)) if folded and folded.operation else written

    def _read(
        self, method: str, url: SplitResult, query: tuple[tuple[str, str], ...], secure: bool, *, folded: bool = False
    ) -> ResolvedUrl | None:
        """Return what a URL stands for; ``folded`` says that its path is in lower case."""
        provider = self._provider_path(url, folded=folded)
        if provider is not None:
            operation, values = self._match(PAYMENT, method, provider, folded=folded)
            if operation:
                return ResolvedUrl(PAYMENT, "/".join(provider), operation, values, query, secure)
        candidates = self._service_paths(method, url, folded=folded)
        for version, path in candidates:
            operation, values = self._match(version, method, path, folded=folded)
            if operation:
                return ResolvedUrl(version, "/".join(path), operation, values, query, secure)
        for version, path in candidates[:1]:
            # The provider has more operations than the one that the documents show.
            if provider is None or _VERSION.fullmatch(version) or self._is_known(method, path):
                return ResolvedUrl(version, "/".join(path), None, {}, query, secure)
        return None

    def _provider_path(self, url: SplitResult, *, folded: bool) -> list[str] | None:
        if self._service.payment_providers:
            below = (_below(url, provider, folded=folded) for provider in self._service.payment_providers)
            return next((segments(rest) for rest in below if rest is not None), None)
        at = url.path.rfind(_PAYMENT_PREFIX + "payment_methods")
        return segments(url.path[at:]) if at >= 0 else None

    def _service_paths(self, method: str, url: SplitResult, *, folded: bool) -> list[tuple[str, list[str]]]:
        if self._service.base_urls:
            for base in self._service.base_urls:
                rest = _below(url, base, folded=folded)
                path = segments(rest) if rest is not None else []
                if path and _ANY_VERSION.fullmatch(path[0]):
                    return [(path[0], path[1:])]
                if self._is_known(method, path):
                    return [("", path)]
            return []
        parts = segments(url.path)
        versions = [(index, segment) for index, segment in enumerate(parts) if _OTHER_VERSION.fullmatch(segment)]
        paths = [(segment, parts[index + 1 :]) for index, segment in versions[-MOST_VERSIONS:]]
        served = [each for each in paths if _VERSION.fullmatch(each[0])]
        return served or [each for each in paths if self._is_known(method, each[1])]

    def _is_known(self, method: str, path: list[str]) -> bool:
        """Return whether any version has an operation with this path: then an unknown version is the service's."""
        return any(self._match(version, method, path)[0] for version in self._known if version != PAYMENT)

    def _match(
        self, version: str, method: str, path: list[str], *, folded: bool = False
    ) -> tuple[Operation | None, dict[str, str]]:
        for operation in self._alike.get((version, method.upper(), len(path)), ()):
            if all(path[index] == (word.lower() if folded else word) for index, word in operation.words):
                return operation, {name: path[index] for index, name in operation.names}
        return None, {}


def _shape(path: str) -> list[str]:
    """Return the segments of a path in lower case, with one name for every identifier."""
    return _IDENTIFIER.sub("{}", path.strip("/").casefold()).split("/")


def _has_what_it_requires(
    operation: Operation, exchange: Exchange, url: ResolvedUrl, values: Mapping[str, str]
) -> bool:
    if operation.request is not None:
        sent = skim(exchange.request.body)
        required = operation.request.document.get("required", ())
        return isinstance(sent, dict) and sum(name in sent for name in required) >= FEWEST_MEMBERS
    parameters = [each for each in operation.parameters if each.required and "pattern" in each.schema.document]
    given = (values.get(each.name) or url.query_value(each.name) for each in parameters)
    return bool(parameters) and all(
        value and each.schema.is_valid(value) for each, value in zip(parameters, given, strict=True)
    )


def _respelled(url: ResolvedUrl, written: list[str]) -> ResolvedUrl:
    """Return a URL that was read in lower case, with the values of its parameters as they are written."""
    assert url.operation
    path = written[len(written) - len(url.operation.template) :]
    values = {name: path[index] for index, name in url.operation.names}
    return replace(url, path="/".join(path), path_values=values, respelled=True)


def _below(here: SplitResult, base: str, *, folded: bool) -> str | None:
    """Return the path of a URL relative to a base URL, or None if it is not below it.

    A host that is named with https is still the service over plain HTTP, at any port: that is what a rule forbids.
    """
    try:
        there = urlsplit(base)
        ports = (here.port, there.port)
    except ValueError:
        return None
    default = {"https": 443, "http": 80}
    # A dot at the end of a host is the root of the domain name system.
    if (here.hostname or "").removesuffix(".") != (there.hostname or "").removesuffix("."):
        return None
    is_other_port = len({port or default.get(here.scheme) for port in ports}) > 1
    if is_other_port if here.scheme == there.scheme else here.scheme != "http":
        return None
    prefix = (there.path.lower() if folded else there.path).rstrip("/")
    return here.path[len(prefix) :] if here.path == prefix or here.path.startswith(prefix + "/") else None
