"""Which item of the go-live list a finding of the contract belongs to."""

from collections.abc import Mapping
from typing import Final, Literal

from airworthy.contract import Finding
from airworthy.contract.conversation.customers import CUSTOMER_CODES
from airworthy.report.results import Verdict, weigh

Weight = Literal["violation", "warning", "gap", "none"]

REQUESTS: Final = "GOLIVE-REQUESTS"
NO_DRIFT: Final = "GOLIVE-NO-DRIFT"
ONE_VERSION: Final = "GOLIVE-ONE-VERSION"
NO_DEPRECATED: Final = "GOLIVE-NO-DEPRECATED"
NO_CARD_DATA: Final = "GOLIVE-NO-CARD-DATA"
CUSTOMER_CODE: Final = "GOLIVE-CUSTOMER-CODE"
CREDENTIALS: Final = "GOLIVE-TEST-CREDENTIALS"
BOOK_ONCE: Final = "GOLIVE-BOOK-ONCE"
SAFE_RETRY: Final = "GOLIVE-SAFE-RETRY"
FAILED_PAYMENT: Final = "GOLIVE-FAILED-PAYMENT"
SECURE: Final = "GOLIVE-3DS"
EXPIRY: Final = "GOLIVE-EXPIRY"
RETRIEVAL: Final = "GOLIVE-RETRIEVAL"
LOCATOR: Final = "GOLIVE-LOCATOR"

EVERY_REQUEST: Final = (REQUESTS, NO_DRIFT, ONE_VERSION, NO_DEPRECATED, NO_CARD_DATA)
"""The items that every request is judged by."""

_ITEM_OF_RULE: Final = {
    "V4-CONFIRM-ONCE": BOOK_ONCE,
    "V23-BOOKINGS-ONCE": BOOK_ONCE,
    "V23-BOOKINGS-PAYMENT-FAILS": FAILED_PAYMENT,
    "V4-ORDER-EXPIRED-OFFER": EXPIRY,
    "V23-REQUEST-LIFETIME": EXPIRY,
    "V2-BOOKINGS-CUSTOMER": CUSTOMER_CODE,
    "V4-CUSTOMER-CODE-PLACE": CUSTOMER_CODE,
    "V3-VERIFY-DEPRECATED": NO_DEPRECATED,
    "V2-CARD-TOKEN": NO_DEPRECATED,
}
_WEIGHTS: Final[Mapping[Verdict, Weight]] = {"failed": "violation", "warning": "warning"}


def classify(finding: Finding) -> tuple[str, Weight]:
    """Return the item that a finding belongs to, and how much it counts there.

    Only findings about requests count: the service is responsible for its responses. A second booking is a violation
    although the contract only warns, because the documents leave open no more than the status of the rejection.
    """
    if finding.side == "response":
        return "", "none"
    if finding.kind == "unreadable":
        return REQUESTS, "gap"
    item = _item(finding)
    if item == BOOK_ONCE or finding.kind == "deprecated":
        return item, "violation"
    return item, _WEIGHTS.get(weigh(finding), "none")


def _item(finding: Finding) -> str:
    if finding.kind == "drift":
        return ONE_VERSION if finding.drift in ("other-version", "unknown-version") else NO_DRIFT
    if finding.rule.endswith("-CARD-DATA"):
        return NO_CARD_DATA
    if finding.rule in _ITEM_OF_RULE:
        return _ITEM_OF_RULE[finding.rule]
    if finding.pointer.rpartition("/")[2] in CUSTOMER_CODES:
        return CUSTOMER_CODE
    return SECURE if "-3DS-" in finding.rule or "/three_d_secure" in finding.pointer else REQUESTS
