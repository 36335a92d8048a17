"""Faults in single members of requests that no scenario of its own looks at: derived wrong values find them."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from airworthy.sandbox.faults.fault import Fault
from airworthy.sandbox.faults.kinds import rejects_with

# By the rule that the member belongs to.
_UNCHECKED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "V4-SEARCH-DEPARTURE-DATE": ("searchOffers:/inboundSegment/departureDate:pattern",),
        "V4-ORDER-PASSENGER": ("createOrder:/passengers/*/localityCodeOfResidency:type",),
        "V4-ORDER-COUNTRY-CODES": ("createOrder:/passengers/*/countryCodeOfResidence:pattern",),
        "V3-REQUESTS-PASSENGER": ("createRequests:/passengers/*/passport_number:type",),
        "V3-BAGS-OPTION": ("createRequests:/bags/*/cabin/*/dimensions/width:type",),
        "V3-BOOKINGS-REQUIRED": ("createBookings:/postal_code:type",),
        "V23-FLIGHTS-PARAMETERS": ("searchRoundTrips:query/returnStart:pattern",),
        "V23-3DS-VALUES": ("createBookingsV2:/three_d_secure/cryptogram:pattern",),
        "V2-REQUESTS-REQUIRED": ("createRequestsV2:/passengers/children:type",),
        "V2-BOOKINGS-REQUIRED": ("createBookingsV2:/passengers/*/nationality:type",),
        "V2-BOOKINGS-CUSTOMER": ("createBookingsV2:/customer_data/vat_number:type",),
    }
)
# By the rule that requires 400.
_WRONG_STATUS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "V4-BAD-REQUEST": "createOrder:/passengers/*/localityCodeOfResidency:type",
        "V3-BAD-REQUEST": "createBookings:/external_id:type",
        "V2-BAD-REQUEST": "createBookingsV2:/customer_data/vat_number:type",
    }
)
_PREFIX: Final = "unchecked:"


def validation_rule(fault: Fault) -> str:
    """Return the rule whose scenarios find a fault that those of its own rule do not, or an empty string."""
    if not fault.name.startswith(_PREFIX):
        return ""
    operation = fault.name.removeprefix(_PREFIX).partition(":")[0]
    if operation.endswith("V2"):
        return "V2-BAD-REQUEST"
    return "V4-BAD-REQUEST" if fault.rule.startswith("V4-") else "V3-BAD-REQUEST"


def _faults() -> Iterator[Fault]:
    for rule, rejections in _UNCHECKED.items():
        for name in rejections:
            operation, place, _ = name.split(":")
            description = f"The service does not validate {place.removeprefix('/')} of {operation}"
            yield Fault(f"{_PREFIX}{name}", rule, description, tolerates=(name,))
    for rule, name in _WRONG_STATUS.items():
        operation, place, _ = name.split(":")
        what = f"a wrong {place.removeprefix('/')} of {operation}"
        yield rejects_with(f"status-422:{name}", rule, 422, what, name)


FAULTS: Final = tuple(_faults())
