"""The dashboard at ``/``: its page, and what it shows of the running sandbox."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from email.message import EmailMessage
from functools import cache
from typing import Any, Final

from airworthy.sandbox.dashboard.profile import shown_parts
from airworthy.sandbox.dashboard.request_log import RecordedRequest, RequestLog
from airworthy.sandbox.dialects.named import Dialect
from airworthy.sandbox.faults import broken_rule
from airworthy.sandbox.http.masking import masked
from airworthy.sandbox.http.templating import TEMPLATES, render
from airworthy.sandbox.resources.v3.responses import V3Resources
from airworthy.sandbox.resources.v3.states import Booking
from airworthy.sandbox.resources.v4.states import Order
from airworthy.sandbox.service.service import SandboxService

FILES: Final[Mapping[str, str]] = {"dashboard.css": "text/css", "dashboard.js": "text/javascript"}
"""The files of the page, with their media types."""
_NEWEST: Final = 20
_LONGEST_EMAIL: Final = 5000


def page(
    profile: Mapping[str, Any], dialect: str, dialects: Iterable[Dialect], faults: Mapping[str, str], today: date
) -> str:
    """Return the page as HTML; ``profile`` is that of the sandbox, ``faults`` are all descriptions by name."""
    day = today + timedelta(days=30)
    return render(
        "dashboard.html", **shown_parts(profile), dialect=dialect, dialects=dialects, faults=faults, day=str(day)
    )


@cache
def file(name: str) -> bytes:
    """Return the contents of one of the `FILES`."""
    return (TEMPLATES / name).read_bytes()


# What the page asks for while it is open


def records(service: SandboxService) -> dict[str, Any]:
    """Return the time of the sandbox, and its newest orders, bookings and e-mails."""
    store, now = service.store, service.clock.now()
    return {
        "now": now.isoformat(timespec="seconds"),
        "moved": service.clock.moved,
        "orders": [_order(service, each) for each in store.orders.newest(_NEWEST)],
        "bookings": [_booking(service, each) for each in store.bookings.newest(_NEWEST)],
        "emails": [_email(each) for each in store.emails.newest(_NEWEST)],
    }


def summaries(log: RequestLog, after: int) -> dict[str, Any]:
    """Return the recorded requests that followed the one with a number, without headers and bodies."""
    return {"id": log.id, "requests": [_summary(each) for each in log.after(after)]}


def details(recorded: RecordedRequest) -> dict[str, Any]:
    """Return a recorded request with the headers and bodies of request and response."""
    more = {"query": recorded.query, "sent": recorded.sent, "received": recorded.received}
    return _summary(recorded) | more


def _summary(recorded: RecordedRequest) -> dict[str, Any]:
    names = ("number", "method", "path", "status", "milliseconds", "reason")
    return {name: getattr(recorded, name) for name in names} | {
        "time": recorded.time.isoformat(timespec="seconds"),
        "rule": broken_rule(recorded.rejection) if recorded.rejection else "",
    }


def _order(service: SandboxService, order: Order) -> dict[str, str]:
    reservation = service.store.reservations.get(order.reservation) if order.reservation else None
    return {
        "id": order.id,
        "status": order.status,
        "route": "-".join(order.offer.trip.outbound.route),
        "total": f"{order.total / 100:.2f} EUR",
        "created": order.created.isoformat(timespec="seconds"),
        "locator": reservation.locator if reservation else "",
    }


def _booking(service: SandboxService, bookings: tuple[Booking, ...]) -> dict[str, str]:
    first, now = bookings[0], service.clock.now()
    is_confirmed = all(each.is_confirmed(now) for each in bookings)
    return {
        "id": first.reference,
        "version": first.request.version,
        "status": "CONFIRMED" if is_confirmed else "AWAITING_PNR_AIRLINE",
        "route": ", ".join("-".join(each.request.flight.itinerary.route) for each in bookings),
        "total": f"{sum(each.total for each in bookings) / 100:.2f} EUR",
        "created": first.created.isoformat(timespec="seconds"),
        "locator": first.locator if is_confirmed else "",
    }


def _email(email: EmailMessage) -> dict[str, Any]:
    body = email.get_body(("plain",))
    text = body.get_content() if body else ""
    return {
        "to": masked(str(email["To"])),
        "subject": masked(str(email["Subject"])),
        "date": str(email["Date"]),
        "text": "\n".join(masked(each) for each in text.splitlines())[:_LONGEST_EMAIL],
        "attachments": [masked(each.get_filename() or "") for each in email.iter_attachments()],
    }


def passenger_page(reference: str, bookings: Sequence[Booking], resources: V3Resources, now: datetime) -> str:
    """Return the page that shows passengers their bookings with a reference; for an empty one, only the form."""
    shown = [resources.booking(each, 0, now, retrieved=True) for each in bookings]
    return render("passenger.html", reference=reference, bookings=shown)
