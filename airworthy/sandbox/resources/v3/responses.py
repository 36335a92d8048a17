"""The resources of v3 and v2 as JSON, as one dialect writes them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.http import schemas
from airworthy.sandbox.http.exchange import Json
from airworthy.sandbox.http.rendering import ABSENT, NOTHING, empty_field, in_form
from airworthy.sandbox.model.dates import written
from airworthy.sandbox.model.geography import AIRPORTS
from airworthy.sandbox.model.inventory import TAX_SHARE, BaggageOption
from airworthy.sandbox.model.organisations import SandboxOrganisation
from airworthy.sandbox.resources.v3.itineraries import (
    SPACE_TIME,
    changed_keys,
    duration,
    earlier,
    moved,
    place,
    segment,
)
from airworthy.sandbox.resources.v3.states import Booking, BookingRequest
from airworthy.sandbox.resources.v3.timetable import Flight, infant_price, round_trip_price

_DIMENSIONS = {"width": 40, "height": 55, "length": 20}
_POUNDS, _INCHES = 2.20462, 1 / 2.54
_CHANGED_FOR = timedelta(hours=1)
# What a booking may cost more than its booking request, in the dialect in which it does.
_LITTLE_MORE = 1.01
# Members of a customer whose types the documents do not name.
_ODD_CUSTOMER: Json = {
    "is_company": 1,
    "verified": "2020-01-01",
    "phonenumber": 34910000000,
    "gender": 0,
    "postal_code": 28001,
    "address": {"street": "Calle de la Prueba", "number": 1},
    "vat_number": {"country": "ES", "number": "B12345678"},
    "created_at": 1_577_836_800,
    "updated_at": 1_577_836_800,
}
BAG_TYPES: Mapping[str, str] = {"checked": "CHECK_IN", "cabin": "CABIN"}
_ORDINARY_GENDERS = {"m": "male", "male": "male", "f": "female", "female": "female"}


class V3Resources:
    """Builds the resources of v3 and v2, and the parts of them, from the records of the service."""

    def __init__(self, choices: Choices) -> None:
        self._choices = choices.v3
        self._empty = empty_field(choices)

    def flight(self, flight: Flight, seats: int, version: str, *, found: bool = False, bags: bool = True) -> Json:
        """Return a flight of v3 or v2; ``found`` is for search results, ``bags`` includes the bag options."""
        if found and self._choices.cached == "another departure":
            flight = earlier(flight)
        itinerary = flight.itinerary
        origin, destination = itinerary.route
        is_stale = found and self._choices.cached == "other price and seats"
        shown = round(flight.price * 0.95) if is_stale else flight.price
        return {
            "id": flight.id,
            "need_apis": flight.situation.need_apis,
            "cabin_class": "economy",
            "booking_class": flight.booking_class,
            "included_airport_tax": round(shown * TAX_SHARE) / 100,
            "duration": duration(itinerary.departure, itinerary.arrival, origin, destination),
            **(self._bags(flight, version) if bags else {}),
            "departure_date": self._time(itinerary.departure, origin),
            "arrival_date": self._time(itinerary.arrival, destination),
            "origin": place(origin, self._choices),
            "destination": place(destination, self._choices),
            "segments": self._segments(flight, found=found),
            "available_seats": self.shown_seats(seats) if found else seats,
            "price": shown / 100,
            "infant_price": infant_price(shown) / 100 if flight.situation.infants else None,
            "cc_fee": flight.card_fee,
        }

    def shown_seats(self, seats: int) -> int:
        """Return the seats that a search shows of a flight."""
        return (seats + 1) // 2 if self._choices.cached == "other price and seats" else seats

    def _time(self, moment: datetime, airport: str) -> str:
        """Return the time of a flight; those of its segments are always local."""
        zone = timedelta(hours=AIRPORTS[airport].utc_offset if self._choices.flight_times == "UTC" else 0)
        return (moment - zone).strftime(SPACE_TIME)

    def _segments(self, flight: Flight, *, found: bool) -> list[Json]:
        segments = [segment(each, self._choices, found=found) for each in flight.itinerary.sections]
        return segments if self._choices.segment_order == "as flown" else segments[::-1]

    def _bags(self, flight: Flight, version: str) -> Json:
        if version == "v2":
            return {"luggage_options": self.options(flight, "checked") or NOTHING[self._choices.no_luggage_options]}
        empty = NOTHING[self._choices.no_bag_options]
        return {"bags": {kind: self.options(flight, kind) or empty for kind in BAG_TYPES}}

    def options(self, flight: Flight, kind: str) -> list[Json]:
        """Return the bag options of a flight as a search lists them; ``kind`` is "checked" or "cabin"."""
        return [self._option(each) for each in flight.bags(BAG_TYPES[kind])]

    def _option(self, option: BaggageOption) -> Json:
        is_metric = self._choices.bag_units == "metric"
        weight = option.kilos if is_metric else round(option.kilos * _POUNDS, 1)
        quantity = {"maximum": option.pieces, "included": 1, "zero": 0}[self._choices.bag_quantity]
        json_option: Json = {"weight": weight, "quantity": quantity, "price": option.price / 100}
        if option.type == "CABIN":
            sizes = {name: size if is_metric else round(size * _INCHES, 1) for name, size in _DIMENSIONS.items()}
            has_weight = self._choices.cabin_bag_weight == "listed"
            json_option |= {"dimensions": sizes, "weight": weight if has_weight else self._empty}
        return json_option

    def fare(self, outward: Flight, back: Flight, seats: int) -> Json:
        """Return a round-trip fare."""
        price = round_trip_price(outward.price) + round_trip_price(back.price)
        return {
            "outward_id": outward.id,
            "return_id": back.id,
            "price": price / 100,
            "infant_price": infant_price(price) / 100 if outward.situation.infants else None,
            "checked_bags_prices": self._both_ways(outward, "checked"),
            "cabin_bags_prices": self._both_ways(outward, "cabin"),
            "included_airport_tax": round(price * TAX_SHARE) / 100,
            "cc_fees": outward.card_fee,
            "available_seats": seats,
        }

    def _both_ways(self, outward: Flight, kind: str) -> list[Any]:
        prices = [2 * each.price / 100 for each in outward.bags(BAG_TYPES[kind])]
        if self._choices.bag_price_shape == "numbers":
            return list(prices)
        return [{"option": number, "price": price} for number, price in enumerate(prices)]

    def booking_request(
        self, booking_request: BookingRequest, organisation: SandboxOrganisation, seats: int, now: datetime
    ) -> Json:
        """Return a booking request."""
        status = booking_request.status(now)
        counts = booking_request.counts
        spelled = {"absent": ABSENT, "pending": status, "PENDING": status.upper()}[self._choices.request_status]
        named, is_unsold = booking_request.customer_code is not None, booking_request.infant_price is None
        fees = self.bag_fees(booking_request.bags)
        return {
            "id": booking_request.id,
            "status": spelled,
            "passengers": {"adults": counts.adults, "children": counts.children, "infants": counts.infants},
            **self._prices(booking_request),
            **({"infant_price": 0} if is_unsold and self._choices.unsold_infant_price == "zero" else {}),
            "bags_fee": {kind: fees.get(kind, 0) / 100 for kind in BAG_TYPES}
            if booking_request.version == "v3"
            else ABSENT,
            "cc_fee": self._card_fee(booking_request, fares_price(booking_request)),
            "customer_code": booking_request.customer_code if named else self._empty,
            "created_at": self._moment(booking_request.created),
            "flight": self.flight(booking_request.flight, seats, booking_request.version),
            "customer": self._customer(organisation) if named else self._empty,
        }

    def _prices(self, booking_request: BookingRequest) -> Json:
        infants = booking_request.infant_price
        is_total = self._choices.booked_price == "total"
        seated, held = (booking_request.seats, booking_request.counts.infants) if is_total else (1, 1)
        return {
            "price": booking_request.price * seated / 100,
            "infant_price": None if infants is None else infants * held / 100,
        }

    def _card_fee(self, booking_request: BookingRequest, price: int) -> float:
        fraction = booking_request.flight.card_fee
        return fraction if self._choices.booked_card_fee == "fraction" else round(price * fraction) / 100

    def bag_fees(self, bags: Mapping[str, list[Json]]) -> dict[str, int]:
        """Return the price of bags, in cents by kind."""
        free = 1 if self._choices.included_bags == "free" else 0
        return {
            kind: sum(round(each["price"] * 100 * max(0, each["quantity"] - free)) for each in options)
            for kind, options in bags.items()
        }

    def _customer(self, organisation: SandboxOrganisation) -> Json:
        customer: Json = schemas.example("createRequests", "Response")["requests"][0]["customer"]
        customer |= {"name": f"{organisation.name.capitalize()} OTA", "email": f"{organisation.name}@ota.example"}
        customer |= {"company_codes": [organisation.customer_code]}
        customer |= dict.fromkeys(("vat_number", "registration_number"), self._empty)
        return customer | (_ODD_CUSTOMER if self._choices.undocumented_types == "other" else {})

    def booking(self, booking: Booking, seats: int, now: datetime, *, retrieved: bool) -> Json:
        """Return a booking; ``retrieved`` is for GET bookings."""
        booking_request, details = booking.request, booking.details
        counts = booking_request.counts
        arrived = booking.is_confirmed(now) and not booking_request.flight.situation.charter
        infants = sum(each["is_infant"] for each in booking.passengers)
        seated = len(booking.passengers) - infants
        is_complete = self._choices.creation_fields == "as retrieved"
        prices = self._prices(booking_request)
        if self._choices.booking_infant_price == "with infants" and not counts.infants:
            prices["infant_price"] = None
        if self._choices.held_price != "kept":
            prices["price"] = round(prices["price"] * _LITTLE_MORE, 2)
        card_fee = booking.card_fee if self._choices.booked_total == "without card fee" else 0
        return {
            "id": booking.id,
            "flight_id": booking_request.flight.id,
            "request_id": booking_request.id,
            "cp_reference": booking.reference,
            "pnr_airline": booking.locator if arrived else {"null": None, "empty": ""}[self._choices.awaited_locator],
            "status": self._status(booking, now),
            **{name: self._normal(details[name]) for name in ("first_name", "last_name", "email", "phonenumber")},
            "gender": self._gender(details["gender"]),
            **{
                name: self._normal(details[name]) if details.get(name) else self._empty
                for name in ("address", "country_code", "postal_code")
            },
            "passenger_count": seated + (infants if self._choices.passenger_count == "all" else 0),
            "infant_count": infants,
            "passengers": [self._passenger(each, booking, now) for each in booking.passengers],
            **self._booked_bags(booking),
            "cc_fee": self._card_fee(booking_request, fares_price(booking_request)),
            "created_at": self._moment(booking.created),
            **prices,
            "total_price": (booking.total - card_fee) / 100,
            "external_id": details.get("external_id", self._empty),
            "flight": self.flight(booking_request.flight, seats, booking_request.version),
            **(self._retrieved(booking, seats, now) if retrieved or is_complete else {}),
        }

    def _booked_bags(self, booking: Booking) -> Json:
        if booking.request.version == "v2":
            fee = booking.bag_prices.get("checked", 0)
            is_complete = self._choices.booked_bags != "only chosen"
            luggage = [each for each in booking.bags.get("checked", []) if is_complete or each["quantity"]]
            return {"luggage": luggage, "luggage_fee": fee / 100}
        fees = {kind: booking.bag_prices.get(kind, 0) / 100 for kind in BAG_TYPES}
        by_kind = {kind: booking.bags.get(kind, []) for kind in BAG_TYPES}
        chosen = {kind: [each for each in bags if each["quantity"]] for kind, bags in by_kind.items()}
        forms: Json = {
            "by kind": by_kind,
            "by flight id": {str(booking.request.flight.id): by_kind},
            "only chosen": {kind: bags for kind, bags in chosen.items() if bags},
        }
        return {"bags": forms[self._choices.booked_bags], "bags_fee": fees}

    def _status(self, booking: Booking, now: datetime) -> str:
        status = "CONFIRMED" if booking.is_confirmed(now) else self._choices.first_status
        if booking.changed is None or not booking.has_changed(now):
            return status
        is_over = now >= booking.changed + _CHANGED_FOR
        changed = {"as before": status, "CHANGED for an hour": status if is_over else "CHANGED"}
        return changed.get(self._choices.changed_status, self._choices.changed_status)

    def _passenger(self, passenger: Mapping[str, Any], booking: Booking, now: datetime) -> Json:
        confirmed = booking.confirmed.isoformat(timespec="seconds") if booking.is_confirmed(now) else None
        created = booking.created.isoformat(timespec="seconds")
        is_canceled = self._status(booking, now) == "CANCELED"
        dates = ("date_of_birth", "passport_expiry_date")
        stamp = int(booking.created.timestamp())
        # Of these members, the documents do not name the types.
        odd = {"id": f"PAX-{passenger['id']}", "booking_id": str(booking.id), "created_at": stamp, "updated_at": stamp}
        return {
            "id": passenger["id"],
            "booking_id": booking.id,
            "gender": self._gender(passenger["gender"]),
            "last_name": self._normal(passenger["last_name"]),
            "first_name": self._normal(passenger["first_name"]),
            "is_infant": passenger["is_infant"],
            "nationality": passenger.get("nationality"),
            **{name: written(passenger.get(name), self._choices.date_form) for name in dates},
            "confirmed": confirmed is not None,
            "confirmed_at": confirmed,
            "canceled": is_canceled,
            "canceled_at": created if is_canceled else None,
            "passport_number": passenger.get("passport_number"),
            "passport_country_of_issue": passenger.get("passport_country_of_issue"),
            "created_at": created,
            "updated_at": confirmed or created,
            "birth_country": passenger.get("birth_country"),
            **(odd if self._choices.undocumented_types == "other" else {}),
        }

    def _moment(self, moment: datetime) -> str:
        if self._choices.timestamps == "milliseconds":
            return moment.isoformat(timespec="milliseconds")
        return moment.isoformat(timespec="seconds").replace("+00:00", self._choices.timestamps)

    def _normal(self, text: str) -> str:
        trimmed, form = " ".join(text.split()), self._choices.booker_form
        if form == "upper case":
            return in_form(trimmed, "plain letters").upper()
        return trimmed if form == "transliterated" and "@" in trimmed else in_form(trimmed, form)

    def _gender(self, sent: str) -> str:
        known = _ORDINARY_GENDERS.get(sent.strip().lower())
        if known is None or self._choices.gender_form == "as sent":
            return sent
        return {"male": known, "M": known[0].upper(), "MALE": known.upper()}[self._choices.gender_form]

    def _retrieved(self, booking: Booking, seats: int, now: datetime) -> Json:
        flight = booking.request.flight
        is_changed = booking.has_changed(now)
        types = {"outward": booking.direction, "null": None, "absent": ABSENT}
        is_declined = self._choices.current_flight != "as changed" and self._choices.change_status != "ACCEPTED"
        final = moved(flight, self._choices) if is_changed and not is_declined else flight
        return {
            "type": booking.direction if booking.paired else types[self._choices.single_type],
            "final_flight": self.flight(final, seats, booking.request.version),
            "flight_changes": [self._change(booking)] if is_changed else NOTHING[self._choices.no_changes],
        }

    def _change(self, booking: Booking) -> Json:
        flight = booking.request.flight
        numbered = {"flight_id": flight.id}
        where = self._choices.change_flight_id
        beside, inside = (numbered if where == each else {} for each in ("beside", "inside"))
        old, new = changed_keys(flight, moved(flight, self._choices), self._choices)
        changed = booking.changed or booking.created
        return {
            "status": self._choices.change_status,
            "data": {"oldFlight": old | inside, "newFlight": new | inside, **beside},
            "created_at": self._timestamp(changed),
            "updated_at": self._timestamp(changed),
        }

    def _timestamp(self, moment: datetime) -> str | int:
        forms: dict[str, str | int] = {
            "seconds": int(moment.timestamp()),
            "ISO 8601": moment.isoformat(timespec="seconds"),
        }
        return forms.get(self._choices.change_timestamps, moment.strftime(SPACE_TIME))


def fares_price(booking_request: BookingRequest) -> int:
    """Return the fares of all passengers of a booking request, without bags and fees, in cents."""
    counts, infant_fare = booking_request.counts, booking_request.infant_price or 0
    return booking_request.price * counts.seats + infant_fare * counts.infants
