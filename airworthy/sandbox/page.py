"""The page at ``/`` and the text on the terminal: what a new user needs to send a first request."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from jinja2 import Environment

from airworthy.sandbox.organisations import ORGANISATIONS
from airworthy.sandbox.payment_provider.provider import CARDS, MAGIC_INTENTS
from airworthy.sandbox.situations import SITUATIONS

_TEMPLATE = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flight Booking Service: sandbox</title>
<style>
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; }
h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
code, pre { font: .9em ui-monospace, monospace; }
p code { overflow-wrap: anywhere; }
td code { white-space: nowrap; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: .3rem; }
</style>
</head>
<body>
<h1>Flight Booking Service: sandbox</h1>
<p>Test mode: demo flights, no real charges, no real bookings. Dialect: <code>{{ dialect }}</code>.
This page as <a href="/sandbox/profile">JSON</a>; OpenAPI documents: <a href="/v4/openapi.json">v4</a>,
<a href="/v3/openapi.json">v3</a>, <a href="/v2/openapi.json">v2</a>; page for passengers:
<a href="/lookup">/lookup</a>; certificate authority: <a href="/sandbox/ca.pem">ca.pem</a>.</p>
<h2>First requests</h2>
<pre>{{ first_call }}</pre>
<pre>{{ first_flights }}</pre>
<h2>Credentials</h2>
<table>
<tr><th>Organisation</th><th>v4 key</th><th>v3 and v2 token</th><th>Customer code</th><th>Payment provider token</th>
<th>balance, self_psp</th></tr>
{% for each in organisations %}
<tr><td>{{ each.name }}</td><td><code>{{ each.key }}</code></td><td><code>{{ each.token }}</code></td>
<td><code>{{ each.customer_code }}</code></td><td><code>{{ each.provider_token }}</code></td>
<td>{{ "enabled" if each.balance else "not enabled" }}</td></tr>
{% endfor %}
</table>
<h2>Routes</h2>
<p>Every pair of airports sells ordinary flights from tomorrow on, for eleven months.
These routes cause special situations:</p>
<table>
<tr><th>Route</th><th>Situation</th><th></th></tr>
{% for each in situations %}
<tr><td><code>{{ each.origin }}-{{ each.destination }}</code></td><td>{{ each.name }}</td>
<td>{{ each.description }}</td></tr>
{% endfor %}
</table>
<h2>Cards and payments</h2>
<p>The payment provider is at <code>{{ profile.payment.url }}/v1/payment_methods</code> and
<code>/v1/payment_intents</code>.
Any future expiry date and any security code are accepted.</p>
<table>
<tr><th>Card</th><th>payment_method</th><th>Result of a payment</th></tr>
{% for each in cards %}
<tr><td><code>{{ each.number }}</code></td><td><code>{{ each.payment_method }}</code></td><td>{{ each.name }}</td></tr>
{% endfor %}
{% for name, each in intents.items() %}
<tr><td></td><td><code>{{ each.id }}</code> (payment_intent_id)</td><td>{{ name }}</td></tr>
{% endfor %}
</table>
{% if profile.export %}
<h2>Content export</h2>
<p>Available by FTP (and FTPS) at <code>{{ profile.export.location }}</code>,
user <code>{{ profile.export.user }}</code>,
password <code>{{ profile.export.password }}</code>: routes and flights, for all customers and for
those with their own distribution rules.</p>
{% endif %}
<h2>Clock</h2>
<p>An offer expires after 30 minutes, a booking request after 3 to 5 minutes; a record locator takes up to two hours.
To avoid waiting, move the clock:</p>
<pre>curl --cacert ca.pem {{ profile.clock.advance_url }} -H 'Content-Type: application/json' \
  -d '{"seconds": 1860}'</pre>
</body>
</html>
"""
)


def page(profile: Mapping[str, Any], dialect: str, today: date) -> str:
    """Return the page as HTML; ``profile`` is the result of `airworthy.sandbox.profile.profile`."""
    return _TEMPLATE.render(
        profile=profile,
        dialect=dialect,
        first_call=first_call(profile["base_url"], today + timedelta(days=30)),
        first_flights=first_flights(profile["base_url"], today + timedelta(days=30)),
        organisations=ORGANISATIONS,
        situations=SITUATIONS.values(),
        cards=CARDS,
        intents=MAGIC_INTENTS,
    )


def first_call(origin: str, day: date) -> str:
    """Return a command that searches for v4 offers on a day."""
    organisation, route = ORGANISATIONS[0], SITUATIONS["regular"]
    return (
        f"curl --cacert ca.pem {origin}/v4/search \\\n"
        f"  -H 'Authorization: {organisation.key}' -H 'Content-Type: application/json' -d '\n"
        '  {"adults": 1, "children": 0, "infants": 0, "tripType": "ONE_WAY",\n'
        f'   "customerCode": "{organisation.customer_code}", "inboundSegment": null,\n'
        f'   "outboundSegment": {{"departureDate": "{day}",\n'
        f'     "origin": {{"code": "{route.origin}", "type": "AIRPORT"}},\n'
        f'     "destination": {{"code": "{route.destination}", "type": "AIRPORT"}}}}}}\''
    )


def first_flights(origin: str, day: date) -> str:
    """Return a command that searches for v3 flights from a day on."""
    organisation, route = ORGANISATIONS[0], SITUATIONS["flights_regular"]
    return (
        f"curl --cacert ca.pem -H 'Authorization: Bearer {organisation.token}' \\\n"
        f"  '{origin}/v3/flights?origin={route.origin}&destination={route.destination}&start={day}'"
    )


def summary(profile: Mapping[str, Any], ca_bundle: str | None, dialect: str, outbox: str = "") -> str:
    """Return the text that a terminal shows at the start; ``outbox`` is the folder for e-mails."""
    return "\n".join(_lines(profile, ca_bundle, dialect, outbox))


def _lines(profile: Mapping[str, Any], ca_bundle: str | None, dialect: str, outbox: str) -> Iterator[str]:
    yield f"Flight Booking Service, sandbox (dialect {dialect})"
    yield f"  start page     {profile['base_url']}/"
    yield f"  v4, v3, v2     {profile['base_url']}/v4, /v3, /v2"
    yield f"  passengers     {profile['base_url']}/lookup"
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
