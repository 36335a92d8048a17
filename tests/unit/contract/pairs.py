"""Conversations with two of everything: sections, segments, passengers, bags, booking requests, bookings and looks."""

from collections.abc import Iterable
from typing import Any, Final

from airworthy.contract import Exchange
from unit.contract import examples as v4
from unit.contract.examples import BAG, CONTACT, PASSENGER, RETURNED, SENT, exchange, money, section
from unit.contract.v3 import v3_examples as v3

Body = dict[str, Any]

# v4

VIA = {"destination": "VLC", "arrivalDate": "2035-03-14T16:40:00", "arrivalTerminal": "1"}
ONWARD = {"origin": "VLC", "departureDate": "2035-03-14T17:00:00", "flightNumber": "4712", "marketingCarrierCode": "IB"}
SECTIONS = [section(**VIA), section(**ONWARD, arrivalDate="2035-03-14T17:50:00")]
BACK = [
    section(**VIA, origin="BCN", departureDate="2035-03-21T16:00:00") | {"arrivalDate": "2035-03-21T16:40:00"},
    section(**ONWARD, destination="MAD", arrivalDate="2035-03-21T18:20:00") | {"departureDate": "2035-03-21T17:00:00"},
]
WAYS = {"outboundSegment": {"sections": SECTIONS}, "inboundSegment": {"sections": BACK}}
_LOOSE = ("technicalStops", "travelClass", "departureTerminal", "arrivalTerminal")
_OTHER: Body = {
    "number": 2,
    "title": "MR",
    "name": "Charles",
    "firstLastName": "Babbage",
    "secondLastName": "Smith",
    "gender": "MALE",
    "birthDate": "1991-11-26",
    "nationalityCountryCode": "GB",
    "middleName": "Byron",
    "countryCodeOfResidence": "GB",
    "phone": {"number": "600123457", "countryCode": "GB"},
    "identification": {**SENT["createOrder"]["passengers"][0]["identification"]}
    | {"identificationNumber": "XDA654321"},
}
PASSENGERS: list[Body] = [PASSENGER, PASSENGER | _OTHER]
_BAGS = [BAG, BAG | {"type": "CABIN", "kilosPerPiece": 10}]
SELECTED = [
    {
        "passengerNumber": number,
        "outboundSegmentBaggageSelection": _BAGS,
        "inboundSegmentBaggageSelection": [BAG | {"numberOfPieces": number}],
    }
    for number in (1, 2)
]
FARE = RETURNED["getOffer"]["cheapestFare"] | {"passengerPricingByPassengerType": v4.pricing(2)}


def _priced(selected: Iterable[Body]) -> list[Body]:
    keys = ("outboundSegmentBaggageSelection", "inboundSegmentBaggageSelection")
    price = {"pricePerPiece": money(23.5)}
    return [item | {key: [bag | price for bag in item[key]] for key in keys} for item in selected]


_ORDER = {
    "offer": RETURNED["createOrder"]["offer"] | WAYS | {"fare": FARE},
    "passengers": PASSENGERS,
    "selectedBaggage": _priced(SELECTED),
    "totalPrice": money(201.38),
}
_OF_V4: dict[str, tuple[Body, Body]] = {
    "getOffer": (
        {
            "adults": 2,
            "tripType": "ROUND_TRIP",
            **{
                way: {"sections": [{k: v for k, v in each.items() if k not in _LOOSE} for each in segment["sections"]]}
                for way, segment in WAYS.items()
            },
        },
        {**WAYS, "cheapestFare": FARE},
    ),
    "createOrder": ({"passengers": PASSENGERS, "selectedBaggage": SELECTED}, _ORDER),
    "confirmOrder": ({}, _ORDER),
    "getOrder": ({}, _ORDER),
    "findReservation": (
        {},
        {
            **WAYS,
            "passengers": [
                {k: each.get(k) for k in RETURNED["getReservation"]["passengers"][0]} for each in PASSENGERS
            ],
            "selectedBaggage": SELECTED,
            "customerContact": CONTACT,
            "fare": FARE,
        },
    ),
}

# v3 and v2

_STOP = {"destination": v3.place("BCN"), "arrival_date": "2035-03-14 07:05:00", "duration": "00:30"}
_NEXT = {
    "via_airport": "BCN",
    "origin": v3.place("BCN"),
    "departure_date": "2035-03-14 07:25:00",
    "duration": "00:30",
    "marketing_carrier_flight_number": 77,
    "operating_carrier": v3.carrier("VY"),
}
SEGMENTS = [v3.segment(**_STOP), v3.segment(**_NEXT)]
_BY_VERSION: dict[str, Body] = {
    "": {"bags": {"checked": [v3.CHECKED, v3.HEAVY], "cabin": [v3.CABIN, v3.CABIN | {"weight": 5}]}},
    "V2": {"luggage_options": [v3.CHECKED, v3.HEAVY]},
}
_PASSPORT = {
    "nationality": "GB",
    "birth_country": "GB",
    "passport_number": "X1234567",
    "passport_expiry_date": "2040-05-01",
    "passport_country_of_issue": "GB",
}
TRAVELLERS = [
    v3.PASSENGER | _PASSPORT,
    v3.PASSENGER | _PASSPORT | {"first_name": "Charles", "last_name": "Babbage", "gender": "male"},
]
REQUESTS = {v3.FLIGHT: v3.REQUEST, v3.BACK: v3.REQUEST + 1}


def _flight(version: str, key: int) -> Body:
    return v3.flight(id=key, segments=SEGMENTS, **_BY_VERSION[version])


def _request(version: str, key: int) -> Body:
    first: Body = RETURNED[f"createRequests{version}"]["requests"][0]
    counts = {"adults": 2, "children": 0, "infants": 0}
    return first | {"id": REQUESTS[key], "passengers": counts, "flight": _flight(version, key)}


def _booking(version: str, key: int) -> Body:
    number = v3.BOOKING + REQUESTS[key] - v3.REQUEST
    records = [
        v3.RECORD | each | {"id": 2 * number + position, "booking_id": number}
        for position, each in enumerate(TRAVELLERS)
    ]
    booked = [each | {"quantity": 1} for each in (v3.CHECKED, v3.HEAVY)]
    bags = {"luggage": booked, "luggage_fee": 55.49} if version else {"bags": {"checked": booked, "cabin": [v3.CABIN]}}
    first: Body = RETURNED[f"createBookings{version}"]["bookings"][0]
    return first | {
        "id": number,
        "flight_id": key,
        "request_id": REQUESTS[key],
        "flight": _flight(version, key),
        "passengers": records,
        "passenger_count": 2,
        **bags,
    }


def _retrieved(version: str, key: int) -> Body:
    later = {"status": "CONFIRMED", "pnr_airline": v3.LOCATOR, "flight_changes": None}
    way = "outward" if key == v3.FLIGHT else "return"
    return _booking(version, key) | later | {"type": way, "final_flight": _flight(version, key)}


def _of_v3(version: str) -> dict[str, tuple[Body, Body]]:
    counted = {"checked": [{"weight": 15, "quantity": 1}, {"weight": 23, "quantity": 1}], "cabin": [v3.CABIN]}
    luggage = {str(key): [each | {"quantity": 1} for each in (v3.CHECKED, v3.HEAVY)] for key in REQUESTS.values()}
    requested: Body = {"flight_ids": [*REQUESTS], "passengers": TRAVELLERS, "fare_type": "round_trip"}
    requested |= {"bags": {str(key): counted for key in REQUESTS}}
    booked: Body = {"request_ids": [*REQUESTS.values()]}
    if version:
        requested = {"flights": [*REQUESTS], "passengers": {"adults": 2, "children": 0, "infants": 0}}
        booked = {"requests": [*REQUESTS.values()], "luggage": luggage}
        booked |= {"passengers": [each | {"is_infant": False} for each in TRAVELLERS]}
    return {
        f"createRequests{version}": (requested, {"requests": [_request(version, key) for key in REQUESTS]}),
        f"createBookings{version}": (booked, {"bookings": [_booking(version, key) for key in REQUESTS]}),
        f"getBookings{version}": ({}, {"bookings": [_retrieved(version, key) for key in REQUESTS]}),
    }


def _conversation(bodies: dict[str, tuple[Body, Body]]) -> list[tuple[str, Exchange]]:
    """Return the exchanges with their operations, the last operation twice."""
    names = [*bodies, list(bodies)[-1]]
    return [
        (
            name,
            exchange(
                name,
                sent=SENT[name] | bodies[name][0] if name in SENT else None,
                returned=RETURNED[name] | bodies[name][1],
                after=minutes,
                name=f"{name} {minutes}",
            ),
        )
        for minutes, name in enumerate(names)
    ]


CONVERSATIONS: Final = {"v4": _conversation(_OF_V4), "v3": _conversation(_of_v3("")), "v2": _conversation(_of_v3("V2"))}
