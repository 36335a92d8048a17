"""The confirmation e-mail, the outbox, and the page where passengers find their bookings."""

import email.policy
import socket
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from email.parser import BytesParser
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Mailbox

from airworthy.sandbox.dashboard.page import passenger_page
from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.resources.v3.confirmation_email import ConfirmationMailer
from airworthy.sandbox.resources.v3.responses import V3Resources
from airworthy.sandbox.resources.v3.states import Booking

from ..local_client import LocalClient, service_of

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def booking() -> Booking:
    client = LocalClient(service_of())
    names = {"first_name": HOSTILE, "last_name": "Earhart\r\nBcc: everybody@example.com"}
    pending = client.requested(passengers=[client.travellers()[0] | names])
    (made,) = client.book(*pending, **names, email="amelia@example.com").body["bookings"]
    (booking,) = client.service.store.bookings.get(("v3", made["cp_reference"])) or ()
    return replace(booking, id=300_001, reference="CPABCDEF", locator="XY12ZW", confirmed=booking.created)


def parsed(raw: bytes) -> EmailMessage:
    return BytesParser(_class=EmailMessage, policy=email.policy.default).parsebytes(raw)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[str, int]]:
    """An SMTP server that keeps what it receives in the folder ``inbox``."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host, port = free.getsockname()
    controller = Controller(Mailbox(tmp_path / "inbox"), hostname=host, port=port)
    controller.start()
    yield host, port
    controller.stop()


def test_confirmation_is_written_to_the_outbox_with_tickets(booking: Booking, tmp_path: Path) -> None:
    ConfirmationMailer(outbox=tmp_path / "outbox").send([booking])
    letter = parsed((tmp_path / "outbox" / "CPABCDEF.eml").read_bytes())
    tickets = list(letter.iter_attachments())

    assert (letter["To"], letter["Subject"]) == ("amelia@example.com", "Your booking CPABCDEF")
    assert letter["Bcc"] is None
    assert [each.get_filename() for each in tickets] == ["ticket-CPABCDEF-300001.html"]
    assert HOSTILE not in tickets[0].get_content()
    assert "&lt;script&gt;" in tickets[0].get_content()


def test_confirmation_is_sent(booking: Booking, server: tuple[str, int], tmp_path: Path) -> None:
    ConfirmationMailer(outbox=tmp_path / "outbox", server=server).send([booking, replace(booking, id=300_002)])

    (letter,) = (parsed(path.read_bytes()) for path in (tmp_path / "inbox" / "new").iterdir())
    assert letter["To"] == "amelia@example.com"
    assert len(list(letter.iter_attachments())) == 2
    assert not (tmp_path / "outbox").exists()


def test_confirmation_is_in_the_outbox_if_smtp_fails(booking: Booking, tmp_path: Path) -> None:
    ConfirmationMailer(outbox=tmp_path, server=("127.0.0.1", 1)).send([booking])

    assert [path.name for path in tmp_path.iterdir()] == ["CPABCDEF.eml"]


@pytest.mark.parametrize("address", ["", "nobody", "a@b\r\nBcc: c@d", "a@b, c@d", "<a@b>", "é@example.com", "@"])
def test_invalid_address_gets_no_email(booking: Booking, address: str, tmp_path: Path) -> None:
    ConfirmationMailer(outbox=tmp_path).send([replace(booking, details={**booking.details, "email": address})])

    assert not list(tmp_path.iterdir())


def test_failed_outbox_does_not_raise(booking: Booking, tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")

    ConfirmationMailer(outbox=occupied).send([booking])
    ConfirmationMailer().send([booking])


def test_passenger_page_escapes_passenger_data(booking: Booking) -> None:
    resources = V3Resources(Choices())
    html = passenger_page("CPABCDEF", [booking], resources, booking.created)

    assert "XY12ZW" in html
    assert "CONFIRMED" in html
    assert HOSTILE not in html
    assert HOSTILE not in passenger_page(HOSTILE, [], resources, booking.created)
    assert "There is no booking" in passenger_page(HOSTILE, [], resources, booking.created)
    assert "There is no booking" not in passenger_page("", [], resources, booking.created)
