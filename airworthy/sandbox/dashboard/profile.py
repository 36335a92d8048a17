"""What a client needs to send a first request, as a profile and as text: credentials, routes, cards and addresses."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.export.files import customers, versions
from airworthy.sandbox.export.ftp import PASSWORD, USER
from airworthy.sandbox.http.templating import render
from airworthy.sandbox.model.organisations import ORGANISATIONS, SandboxOrganisation
from airworthy.sandbox.model.policy import Policy
from airworthy.sandbox.model.situations import SITUATIONS
from airworthy.sandbox.payment_provider.provider import CARDS, MAGIC_INTENTS
from airworthy.sandbox.settings import LIFETIMES

_CARD_SITUATIONS = {
    "accepted": "accepted",
    "mastercard": "accepted_mastercard",
    "declined": "declined",
    "needs_verification": "verification",
}
CAPABILITIES = (
    *("card", "balance", "payment_intents", "three_d_secure", "round_trips", "cities", "connecting", "baggage"),
    *("identification", "checked_bags", "cabin_bags", "children", "infants", "self_psp", "round_trip_fares", "verify"),
)


def profile(
    origin: str,
    lifetimes: Mapping[str, float] = MappingProxyType({}),
    choices: Choices | None = None,
    ftp_port: int | None = None,
    payment_port: int | None = None,
) -> dict[str, Any]:
    """Return the values of a suite profile for a sandbox at an origin such as ``https://127.0.0.1:8443``.

    They are the contents of a profile file without ``ca_bundle``. ``choices`` (default: the documented dialect's)
    decide the forms of tokens and dates, ``ftp_port`` serves the content export (None: it is not served), and
    ``payment_port`` is that of the payment provider's own address.
    """
    choices = choices or Choices()
    first, second = ORGANISATIONS
    first_bearer, second_bearer = (_bearer(each, choices) for each in ORGANISATIONS)
    provider = f"{origin}/payment"
    if payment_port is not None:
        provider = f"{urlsplit(origin).scheme}://{_host(origin)}:{payment_port}"
    values: dict[str, Any] = {
        "subject": "Airworthy sandbox",
        "environment": "test",
        "base_url": origin,
        "v4": _credentials(first),
        "v3": first_bearer,
        "v2": first_bearer,
        "second_organisation": {"v4": _credentials(second), "v3": second_bearer, "v2": second_bearer},
        "payment": {
            "url": provider,
            "token": first.provider_token,
            "payment_intents": True,
            **{name: _card(card) for name, card in _CARD_SITUATIONS.items()},
            "amount_mismatch": {"payment_intent_id": MAGIC_INTENTS["amount_mismatch"].id},
        },
        "clock": {"advance_url": f"{origin}/sandbox/clock"},
        "routes": {name: each.route for name, each in SITUATIONS.items() if each.in_profile},
        "capabilities": dict.fromkeys(CAPABILITIES, True),
    }
    if ftp_port is not None:
        values["export"] = _export(f"ftp://{_host(origin)}:{ftp_port}/", choices)
    times = {"schedule_change": Policy().schedule_change_delay.total_seconds(), **lifetimes}
    values["lifetimes"] = {key: seconds for name, seconds in times.items() for key in LIFETIMES[name][1:]}
    return values


def provider_clients(url: str) -> dict[str, str]:
    """Return how to reach the payment provider at a URL, by language; Node needs a URL without a path."""
    token, card, parts = ORGANISATIONS[0].provider_token, CARDS[0], urlsplit(url)
    values = ("type=card", f"card[number]={card.number}", "card[exp_month]=12", "card[exp_year]=2040")
    fields = " ".join(f"-d '{each}'" for each in values)
    node = f"new Stripe('{token}', {{host: '{parts.hostname}', port: {parts.port}, protocol: '{parts.scheme}'}})"
    return {
        "Python": f"stripe.StripeClient('{token}', base_addresses={{'api': '{url}'}})",
        **({} if parts.path else {"Node": node}),
        "curl": f"curl --cacert ca.pem -u {token}: {url}/v1/payment_methods {fields}",
    }


def shown_parts(profile: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the first page and the terminal show of every sandbox; ``profile`` is that of this one."""
    return {
        "profile": profile,
        "organisations": ORGANISATIONS,
        "situations": SITUATIONS.values(),
        "cards": CARDS,
        "intents": MAGIC_INTENTS,
        "clients": provider_clients(profile["payment"]["url"]),
    }


def summary(profile: Mapping[str, Any], ca_bundle: str | None, dialect: str, outbox: str = "") -> str:
    """Return the text that a terminal shows at the start; ``outbox`` is the folder for e-mails."""
    text = render("summary.txt", **shown_parts(profile), ca_bundle=ca_bundle, dialect=dialect, outbox=outbox)
    return text.rstrip()


def _export(location: str, choices: Choices) -> dict[str, Any]:
    return {
        "location": location,
        "user": USER,
        "password": PASSWORD,
        "versions": [f"v{each}" for each in versions(choices)],
        "formats": ["routes", "flights"],
        "customers": list(customers(choices)),
    }


def _host(origin: str) -> str:
    host = urlsplit(origin).hostname or ""
    return f"[{host}]" if ":" in host else host


def _credentials(organisation: SandboxOrganisation) -> dict[str, Any]:
    return {"key": organisation.key, "customer_code": organisation.customer_code, "balance": organisation.balance}


def _bearer(organisation: SandboxOrganisation, choices: Choices) -> dict[str, Any]:
    """Return the credentials of v3 and v2, with the forms of tokens and dates that the dialect requires."""
    code, self_psp = organisation.customer_code, organisation.self_psp
    values: dict[str, Any] = {"token": organisation.token, "customer_code": code, "self_psp": self_psp}
    if choices.v3.authorization_form == "bare on POST":
        values["post_key_form"] = "bare"
    if choices.v3.date_form_taken != "any":
        values["date_format"] = choices.v3.date_form_taken.replace("date-time", "YYYY-MM-DDTHH:mm:ss")
    return values


def _card(name: str) -> dict[str, Any]:
    card = next(each for each in CARDS if each.name == name)
    return {"number": card.number, "exp_month": 12, "exp_year": 2040, "cvc": "123"}
