"""The rule on the payment provider's call that its form cannot say."""

import base64
import binascii
from collections.abc import Iterator

from airworthy.contract.message import Message
from airworthy.contract.shape import Breach
from airworthy.contract.table import message_rule


@message_rule("PAYMENT-METHOD-TOKEN", "request", "createPaymentMethod")
def token_is_sent(message: Message) -> Iterator[Breach]:
    """The restricted token is the user name of basic authentication; its password is empty.

    A bearer token, which the provider's own libraries send, only warns.
    """
    scheme, _, credentials = (message.sent_header("Authorization") or "").strip().partition(" ")
    wanted, where = "basic authentication with the restricted token", "header:Authorization"
    if not scheme:
        text = "the payment provider is called without the restricted token"
        yield Breach("PAYMENT-METHOD-TOKEN", (), text, wanted, "missing", where=where, tolerable=True)
    elif scheme.lower() != "basic":
        bearer = scheme.lower() == "bearer"
        text = "the restricted token is not sent by basic authentication"
        actual = "a bearer token" if bearer else "another form"
        yield Breach("PAYMENT-METHOD-TOKEN", (), text, wanted, actual, where=where, soft=bearer, tolerable=True)
    elif _user(credentials) == "":
        text = "the restricted token is not the user name of basic authentication"
        yield Breach("PAYMENT-METHOD-TOKEN", (), text, wanted, "no user name", where=where, tolerable=True)


def _user(credentials: str) -> str | None:
    """Return the user name, or None where the credentials cannot be read (they may have been redacted)."""
    try:
        return base64.b64decode(credentials.strip(), validate=True).decode().partition(":")[0]
    except (binascii.Error, ValueError):
        return None
