"""The confirmation e-mail with the tickets, sent to an SMTP server or written to an outbox folder."""

import contextlib
import re
import smtplib
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from airworthy.sandbox.http.templating import render
from airworthy.sandbox.resources.v3.states import Booking

_SENDER = "Flight Booking Service <tickets@sandbox.example>"
_ADDRESS = re.compile(r"[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,255}")
_TIMEOUT_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ConfirmationMailer:
    """Sends confirmation e-mails to the host and port of an SMTP server, or writes them to the outbox folder.

    An e-mail that the server does not accept is written to the outbox. Without server and outbox nothing is sent.
    """

    outbox: Path | None = None
    server: tuple[str, int] | None = None

    def send(self, bookings: Sequence[Booking]) -> EmailMessage | None:
        """Send the confirmation of the bookings with one reference, and return it; None if the address is not valid.

        Never raises: the booking succeeds without it.
        """
        address = bookings[0].details["email"].strip()
        if not _ADDRESS.fullmatch(address):
            return None
        email = message(bookings, address)
        is_delivered = self.server is not None and self._delivered(email)
        if not is_delivered and self.outbox is not None:
            with contextlib.suppress(OSError):
                self.outbox.mkdir(parents=True, exist_ok=True)
                (self.outbox / f"{bookings[0].reference}.eml").write_bytes(email.as_bytes(policy=SMTP))
        return email

    def _delivered(self, email: EmailMessage) -> bool:
        host, port = self.server or ("", 0)
        try:
            with smtplib.SMTP(host, port, timeout=_TIMEOUT_SECONDS) as server:
                server.send_message(email)
        except (OSError, smtplib.SMTPException):
            return False
        return True


def message(bookings: Sequence[Booking], address: str) -> EmailMessage:
    """Return the confirmation e-mail of the bookings with one reference, with a ticket for each."""
    reference = bookings[0].reference
    email = EmailMessage()
    email["From"], email["To"] = _SENDER, address
    email["Subject"] = f"Your booking {reference}"
    email["Date"] = bookings[0].created
    email.set_content(render("confirmation.txt", bookings=bookings, reference=reference))
    for each in bookings:
        ticket = render("ticket.html", booking=each)
        email.add_attachment(ticket, subtype="html", filename=f"ticket-{reference}-{each.id}.html")
    return email
