"""The contract: an exchange goes in, findings come out.

The way of an exchange: which call is it; what is wrong with its request (parameters, body, the rules of one message,
the rules of its conversation); what is wrong with its answer (status, body, the same rules, and whether it accepted what
it had to refuse). What another revision or version explains is drift and not a violation as well; one root cause is
one finding.
"""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cache
from http import HTTPStatus
from itertools import chain

from airworthy.contract import client_rules, transport_rules, wording
from airworthy.contract.body import Json, Pointer
from airworthy.contract.coded_rules import conversation_rules_for, transaction_rules_for
from airworthy.contract.compiled_schema import CompiledSchema, Defect
from airworthy.contract.conversation import Conversation
from airworthy.contract.documents import Documents, inlined
from airworthy.contract.drift import BodyKind, Drift, Revisions, mixed_versions, one_for_each_cause
from airworthy.contract.exchange import Exchange, header
from airworthy.contract.finding import Finding, Side
from airworthy.contract.findings import collapsed, drifting, findings, unread, violation, with_count
from airworthy.contract.loading import packaged_documents
from airworthy.contract.operations import (
    OK,
    PAYMENT,
    Operation,
    OperationIndex,
    ResolvedUrl,
    ServiceAddress,
    family,
    operations,
)
from airworthy.contract.payment import rules
from airworthy.contract.reading import (
    PrivatePlace,
    is_impersonal,
    judged_schema,
    private_names,
    private_places,
    read_transaction,
)
from airworthy.contract.transaction import Transaction
from airworthy.contract.v3 import (
    booking_request_rules,
    booking_rules,
    flight_rules,
    itinerary_rules,
    retrieval_rules,
    schedule_change_rules,
)
from airworthy.contract.v4 import conversation_rules, price_rules, request_rules, reservation_rules, response_rules

# Importing them enters their rules into the table.
RULE_MODULES = (
    transport_rules,
    client_rules,
    request_rules,
    response_rules,
    conversation_rules,
    price_rules,
    reservation_rules,
    flight_rules,
    itinerary_rules,
    booking_request_rules,
    booking_rules,
    retrieval_rules,
    schedule_change_rules,
    rules,
)
SERVED = ("v2", "v3", "v4")
GATEWAY = (HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT)


class Contract:
    """The documents, made executable.

    ``documents`` are the JSON documents by their path below ``schemas/``; ``versions`` those that are judged;
    ``service`` says whose traffic is judged. Raises `DocumentError` where the documents refer to nothing.
    """

    def __init__(
        self, documents: Documents, versions: Sequence[str] = ("v4",), service: ServiceAddress | None = None
    ) -> None:
        self.documents = documents
        self.versions = tuple(versions)
        self.service = service or ServiceAddress()
        self._revisions = {each: Revisions(each, documents[f"revisions/{each}.json"]) for each in versions}
        read = [(version, inlined(documents, f"{version}/openapi.json")) for version in (*versions, PAYMENT)]
        self._operations = OperationIndex(chain.from_iterable(operations(*each) for each in read), self.service)

    @classmethod
    def load(cls, versions: Sequence[str] = ("v4",), service: ServiceAddress | None = None) -> "Contract":
        """Return the contract of the packaged schemas, the same one each time it is asked for."""
        return _loaded(tuple(versions), service or ServiceAddress())

    def for_service(self, service: ServiceAddress) -> "Contract":
        """Return the same contract, its schemas read and compiled as they are, for the traffic of another service."""
        other = copy(self)
        other.service, other._operations = service, OperationIndex(iter(self._operations), service)  # noqa: SLF001
        return other

    def operations(self) -> tuple[Operation, ...]:
        """Return every operation of the versions that are judged, and the payment provider's."""
        return tuple(self._operations)

    def operation(self, method: str, url: str) -> Operation | None:
        """Return the operation that a request calls, or None where it is not a documented one."""
        resolved = self.resolve(method, url)
        return resolved.operation if resolved else None

    def resolve(self, method: str, url: str) -> ResolvedUrl | None:
        """Return where a request leads, or None where it is neither the service's nor the payment provider's."""
        return self._operations.resolve(method, url)

    def judge(self, exchange: Exchange, conversation: Conversation | None = None) -> list[Finding]:
        """Return what is wrong with an exchange, request and answer, at most `MOST_FINDINGS`.

        With a ``conversation``, rules across messages are judged by what it has seen, and it sees this exchange. Never
        raises, whatever the bytes: what could not be judged is a finding of the kind ``unreadable``.
        """
        try:
            return self._judge(exchange, conversation)
        except Exception as error:  # noqa: BLE001 - hostile traffic must not harm its reader; the gap is shown
            name = type(error).__name__
            text = f"the contract failed on this exchange ({name}); nothing is said about it"
            return [Finding("", "unreadable", "request", "", text, "", "", exchange.id)]

    def sensitive(self, exchange: Exchange) -> list[PrivatePlace]:
        """Return where private values stand: ``(side, pointer, kind)``.

        The pointer is a JSON Pointer into the body (into the object of its fields for a form-encoded one; empty for
        the whole body, where it could not be read), ``header:NAME`` or ``query:NAME``.
        """
        return private_places(exchange, self._operations.resolve(exchange.request.method, exchange.request.url))

    def is_impersonal(self, exchange: Exchange) -> bool:
        """Whether the schemas describe the answer of an exchange, and have nothing private in it."""
        status = exchange.response.status if exchange.response else 0
        return is_impersonal(self.operation(exchange.request.method, exchange.request.url), status)

    def private_names(self) -> dict[str, str]:
        """Return the names, in lower case, that have private values only, in whatever schema, with their kinds."""
        return private_names(self._operations)

    def _judge(self, exchange: Exchange, conversation: Conversation | None) -> list[Finding]:
        url = self._operations.resolve(exchange.request.method, exchange.request.url)
        if url is None:
            return []
        if url.version not in (PAYMENT, *self._revisions):
            return collapsed(self._other_version(exchange, url))
        if url.operation is None:
            return collapsed(self._unknown_operation(exchange, url))
        transaction = read_transaction(exchange, url, url.operation)
        examine = self._payment if url.version == PAYMENT else self._exchange
        if conversation is None:
            return collapsed(examine(transaction, url.operation, None))
        with conversation.lock:
            found = collapsed(examine(transaction, url.operation, conversation))
            conversation.observe(transaction)
        return found

    def _exchange(
        self, transaction: Transaction, operation: Operation, conversation: Conversation | None
    ) -> Iterator[Finding]:
        revisions = self._revisions[operation.version]
        rules, forms = (
            list(self._rules(transaction, "request", conversation)),
            list(_parameters(transaction.url, operation)),
        )
        drifts = [*revisions.headers(transaction.exchange.request.headers), *_unknown_query(transaction.url, revisions)]
        if conversation is not None:
            drifts += mixed_versions(transaction, conversation)
        root = _root_rule(operation.request)
        yield from unread(transaction, "request", transaction.request_body, root)
        if transaction.request_body.broken:
            forms.append(Defect(root, (), transaction.request_body.problem, "JSON", "another form"))
            # What is no JSON need not be declared as such.
            rules = [defect for defect in rules if defect.rule != transaction.rule("CONTENT-TYPE")]
        elif operation.request and transaction.request_body.readable:
            shape, drift = _shape(operation.request, transaction.request_body.value, revisions, "request")
            forms += shape
            drifts += drift
        mistakes, drifts = one_for_each_cause(_one_for_each_place(rules, forms), drifts)
        yield from findings(transaction, "request", mistakes, drifts)
        if transaction.exchange.response is not None and not response_rules.is_left_open(transaction):
            yield from self._answer(transaction, operation, conversation, mistakes)

    def _answer(
        self,
        transaction: Transaction,
        operation: Operation,
        conversation: Conversation | None,
        mistakes: Sequence[Defect],
    ) -> Iterator[Finding]:
        revisions, json_rule = self._revisions[operation.version], transaction.rule("JSON-ANSWERS")
        drifts: list[Drift] = []
        defects = list(self._rules(transaction, "response", conversation))
        shape = judged_schema(operation, transaction.status)
        # Whoever refuses plain HTTP is not bound to do it in the words of the service (OPEN-33).
        if shape is not None and (transaction.url.secure or transaction.succeeded or self.service.allow_plain_http):
            yield from unread(transaction, "response", transaction.response_body, json_rule)
            if transaction.response_body.broken:
                text = f"{transaction.response_body.problem}, though every answer is"
                defects.append(Defect(json_rule, (), text, "a JSON body", "another form"))
            elif transaction.response_body.readable:
                side: BodyKind = "response" if transaction.fulfilled else "error"
                wrong, drifts = _shape(shape, transaction.response_body.value, revisions, side)
                defects = [*_one_for_each_place(defects, wrong), *_declared(transaction, json_rule)]
        if _was_to_fail(transaction, mistakes):
            # What such an answer holds nobody has promised: that it was given is all that is wrong.
            defects, drifts = [defect for defect in defects if defect.where], []
        if conversation is not None:
            drifts = [*drifts, *revisions.window(transaction, conversation)]
        defects += _accepted(transaction, mistakes, defects)
        defects += _server_fault(transaction, mistakes)
        yield from findings(transaction, "response", *one_for_each_cause(defects, drifts))

    def _rules(self, transaction: Transaction, side: Side, conversation: Conversation | None) -> Iterator[Defect]:
        about = (side, transaction.url.version, transaction.operation)
        for rule in transaction_rules_for(*about):
            yield from rule.check(transaction)
        if conversation is not None:
            for judged in conversation_rules_for(*about):
                yield from judged.check(transaction, conversation)

    def _payment(
        self, transaction: Transaction, operation: Operation, conversation: Conversation | None
    ) -> Iterator[Finding]:
        wrong = [
            *self._rules(transaction, "request", conversation),
            *_shape_only(operation.request, transaction.request_body.value),
        ]
        yield from findings(transaction, "request", wrong, [])
        if transaction.status == OK and transaction.response_body.readable:
            yield from findings(
                transaction, "response", _shape_only(operation.response(OK), transaction.response_body.value), []
            )

    def _other_version(self, exchange: Exchange, url: ResolvedUrl) -> Iterator[Finding]:
        if url.version in SERVED:
            return
        removed = any(url.version in revisions.removed for revisions in self._revisions.values())
        transaction = read_transaction(exchange, url, None)
        here = "v4" if "v4" in self.versions else self.versions[-1]
        rule = "V4-REMOVED-VERSIONS" if removed else f"{family(here)}-OPERATIONS"
        known = ", ".join(SERVED)
        text = f"the path names the version {url.version}, which {'was removed' if removed else 'does not exist'}"
        drift = Drift("unknown-version", "a removed version" if removed else "", text, known, url.version, where="path")
        yield drifting(transaction, "request", rule, drift)
        for defect in client_rules.card_data(transaction):
            yield violation(transaction, "request", replace(defect, rule=f"{family(here)}-CARD-DATA"))
        if removed and transaction.succeeded:
            said = "a removed version answered with success"
            defect = Defect(rule, (), said, "no success", str(transaction.status), where="status")
            yield violation(transaction, "response", defect)

    def _unknown_operation(self, exchange: Exchange, url: ResolvedUrl) -> Iterator[Finding]:
        transaction = read_transaction(exchange, url, None)
        method = exchange.request.method.upper()
        if method == "OPTIONS" and transaction.sent_header("Access-Control-Request-Method") is not None:
            return  # A browser asks so by itself before a call from another origin.
        shown = method if wording.is_name(method) else "the method"
        drift = self._revisions[url.version].path(url.path) or Drift(
            "unknown-operation",
            "",
            f"{shown} on this path is no operation of {url.version}",
            "a documented operation",
            "another one",
            where="path",
        )
        yield drifting(transaction, "request", transaction.rule("OPERATIONS"), drift)
        for defect in client_rules.card_data(transaction):
            yield violation(transaction, "request", defect)


def _shape(
    shape: CompiledSchema, value: Json, revisions: Revisions, side: BodyKind
) -> tuple[list[Defect], list[Drift]]:
    defects, unknown = shape.examine(value)
    drifts = list(_unknown_members(unknown, value, revisions, side))
    drifts += [drift for defect in defects if (drift := revisions.value(defect, side))]
    return defects, drifts


def _unknown_members(places: Sequence[Pointer], value: Json, revisions: Revisions, side: BodyKind) -> Iterator[Drift]:
    """Say what is unknown once for all items of an array; what an earlier revision explains, at each of its places."""
    alike: dict[Pointer, list[Pointer]] = {}
    for place in places:
        alike.setdefault(tuple("*" if isinstance(part, int) else part for part in place), []).append(place)
    for first, *others in alike.values():
        drift = revisions.member(first, _at(value, first), side)
        if drift.kind != "unknown-field":
            yield drift
            yield from (revisions.member(place, _at(value, place), side) for place in others)
        else:
            yield replace(drift, message=with_count(drift.message, len(others)))


def _shape_only(shape: CompiledSchema | None, value: Json) -> list[Defect]:
    return [] if shape is None or value is None else shape.defects(value)


def _at(value: Json, place: Pointer) -> Json:
    for part in place:
        value = value[part]
    return value


def _parameters(url: ResolvedUrl, operation: Operation) -> Iterator[Defect]:
    for parameter in operation.parameters:
        value = url.path_values.get(parameter.name) if parameter.place == "path" else url.query_value(parameter.name)
        where = "path" if parameter.place == "path" else f"query:{parameter.name}"
        if value is None:
            if parameter.required:
                text = f"the parameter {parameter.name} is missing"
                yield Defect(parameter.rule, (), text, parameter.shape.expected, "missing", where=where)
            continue
        for defect in parameter.shape.defects(parameter.read(value)):
            text = f"{parameter.name} is {defect.actual}, not {defect.expected}"
            # A parameter without a value may be read as one that was left out.
            yield replace(defect, message=text, where=where, tolerable=defect.tolerable or not value)


def _unknown_query(url: ResolvedUrl, revisions: Revisions) -> Iterator[Drift]:
    known = {parameter.name for parameter in url.operation.parameters} if url.operation else set()
    for name in dict.fromkeys(name for name, _ in url.query):
        # v3 asks for the customer code at every step; where v4 has it is a rule of its own.
        if name not in known and (name != "customerCode" or url.version == "v2"):
            shown = name if wording.is_name(name) else "?"
            drift = revisions.member((name,), None, "request")
            explains = frozenset(f"query:{pointer.removeprefix('/')}" for pointer in drift.explains)
            yield replace(drift, where=f"query:{shown}", explains=explains)


def _declared(transaction: Transaction, rule: str) -> Iterator[Defect]:
    """A JSON answer that is declared as something else only warns: the document asks for JSON bodies."""
    response = transaction.exchange.response
    declared = header(response.headers, "Content-Type") if response else None
    media = (declared or "").partition(";")[0].strip().lower()
    if media and media != "application/json" and not media.endswith("+json"):
        text = "the answer is JSON, its Content-Type says otherwise"
        actual = media if wording.is_plain(media) else "another type"
        where = "header:Content-Type"
        yield Defect(rule, (), text, "application/json", actual, where=where, soft=True)


def _one_for_each_place(rules: Sequence[Defect], forms: Sequence[Defect]) -> list[Defect]:
    """Leave out what the rules say about places whose form is wrong already; a card number is worse than its form."""
    if not rules or not forms:
        return [*forms, *rules]
    cards = {defect.pointer for defect in rules if defect.rule.endswith("-CARD-DATA")}
    wrong = {defect.pointer for defect in forms} - cards
    return [
        *(defect for defect in forms if defect.pointer not in cards),
        *(defect for defect in rules if defect.pointer not in wrong),
    ]


def _was_to_fail(transaction: Transaction, mistakes: Iterable[Defect]) -> bool:
    """Whether a request succeeded that had to be refused."""
    wrong = any(not (mistake.soft or mistake.tolerable) for mistake in mistakes)
    return transaction.succeeded and (wrong or not transaction.sent_header("Authorization"))


def _accepted(transaction: Transaction, mistakes: Sequence[Defect], known: Sequence[Defect]) -> list[Defect]:
    """What the service had to refuse and did not."""
    if not transaction.accepted:
        return []
    said = {defect.rule for defect in known}
    return [
        Defect(
            mistake.rule,
            (),
            f"accepted, although {mistake.message}",
            "a refusal with a 4xx status",
            str(transaction.status),
            where="status",
            soft=mistake.soft,
        )
        for mistake in {mistake.rule: mistake for mistake in reversed(mistakes) if not mistake.tolerable}.values()
        if mistake.rule not in said
    ]


def _server_fault(transaction: Transaction, mistakes: Sequence[Defect]) -> list[Defect]:
    """A mistake of the client that is answered as one of the service; gateways answer for themselves."""
    wrong = [mistake for mistake in mistakes if not mistake.soft and not mistake.deprecated]
    if not wrong or not transaction.failed or transaction.status in GATEWAY:
        return []
    text = f"a mistake of the client is answered as a fault of the service: {wrong[0].message}"
    return [
        Defect(transaction.rule("NO-SERVER-FAULT"), (), text, "a 4xx status", str(transaction.status), where="status")
    ]


def _root_rule(shape: CompiledSchema | None) -> str:
    return str(shape.schema.get("x-rule", "")) if shape else ""


@cache
def _loaded(versions: tuple[str, ...], service: ServiceAddress) -> Contract:
    if service == ServiceAddress():
        return Contract(packaged_documents(), versions)
    return _loaded(versions, ServiceAddress()).for_service(service)
