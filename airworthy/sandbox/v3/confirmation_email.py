"""The confirmation e-mail with the tickets: by SMTP where a server is given, else as a file in the outbox."""

import re
import smtplib
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from jinja2 import Environment

from airworthy.sandbox.states import Booking

_SENDER = "Flight Booking Service <tickets@sandbox.example>"
_ADDRESS = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,255}")
_PATIENCE = 5.0
_TEXT = Environment(autoescape=False, trim_blocks=True).from_string(  # noqa: S701 - plain text
    """Your booking {{ reference }} is confirmed. Your tickets are attached.

{% for each in bookings %}
{{ each.direction }}: {{ each.request.flight.itinerary.route | join(" - ") }}, {{ each.request.flight.departure }}
{% endfor %}

This is a test: the sandbox issues no real tickets.
"""
)
_TICKET = Environment(autoescape=True, trim_blocks=True).from_string(
    """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Ticket {{ booking.reference }}</title></head>
<body>
<h1>{{ booking.request.flight.itinerary.route | join(" - ") }}</h1>
<p>Booking {{ booking.reference }}, ticket {{ booking.id }}</p>
<table>
{% for each in booking.request.flight.itinerary.sections %}
<tr><td>{{ each.marketing }}{{ each.number }}</td><td>{{ each.origin }} {{ each.departure }}</td>
<td>{{ each.destination }} {{ each.arrival }}</td></tr>
{% endfor %}
</table>
<ul>
{% for each in booking.passengers %}
<li>{{ each.first_name }} {{ each.last_name }}</li>
{% endfor %}
</ul>
<p>Test only: valid for no flight.</p>
</body>
</html>
"""
)


@dataclass(frozen=True, slots=True)
class ConfirmationMailer:
    """Where confirmations go: ``server`` is the host and port of an SMTP server, ``outbox`` a folder.

    What a server does not take lies in the outbox, too. With neither, nothing is sent.
    """

    outbox: Path | None = None
    server: tuple[str, int] | None = None

    def send(self, bookings: Sequence[Booking]) -> None:
        """Send the confirmation of the bookings of one reference; never raises, a booking does not depend on it."""
        address = bookings[0].wishes["email"].strip()
        if not _ADDRESS.fullmatch(address):
            return
        letter = message(bookings, address)
        if self.server is not None and self._delivered(letter):
            return
        if self.outbox is not None:
            self._keep(letter, f"{bookings[0].reference}.eml")

    def _delivered(self, letter: EmailMessage) -> bool:
        host, port = self.server or ("", 0)
        try:
            with smtplib.SMTP(host, port, timeout=_PATIENCE) as server:
                server.send_message(letter)
        except (OSError, smtplib.SMTPException):
            return False
        return True

    def _keep(self, letter: EmailMessage, name: str) -> None:
        folder = self.outbox or Path()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(letter.as_bytes(policy=SMTP))
        except OSError:
            return


def message(bookings: Sequence[Booking], address: str) -> EmailMessage:
    """Return the confirmation of bookings that share a reference, with a ticket for each."""
    reference = bookings[0].reference
    letter = EmailMessage()
    letter["From"], letter["To"] = _SENDER, address
    letter["Subject"] = f"Your booking {reference}"
    letter["Date"] = bookings[0].created
    letter.set_content(_TEXT.render(bookings=bookings, reference=reference))
    for each in bookings:
        ticket = _TICKET.render(booking=each)
        letter.add_attachment(ticket, subtype="html", filename=f"ticket-{reference}-{each.id}.html")
    return letter
