"""Make the test bookings that an operator asks for before going live, in the sandbox."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Protocol, TypeVar

from partner.payments import Card, PaymentProvider
from partner.service import PaymentFailed, Rejected, Service, Unclear
from partner.travellers import Bags, Traveller, Trip, party

Held = TypeVar("Held")
# Longer than an offer or a booking request is kept.
_EXPIRED_SECONDS = 31 * 60
_ROUTES = {"v4": ("MAD", "BCN"), "v3": ("MAD", "PMI"), "v2": ("MAD", "PMI")}
# On this route the sandbox books, but its response is lost.
_LOST = ("MAD", "VLC")


class Client(Protocol[Held]):
    """A client of any version: it holds a price, buys, and retrieves what it bought."""

    @property
    def version(self) -> str:
        """The interface that it integrates."""

    service: Service
    payments: PaymentProvider

    def hold(self, trip: Trip, travellers: list[Traveller], bags: Bags | None = None) -> Held:
        """Hold the price of a trip for some minutes."""

    def buy(self, held: Held, card: Card, /) -> str:
        """Pay, and return what `retrieve` needs."""

    def retrieve(self, bought: str, /) -> str:
        """Return the record locator."""


@dataclass(frozen=True)
class Cards:
    """Test cards of the payment provider."""

    accepted: Card
    declined: Card
    authenticated: Card


def make_test_bookings(
    client: Client[Held], cards: Cards, today: date, advance: Callable[[float], None], say: Callable[[str], None]
) -> None:
    """Make all test bookings. ``advance`` moves the clock of the sandbox by seconds; ``say`` shows a line."""
    trip = Trip(*_ROUTES[client.version], today + timedelta(days=30))
    lost = Trip(*_LOST, today + timedelta(days=30))
    alone, family = party(today), party(today, adults=2, infants=1)

    def family_with_bags() -> None:
        client.retrieve(client.buy(client.hold(trip, family, Bags(checked=1, cabin=1)), cards.accepted))

    def single_with_3d_secure() -> None:
        client.retrieve(client.buy(client.hold(trip, alone), cards.authenticated))

    def another_card() -> None:
        try:
            client.buy(client.hold(trip, alone), cards.declined)
        except (PaymentFailed, Rejected):
            client.retrieve(client.buy(client.hold(trip, alone), cards.accepted))

    def expired_price() -> None:
        held = client.hold(trip, alone)
        advance(_EXPIRED_SECONDS)
        client.retrieve(client.buy(held, cards.accepted))

    def lost_response() -> None:
        client.buy(client.hold(lost, alone), cards.accepted)

    bookings: dict[str, Callable[[], Any]] = {
        "two adults and an infant, with bags": family_with_bags,
        "one adult without bags, with 3-D Secure": single_with_3d_secure,
        "a declined card, then another one": another_card,
        "a price that expires": expired_price,
        "a response that is lost": lost_response,
    }
    for name, book in bookings.items():
        try:
            book()
        except (PaymentFailed, Rejected, Unclear) as error:
            say(f"{client.version} {name}: {error}")
        else:
            say(f"{client.version} {name}: booked")
