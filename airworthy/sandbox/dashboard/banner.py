"""The text on the terminal at the start: what a new user needs to send a first request."""

from collections.abc import Iterator, Mapping
from typing import Any

from airworthy.sandbox.dashboard.profile import provider_clients
from airworthy.sandbox.model.organisations import ORGANISATIONS
from airworthy.sandbox.model.situations import SITUATIONS
from airworthy.sandbox.payment_provider.provider import CARDS, MAGIC_INTENTS


def summary(profile: Mapping[str, Any], ca_bundle: str | None, dialect: str, outbox: str = "") -> Iterator[str]:
    """Yield the lines that a terminal shows at the start; ``outbox`` is the folder for e-mails."""
    yield f"Flight Booking Service, sandbox (dialect {dialect})"
    yield f"  dashboard      {profile['base_url']}/"
    yield f"  v4, v3, v2     {profile['base_url']}/v4, /v3, /v2"
    yield f"  passenger page {profile['base_url']}/lookup"
    yield f"  payments       {profile['payment']['url']}/v1/payment_methods"
    yield f'  clock          {profile["clock"]["advance_url"]}   POST {{"seconds": 1860}}'
    if outbox:
        yield f"  e-mails        {outbox}"
    if export := profile.get("export"):
        login = f"user: {export['user']}   password: {export['password']}"
        yield f"  content export {export['location']} (or FTPS)   {login}"
    if ca_bundle:
        yield f"  CA certificate {ca_bundle}"
    yield ""
    yield "Credentials (valid in this sandbox only)"
    for each in ORGANISATIONS:
        balance = "balance and self_psp" if each.balance else "neither balance nor self_psp"
        yield f"  {each.name:<14} Authorization: {each.key}   customerCode: {each.customer_code}   {balance}"
        yield f"  {'':<14} Authorization: Bearer {each.token} (v3, v2)"
        yield f"  {'':<14} payment provider token: {each.provider_token}"
    yield ""
    yield "Routes (every other pair of airports sells ordinary flights)"
    for situation in SITUATIONS.values():
        yield f"  {situation.origin}-{situation.destination}        {situation.name:<27} {situation.description}"
    yield ""
    yield "Cards"
    for card in CARDS:
        yield f"  {card.number}   {card.payment_method:<42} {card.name}"
    for name, intent in MAGIC_INTENTS.items():
        yield f"  {'':<16}   {intent.id:<42} {name} (payment_intent_id)"
    yield ""
    yield "The payment provider's official client"
    for language, text in provider_clients(profile["payment"]["url"]).items():
        yield f"  {language:<14} {text}"
    if profile["payment"]["url"].endswith("/payment"):
        yield f"  {'Node, ...':<14} need host, port and protocol: airworthy sandbox --payment-port 8444"
