"""The requests that the suite sends to v4, built from earlier responses."""

import base64
import itertools
import secrets
import string
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from conformance.request_draft import RequestDraft

PaymentMethod = Literal["card", "balance"]
Way = Literal["outbound", "inbound"]
BagKind = Literal["CHECK_IN", "CABIN"]
BagOwner = Literal["first", "second", "every", "infant"]
NO_BAGS: Mapping[Way, Sequence[Mapping[str, Any]]] = MappingProxyType({})

# The first bytes of a cryptogram: in base64, the two characters that are neither letters nor digits.
_CRYPTOGRAM = b"\xfb\xff"
# The check letters of Spanish identity numbers, by the remainder.
_CHECK_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
TWO_DAYS = timedelta(days=2)
"""From today, so far off is another day in every time zone."""
_SECTION_FIELDS = (
    *("origin", "destination", "departureDate", "arrivalDate", "flightNumber"),
    *("operatingCarrierCode", "marketingCarrierCode", "travelClass"),
)


@dataclass(frozen=True, slots=True)
class PassengerCounts:
    """How many adults, children and infants travel."""

    adults: int = 1
    children: int = 0
    infants: int = 0

    @property
    def described(self) -> str:
        """What is special about them, in words that are the same for parties that differ in numbers only."""
        kinds = {"infants": self.infants, "children": self.children, "several adults": self.adults > 1}
        return next((f" for {kind}" for kind, travel in kinds.items() if travel), "")

    @property
    def types(self) -> tuple[str, ...]:
        """The passenger type of each traveller, adults first."""
        return ("adult",) * self.adults + ("child",) * self.children + ("infant",) * self.infants


@dataclass(frozen=True, slots=True)
class SearchPlace:
    """A place of departure or arrival: an IATA code and whether it is an AIRPORT or a CITY."""

    code: str
    type: str = "AIRPORT"


@dataclass(frozen=True, slots=True)
class SearchedTrip:
    """What is searched: from where to where, when, and when back (None for a one-way trip)."""

    origin: SearchPlace
    destination: SearchPlace
    departure: date
    back: date | None = None


@dataclass(frozen=True, slots=True)
class OrderOptions:
    """What an order has besides its passengers: payment, passports and bags.

    ``bags`` is how many bags of each of the ``kinds`` (none: of each option) a passenger takes along on each of the
    ``ways``: the first one, the second one, every one that has a seat or an infant (``whose``).
    """

    payment: PaymentMethod = "card"
    passport: bool = False
    bags: int = 0
    ways: tuple[Way, ...] = ("outbound",)
    kinds: tuple[BagKind, ...] = ("CHECK_IN",)
    whose: BagOwner = "first"


def search_offers(trip: SearchedTrip, party: PassengerCounts, customer_code: str) -> RequestDraft:
    """Build a Search Offers request (v4, POST /search)."""
    outbound = _searched(trip.origin, trip.destination, trip.departure)
    inbound = None if trip.back is None else _searched(trip.destination, trip.origin, trip.back)
    body = _for_passengers(party, customer_code, outbound, inbound)
    return RequestDraft("searchOffers", "POST", "/v4/search", body=body)


def _for_passengers(
    party: PassengerCounts, customer_code: str, outbound: Mapping[str, Any], inbound: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Build what a search and an offer request have in common."""
    return {
        "adults": party.adults,
        "children": party.children,
        "infants": party.infants,
        "tripType": "ONE_WAY" if inbound is None else "ROUND_TRIP",
        "travelClass": "ECONOMY",
        "customerCode": customer_code,
        "outboundSegment": outbound,
        "inboundSegment": inbound,
    }


def _searched(origin: SearchPlace, destination: SearchPlace, day: date) -> dict[str, Any]:
    return {
        "origin": {"code": origin.code, "type": origin.type},
        "destination": {"code": destination.code, "type": destination.type},
        "departureDate": day.isoformat(),
    }


def get_offer(
    outbound: Sequence[Mapping[str, Any]],
    inbound: Sequence[Mapping[str, Any]] | None,
    party: PassengerCounts,
    customer_code: str,
) -> RequestDraft:
    """Build a Get Offer request (v4, POST /offer) for sections from the response to a search.

    Raises KeyError if a section lacks a required field.
    """
    back = None if inbound is None else _requested(inbound)
    body = _for_passengers(party, customer_code, _requested(outbound), back)
    return RequestDraft("getOffer", "POST", "/v4/offer", body=body)


def _requested(sections: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {"sections": [{name: section[name] for name in _SECTION_FIELDS} for section in sections]}


def surnames(beginning: str) -> Iterator[str]:
    """Yield different surnames."""
    for length in itertools.count(3):
        yield from (beginning + "".join(each) for each in itertools.product(string.ascii_lowercase, repeat=length))


class Contact(NamedTuple):
    """A person to turn to, with a digit that tells contacts of one address apart.

    ``gender`` is an index of a man's and a woman's.
    """

    email: str
    digit: int
    name: str
    last_names: str
    gender: int
    country: str
    city: str
    postal_code: str
    phone_country: str
    phone_prefix: str
    phone: str


# Nobody has a phone of the country of residence.
_RESIDENTS = (
    ("Amelia", "McAirworthy", 1, "ES", "Arenys de Mar", "08350", "PT", "+351", "91234567"),
    ("Oliver", "Airworthy Dumont", 0, "FR", "Paris", "75001", "ES", "+34", "60012345"),
    ("Greta", "Airworthy Lind", 1, "GB", "London", "SW1A 1AA", "FR", "+33", "61265432"),
)


def contacts(beginning: str) -> Iterator[Contact]:
    """Yield contacts. Two after each other have one address, and every third one the same name.

    So a service that keeps contacts by their address or by their name is noticed, as one that confuses two members.
    """
    residents = itertools.cycle(_RESIDENTS)
    for place, surname in enumerate(surnames(beginning)):
        for second in (0, 1):
            yield Contact(f"{surname.lower()}@example.com", (2 * place + second) % 10, *next(residents))


_SURNAME, _CONTACT = surnames("Airworthy"), contacts("Airworthy")
# The countries of a passenger and the beginnings of mobile phone numbers there.
_MOBILE_PHONES: Mapping[str, str] = {"ES": "60065432", "PT": "91265432", "FR": "61265432", "IT": "31265432"}
_LOCALITIES = ("28079", "08019")
_WOMEN: Mapping[str, str] = {"adult": "MRS", "child": "MS", "infant": "MS"}


def create_order(
    offer_id: str,
    fare_id: str,
    party: PassengerCounts,
    options: OrderOptions,
    today: date,
    *,
    first_number: int = 1,
    bags: Mapping[Way, Sequence[Mapping[str, Any]]] = NO_BAGS,
    documents: Sequence[str] = (),
    locality: bool = False,
) -> RequestDraft:
    """Build a Create Order request (v4, POST /order), with every optional field but those of special fares.

    ``bags`` are baggage options of Get Baggage for each way: of each, as many pieces as the order has bags, and as the
    option allows, are selected.
    ``documents`` are the types of document that adults are given in turn, and others the first of them; with
    ``locality`` every passenger has a locality of residency. No two orders have the same surname, so that a service
    does not take one order for a repetition of another.
    """
    surname, contact = next(_SURNAME), next(_CONTACT)
    passengers = [
        _passenger(
            first_number + index,
            kind,
            surname=surname,
            # A service that gives everybody the same title or gender must be noticed.
            title=_WOMEN[kind] if index % 2 else "MR",
            today=today,
            identification=documents[index % len(documents) if kind == "adult" else 0] if documents else None,
        )
        | ({"countryCodeOfResidence": "ES", "localityCodeOfResidency": _LOCALITIES[index % 2]} if locality else {})
        for index, kind in enumerate(party.types)
    ]
    body: dict[str, Any] = {
        "passengers": passengers,
        "selectedBaggage": [
            {
                "passengerNumber": passenger["number"],
                "outboundSegmentBaggageSelection": [],
                "inboundSegmentBaggageSelection": None,
            }
            for passenger in passengers
        ],
        "customerContact": {
            "name": contact.name,
            "lastNames": contact.last_names,
            "gender": ("MALE", "FEMALE")[contact.gender],
            "email": contact.email,
            "countryCode": contact.country,
            "phone": {"number": f"{contact.phone}{contact.digit}", "countryCode": contact.phone_country},
            "address": f"Calle de la Prueba {contact.digit}",
            "cityName": contact.city,
            "zipCode": contact.postal_code,
        },
        "paymentMethod": {options.payment: True},
    }
    seats = party.adults + party.children
    # Whether an infant may have bags is not documented (OPEN-65).
    owners = {"first": slice(1), "second": slice(1, 2), "every": slice(seats), "infant": slice(seats, None)}
    for way, chosen in bags.items():
        for item in body["selectedBaggage"][owners[options.whose]]:
            item[f"{way}SegmentBaggageSelection"] = [selection(bag, options.bags) for bag in chosen]
    if options.whose != "first":
        # A service that takes the first item for that of the first passenger must be noticed.
        body["selectedBaggage"].reverse()
    return RequestDraft("createOrder", "POST", "/v4/order", query={"offerId": offer_id, "fareId": fare_id}, body=body)


def selection(bag: Mapping[str, Any], pieces: int) -> dict[str, Any]:
    """Build the selection of a baggage option: as many ``pieces`` as it allows."""
    pieces = min(pieces, bag["maxPiecesPerPassenger"])
    return {"type": bag["type"], "numberOfPieces": pieces, "kilosPerPiece": bag["maxKilosPerPiece"]}


# Nobody in an order of nine has the name of another one: services reject a passenger who is named twice.
_NAMES = ("Clara", "Santos", "Bessie", "Bruno", "Lucia", "Diego", "Vera", "Felix", "Elena", "Oscar")
_FURTHER_NAMES = ("Dumont", "Maria")


def _passenger(
    number: int, kind: str, *, surname: str, title: str, today: date, identification: str | None
) -> dict[str, Any]:
    # One of two adults was born before 1970, and has a birthday half a year after the other, in another season.
    ages_in_days = {"adult": (75 * 365, 35 * 365 + 182)[number % 2], "child": 7 * 365, "infant": 300}
    male = title == "MR"
    # No passenger has a value of the one before, so that one who is shown with the data of another is noticed, and no
    # two members are the same. A fare for residents is for those of Spain.
    first = (number - 1) % len(_MOBILE_PHONES)
    nation, home, phone, issuer = (*_MOBILE_PHONES, *_MOBILE_PHONES)[first : first + 4]
    is_spanish = identification in ("NIE", "NIF")
    passenger: dict[str, Any] = {
        "number": number,
        "type": kind,
        "title": title,
        "name": _NAMES[number % len(_NAMES)],
        "middleName": _FURTHER_NAMES[number % 2],
        "firstLastName": surname,
        "secondLastName": _FURTHER_NAMES[(number + 1) % 2],
        "gender": "MALE" if male else "FEMALE",
        "birthDate": (today - timedelta(days=ages_in_days[kind] + number)).isoformat(),
        "nationalityCountryCode": nation,
        "countryCodeOfResidence": home,
        "phone": {"number": f"{_MOBILE_PHONES[phone]}{number % 10}", "countryCode": phone},
    }
    if identification is not None:
        passenger["identification"] = {
            "type": identification,
            "identificationNumber": _identity_number(identification, number),
            "expirationDate": (today + timedelta(days=5 * 365 + number)).isoformat(),
            "issueCountryCode": "ES" if is_spanish else issuer,
        }
    return passenger


def _identity_number(kind: str, passenger: int) -> str:
    """Return a number of its own for a document.

    A service may check the letter of a Spanish one (OPEN-67), and that a passport has at most nine characters.
    """
    number = passenger % 10 * 10**4 + secrets.randbelow(10**4)
    letter = _CHECK_LETTERS[number % len(_CHECK_LETTERS)]
    spanish = {"NIF": f"{number:08d}{letter}", "NIE": f"X{number:07d}{letter}"}
    return spanish.get(kind, f"AIRW{number:05d}")


def a_day_later(search: RequestDraft, segment: str) -> RequestDraft:
    """Return a search whose outboundSegment or inboundSegment, if it has that one, departs a day later."""
    if search.body[segment] is None:
        return search
    day = date.fromisoformat(search.body[segment]["departureDate"]) + timedelta(days=1)
    return search.with_value(f"{segment}.departureDate", day.isoformat())


def namesakes(order: RequestDraft) -> list[dict[str, Any]]:
    """Return other people with the names of the passengers of an order: their birthdays and documents differ.

    So a service that keeps passengers by their names is noticed.
    """
    others = []
    for each in order.body["passengers"]:
        other = {**each, "birthDate": (date.fromisoformat(each["birthDate"]) - timedelta(days=1)).isoformat()}
        if document := each.get("identification"):
            number = _identity_number(document["type"], each["number"])
            other["identification"] = {**document, "identificationNumber": number}
        others.append(other)
    return others


def with_documents_until(order: RequestDraft, day: date) -> RequestDraft:
    """Return an order whose identifications expire on a day."""
    for index, passenger in enumerate(order.body["passengers"]):
        if "identification" in passenger:
            order = order.with_value(f"passengers[{index}].identification.expirationDate", day.isoformat())
    return order


def confirm_order(order_id: str, method: PaymentMethod, **provider_fields: Any) -> RequestDraft:
    """Build a Confirm Order request (v4, POST /order/{orderId}/confirm)."""
    body = {"paymentMethod": {method: True}, **provider_fields}
    return RequestDraft("confirmOrder", "POST", f"/v4/order/{order_id}/confirm", body=body)


def three_d_secure(version: str = "2.2.0") -> dict[str, str]:
    """Build 3D Secure results of a full authentication (v4, POST /order/{orderId}/confirm / three_d_secure).

    The transaction id is the XID of 3D Secure 1 or the directory server's of 3D Secure 2. No two results are the same,
    as a service may reject those of another payment.
    """
    xid = base64.b64encode(uuid.uuid4().bytes + bytes(4)).decode()
    return {
        "version": version,
        "electronic_commerce_indicator": "05",
        "cryptogram": base64.b64encode(_CRYPTOGRAM + secrets.token_bytes(18)).decode(),
        "transaction_id": xid if version.startswith("1.") else str(uuid.uuid4()),
    }


def get_fares(offer_id: str) -> RequestDraft:
    """Build a Get Fares request (v4, GET /offer/{offerId}/fares)."""
    return RequestDraft("getFares", "GET", f"/v4/offer/{offer_id}/fares")


def get_baggage(offer_id: str) -> RequestDraft:
    """Build a Get Baggage request (v4, GET /offer/{offerId}/baggage)."""
    return RequestDraft("getBaggage", "GET", f"/v4/offer/{offer_id}/baggage")


def get_order(order_id: str) -> RequestDraft:
    """Build a Get Order request (v4, GET /order/{orderId})."""
    return RequestDraft("getOrder", "GET", f"/v4/order/{order_id}")


def get_reservation(reservation_id: str) -> RequestDraft:
    """Build a Get Reservation request (v4, GET /reservation/{reservationId})."""
    return RequestDraft("getReservation", "GET", f"/v4/reservation/{reservation_id}")


def find_reservation(order_id: str) -> RequestDraft:
    """Build a request for the reservation of an order (v4, GET /reservation?orderId=)."""
    return RequestDraft("findReservation", "GET", "/v4/reservation", query={"orderId": order_id})


def another_id(own: str) -> str:
    """Return a UUID that identifies no resource; a service that compares only the beginning takes it for ``own``."""
    try:
        beginning = uuid.UUID(own).hex[:-12]
    except ValueError:
        return str(uuid.uuid4())
    return str(uuid.UUID(beginning + secrets.token_hex(6)))
