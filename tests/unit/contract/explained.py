"""Why a change to a conforming message is no finding: the documents' words, or the open question that lets it pass.

The proof of how much the contract sees stands on this table: what is neither found nor explained here fails
(`test_mutations`), and so does an explanation that nothing needs, or of what is found all the same. In a pattern ``*``
stands for anything, ``[*]`` for a position in an array.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

TEXT = ("another text", "a text more", "no text")
FORM = ("another text", "a text more")
NUMBER = ("one more", "a fraction", "below zero")
WHOLE = ("one more", "below zero")
SILENT = ("left out", "null")
ENTRIES = ("no entry", "an entry twice")
SET = ("another type",)

SEARCHES = ("searchFlights", "searchFlightsV2")
REQUESTS = ("createRequests", "createRequestsV2")
BOOKINGS = ("createBookings", "createBookingsV2")
RETRIEVALS = ("getBookings", "getBookingsV2")
FLIGHTS = (*SEARCHES, "searchRoundTrips", *REQUESTS, *BOOKINGS, *RETRIEVALS)
ORDERS = ("createOrder", "confirmOrder", "getOrder")
RESERVATIONS = ("getReservation", "findReservation")


@dataclass(frozen=True, slots=True)
class Explained:
    """What may be done at places (patterns, between blanks) of some operations' messages, and why."""

    side: str
    operations: Iterable[str]
    places: str
    done: tuple[str, ...]
    why: str

    def fits(self, side: str, operation: str, place: str, done: str) -> bool:
        """Whether this explains one change."""
        about = self.side == side and operation in self.operations and done in self.done
        return about and any(fnmatchcase(place, pattern) for pattern in self.places.split())


def _sent(operations: str, places: str, done: tuple[str, ...], why: str) -> Explained:
    return Explained("request", operations.split(), places, done, why)


def _answered(operations: Iterable[str], places: str, done: tuple[str, ...], why: str) -> Explained:
    return Explained("response", operations, places, done, why)


def _requests() -> Iterable[Explained]:
    row = _sent
    yield row("searchOffers getOffer", "adults children infants", ("one more",), "within the limits")
    yield row("searchOffers", "travelClass", (*TEXT, "left out"), "optional; which texts are classes is open (OPEN-54)")
    yield row("searchOffers getOffer", "customerCode", TEXT, "a code is any text")
    yield row("searchOffers getOffer", "inboundSegment", ("left out",), "may be left out (OPEN-25)")
    yield row("getOffer", "outboundSegment/sections", ENTRIES, "how many sections a segment has is not written")
    yield row("getOffer", "*CarrierCode", ("another text",), "letter case is open (OPEN-64)")
    names = "passengers/*/*ame passengers/*/*Number passengers/*/identification/identificationNumber"
    contact = "customerContact/*ame* customerContact/email customerContact/address customerContact/zipCode"
    yield row("createOrder", f"{names} {contact} customerContact/phone/number", TEXT, "a text of any form (OPEN-67)")
    yield row("createOrder", "passengers/*/secondLastName", ("left out", *SET), "optional, may be null")
    optional = "passengers/*/birthDate passengers/*/nationalityCountryCode passengers/*/identification"
    yield row("createOrder", optional, ("left out",), "optional; a missing birth date of an adult only warns (OPEN-43)")
    yield row("createOrder", "*ountryCode", ("another text",), "letter case is open (OPEN-64)")
    chosen = "selectedBaggage/*/outboundSegmentBaggageSelection"
    yield row("createOrder", chosen, ENTRIES, "empty arrays choose nothing (OPEN-65)")
    yield row("createOrder", "*numberOfPieces *kilosPerPiece", WHOLE, "what is offered only warns (OPEN-65)")
    yield row("confirmOrder createBookings createBookingsV2", "payment_method", ("a text more",), "any id after pm_")
    # v3 and v2
    yield row("verifyFlight", "flight_id passengers/adults", WHOLE, "no limits are written")
    codes = "verifyFlight createRequests createRequestsV2 createBookings createBookingsV2"
    yield row(codes, "customer_code", TEXT, "a code is any text")
    yield row("createRequestsV2", "customer_code", ("left out",), "optional in v2 requests (OPEN-23)")
    ids = "flight_ids flights request_ids requests passengers"
    yield row(codes, ids, ("an entry twice",), "repeated ids and passengers alike are not written of (OPEN-98)")
    yield row("createBookings createRequestsV2", "request_ids/* flights/*", WHOLE, "an id is any integer")
    yield row("createRequests", "flight_ids/*", ("below zero",), "an id is any integer; bags stand under its digits")
    yield row("createRequestsV2", "flights/*", SET, "the type of ids in v2 is open (OPEN-99)")
    yield row("createRequestsV2", "passengers", ("no member",), "all counts absent is open (OPEN-99)")
    yield row("createRequestsV2", "passengers/*", (*WHOLE, "left out"), "optional, and no limits are written")
    booker = "first_name last_name gender email phonenumber passengers/*/first_name passengers/*/last_name"
    booker += " passengers/*/gender passengers/*/date_of_birth"
    why = "texts of any form (OPEN-10, OPEN-83)"
    yield row("createRequests createBookings createBookingsV2", booker, TEXT, why)
    address = "address city_name country_code postal_code external_id"
    yield row("createBookings createBookingsV2", address, (*TEXT, "left out"), "optional, of any form")
    yield row("createRequests", "bags/*/checked bags/*/cabin", ("an entry twice",), "an option listed twice only warns")
    yield row("createRequests", "bags/*/quantity", NUMBER, "a number; together with others it only warns (OPEN-86)")
    yield row("createRequests", "*/cabin/*/dimensions", (*SILENT, "no member"), "either or both may be sent (OPEN-16)")
    yield row("createRequests", "*/dimensions/*", ("left out",), "either or both may be sent (OPEN-16)")
    yield row("createRequests", "*/cabin/*/weight", SILENT, "either or both may be sent (OPEN-16)")
    yield row("createBookingsV2", "luggage/*", ENTRIES, "v2 need not list every option (OPEN-99)")
    yield row("createBookingsV2", "luggage/*/weight luggage/*/price", NUMBER, "numbers without limits")
    yield row("createBookingsV2", "luggage/*/quantity", ("a fraction", "below zero"), "a number")
    yield row("createBookingsV2", "passengers/*/is_infant", ("the contrary",), "either")


def _answers_of_v4() -> Iterable[Explained]:
    row = _answered
    every = ("searchOffers", "getOffer", "getBaggage", *ORDERS, *RESERVATIONS)
    flown = ("searchOffers", "getOffer", "confirmOrder", "getOrder")
    yield row(flown, "*sections", ENTRIES, "what flies otherwise than asked or offered only warns")
    yield row(("createOrder", *RESERVATIONS), "*sections", ("no entry",), "a segment without a section only warns")
    lists = "offers *paymentOptions *includedBaggage fareBaggageOptions *Options *Fields"
    yield row(every, lists, ENTRIES, "how many there are is open (OPEN-77)")
    amounts = "*Amount/amount *fee/amount *pricePerPiece/amount *Amount cheapestFare/totalPrice/amount"
    yield row(every, f"{amounts} offer/fare/totalPrice/amount", NUMBER, "amounts have no limits (OPEN-61)")
    total = "a total is at least that of its baggage (OPEN-61)"
    yield row(("createOrder",), "totalPrice/amount", ("one more", "a fraction"), total)
    yield row(every, "*Quantity */quantity */max*Per* */availableSeats", WHOLE, "counts have no limits")
    yield row(flown, "*CarrierCode", ("another text",), "another carrier than asked or offered only warns")
    yield row(every, "*/technicalStops", ("left out",), "optional by silence (OPEN-01)")
    yield row(every, "*departureTerminal", (*SILENT, *TEXT), "optional, a text of any form (OPEN-48)")
    yield row(every, "*arrivalTerminal", ("left out", *SET), "optional, a text of any form (OPEN-48)")
    yield row(("searchOffers", "getOffer"), "*inboundSegment", ("left out", *SET), "of any structure (OPEN-02)")
    yield row(every, "*/fee", SILENT, "may be left out (OPEN-36)")
    yield row(every, "*/descriptor */dimensions", (*SILENT, "no member"), "open without a limit (OPEN-62)")
    size = "*/weight */width */height */depth"
    yield row(every, size, (*SILENT, *NUMBER), "numbers without limits, or null (OPEN-62)")
    yield row(("getOffer",), "*/weight", SET, "a number, or null (OPEN-62)")
    yield row(("getOffer",), "*providerRequiredAdditionalFields/*", TEXT, "the names are open (OPEN-68)")
    yield row(("getBaggage",), "*/inboundSegmentOptions", ("left out",), "absent where there is no way back (OPEN-58)")
    anything = (*SILENT, *SET, *TEXT, *NUMBER, *ENTRIES, "no member")
    yield row(("getFares",), "*", anything, "the shape is not shown; what is no array of fares only warns (OPEN-03)")
    fare = "offer/fare/passengerPricingByPassengerType offer/fare/includedBaggage offer/fare/totalPrice"
    yield row(ORDERS, fare, ("left out",), "only warns: the table of orders asks for the fare's id only")
    yield row(ORDERS, "offer/fare/*/numberOfPassengers", WHOLE, "passengers against the offer's are open (OPEN-67)")
    optional = "passengers/*/birthDate passengers/*/nationalityCountryCode"
    yield row((*ORDERS, *RESERVATIONS), optional, SILENT, "optional of an adult (OPEN-48)")
    yield row(ORDERS, "passengers/*/secondLastName", ("left out", *SET), "optional (OPEN-48)")
    contact = "customerContact/name customerContact/lastNames customerContact/phone/number customerContact/address"
    contact += " customerContact/cityName customerContact/zipCode"
    why = "what a contact holds here is not shown"
    yield row(RESERVATIONS, contact, (*SILENT, *TEXT), why)
    yield row(RESERVATIONS, "customerContact/gender customerContact/email customerContact/phone", SILENT, why)
    yield row(RESERVATIONS, "customerContact/*ountryCode", (*SILENT, "another text"), why)
    yield row(RESERVATIONS, "customerContact customerContact/phone", ("no member",), why)
    yield row(RESERVATIONS, "pnr", FORM, "a reference is any text")
    yield row(RESERVATIONS, "fare", SILENT, "contents and presence are not shown (OPEN-04)")


def _flights() -> Iterable[Explained]:
    row = _answered
    lists = "results fares flights *flight_changes */bags/checked */bags/cabin *luggage *luggage_options"
    yield row((*FLIGHTS,), lists, ENTRIES, "how many there are is open (OPEN-80, OPEN-81)")
    yield row(FLIGHTS, "*/segments", ("an entry twice",), "one to three")
    lists = "results/*/luggage_options requests/*/luggage_options"
    yield row(("searchFlightsV2", "createRequestsV2"), lists, ("left out",), "only warns without options (OPEN-81)")
    money = "*flight/price results/*/price fares/*/price flights/*/price requests/[*]/price *_price price"
    money += " *options/[*]/price *bags/*/price *luggage/[*]/price *tax *luggage_fee"
    money += " */bags_fee/checked */bags_fee/cabin requests/[*]/cc_fee bookings/[*]/cc_fee"
    yield row((*FLIGHTS, "verifyFlight"), money, NUMBER, "numbers without limits, by open formulas (OPEN-82)")
    yield row(FLIGHTS, "*cc_fee *cc_fees", ("a fraction",), "a fraction is what it is")
    ids = "results/*/id fares/*/*_id flights/*/id requests/[*]/id *passengers/*/id *final_flight/id */data/flight_id"
    yield row(FLIGHTS, f"{ids} *flight_number *passenger_count", WHOLE, "integers without limits")
    held = ("searchRoundTrips", *REQUESTS, *BOOKINGS, *RETRIEVALS)
    yield row(held, "*_seats", WHOLE, "integers without limits")
    yield row(("searchFlights",), "*_seats", ("one more",), "more than were asked for")
    yield row(("searchFlightsV2",), "*_seats", WHOLE, "integers without limits")
    sizes = "*/weight */quantity */width */height */length"
    yield row(FLIGHTS, sizes, NUMBER, "numbers; their meaning and unit are open (OPEN-81)")
    yield row(FLIGHTS, "*/cabin/*/weight", SILENT, "optional")
    yield row(FLIGHTS, "*infant_price", ("null",), "null where there is none")
    none = "fares/*/infant_price requests/[*]/infant_price bookings/[*]/infant_price"
    yield row(FLIGHTS, none, SET, "null where there is none")
    words = "*_name */name *timezone *_class */gender */email */phonenumber"
    yield row(FLIGHTS, words, TEXT, "texts of any form; booker data are normalized (OPEN-38, OPEN-83)")
    yield row(FLIGHTS, "*carrier/iata_code *airline_iata_code", ("another text",), "letter case is open (OPEN-64)")
    yield row(FLIGHTS, "*via_airport", SET, "a text or null")
    yield row(SEARCHES, "next_page_id", SET, "a text or null")
    yield row(("searchRoundTrips",), "next_page_id", (*FORM, "null"), "a text or null")
    yield row(FLIGHTS, "*need_apis *is_company", ("the contrary",), "either")
    lasting = ("searchRoundTrips", *REQUESTS, *BOOKINGS, *RETRIEVALS)
    yield row(lasting, "*segments/*/duration", SILENT, "present in search results, elsewhere open")
    yield row(FLIGHTS, "*/bags", ("no member",), "kinds without options may be left out (OPEN-81)")
    yield row(FLIGHTS, "*/bags/checked */bags/cabin", SILENT, "kinds without options may be left out (OPEN-81)")
    yield row(("searchRoundTrips",), "*_bags_prices", ENTRIES, "open (OPEN-95)")
    yield row(("searchRoundTrips",), "*_bags_prices/[*]", (*SET, *NUMBER, "null"), "open (OPEN-95)")


def _booking_requests() -> Iterable[Explained]:
    row = _answered
    details = "*customer/phonenumber *customer/gender *customer/address *customer/postal_code *customer/city_name"
    details += " *customer/country_* *customer/*_number"
    yield row(REQUESTS, details, (*SILENT, *TEXT), "what a customer need not have may be missing (OPEN-48)")
    yield row(REQUESTS, f"{details} *customer/created_at *customer/updated_at", SET, "the types are not written")
    typeless = "*customer/name *customer/email *customer/is_company *customer/verified"
    yield row(REQUESTS, typeless, ("null", *TEXT, "the contrary", *SET), "the types are not written")
    yield row(REQUESTS, "*customer/created_at *customer/updated_at", ("null",), "the types are not written")
    yield row(REQUESTS, "*customer/created_at *customer/updated_at", TEXT, "the form is not written")


def _bookings() -> Iterable[Explained]:
    row = _answered
    made = (*BOOKINGS, *RETRIEVALS)
    yield row(made, "bookings/*/address *country_code *postal_code", (*SILENT, *TEXT), "open (OPEN-93)")
    moments = "*created_at *updated_at *confirmed_at"
    yield row(made, moments, TEXT, "forms are open (OPEN-94)")
    record = "*passengers/*/id *passengers/*/booking_id *passengers/*/*_at *passengers/*/date_of_birth"
    yield row(made, "*passengers/*/id *passengers/*/booking_id", ("null", "a fraction"), "the types are not written")
    yield row(made, record, SET, "the types of a record's members are not written, but for its marks")
    yield row(RETRIEVALS, "bookings/[*]/price", NUMBER, "only POST bookings is compared with its booking request")
    yield row(made, "*passengers/*/*_at", ("null",), "absent values are null")
    yield row(RETRIEVALS, "*flight_changes/*/*_at", SET, "forms are open (OPEN-94)")
    yield row(made, "*/date_of_birth", (*TEXT, "null"), "absent values are null, forms are open (OPEN-10)")
    record = "*/nationality */passport_* */birth_country */canceled_at"
    yield row(made, record, SET, "absent values are null, present ones texts")
    yield row(made, "*/confirmed */canceled", ("the contrary",), "either")
    yield row(BOOKINGS, "*/cp_reference", FORM, "a reference is any text")
    yield row(RETRIEVALS, "*/pnr_airline", FORM, "a locator is any text")
    shown = "bookings/[*]/bags/checked bookings/[*]/bags/cabin"
    yield row(made, shown, (*SILENT, *SET), "how bags are shown as booked is not written")
    why = "members are written for requests only"
    yield row(made, "bookings/[*]/bags */bags_fee *luggage/[*]", ("no member",), why)
    yield row(made, "*/bags_fee/*", SILENT, why)
    yield row(made, "*luggage/[*]/*", ("left out",), why)
    carried = "*flight/bags *flight/luggage_options"
    yield row(made, carried, SILENT, "what a booked flight could carry may be left out")
    yield row(RETRIEVALS, "bookings/*/type", SILENT, "what a single booking has is open (OPEN-93)")
    yield row(RETRIEVALS, "*flight_changes", ("null",), "an array or null")
    yield row(RETRIEVALS, "*/oldFlight */newFlight", ("no member",), "only keys that changed are listed")
    why = "keys may stand anywhere in data (OPEN-94)"
    keys = "*/data/flight_id */data/*/need_apis */data/*_name */data/*_date */data/*_number */data/*_timezone"
    yield row(RETRIEVALS, keys, ("left out",), why)
    yield row(RETRIEVALS, "*/data/flight_id */data/*Flight/*", ("null",), why)


EXPLAINED = (*_requests(), *_answers_of_v4(), *_flights(), *_booking_requests(), *_bookings())
