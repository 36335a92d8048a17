"""The modules of the sandbox whose handlers are changed, and what is left out of them."""

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SANDBOX: Final = Path("airworthy/sandbox")


@dataclass(frozen=True, slots=True)
class Area:
    """The modules with an area's handlers, below the sandbox, and the interfaces whose rules judge them."""

    modules: tuple[str, ...]
    interfaces: Set[str]


# The documents do not describe the pages for people, the e-mails, the delivery of files and most of what clients can
# request from a payment provider (OPEN-100).
AREAS: Final = {
    "v4": Area(("v4/offers", "v4/orders", "resources/v4/responses", "resources/v4/states"), {"v4"}),
    "v3": Area(
        (
            *("v3/flights", "v3/booking_requests", "v3/bookings", "resources/v3/responses", "resources/v3/states"),
            *("resources/v3/itineraries", "resources/v3/timetable"),
        ),
        {"v3", "v2"},
    ),
    "payment": Area(
        ("service/charging", "service/credentials", "payment_provider/provider"), {"payment", "v4", "v3", "v2"}
    ),
    "export": Area(("export/files", "export/cells", "model/export_file"), {"export"}),
}
# What these functions return is left open (OPEN-40, OPEN-61, OPEN-62, OPEN-82, OPEN-95 and OPEN-101). The last two
# belong to a setting of the sandbox, which a run creates before the module is replaced.
LEFT_OPEN: Final = {
    *("verify_flight", "_pricing", "_descriptor", "fares_price", "_both_ways"),
    *("_duration", "_stops", "_amounts"),
    *("checked", "routes"),
}
