"""Who travels, where, and with which bags."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Kind = Literal["adult", "child", "infant"]


@dataclass(frozen=True)
class Trip:
    """A flight from one airport to another on a day."""

    origin: str
    destination: str
    day: date


@dataclass(frozen=True)
class Traveller:
    """A passenger as your customer enters it."""

    kind: Kind
    first_name: str
    last_name: str
    born: date
    female: bool = True


@dataclass(frozen=True)
class Bags:
    """The number of bags of each kind."""

    checked: int = 0
    cabin: int = 0


@dataclass(frozen=True)
class Customer:
    """Who pays and receives the tickets."""

    first_name: str = "Amelia"
    last_name: str = "Earhart"
    email: str = "amelia@example.com"
    phone: str = "600123456"
    country: str = "ES"
    address: str = "Calle Mayor 1"
    city: str = "Madrid"
    postal_code: str = "28013"


def party(today: date, *, adults: int = 1, infants: int = 0) -> list[Traveller]:
    """Return passengers for tests: adults of about 35 years, and infants of a few months."""
    names = ("Amelia", "Bessie", "Jacqueline")
    grown, born = today - timedelta(days=35 * 365), today - timedelta(days=60)
    return [
        *(Traveller("adult", names[each % 3], "Earhart", grown) for each in range(adults)),
        *(Traveller("infant", f"Baby {names[each % 3]}", "Earhart", born) for each in range(infants)),
    ]


def count(travellers: list[Traveller], kind: Kind) -> int:
    """Return the number of passengers of one kind."""
    return sum(each.kind == kind for each in travellers)
