"""What stands in a request where a tolerated breach was: a service that does not check a field goes on without it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

_PLACE = {"code": "MAD", "type": "AIRPORT"}
_CHOSEN = {"type": "CHECK_IN", "numberOfPieces": 0, "kilosPerPiece": 15}
_ANY_SECTION = dict.fromkeys(
    (
        "origin",
        "destination",
        "departureDate",
        "arrivalDate",
        "flightNumber",
        "operatingCarrierCode",
        "marketingCarrierCode",
    )
) | {"travelClass": "ECONOMY"}
_PHONE = {"number": "600000000", "countryCode": "ES"}
_COUNTS = {"adults": 1, "children": 0, "infants": 0, "tripType": "ONE_WAY", "travelClass": "ECONOMY"}
_CUSTOMER = {"customerCode": "FIRST-OTA"}

# One fitting body for each operation; in a section, None is found whatever it is.
_FITTING: Mapping[str, Any] = MappingProxyType(
    {
        "searchOffers": _COUNTS
        | _CUSTOMER
        | {
            "outboundSegment": {
                "origin": _PLACE,
                "destination": _PLACE | {"code": "BCN"},
                "departureDate": "2030-01-01",
            },
            "inboundSegment": {
                "origin": _PLACE | {"code": "BCN"},
                "destination": _PLACE,
                "departureDate": "2030-01-02",
            },
        },
        "getOffer": _COUNTS
        | _CUSTOMER
        | {"outboundSegment": {"sections": [_ANY_SECTION]}, "inboundSegment": {"sections": [_ANY_SECTION]}},
        "createOrder": {
            "passengers": [
                {
                    "number": 1,
                    "type": "adult",
                    "title": "MR",
                    "name": "NAME",
                    "middleName": "NAME",
                    "firstLastName": "NAME",
                    "secondLastName": None,
                    "gender": "MALE",
                    "birthDate": "1990-01-01",
                    "nationalityCountryCode": "ES",
                    "countryCodeOfResidence": "ES",
                    "localityCodeOfResidency": "350000",
                    "identification": {
                        "type": "PASSPORT",
                        "identificationNumber": "X0000000",
                        "expirationDate": "2099-01-01",
                        "issueCountryCode": "ES",
                    },
                    "phone": _PHONE,
                }
            ],
            "selectedBaggage": [
                {
                    "passengerNumber": 1,
                    "outboundSegmentBaggageSelection": [_CHOSEN],
                    "inboundSegmentBaggageSelection": [_CHOSEN],
                }
            ],
            "customerContact": {
                "name": "NAME",
                "lastNames": "NAME",
                "gender": "MALE",
                "email": "somebody@example.com",
                "countryCode": "ES",
                "phone": _PHONE,
                "address": "Street 1",
                "cityName": "Madrid",
                "zipCode": "28001",
                "carrierPortalCredentials": {"username": "NAME", "password": "-"},
            },
            "paymentMethod": {"card": True, "balance": False},
        },
        "confirmOrder": {
            "paymentMethod": {"card": True, "balance": False},
            "payment_intent_id": None,
            "payment_method": "pm_card_visa",
            "three_d_secure": {
                "version": "2.2.0",
                "electronic_commerce_indicator": "05",
                "cryptogram": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "transaction_id": "-",
            },
        },
    }
)
_NUMBERS = frozenset({"number", "passengerNumber"})


def mended(operation: str, body: Any, pointer: str) -> Any:  # noqa: ANN401 - any JSON
    """Return a body with a fitting value at a pointer (the body is changed in place where it can be)."""
    fitting, holder, place = _FITTING[operation], body, pointer.split("/")[1:]
    if not place:
        return fitting
    for depth, part in enumerate(place):
        last = depth == len(place) - 1
        if isinstance(holder, list):
            fitting = fitting[0]
            if last:
                holder[int(part)] = fitting
            else:
                holder = holder[int(part)]
        elif isinstance(holder, dict):
            fitting = fitting[part]
            if last:
                holder[part] = _number(place) if part in _NUMBERS and isinstance(fitting, int) else fitting
            else:
                holder = holder.get(part)
    return body


def _number(place: list[str]) -> int:
    """Return the number of the passenger at a place: they count from one."""
    return int(place[1]) + 1
