"""What a client has to know of the sandbox: credentials, routes, cards, addresses; as a profile and as text."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from airworthy.sandbox.organisations import ORGANISATIONS, Organisation
from airworthy.sandbox.payments import CARDS, MAGIC_INTENTS
from airworthy.sandbox.situations import SITUATIONS

_CARD_SITUATIONS = {"accepted": "accepted", "declined": "declined", "needs_verification": "verification"}
_INTENT_SITUATIONS = {"not_ready": "not_ready", "amount_mismatch": "amount_mismatch"}


def profile(origin: str, lifetimes: Mapping[str, float] = MappingProxyType({})) -> dict[str, Any]:
    """Return the values of a suite profile for a sandbox at an origin such as ``https://127.0.0.1:8443``.

    They are what a profile file would hold, ``ca_bundle`` apart.
    """
    first, second = ORGANISATIONS
    values: dict[str, Any] = {
        "subject": "Airworthy sandbox",
        "environment": "test",
        "base_url": origin,
        "v4": _credentials(first),
        "second_organisation": {"v4": _credentials(second)},
        "payment": {"url": f"{origin}/payment", "token": first.provider_token, "payment_intents": True}
        | {name: _card(card) for name, card in _CARD_SITUATIONS.items()}
        | {name: {"payment_intent_id": MAGIC_INTENTS[intent].id} for name, intent in _INTENT_SITUATIONS.items()},
        "clock": {"advance_url": f"{origin}/sandbox/clock"},
        "routes": {name: each.route for name, each in SITUATIONS.items() if each.in_profile},
        "capabilities": dict.fromkeys(
            (
                "card",
                "balance",
                "payment_intents",
                "three_d_secure",
                "round_trips",
                "cities",
                "baggage",
                "children",
                "infants",
            ),
            True,
        ),
    }
    if "offer" in lifetimes:
        values["lifetimes"] = {"offer_seconds": lifetimes["offer"]}
    return values


def _credentials(organisation: Organisation) -> dict[str, Any]:
    return {"key": organisation.key, "customer_code": organisation.customer_code, "balance": organisation.balance}


def _card(name: str) -> dict[str, Any]:
    card = next(each for each in CARDS if each.name == name)
    return {"number": card.number, "exp_month": 12, "exp_year": 2040, "cvc": "123"}
