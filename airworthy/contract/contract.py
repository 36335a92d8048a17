"""The contract: an exchange goes in, findings come out.

The way of an exchange: which call is it; what is wrong with its request (parameters, body, the rules of one message,
the rules of its journey); what is wrong with its answer (status, body, the same rules, and whether it accepted what
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
from airworthy.contract.coded_rules import rules_of_journey, rules_of_message
from airworthy.contract.conversation.v4 import Journey
from airworthy.contract.documents import Documents, inlined
from airworthy.contract.drift import Drift, MessageSide, Revisions, mixed_versions, one_for_each_cause
from airworthy.contract.exchange import Exchange, header
from airworthy.contract.finding import Finding, Side
from airworthy.contract.findings import collapsed, drifting, findings, unread, violation, with_count
from airworthy.contract.loading import packaged_documents
from airworthy.contract.operations import OK, PAYMENT, Call, Directory, Operation, Service, family, operations
from airworthy.contract.payment import rules
from airworthy.contract.reading import (
    Sensitive,
    is_impersonal,
    judged_shape,
    private_names,
    private_places,
    read_message,
)
from airworthy.contract.shape import Breach, Shape
from airworthy.contract.transaction import Message
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

    def __init__(self, documents: Documents, versions: Sequence[str] = ("v4",), service: Service | None = None) -> None:
        self.documents = documents
        self.versions = tuple(versions)
        self.service = service or Service()
        self._revisions = {each: Revisions(each, documents[f"revisions/{each}.json"]) for each in versions}
        read = [(version, inlined(documents, f"{version}/openapi.json")) for version in (*versions, PAYMENT)]
        self._directory = Directory(chain.from_iterable(operations(*each) for each in read), self.service)

    @classmethod
    def load(cls, versions: Sequence[str] = ("v4",), service: Service | None = None) -> "Contract":
        """Return the contract of the packaged schemas, the same one each time it is asked for."""
        return _loaded(tuple(versions), service or Service())

    def of_service(self, service: Service) -> "Contract":
        """Return the same contract, its schemas read and compiled as they are, for the traffic of another service."""
        other = copy(self)
        other.service, other._directory = service, Directory(iter(self._directory), service)  # noqa: SLF001
        return other

    def operations(self) -> tuple[Operation, ...]:
        """Return every operation of the versions that are judged, and the payment provider's."""
        return tuple(self._directory)

    def operation(self, method: str, url: str) -> Operation | None:
        """Return the operation that a request calls, or None where it is not a documented one."""
        call = self.call(method, url)
        return call.operation if call else None

    def call(self, method: str, url: str) -> Call | None:
        """Return where a request leads, or None where it is neither the service's nor the payment provider's."""
        return self._directory.call(method, url)

    def judge(self, exchange: Exchange, journey: Journey | None = None) -> list[Finding]:
        """Return what is wrong with an exchange, request and answer, at most `MOST_FINDINGS`.

        With a ``journey``, rules across messages are judged by what it has seen, and it sees this exchange. Never
        raises, whatever the bytes: what could not be judged is a finding of the kind ``unreadable``.
        """
        try:
            return self._judge(exchange, journey)
        except Exception as error:  # noqa: BLE001 - hostile traffic must not harm its reader; the gap is shown
            name = type(error).__name__
            text = f"the contract failed on this exchange ({name}); nothing is said about it"
            return [Finding("", "unreadable", "request", "", text, "", "", exchange.id)]

    def sensitive(self, exchange: Exchange) -> list[Sensitive]:
        """Return where private values stand: ``(side, pointer, kind)``.

        The pointer is a JSON Pointer into the body (into the object of its fields for a form-encoded one; empty for
        the whole body, where it could not be read), ``header:NAME`` or ``query:NAME``.
        """
        return private_places(exchange, self._directory.call(exchange.request.method, exchange.request.url))

    def is_impersonal(self, exchange: Exchange) -> bool:
        """Whether the schemas describe the answer of an exchange, and have nothing private in it."""
        status = exchange.response.status if exchange.response else 0
        return is_impersonal(self.operation(exchange.request.method, exchange.request.url), status)

    def private_names(self) -> dict[str, str]:
        """Return the names, in lower case, that have private values only, in whatever schema, with their kinds."""
        return private_names(self._directory)

    def _judge(self, exchange: Exchange, journey: Journey | None) -> list[Finding]:
        call = self._directory.call(exchange.request.method, exchange.request.url)
        if call is None:
            return []
        if call.version not in (PAYMENT, *self._revisions):
            return collapsed(self._other_version(exchange, call))
        if call.operation is None:
            return collapsed(self._unknown_operation(exchange, call))
        message = read_message(exchange, call, call.operation)
        examine = self._payment if call.version == PAYMENT else self._exchange
        if journey is None:
            return collapsed(examine(message, call.operation, None))
        with journey.lock:
            found = collapsed(examine(message, call.operation, journey))
            journey.observe(message)
        return found

    def _exchange(self, message: Message, operation: Operation, journey: Journey | None) -> Iterator[Finding]:
        revisions = self._revisions[operation.version]
        rules, forms = list(self._rules(message, "request", journey)), list(_parameters(message.call, operation))
        drifts = [*revisions.headers(message.exchange.request.headers), *_unknown_query(message.call, revisions)]
        if journey is not None:
            drifts += mixed_versions(message, journey)
        root = _root_rule(operation.request)
        yield from unread(message, "request", message.request, root)
        if message.request.broken:
            forms.append(Breach(root, (), message.request.problem, "JSON", "another form"))
            # What is no JSON need not be declared as such.
            rules = [breach for breach in rules if breach.rule != message.rule("CONTENT-TYPE")]
        elif operation.request and message.request.readable:
            shape, drift = _shape(operation.request, message.request.value, revisions, "request")
            forms += shape
            drifts += drift
        mistakes, drifts = one_for_each_cause(_one_for_each_place(rules, forms), drifts)
        yield from findings(message, "request", mistakes, drifts)
        if message.exchange.response is not None and not response_rules.is_left_open(message):
            yield from self._answer(message, operation, journey, mistakes)

    def _answer(
        self, message: Message, operation: Operation, journey: Journey | None, mistakes: Sequence[Breach]
    ) -> Iterator[Finding]:
        revisions, json_rule = self._revisions[operation.version], message.rule("JSON-ANSWERS")
        drifts: list[Drift] = []
        breaches = list(self._rules(message, "response", journey))
        shape = judged_shape(operation, message.status)
        # Whoever refuses plain HTTP is not bound to do it in the words of the service (OPEN-33).
        if shape is not None and (message.call.secure or message.succeeded or self.service.allow_plain_http):
            yield from unread(message, "response", message.answer, json_rule)
            if message.answer.broken:
                text = f"{message.answer.problem}, though every answer is"
                breaches.append(Breach(json_rule, (), text, "a JSON body", "another form"))
            elif message.answer.readable:
                side: MessageSide = "response" if message.fulfilled else "error"
                wrong, drifts = _shape(shape, message.answer.value, revisions, side)
                breaches = [*_one_for_each_place(breaches, wrong), *_declared(message, json_rule)]
        if _was_to_fail(message, mistakes):
            # What such an answer holds nobody has promised: that it was given is all that is wrong.
            breaches, drifts = [breach for breach in breaches if breach.where], []
        if journey is not None:
            drifts = [*drifts, *revisions.window(message, journey)]
        breaches += _accepted(message, mistakes, breaches)
        breaches += _server_fault(message, mistakes)
        yield from findings(message, "response", *one_for_each_cause(breaches, drifts))

    def _rules(self, message: Message, side: Side, journey: Journey | None) -> Iterator[Breach]:
        about = (side, message.call.version, message.operation)
        for rule in rules_of_message(*about):
            yield from rule.check(message)
        if journey is not None:
            for judged in rules_of_journey(*about):
                yield from judged.check(message, journey)

    def _payment(self, message: Message, operation: Operation, journey: Journey | None) -> Iterator[Finding]:
        wrong = [*self._rules(message, "request", journey), *_shape_only(operation.request, message.request.value)]
        yield from findings(message, "request", wrong, [])
        if message.status == OK and message.answer.readable:
            yield from findings(message, "response", _shape_only(operation.answer(OK), message.answer.value), [])

    def _other_version(self, exchange: Exchange, call: Call) -> Iterator[Finding]:
        if call.version in SERVED:
            return
        removed = any(call.version in revisions.removed for revisions in self._revisions.values())
        message = read_message(exchange, call, None)
        here = "v4" if "v4" in self.versions else self.versions[-1]
        rule = "V4-REMOVED-VERSIONS" if removed else f"{family(here)}-OPERATIONS"
        known = ", ".join(SERVED)
        text = f"the path names the version {call.version}, which {'was removed' if removed else 'does not exist'}"
        drift = Drift(
            "unknown-version", "a removed version" if removed else "", text, known, call.version, where="path"
        )
        yield drifting(message, "request", rule, drift)
        for breach in client_rules.card_data(message):
            yield violation(message, "request", replace(breach, rule=f"{family(here)}-CARD-DATA"))
        if removed and message.succeeded:
            said = "a removed version answered with success"
            breach = Breach(rule, (), said, "no success", str(message.status), where="status")
            yield violation(message, "response", breach)

    def _unknown_operation(self, exchange: Exchange, call: Call) -> Iterator[Finding]:
        message = read_message(exchange, call, None)
        method = exchange.request.method.upper()
        if method == "OPTIONS" and message.sent_header("Access-Control-Request-Method") is not None:
            return  # A browser asks so by itself before a call from another origin.
        shown = method if wording.is_name(method) else "the method"
        drift = self._revisions[call.version].path(call.path) or Drift(
            "unknown-operation",
            "",
            f"{shown} on this path is no operation of {call.version}",
            "a documented operation",
            "another one",
            where="path",
        )
        yield drifting(message, "request", message.rule("OPERATIONS"), drift)
        for breach in client_rules.card_data(message):
            yield violation(message, "request", breach)


def _shape(shape: Shape, value: Json, revisions: Revisions, side: MessageSide) -> tuple[list[Breach], list[Drift]]:
    breaches, unknown = shape.examine(value)
    drifts = list(_unknown_members(unknown, value, revisions, side))
    drifts += [drift for breach in breaches if (drift := revisions.value(breach, side))]
    return breaches, drifts


def _unknown_members(
    places: Sequence[Pointer], value: Json, revisions: Revisions, side: MessageSide
) -> Iterator[Drift]:
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


def _shape_only(shape: Shape | None, value: Json) -> list[Breach]:
    return [] if shape is None or value is None else shape.breaches(value)


def _at(value: Json, place: Pointer) -> Json:
    for part in place:
        value = value[part]
    return value


def _parameters(call: Call, operation: Operation) -> Iterator[Breach]:
    for parameter in operation.parameters:
        value = call.path_values.get(parameter.name) if parameter.place == "path" else call.value(parameter.name)
        where = "path" if parameter.place == "path" else f"query:{parameter.name}"
        if value is None:
            if parameter.required:
                text = f"the parameter {parameter.name} is missing"
                yield Breach(parameter.rule, (), text, parameter.shape.expected, "missing", where=where)
            continue
        for breach in parameter.shape.breaches(parameter.read(value)):
            text = f"{parameter.name} is {breach.actual}, not {breach.expected}"
            # A parameter without a value may be read as one that was left out.
            yield replace(breach, message=text, where=where, tolerable=breach.tolerable or not value)


def _unknown_query(call: Call, revisions: Revisions) -> Iterator[Drift]:
    known = {parameter.name for parameter in call.operation.parameters} if call.operation else set()
    for name in dict.fromkeys(name for name, _ in call.query):
        # v3 asks for the customer code at every step; where v4 has it is a rule of its own.
        if name not in known and (name != "customerCode" or call.version == "v2"):
            shown = name if wording.is_name(name) else "?"
            drift = revisions.member((name,), None, "request")
            explains = frozenset(f"query:{pointer.removeprefix('/')}" for pointer in drift.explains)
            yield replace(drift, where=f"query:{shown}", explains=explains)


def _declared(message: Message, rule: str) -> Iterator[Breach]:
    """A JSON answer that is declared as something else only warns: the document asks for JSON bodies."""
    response = message.exchange.response
    declared = header(response.headers, "Content-Type") if response else None
    media = (declared or "").partition(";")[0].strip().lower()
    if media and media != "application/json" and not media.endswith("+json"):
        text = "the answer is JSON, its Content-Type says otherwise"
        actual = media if wording.is_plain(media) else "another type"
        where = "header:Content-Type"
        yield Breach(rule, (), text, "application/json", actual, where=where, soft=True)


def _one_for_each_place(rules: Sequence[Breach], forms: Sequence[Breach]) -> list[Breach]:
    """Leave out what the rules say about places whose form is wrong already; a card number is worse than its form."""
    if not rules or not forms:
        return [*forms, *rules]
    cards = {breach.pointer for breach in rules if breach.rule.endswith("-CARD-DATA")}
    wrong = {breach.pointer for breach in forms} - cards
    return [
        *(breach for breach in forms if breach.pointer not in cards),
        *(breach for breach in rules if breach.pointer not in wrong),
    ]


def _was_to_fail(message: Message, mistakes: Iterable[Breach]) -> bool:
    """Whether a request succeeded that had to be refused."""
    wrong = any(not (mistake.soft or mistake.tolerable) for mistake in mistakes)
    return message.succeeded and (wrong or not message.sent_header("Authorization"))


def _accepted(message: Message, mistakes: Sequence[Breach], known: Sequence[Breach]) -> list[Breach]:
    """What the service had to refuse and did not."""
    if not message.accepted:
        return []
    said = {breach.rule for breach in known}
    return [
        Breach(
            mistake.rule,
            (),
            f"accepted, although {mistake.message}",
            "a refusal with a 4xx status",
            str(message.status),
            where="status",
            soft=mistake.soft,
        )
        for mistake in {mistake.rule: mistake for mistake in reversed(mistakes) if not mistake.tolerable}.values()
        if mistake.rule not in said
    ]


def _server_fault(message: Message, mistakes: Sequence[Breach]) -> list[Breach]:
    """A mistake of the client that is answered as one of the service; gateways answer for themselves."""
    wrong = [mistake for mistake in mistakes if not mistake.soft and not mistake.deprecated]
    if not wrong or not message.failed or message.status in GATEWAY:
        return []
    text = f"a mistake of the client is answered as a fault of the service: {wrong[0].message}"
    return [Breach(message.rule("NO-SERVER-FAULT"), (), text, "a 4xx status", str(message.status), where="status")]


def _root_rule(shape: Shape | None) -> str:
    return str(shape.schema.get("x-rule", "")) if shape else ""


@cache
def _loaded(versions: tuple[str, ...], service: Service) -> Contract:
    if service == Service():
        return Contract(packaged_documents(), versions)
    return _loaded(versions, Service()).of_service(service)
