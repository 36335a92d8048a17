"""The resources of v4 as JSON, as one dialect writes them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.dialects.v4_choices import V4Choices
from airworthy.sandbox.http.exchange import Json
from airworthy.sandbox.http.rendering import ABSENT, NOTHING, empty_field, in_form
from airworthy.sandbox.model.inventory import (
    TAX_SHARE,
    BaggageOption,
    Itinerary,
    Passengers,
    Section,
    Trip,
    baggage_options,
    baggage_price,
    price_by_type,
)
from airworthy.sandbox.model.organisations import SandboxOrganisation
from airworthy.sandbox.model.situations import DOCUMENTS
from airworthy.sandbox.resources.v4.states import Fare, Offer, Order, Reservation

T = TypeVar("T")
_NET_SHARE = 0.97
# What an order costs more once it is booked, in the dialect in which it does; in cents.
_CHARGE = 100
_NAMES = ("name", "middleName", "firstLastName", "secondLastName")
_RESERVED = ("number", "type", "title", "name", "firstLastName", "gender", "birthDate", "nationalityCountryCode")


def money(cents: int) -> Json:
    """Return a money object."""
    return {"amount": cents / 100, "currency": "EUR"}


class V4Resources:
    """Builds the resources of v4, and the parts of them, from the records of the service."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices.v4
        self._empty = empty_field(choices)

    def section(self, section: Section, *, search: bool) -> Json:
        """Return a section: Search includes its free seats, every other operation its terminals."""
        width = 4 if self._choices.flight_numbers == "leading zeros" else 0
        shown = section.seats if self._choices.available_seats == "shown" else None
        return {
            "origin": section.origin,
            "destination": section.destination,
            "departureDate": section.departure.isoformat(),
            "arrivalDate": section.arrival.isoformat(),
            "travelClass": "ECONOMY",
            "availableSeats": shown if search else ABSENT,
            "flightNumber": str(section.number).zfill(width),
            "departureTerminal": ABSENT if search else (section.departure_terminal or self._empty),
            "arrivalTerminal": ABSENT if search else (section.arrival_terminal or self._empty),
            "operatingCarrierCode": self._carrier(section.operating),
            "marketingCarrierCode": self._carrier(section.marketing),
            "technicalStops": self._stops(section),
        }

    def _carrier(self, code: str) -> str:
        return code if self._choices.code_case == "upper case" else code.lower()

    def _stops(self, section: Section) -> Any:  # noqa: ANN401 - the shape is a choice
        stops = section.stops or (section.origin,)
        shapes = {
            "absent": ABSENT,
            "null": None,
            "empty": [],
            "strings": list(stops),
            "objects": [{"airport": each, "minutes": 40} for each in stops],
        }
        return shapes[self._choices.technical_stops]

    def segment(self, itinerary: Itinerary, *, search: bool = False) -> Json:
        """Return a segment with its sections."""
        return {"sections": [self.section(each, search=search) for each in itinerary.sections]}

    def inbound(self, trip: Trip, *, search: bool = False, shape: str = "") -> Any:  # noqa: ANN401 - the shape is a choice
        """Return the inbound segment, or what the dialect writes instead for a one-way trip."""
        if trip.inbound is None:
            return None if self._choices.one_way_inbound == "null" else ABSENT
        return {shape or self._choices.inbound_shape: self.segment(trip.inbound, search=search)["sections"]}

    def pricing(self, adult_price: int, passengers: Passengers) -> Json:
        """Return passengerPricingByPassengerType."""
        return {
            kind: self._pricing(price, passengers.counts()[kind])
            for kind, price in price_by_type(adult_price, passengers).items()
            if passengers.counts()[kind] or self._choices.zero_types == "zero"
        }

    def _pricing(self, price: int, number: int) -> Json:
        tax = round(price * TAX_SHARE)
        if self._choices.pricing == "per type with tax":
            fare, tax = price * number, tax * number
        else:
            fare = price - tax
        return {"fareAmount": money(fare), "taxAmount": money(tax), "numberOfPassengers": number}

    def search_fare(self, fare: Fare, passengers: Passengers) -> Json:
        """Return a fare for Search."""
        source = round(fare.total * _NET_SHARE) if self._choices.source_amount == "net" else fare.total
        return {
            "passengerPricingByPassengerType": self.pricing(fare.adult_price, passengers),
            "includedBaggage": {"checkedBaggageQuantity": fare.checked, "cabinBaggageQuantity": fare.cabin},
            "price": {"totalAmount": fare.total / 100, "sourceAmount": source / 100, "currency": "EUR"},
        }

    def fare(self, fare: Fare, passengers: Passengers) -> Json:
        """Return a fare for Get Offer and orders."""
        bags = (("CHECK_IN", fare.checked), ("CABIN", fare.cabin))
        return {
            "id": fare.id,
            "passengerPricingByPassengerType": self.pricing(fare.adult_price, passengers),
            "includedBaggage": [
                {"quantity": quantity, "type": kind, "descriptor": self._descriptor(kind)}
                for kind, quantity in bags
                if quantity
            ],
            "totalPrice": money(fare.total),
        }

    def _descriptor(self, kind: str) -> Any:  # noqa: ANN401 - the shape is a choice
        fraction = 0.5 if self._choices.descriptor == "fractions" else 0
        sizes: Json = {"width": 40 + fraction, "height": 55 + fraction, "depth": 20 + fraction}
        bag: Json = {"weight": 10 + fraction, "dimensions": sizes} if kind == "CABIN" else {"weight": 23 + fraction}
        nulls = {name: None if name == "weight" else dict.fromkeys(sizes) for name in bag}
        return {"null": None, "empty": {}, "nulls": nulls}.get(self._choices.descriptor, bag)

    def fares(self, offer: Offer) -> Json:
        """Return the response of Get Fares for a live offer."""
        full = [self.fare(each, offer.passengers) for each in offer.fares]
        named = zip(("Basic", "Plus", "Flex"), full, strict=True)
        shapes: Mapping[str, Json] = {
            "get-offer": {"fares": full},
            "search": {"fares": [self.search_fare(each, offer.passengers) for each in offer.fares]},
            "other": {"fares": [{"family": name, "fare": fare} for name, fare in named]},
            "ids": {"fares": [each.id for each in offer.fares]},
            "other members beside fares": {"fares": full, "currency": "EUR", "offer": {"id": offer.id}},
        }
        return shapes[self._choices.fares_shape]

    def search_offer(self, offer: Offer, organisation: SandboxOrganisation) -> Json:
        """Return an offer for Search."""
        return {
            "id": offer.id,
            "outboundSegment": self.segment(offer.trip.outbound, search=True),
            "inboundSegment": self.inbound(offer.trip, search=True),
            "fare": self.search_fare(offer.cheapest, offer.passengers),
            "paymentOptions": self._payment_options(offer, organisation),
        }

    def offer(self, offer: Offer, organisation: SandboxOrganisation) -> Json:
        """Return an offer for Get Offer."""
        return {
            "id": offer.id,
            "outboundSegment": self.segment(offer.trip.outbound),
            "inboundSegment": self.inbound(offer.trip),
            "cheapestFare": self.fare(offer.cheapest, offer.passengers),
            "providerAdditionalPassengerInformationByPassengerType": self._additional_information(offer),
            "paymentOptions": self._payment_options(offer, organisation),
        }

    def _payment_options(self, offer: Offer, organisation: SandboxOrganisation) -> list[Json]:
        choices = self._choices
        shown = {"shown": money(offer.fee), "zero": money(0), "null": None}
        options = [{"type": "card", "fee": shown.get(choices.card_fee, ABSENT)}]
        if choices.card_fee == "no entry":
            options = []
        if organisation.balance or choices.balance_listed == "always":
            options.append({"type": "balance", "fee": money(0) if choices.balance_fee == "zero" else ABSENT})
        return options

    def _additional_information(self, offer: Offer) -> Json:
        documents = listed_documents(self._choices, offer.trip)
        fields = [self._spelled(each) for each in required_fields(self._choices, offer.trip)]
        return {
            kind: {"providerIdentificationTypeOptions": list(documents), "providerRequiredAdditionalFields": fields}
            for kind, number in offer.passengers.counts().items()
            if number or self._choices.zero_types == "zero"
        }

    def _spelled(self, field: str) -> str:
        first, *rest = field.lower().split("_")
        camel = first + "".join(map(str.capitalize, rest))
        forms = {"BIRTH_DATE": field, "birth_date": field.lower(), "birthDate": camel}
        return forms[self._choices.additional_field_names]

    def baggage(self, offer: Offer) -> Json:
        """Return the response of Get Baggage."""
        options = [_option(each) for each in baggage_options(offer.trip)]
        one_way = NOTHING[self._choices.baggage_inbound_one_way]
        inbound = one_way if offer.trip.inbound is None else options
        return {
            "fareBaggageOptions": [
                {"fareId": fare.id, "outboundSegmentOptions": options, "inboundSegmentOptions": inbound}
                for fare in self._ordered(offer.fares)
                if options or self._choices.baggage_fares == "all"
            ]
        }

    def order(self, order: Order) -> Json:
        """Return an order."""
        trip = order.offer.trip
        inbound = self.inbound(trip) if self._choices.order_inbound == "present" else ABSENT
        details = order.details
        is_charged = self._choices.booked_total_price == "with a charge" and order.status == "BOOKED"
        charge = _CHARGE if is_charged else 0
        return {
            "id": order.id,
            "offer": {
                "id": order.offer.id,
                "outboundSegment": self.segment(trip.outbound),
                "inboundSegment": inbound,
                "fare": self.fare(order.fare, order.offer.passengers),
            },
            "passengers": [self._passenger(each) for each in self._ordered(details["passengers"])],
            "selectedBaggage": self._selected_baggage(order),
            "customerContact": self._contact(details["customerContact"]),
            "paymentMethod": self._payment_method(order),
            "status": order.status,
            "reservationId": order.reservation or self._empty,
            "totalPrice": money(order.total + charge),
        }

    def _passenger(self, passenger: Json) -> Json:
        optional = {"middleName": self._empty, "secondLastName": self._empty}
        echoed = {name: self._empty if value is None else value for name, value in passenger.items()}
        return optional | echoed | self._names(echoed)

    def _names(self, passenger: Json) -> Json:
        form = self._choices.passenger_names
        return {name: in_form(text, form) for name in _NAMES if isinstance(text := passenger.get(name), str)}

    def _ordered(self, members: Sequence[T]) -> Sequence[T]:
        return members if self._choices.array_order == "as sent" else members[::-1]

    def _selected_baggage(self, order: Order) -> list[Json]:
        return [self._baggage_item(order.offer.trip, item) for item in self._ordered(order.details["selectedBaggage"])]

    def _baggage_item(self, trip: Trip, item: Json) -> Json:
        prices = [selection_price(trip, each) for each in selections(item) if each["numberOfPieces"] > 0]
        without = ABSENT if self._choices.empty_inbound == "absent" else None
        priced = {name: without if value is None else value for name, value in item.items()}
        if self._choices.price_per_piece != "item":
            for way in ("outboundSegmentBaggageSelection", "inboundSegmentBaggageSelection"):
                if item.get(way):
                    priced[way] = [each | {"pricePerPiece": money(selection_price(trip, each))} for each in item[way]]
        if self._choices.price_per_piece != "selection" and prices:
            priced["pricePerPiece"] = money(prices[0])
        return priced

    def _contact(self, contact: Json) -> Json:
        credentials = contact.get("carrierPortalCredentials")
        if credentials is None or self._choices.credentials_echo == "echoed":
            return contact
        masked = dict.fromkeys(credentials, "***") if self._choices.credentials_echo == "masked" else ABSENT
        return contact | {"carrierPortalCredentials": masked}

    def _payment_method(self, order: Order) -> Json:
        other = "balance" if order.method == "card" else "card"
        return {order.method: True, other: False if self._choices.payment_method_echo == "with false" else ABSENT}

    def reservation(self, reservation: Reservation, order: Order) -> Json:
        """Return a reservation."""
        choices = self._choices
        trip = order.offer.trip
        fares = {"full": self.fare(order.fare, order.offer.passengers), "empty": {}, "absent": ABSENT}
        inbound = {
            "present": self.inbound(trip),
            "absent": ABSENT,
            "another structure": self.inbound(trip, shape="flights"),
        }
        return {
            "id": reservation.id,
            "orderId": order.id,
            "pnr": reservation.locator,
            "email": order.details["customerContact"]["email"],
            "outboundSegment": self.segment(trip.outbound),
            "inboundSegment": inbound[choices.reservation_inbound],
            "passengers": self._numbered("number", map(self._reserved, self._ordered(order.details["passengers"]))),
            "selectedBaggage": self._numbered("passengerNumber", self._selected_baggage(order)),
            "customerContact": self._contact(order.details["customerContact"]),
            "fare": fares[choices.reservation_fare],
        }

    def _numbered(self, name: str, shown: Iterable[Json]) -> list[Json]:
        """Return passengers or their baggage with the numbers that a reservation shows."""
        listed = list(shown)
        first = min((each[name] for each in listed), default=1)
        shift = 0 if self._choices.reservation_numbers == "as sent" else 1 - first
        return [each | {name: each[name] + shift} for each in listed]

    def _reserved(self, passenger: Json) -> Json:
        shown = {name: passenger.get(name) or self._empty for name in _RESERVED}
        shown["number"] = passenger["number"]
        return shown | {name: text for name, text in self._names(passenger).items() if name in shown}


def listed_documents(choices: V4Choices, trip: Trip) -> tuple[str, ...]:
    """Return the identification types that the offers of a trip list."""
    everywhere = DOCUMENTS if choices.documents_listed == "everywhere" else ()
    documents = trip.situation.documents or everywhere
    return documents + (("BIRTH_DATE",) if choices.birth_date_option == "listed" else ())


def required_fields(choices: V4Choices, trip: Trip) -> tuple[str, ...]:
    """Return the additional fields of passengers that the offers of a trip require."""
    everywhere = ("LOCALITY_CODE_OF_RESIDENCY",) if choices.documents_listed == "everywhere" else ()
    return tuple(dict.fromkeys((*trip.situation.additional_fields, *everywhere)))


def _option(option: BaggageOption) -> Json:
    return {
        "type": option.type,
        "maxPiecesPerPassenger": option.pieces,
        "maxKilosPerPiece": option.kilos,
        "pricePerPiece": money(option.price),
    }


def selections(item: Json) -> list[Json]:
    """Return the bags that one selectedBaggage item contains, outbound and inbound."""
    ways = (item.get("outboundSegmentBaggageSelection"), item.get("inboundSegmentBaggageSelection"))
    return [each for way in ways for each in way or ()]


def selection_price(trip: Trip, selection: Json) -> int:
    """Return the price of one piece of a selection, in cents."""
    return baggage_price(trip, selection["type"], selection["kilosPerPiece"])


def baggage_total(trip: Trip, items: Iterable[Json]) -> int:
    """Return the price of all selected bags, in cents."""
    return sum(each["numberOfPieces"] * selection_price(trip, each) for item in items for each in selections(item))
