"""Decide which findings remain where one root cause shows in several ways."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from http import HTTPStatus

from airworthy.contract.bodies.defect import Defect
from airworthy.contract.findings.drift import Drift
from airworthy.contract.http.exchange import THROTTLING
from airworthy.contract.http.transaction import Transaction

SIGNATURE = ("required", "type")
"""Keywords of the schema whose violation is rejected with 400; for other conditions the status is open (OPEN-29)."""
_ALTERNATIVES = {
    "payment_method": "self_psp",
    "three_d_secure": "self_psp",
    "customer_data": "customer_code",
    "customer_code": "customer_data",
}
"""Members of v2 and v3 that a service may ignore beside another one (OPEN-23, OPEN-90)."""
NOT_OF_THE_SERVICE = (
    *(HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT),
    *THROTTLING,
)


def one_defect_per_location(coded: Sequence[Defect], of_schema: Sequence[Defect]) -> list[Defect]:
    """Return all defects, without those of coded rules where the schema is violated already.

    Exceptions are a card number, which matters more than the form of its field, and a firm defect where the schema only
    warns. A warning about a value with a malformed part has the same cause.
    """
    if not coded or not of_schema:
        return [*of_schema, *coded]
    graver = {defect.pointer for defect in coded if defect.rule.endswith("-CARD-DATA")}
    softly = {defect.pointer for defect in of_schema if defect.soft}
    graver |= {defect.pointer for defect in coded if not defect.soft and defect.pointer in softly}
    malformed = {defect.pointer for defect in of_schema} - graver
    return [
        *(defect for defect in of_schema if defect.pointer not in graver),
        *(defect for defect in coded if defect.pointer not in malformed and not _is_explained(defect, malformed)),
    ]


def _is_explained(defect: Defect, malformed: Iterable[str]) -> bool:
    return defect.soft and any(pointer.startswith(f"{defect.pointer}/") for pointer in malformed)


def tolerable_beside_others(transaction: Transaction, of_request: Iterable[Defect]) -> list[Defect]:
    """Return the defects of a request; a service may accept those of members that it may ignore."""

    def is_ignored(defect: Defect) -> bool:
        other = _ALTERNATIVES.get(str(defect.path[0])) if defect.path else None
        return other is not None and bool(transaction.request.get(other))

    return [replace(each, tolerable=True) if is_ignored(each) else each for each in of_request]


def one_finding_per_cause(defects: Sequence[Defect], drifts: Sequence[Drift]) -> tuple[list[Defect], list[Drift]]:
    """Leave out defects that a drift explains, and unknown fields that hold a defect."""
    inside = [f"{defect.pointer}/" for defect in defects]
    violated = {defect.pointer for defect in defects if not defect.soft}
    explained = frozenset[str]().union(*(drift.explains for drift in drifts)) if drifts else frozenset()
    return [defect for defect in defects if defect.pointer not in explained], [
        replace(drift, tolerable=False) if drift.explains & violated else drift
        for drift in drifts
        if drift.kind != "unknown-field" or not any(pointer.startswith(f"{drift.pointer}/") for pointer in inside)
    ]


def should_have_been_rejected(transaction: Transaction, of_request: Iterable[Defect]) -> bool:
    """Return whether the service responded with success to a request that it had to reject."""
    wrong = any(not (defect.soft or defect.tolerable) for defect in of_request)
    return transaction.succeeded and (wrong or not transaction.sent_header("Authorization"))


def accepted_defects(
    transaction: Transaction, of_request: Sequence[Defect], of_response: Sequence[Defect]
) -> list[Defect]:
    """Return a defect of the response for each rule whose violation the service had to reject and accepted.

    It warns where the defect of the request does, for the reason named there (such as OPEN-29).
    """
    if not transaction.accepted:
        return []
    reported = {defect.rule for defect in of_response}
    first_by_rule = {defect.rule: defect for defect in reversed(of_request) if not defect.tolerable}
    return [
        Defect(
            (),
            f"the service accepts the request, although {defect.message}",
            "a rejection with a 4xx status",
            str(transaction.status),
            where="status",
            soft=defect.soft,
            rule=rule,
            earlier=defect.earlier,
        )
        for rule, defect in first_by_rule.items()
        if rule not in reported
    ]


def rejections_as_payment_errors(transaction: Transaction, of_request: Sequence[Defect]) -> list[Defect]:
    """Return a warning where 422, the status of payment errors, rejects a request with a missing or ill-typed field.

    The documents have 400 for that. Only warns: something else may be wrong with the request, too (OPEN-74).
    """
    malformed = [
        defect for defect in of_request if defect.keyword in SIGNATURE and not (defect.soft or defect.tolerable)
    ]
    is_payment = transaction.operation in ("confirmOrder", "createBookings", "createBookingsV2")
    if not malformed or is_payment or transaction.status != HTTPStatus.UNPROCESSABLE_ENTITY:
        return []
    text = f"the service rejects the request with the status of payment errors, although {malformed[0].message}"
    rule, actual = f"{transaction.url.version.upper()}-BAD-REQUEST", str(transaction.status)
    return [Defect((), text, "400", actual, where="status", soft=True, rule=rule)]


def server_faults(transaction: Transaction, of_request: Sequence[Defect]) -> list[Defect]:
    """Return a defect where the service responds with 5xx to a mistake of the client, but no gateway or limit does."""
    mistakes = [defect for defect in of_request if not defect.soft and not defect.deprecated]
    if not mistakes or not transaction.failed or transaction.status in NOT_OF_THE_SERVICE:
        return []
    text = f"the service responds with {transaction.status} to a mistake of the client: {mistakes[0].message}"
    rule, actual, earlier = transaction.rule("NO-SERVER-FAULT"), str(transaction.status), mistakes[0].earlier
    return [Defect((), text, "a 4xx status", actual, where="status", rule=rule, earlier=earlier)]
