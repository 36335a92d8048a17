"""A valid request body for each operation, from which tolerated violations are repaired."""

import copy
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

_BOOKER = {
    "first_name": "NAME",
    "last_name": "NAME",
    "gender": "male",
    "email": "somebody@example.com",
    "phonenumber": "600000000",
    "address": "Street 1",
    "city_name": "Madrid",
    "country_code": "ES",
    "postal_code": "28001",
}
_SECURE = {
    "version": "2.2.0",
    "electronic_commerce_indicator": "05",
    "cryptogram": "AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "transaction_id": "-",
}
_BOOKING = _BOOKER | {
    "external_id": "-",
    "customer_code": "FIRST-OTA",
    "self_psp": False,
    "payment_method": "pm_card_visa",
    "three_d_secure": _SECURE,
}
_TRAVELLER = {
    "first_name": "NAME",
    "middle_name": "NAME",
    "last_name": "NAME",
    "gender": "male",
    "date_of_birth": "1990-01-01",
    "birth_country": "ES",
    "passport_number": "X0000000",
    "passport_expiry_date": "2099-01-01",
    "passport_country_of_issue": "ES",
    "nationality": "ES",
}
_NUMBERS_OF_PASSENGERS = {"adults": 1, "children": 0, "infants": 0}
_CHECKED = {"quantity": 0, "weight": 15, "price": 23.5}
_CABIN = {"quantity": 0, "weight": 10, "price": 14.9, "dimensions": {"width": 40, "height": 55, "length": 20}}

# In a section, None matches any value.
_VALID: Mapping[str, Any] = MappingProxyType(
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
            "three_d_secure": _SECURE,
        },
        "verifyFlight": {"flight_id": 0, "passengers": _NUMBERS_OF_PASSENGERS, "customer_code": "FIRST-OTA"},
        "createRequests": {
            "flight_ids": [0],
            "customer_code": "FIRST-OTA",
            "passengers": [_TRAVELLER],
            "fare_type": "one_way",
            "bags": {"0": {"checked": [_CHECKED, _CHECKED | {"weight": 23}], "cabin": [_CABIN]}},
        },
        "createBookings": _BOOKING | {"request_ids": [0]},
        "createRequestsV2": {"flights": [0], "customer_code": "FIRST-OTA", "passengers": _NUMBERS_OF_PASSENGERS},
        "createBookingsV2": _BOOKING
        | {
            "requests": [0],
            "customer_data": _BOOKER | {"registration_number": "-", "vat_number": "-", "is_company": False},
            "passengers": [_TRAVELLER | {"is_infant": False}],
            "luggage": {"0": [_CHECKED]},
            "card_token": "-",
        },
    }
)
_NUMBERS = frozenset({"number", "passengerNumber"})
# Maps whose keys are the ids in a list: each can be derived from the other.
_KEYED = {"bags": "flight_ids", "luggage": "requests"}
_LISTED = {listed: keyed for keyed, listed in _KEYED.items()}


def with_valid_value(operation: str, body: Any, pointer: str) -> Any:  # noqa: ANN401 - any JSON
    """Return a body with a valid value at a JSON Pointer (the body is changed in place if it can be)."""
    valid, holder, parts = _VALID[operation], body, pointer.split("/")[1:]
    if not parts:
        return copy.deepcopy(valid)
    for depth, part in enumerate(parts):
        is_last = depth == len(parts) - 1
        if isinstance(holder, list):
            valid = valid[0]
            if is_last:
                holder[int(part)] = copy.deepcopy(valid)
            else:
                holder = holder[int(part)]
        elif isinstance(holder, dict):
            # The keys of a map are ids.
            valid = valid[part] if part in valid else next(iter(valid.values()))
            if is_last:
                holder[part] = copy.deepcopy(_consistent(holder, parts, valid))
            else:
                holder = holder.get(part)
    return body


def _consistent(holder: dict[str, Any], parts: list[str], valid: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return the valid value, adapted to the values next to it."""
    part = parts[-1]
    if part in _NUMBERS and isinstance(valid, int):
        # Passenger numbers start at one.
        return int(parts[1]) + 1
    ids, keyed = holder.get(_KEYED.get(part, "")), holder.get(_LISTED.get(part, ""))
    if len(parts) == 1 and isinstance(ids, list):
        return {str(each): next(iter(valid.values())) for each in ids}
    if len(parts) == 1 and isinstance(keyed, dict):
        return [int(each) for each in keyed if each.isdecimal()]
    return valid
