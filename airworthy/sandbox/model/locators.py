"""Record locators of reservations and bookings."""

from secrets import choice

_LENGTH = 6
# Letters and digits that cannot be mistaken for each other.
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def new_locator() -> str:
    """Return a new record locator of six letters and digits."""
    return "".join(choice(_ALPHABET) for _ in range(_LENGTH))
