"""The contract: an exchange goes in, findings come out.

An exchange is judged in this order: its URL is resolved to an operation; its request is checked (parameters, body,
coded rules); then its response (status, body, coded rules, and whether the service accepted what it had to reject).
What another revision or version explains is drift and not also a violation: one root cause is one finding.
"""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain

import airworthy.contract.rule_modules  # noqa: F401  registers the coded rules
from airworthy.contract.bodies import wording
from airworthy.contract.bodies.applications import Applications
from airworthy.contract.bodies.body import Body, Json, Pointer
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.bodies.terms import DocumentedTerms
from airworthy.contract.conversation import Conversation
from airworthy.contract.conversation.v3.declined_payments import DECLINES
from airworthy.contract.findings.attribution import collapsed, drifting, findings, unread, violation, with_count
from airworthy.contract.findings.drift import BodyKind, Drift, Revisions, mixed_versions, respelling, scheme_of_the_key
from airworthy.contract.findings.finding import Finding
from airworthy.contract.findings.root_causes import (
    accepted_defects,
    one_defect_per_location,
    one_finding_per_cause,
    rejections_as_payment_errors,
    server_faults,
    should_have_been_rejected,
    tolerable_beside_others,
)
from airworthy.contract.http.exchange import SUCCESSES, Exchange, header
from airworthy.contract.http.operations import (
    PAYMENT,
    SERVED,
    Operation,
    OperationIndex,
    ResolvedUrl,
    ServiceAddress,
    family,
    operations,
)
from airworthy.contract.http.reading import judged_schema, read_transaction
from airworthy.contract.http.transaction import Transaction
from airworthy.contract.life_cycles import Step, steps
from airworthy.contract.rules import client_rules
from airworthy.contract.rules.coded_rules import coded_applications, coded_defects
from airworthy.contract.schema.compiled_schema import CompiledSchema
from airworthy.contract.schema.known_members import KnownMembers
from airworthy.contract.v4 import response_rules
from airworthy.documents.references import Documents, inlined, packaged_documents, without_examples

# A service that responds in this way to a path that is not spelled as documented does not read it as documented.
NOT_ROUTED = (*range(300, 400), 404, 405)


class Contract:
    """The documents, made executable.

    ``documents`` are JSON documents by their path below ``schemas/``; ``versions`` are the interfaces to judge;
    ``service`` says whose traffic is judged. Raises `DocumentError` if a reference in the documents cannot be followed.
    """

    def __init__(
        self, documents: Documents, versions: Sequence[str] = ("v4",), service: ServiceAddress | None = None
    ) -> None:
        self.documents = documents = without_examples(documents)
        self.versions = tuple(versions)
        self.service = service or ServiceAddress()
        read = {each: inlined(documents, f"{each}/openapi.json") for each in (*SERVED, PAYMENT)}
        former = {each: inlined(documents, f"revisions/{each}.json") for each in versions}
        self._revisions = {each: Revisions(each, former[each], read) for each in versions}
        known = (operations(each, read[each]) for each in (*versions, PAYMENT))
        self._operations = OperationIndex(chain.from_iterable(known), self.service)

    @classmethod
    def load(cls, versions: Sequence[str] = ("v4",), service: ServiceAddress | None = None) -> "Contract":
        """Return the contract of the packaged schemas; the same arguments return the same object."""
        return _loaded(tuple(versions), service or ServiceAddress())

    def for_service(self, service: ServiceAddress) -> "Contract":
        """Return a copy that judges the traffic of another service and shares the compiled schemas."""
        other = copy(self)
        other.service, other._operations = service, OperationIndex(iter(self._operations), service)  # noqa: SLF001 - its copy
        return other

    @cached_property
    def terms(self) -> DocumentedTerms:
        """The words and codes of the documents, and the codes of a failed payment."""
        return DocumentedTerms.of(self.documents, DECLINES)

    def operations(self) -> tuple[Operation, ...]:
        """Return every operation of the versions that are judged, and that of the payment provider."""
        return tuple(self._operations)

    def operation(self, method: str, url: str) -> Operation | None:
        """Return the operation that a request is for, or None if it is not documented."""
        resolved = self.resolve(method, url)
        return resolved.operation if resolved else None

    def resolve(self, method: str, url: str) -> ResolvedUrl | None:
        """Return what a URL addresses, or None if it belongs to neither the service nor the payment provider."""
        return self._operations.resolve(method, url)

    def judge(
        self,
        exchange: Exchange,
        conversation: Conversation | None = None,
        applied: Applications | None = None,
        taken: list[Step] | None = None,
    ) -> list[Finding]:
        """Return what is wrong with an exchange, at most `MOST_FINDINGS` findings.

        With a ``conversation``, the exchange is also judged by what that has seen before, and added to it. ``applied``
        receives how often each rule was applied to something in the response, ``taken`` the steps in the life cycles of
        the resources. Never raises, whatever the bytes: what
        cannot be judged is a finding of the kind ``unreadable``.
        """
        try:
            return self._judge(exchange, conversation, applied, taken)
        except Exception as error:  # noqa: BLE001 - hostile traffic must not harm its reader; the gap is reported
            text = f"the exchange was not judged: an internal error of the contract ({type(error).__name__})"
            return [Finding("", "unreadable", "request", "", text, "", "", exchange.id)]

    def _judge(
        self,
        exchange: Exchange,
        conversation: Conversation | None,
        applied: Applications | None,
        taken: list[Step] | None,
    ) -> list[Finding]:
        url = self.resolve(exchange.request.method, exchange.request.url)
        if url and exchange.response and exchange.response.status in NOT_ROUTED:
            url = self._operations.resolve_as_written(exchange.request.method, exchange.request.url)
        if url is None:
            return []
        if url.version not in (PAYMENT, *self._revisions):
            return collapsed(self._other_version(exchange, url, conversation))
        if url.operation is None:
            return collapsed(self._unknown_operation(exchange, url))
        if url.respelled:
            # Who else rejects such a path need not be the service.
            response = exchange.response
            exchange = replace(exchange, response=response if response and response.status in SUCCESSES else None)
        transaction = read_transaction(exchange, url, url.operation)
        judge = self._payment if url.version == PAYMENT else self._request_and_response
        if conversation is None:
            return collapsed(judge(transaction, url.operation, None))
        with conversation.lock:
            found = list(judge(transaction, url.operation, conversation))
            if applied is not None:
                applied.update(_applications(transaction, url.operation, conversation))
            if taken is not None:
                taken += steps(transaction, conversation)
            wrong = frozenset(each.pointer for each in found if each.side == "response" and not each.soft)
            conversation.observe(transaction, wrong)
        return collapsed(found)

    def _request_and_response(
        self, transaction: Transaction, operation: Operation, conversation: Conversation | None
    ) -> Iterator[Finding]:
        revisions, body = self._revisions[operation.version], transaction.request_body
        rule = operation.request.rule if operation.request else ""
        coded = list(coded_defects(transaction, "request", conversation))
        of_schema = list(_parameter_defects(transaction.url, operation))
        if conversation is not None and of_schema:
            of_schema = [each for each in of_schema if not conversation.has_issued(transaction, each.where)]
        drifts = [*revisions.headers(transaction.exchange.request.headers), *_unknown_query(transaction.url, revisions)]
        drifts += [*scheme_of_the_key(transaction), *respelling(transaction)]
        if conversation is not None:
            drifts += mixed_versions(transaction, conversation)
        yield from unread(transaction, "request", body, rule)
        if body.broken:
            of_schema.append(Defect((), _problem("request", body), "JSON", "another format", rule=rule))
            # A body that is not JSON need not be declared as JSON.
            coded = [defect for defect in coded if defect.rule != transaction.rule("CONTENT-TYPE")]
        elif operation.request and body.readable:
            in_body, drifts_in_body = _examined(operation.request, body, revisions, "request")
            of_schema += in_body
            drifts += drifts_in_body
        of_request, drifts = one_finding_per_cause(one_defect_per_location(coded, of_schema), drifts)
        of_request = tolerable_beside_others(transaction, of_request)
        yield from findings(transaction, "request", of_request, drifts)
        if transaction.exchange.response is not None and not response_rules.is_left_open(transaction):
            yield from self._response(transaction, operation, conversation, of_request)

    def _response(
        self,
        transaction: Transaction,
        operation: Operation,
        conversation: Conversation | None,
        of_request: Sequence[Defect],
    ) -> Iterator[Finding]:
        revisions, body = self._revisions[operation.version], transaction.response_body
        rule, drifts = transaction.rule("JSON-ANSWERS"), list[Drift]()
        defects = list(coded_defects(transaction, "response", conversation))
        schema = judged_schema(operation, transaction.status)
        # What rejects plain HTTP need not be the service, nor use its format (OPEN-33).
        if schema is not None and (transaction.url.secure or transaction.succeeded or self.service.allow_plain_http):
            yield from unread(transaction, "response", body, rule)
            if body.broken:
                defects.append(Defect((), _problem("response", body), "a JSON body", "another format", rule=rule))
            elif body.readable:
                kind: BodyKind = "response" if transaction.fulfilled else "error"
                in_body, drifts = _examined(schema, body, revisions, kind)
                defects = [*one_defect_per_location(defects, in_body), *_content_type_defects(transaction, rule)]
        if should_have_been_rejected(transaction, of_request):
            # The documents do not describe the body of such a response: that it succeeds is the only defect.
            defects, drifts = [defect for defect in defects if defect.where], []
        if conversation is not None:
            drifts = [*drifts, *revisions.window(transaction, conversation)]
        defects += accepted_defects(transaction, of_request, defects)
        defects += server_faults(transaction, of_request)
        defects += rejections_as_payment_errors(transaction, of_request)
        yield from findings(transaction, "response", *one_finding_per_cause(defects, drifts))

    def _payment(
        self, transaction: Transaction, operation: Operation, conversation: Conversation | None
    ) -> Iterator[Finding]:
        coded = coded_defects(transaction, "request", conversation)
        in_body = _schema_defects(operation.request, transaction.request_body.value)
        rule = operation.request.rule if operation.request else ""
        yield from unread(transaction, "request", transaction.request_body, rule)
        yield from findings(transaction, "request", [*coded, *in_body], [])
        body = transaction.response_body
        if transaction.accepted:
            yield from unread(transaction, "response", body, "PAYMENT-METHOD-ID")
            in_body = _schema_defects(operation.response(transaction.status), body.value if body.readable else None)
            if body.broken:
                text, expected = _problem("response", body), "a JSON body with an id"
                in_body = [Defect((), text, expected, "another format", rule="PAYMENT-METHOD-ID")]
            yield from findings(transaction, "response", in_body, [])

    def _other_version(
        self, exchange: Exchange, url: ResolvedUrl, conversation: Conversation | None
    ) -> Iterator[Finding]:
        known = bool(self.service.base_urls) or (conversation is not None and conversation.is_of_the_service)
        if url.version in SERVED or not (known or self._operations.is_called(exchange, url)):
            return
        removed = any(url.version in revisions.removed for revisions in self._revisions.values())
        transaction = read_transaction(exchange, url, None)
        rules_of = family("v4" if "v4" in self.versions else self.versions[-1])
        rule = "V4-REMOVED-VERSIONS" if removed else f"{rules_of}-OPERATIONS"
        text = f"the path names version {url.version}, which {'was removed' if removed else 'does not exist'}"
        text = text if url.version else "the path does not name a version"
        provenance, expected = "a removed version" if removed else "", ", ".join(SERVED)
        # The documents say which versions were removed, and nothing of other paths (OPEN-75).
        actual = url.version or "no version"
        drift = Drift("unknown-version", provenance, text, expected, actual, where="path", tolerable=not removed)
        yield drifting(transaction, "request", rule, drift)
        for defect in client_rules.card_data(transaction):
            yield violation(transaction, "request", replace(defect, rule=f"{rules_of}-CARD-DATA"))
        if removed and transaction.succeeded:
            text, actual = "a request to a removed version succeeds", str(transaction.status)
            defect = Defect((), text, "a status that is not a success", actual, where="status", rule=rule)
            yield violation(transaction, "response", defect)

    def _unknown_operation(self, exchange: Exchange, url: ResolvedUrl) -> Iterator[Finding]:
        """Yield that an operation is not documented. Only warns, unless it is one of another version (OPEN-75)."""
        transaction = read_transaction(exchange, url, None)
        method = exchange.request.method.upper()
        if method == "OPTIONS" and transaction.sent_header("Access-Control-Request-Method") is not None:
            return  # A CORS preflight request, which browsers send by themselves.
        shown = method if wording.is_name(method) else "the method"
        alike = [f"{each.method} /{each.version}{each.path}" for each in self._operations.most_alike(method, url)]
        drift = self._revisions[url.version].path(url.path) or Drift(
            "unknown-operation",
            "",
            f"{shown} on this path is not an operation of {url.version}",
            " or ".join(alike) or "a documented operation",
            "another operation",
            where="path",
            tolerable=True,
        )
        yield drifting(transaction, "request", transaction.rule("OPERATIONS"), drift)
        for defect in client_rules.card_data(transaction):
            yield violation(transaction, "request", replace(defect, rule=transaction.rule("CARD-DATA")))


def _applications(transaction: Transaction, operation: Operation, conversation: Conversation) -> Applications:
    """Return how often each rule was applied to something in a response."""
    if transaction.exchange.response is None or response_rules.is_left_open(transaction):
        return Applications()
    applied = coded_applications(transaction, conversation)
    schema = judged_schema(operation, transaction.status)
    if schema is not None and transaction.response_body.readable:
        schema.count(transaction.response_body.value, applied)
        applied.update(transaction.rule(name) for name in ("JSON-ANSWERS", "CURRENT-REVISION", "UNKNOWN-FIELDS"))
    return applied


def _examined(
    schema: CompiledSchema, body: Body, revisions: Revisions, kind: BodyKind
) -> tuple[list[Defect], list[Drift]]:
    if schema in body.clean:
        return [], []
    defects, unknown = schema.examine(body.value)
    drifts = list(_unknown_members(unknown, schema.members, body.value, revisions, kind))
    drifts += [drift for defect in defects if (drift := revisions.value(defect, kind))]
    return defects, drifts


def _unknown_members(
    paths: Sequence[Pointer], members: KnownMembers, value: Json, revisions: Revisions, kind: BodyKind
) -> Iterator[Drift]:
    """Yield unknown members, one for all items of an array; what an earlier revision explains, at each location."""
    alike: dict[Pointer, list[Pointer]] = {}
    for path in paths:
        alike.setdefault(tuple("*" if isinstance(part, int) else part for part in path), []).append(path)
    for first, *others in alike.values():
        drift = revisions.member(first, _at(value, first), kind, members.beside(first))
        if drift.kind != "unknown-field":
            yield drift
            yield from (revisions.member(path, _at(value, path), kind) for path in others)
        else:
            yield replace(drift, message=with_count(drift.message, len(others)))


def _problem(side: str, body: Body) -> str:
    return body.problem.replace("the body", f"the {side} body", 1)


def _schema_defects(schema: CompiledSchema | None, value: Json) -> list[Defect]:
    return [] if schema is None or value is None else schema.defects(value)


def _at(value: Json, path: Pointer) -> Json:
    for part in path:
        value = value[part]
    return value


def _parameter_defects(url: ResolvedUrl, operation: Operation) -> Iterator[Defect]:
    for parameter in operation.parameters:
        in_path = parameter.place == "path"
        value = url.path_values.get(parameter.name) if in_path else url.query_value(parameter.name)
        where = "path" if in_path else f"query:{parameter.name}"
        if value is None:
            if parameter.required:
                text, expected = f"the parameter {parameter.name} is missing", parameter.schema.expected
                yield Defect((), text, expected, "missing", where=where, rule=parameter.rule)
            continue
        for defect in parameter.schema.defects(parameter.read(value)):
            text = f"the parameter {parameter.name} is {defect.actual}, not {defect.expected}"
            # A service may read a parameter without a value as absent.
            yield replace(defect, message=text, where=where, tolerable=defect.tolerable or not value)


def _unknown_query(url: ResolvedUrl, revisions: Revisions) -> Iterator[Drift]:
    known = {parameter.name for parameter in url.operation.parameters} if url.operation else set()
    for name in dict.fromkeys(name for name, _ in url.query):
        # v3 takes the customer code at every step; where v4 takes it is a rule of its own.
        if name not in known and (name != "customerCode" or url.version == "v2"):
            shown = name if wording.is_name(name) else "?"
            drift = revisions.member((name,), None, "request", known, noun="parameter")
            explains = frozenset(f"query:{pointer.removeprefix('/')}" for pointer in drift.explains)
            yield replace(drift, where=f"query:{shown}", explains=explains)


def _content_type_defects(transaction: Transaction, rule: str) -> Iterator[Defect]:
    """Yield a warning for JSON under another Content-Type: the documents require JSON bodies, not the header.

    Which other type a service may declare is open (OPEN-75).
    """
    response = transaction.exchange.response
    declared = header(response.headers, "Content-Type") if response else None
    media = (declared or "").partition(";")[0].strip().lower()
    if media and media != "application/json" and not media.endswith("+json"):
        text = "the response body is JSON, but its Content-Type is not"
        actual = media if wording.is_plain(media) else "another type"
        yield Defect((), text, "application/json", actual, where="header:Content-Type", soft=True, rule=rule)


@cache
def _loaded(versions: tuple[str, ...], service: ServiceAddress) -> Contract:
    if service == ServiceAddress():
        return Contract(packaged_documents(), versions)
    return _loaded(versions, ServiceAddress()).for_service(service)
