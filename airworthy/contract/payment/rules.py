"""Rules on requests to the payment provider that its schema cannot express."""

from collections.abc import Iterator

from airworthy.contract.bodies import wording
from airworthy.contract.bodies.defect import Defect
from airworthy.contract.http.credentials import BASIC, BEARER, user_and_password
from airworthy.contract.http.reading import FORM
from airworthy.contract.http.transaction import Transaction
from airworthy.contract.rules.coded_rules import transaction_rule


@transaction_rule("PAYMENT-METHOD-FIELDS", "request", "createPaymentMethod")
def sent_as_a_form(transaction: Transaction) -> Iterator[Defect]:
    """The fields are form-encoded. How the provider treats other requests is open (OPEN-100)."""
    media = (transaction.sent_header("Content-Type") or "").partition(";")[0].strip().lower()
    where = "header:Content-Type"
    if transaction.request_body.broken or (media and media != FORM):
        actual = media if wording.is_plain(media) and media else "missing" if not media else "another type"
        text = f"the Content-Type of the payment method request is {actual}, not form-encoded"
        yield Defect((), text, FORM, actual, where=where, tolerable=True)


@transaction_rule("PAYMENT-METHOD-TOKEN", "request", "createPaymentMethod")
def token_is_sent(transaction: Transaction) -> Iterator[Defect]:
    """The restricted token is the user name of basic authentication, and the password is empty.

    The provider's own libraries send it as a bearer token. How the provider treats other requests is open (OPEN-100).
    """
    scheme, _, credentials = (transaction.sent_header("Authorization") or "").strip().partition(" ")
    expected, where = "basic authentication with the restricted token and no password", "header:Authorization"
    if transaction.hides_credential or (scheme.lower() == BEARER and credentials.strip()):
        return
    if not scheme or scheme.lower() == BEARER:
        text = "the payment method request has no restricted token"
        yield Defect((), text, expected, "missing", where=where, tolerable=True)
    elif scheme.lower() != BASIC:
        text = "the payment method request does not use basic authentication"
        yield Defect((), text, expected, "another scheme", where=where, tolerable=True)
    else:
        user, password = user_and_password(credentials) or ("unknown", "")
        if not user or password:
            text = f"the restricted token is {'sent with a password' if user else 'not the user name'}"
            actual = "a password" if user else "no user name"
            yield Defect((), text, expected, actual, where=where, tolerable=True)
