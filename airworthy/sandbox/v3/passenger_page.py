"""The passenger's page at ``/lookup``: the current state of the bookings with a reference."""

from collections.abc import Sequence
from datetime import datetime

from jinja2 import Environment

from airworthy.sandbox.v3.responses import V3Resources
from airworthy.sandbox.v3.states import Booking

_TEMPLATE = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
    """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Your booking</title>
<style>
:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 0 auto; padding: 1rem; }
input, button { font: inherit; padding: .3rem .6rem; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { text-align: left; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
</style>
</head>
<body>
<h1>Your booking</h1>
<form action="/lookup"><label>Booking reference
<input name="reference" value="{{ reference }}" required></label> <button>Look up</button></form>
{% if reference and not bookings %}
<p role="status">There is no booking with this reference.</p>
{% endif %}
{% for each in bookings %}
<h2>{{ each.final_flight.origin.city_name }} to {{ each.final_flight.destination.city_name }}</h2>
<p>{{ each.status }}{% if each.pnr_airline %}, record locator <b>{{ each.pnr_airline }}</b>{% endif %}.
{% if each.flight_changes %}The airline has changed this flight.{% endif %}</p>
<table>
<tr><th>Flight</th><th>From</th><th>To</th></tr>
{% for part in each.final_flight.segments %}
<tr><td>{{ part.marketing_carrier.iata_code }}{{ part.marketing_carrier_flight_number }}</td>
<td>{{ part.origin.iata_code }} {{ part.departure_date }}</td>
<td>{{ part.destination.iata_code }} {{ part.arrival_date }}</td></tr>
{% endfor %}
</table>
<ul>
{% for passenger in each.passengers %}
<li>{{ passenger.first_name }} {{ passenger.last_name }}</li>
{% endfor %}
</ul>
{% endfor %}
</body>
</html>
"""
)


def passenger_page(reference: str, bookings: Sequence[Booking], resources: V3Resources, now: datetime) -> str:
    """Return the page as HTML; for an empty reference, only the form."""
    shown = [resources.booking(each, 0, now, retrieved=True) for each in bookings]
    return _TEMPLATE.render(reference=reference, bookings=shown)
