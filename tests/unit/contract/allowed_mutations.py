"""Mutations of a conforming body that have no findings, each with the reason in the documents or the open questions.

`test_mutations` fails for a mutation that is neither found nor listed here, for a listed one that is found, and for an
entry that matches no mutation. In a pattern ``*`` matches any text and ``[*]`` a position in an array.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

TEXT = ("another text", "longer text", "empty text")
FORM = ("another text", "longer text")
NUMBER = ("one more", "fraction", "negative")
WHOLE = ("one more", "negative")
SILENT = ("missing", "null")
ENTRIES = ("empty array", "repeated entry")
SET = ("another type",)

SEARCHES = ("searchFlights", "searchFlightsV2")
REQUESTS = ("createRequests", "createRequestsV2")
BOOKINGS = ("createBookings", "createBookingsV2")
RETRIEVALS = ("getBookings", "getBookingsV2")
FLIGHTS = (*SEARCHES, "searchRoundTrips", *REQUESTS, *BOOKINGS, *RETRIEVALS)
ORDERS = ("createOrder", "confirmOrder", "getOrder")
RESERVATIONS = ("getReservation", "findReservation")


@dataclass(frozen=True, slots=True)
class AllowedMutation:
    """Kinds of mutation that are allowed at some places (patterns, separated by blanks) of bodies, and the reason."""

    side: str
    operations: Iterable[str]
    places: str
    kinds: tuple[str, ...]
    reason: str

    def fits(self, side: str, operation: str, place: str, kind: str) -> bool:
        """Whether this entry allows a mutation."""
        about = self.side == side and operation in self.operations and kind in self.kinds
        return about and any(fnmatchcase(place, pattern) for pattern in self.places.split())


def _request(operations: str, places: str, kinds: tuple[str, ...], reason: str) -> AllowedMutation:
    return AllowedMutation("request", operations.split(), places, kinds, reason)


def _response(operations: Iterable[str], places: str, kinds: tuple[str, ...], reason: str) -> AllowedMutation:
    return AllowedMutation("response", operations, places, kinds, reason)


def _requests() -> Iterable[AllowedMutation]:
    row = _request
    yield row("searchOffers getOffer", "adults children infants", ("one more",), "within the limits")
    yield row("searchOffers", "travelClass", (*TEXT, "missing"), "optional; which texts are classes is open (OPEN-54)")
    yield row("searchOffers getOffer", "customerCode", TEXT, "a code is any text")
    yield row("searchOffers getOffer", "inboundSegment", ("missing",), "may be left out (OPEN-25)")
    yield row("getOffer", "outboundSegment/sections", ("repeated entry",), "the number of sections is not documented")
    yield row("getOffer", "*CarrierCode", ("another text",), "letter case is open (OPEN-64)")
    names = "passengers/*/*ame passengers/*/*Number passengers/*/identification/identificationNumber"
    contact = "customerContact/*ame* customerContact/email customerContact/address customerContact/zipCode"
    yield row("createOrder", f"{names} {contact} customerContact/phone/number", TEXT, "a text of any form (OPEN-67)")
    yield row("createOrder", "passengers/*/secondLastName", ("missing", *SET), "optional, may be null")
    optional = "passengers/*/birthDate passengers/*/nationalityCountryCode passengers/*/identification"
    yield row("createOrder", optional, ("missing",), "optional; a missing birth date of an adult only warns (OPEN-43)")
    yield row("createOrder", "*ountryCode", ("another text",), "letter case is open (OPEN-64)")
    chosen = "selectedBaggage/*/outboundSegmentBaggageSelection"
    yield row("createOrder", chosen, ENTRIES, "an empty array selects nothing (OPEN-65)")
    yield row("createOrder", "*numberOfPieces *kilosPerPiece", WHOLE, "other than offered only warns (OPEN-65)")
    yield row("confirmOrder createBookings createBookingsV2", "payment_method", ("longer text",), "any id after pm_")
    # v3 and v2
    yield row("verifyFlight", "flight_id passengers/adults", WHOLE, "limits are not documented")
    codes = "verifyFlight createRequests createRequestsV2 createBookings createBookingsV2"
    yield row(codes, "customer_code", TEXT, "a code is any text")
    yield row("createRequestsV2", "customer_code", ("missing",), "optional in v2 requests (OPEN-23)")
    yield row(codes, "flight_ids flights request_ids requests", ("repeated entry",), "repeated ids are open (OPEN-98)")
    yield row("createRequests", "passengers", ("repeated entry",), "two passengers may have the same name")
    yield row("createBookings createRequestsV2", "request_ids/* flights/*", WHOLE, "an id is any integer")
    yield row("createRequests", "flight_ids/*", ("negative",), "an id is any integer; it is the key of the bags")
    yield row("createRequestsV2", "flights/*", SET, "the type of ids in v2 is open (OPEN-99)")
    yield row("createRequestsV2", "passengers", ("empty object",), "all counts absent is open (OPEN-99)")
    yield row("createRequestsV2", "passengers/*", (*WHOLE, "missing"), "optional, and limits are not documented")
    booker = "first_name last_name gender email phonenumber passengers/*/first_name passengers/*/last_name"
    booker += " passengers/*/gender passengers/*/date_of_birth"
    reason = "texts of any form (OPEN-10, OPEN-83)"
    yield row("createRequests createBookings createBookingsV2", booker, TEXT, reason)
    address = "address city_name country_code postal_code external_id"
    yield row("createBookings createBookingsV2", address, (*TEXT, "missing"), "optional, of any form")
    yield row("createRequests", "bags/*/checked bags/*/cabin", ("repeated entry",), "an option listed twice only warns")
    yield row(
        "createRequests",
        "bags/*/quantity",
        NUMBER,
        "a number; the sum over options only warns (OPEN-86)",
    )
    yield row(
        "createRequests", "*/cabin/*/dimensions", (*SILENT, "empty object"), "either or both may be sent (OPEN-16)"
    )
    yield row("createRequests", "*/dimensions/*", ("missing",), "either or both may be sent (OPEN-16)")
    yield row("createRequests", "*/cabin/*/weight", SILENT, "either or both may be sent (OPEN-16)")
    yield row("createBookingsV2", "luggage/*", ENTRIES, "v2 need not list every option (OPEN-99)")
    others = "other passengers than those of the booking request only warn"
    yield row("createBookingsV2", "passengers", ("repeated entry", "four entries"), others)
    yield row("createBookingsV2", "passengers/*/is_infant", ("negated",), others)
    yield row("createBookingsV2", "luggage/*/weight luggage/*/price", NUMBER, "numbers without limits")
    yield row(
        "createBookingsV2",
        "luggage/*/quantity",
        ("fraction", "negative"),
        "a number, of which only an upper limit is documented",
    )


def _v4_responses() -> Iterable[AllowedMutation]:
    row = _response
    every = ("searchOffers", "getOffer", "getBaggage", *ORDERS, *RESERVATIONS)
    flown = ("searchOffers", "getOffer", "confirmOrder", "getOrder")
    yield row(flown, "*sections", ENTRIES, "other flights than requested or offered only warn")
    yield row(("createOrder", *RESERVATIONS), "*sections", ("empty array",), "a segment without a section only warns")
    lists = "offers *paymentOptions *includedBaggage fareBaggageOptions *Options *Fields"
    yield row(every, lists, ENTRIES, "the number of items is open (OPEN-77)")
    amounts = "*Amount/amount *fee/amount *pricePerPiece/amount *Amount cheapestFare/totalPrice/amount"
    yield row(every, f"{amounts} offer/fare/totalPrice/amount", NUMBER, "amounts have no limits (OPEN-61)")
    total = "a total is at least that of its baggage (OPEN-61); that a confirmation changes it only warns"
    yield row(("createOrder", "confirmOrder"), "totalPrice/amount", ("one more", "fraction"), total)
    yield row(("searchOffers",), "*/availableSeats", ("null",), "null where it is not known (OPEN-48)")
    yield row(every, "*Quantity */quantity */max*Per* */availableSeats", WHOLE, "counts have no limits")
    yield row(flown, "*CarrierCode", ("another text",), "another carrier than requested or offered only warns")
    yield row(every, "*/technicalStops", SILENT, "may be absent or null (OPEN-01, OPEN-48)")
    yield row(every, "*departureTerminal", (*SILENT, *TEXT), "optional, a text of any form (OPEN-48)")
    yield row(every, "*arrivalTerminal", ("missing", *SET), "optional, a text of any form (OPEN-48)")
    yield row(("searchOffers", "getOffer"), "*inboundSegment", ("missing", *SET), "of any structure (OPEN-02)")
    yield row(every, "*/fee", SILENT, "may be left out (OPEN-36)")
    yield row(every, "*/descriptor */dimensions", (*SILENT, "empty object"), "open without a limit (OPEN-62)")
    size = "*/weight */width */height */depth"
    yield row(every, size, (*SILENT, *NUMBER), "numbers without limits, or null (OPEN-62)")
    yield row(("getOffer", *ORDERS), "*/weight", SET, "a number, or null (OPEN-62)")
    yield row(("getOffer",), "*providerRequiredAdditionalFields/*", TEXT, "the names are open (OPEN-68)")
    yield row(("getBaggage",), "*/inboundSegmentOptions", ("missing",), "absent in a one-way offer (OPEN-58)")
    anything = (*SILENT, *SET, *NUMBER, *ENTRIES, "empty object")
    yield row(("getFares",), "*", anything, "the structure is open; anything but an array only warns (OPEN-03)")
    yield row(("getFares",), "*/id", TEXT, "the structure is open (OPEN-03)")
    fare = "offer/fare/passengerPricingByPassengerType offer/fare/includedBaggage offer/fare/totalPrice"
    yield row(ORDERS, fare, ("missing",), "only warns: the documents require only the fare's id")
    optional = "passengers/*/birthDate passengers/*/nationalityCountryCode"
    yield row((*ORDERS, *RESERVATIONS), optional, SILENT, "optional of an adult (OPEN-48)")
    yield row(ORDERS, "passengers/*/secondLastName", ("missing", *SET), "optional (OPEN-48)")
    contact = "customerContact/name customerContact/lastNames customerContact/phone/number customerContact/address"
    contact += " customerContact/cityName customerContact/zipCode"
    reason = "the members of a contact are not documented here"
    yield row(RESERVATIONS, contact, (*SILENT, *TEXT), reason)
    yield row(RESERVATIONS, "customerContact/gender customerContact/email customerContact/phone", SILENT, reason)
    yield row(RESERVATIONS, "customerContact/*ountryCode", (*SILENT, "another text"), reason)
    yield row(RESERVATIONS, "customerContact customerContact/phone", ("empty object",), reason)
    reason = "the items of the array are not shown: only warns"
    yield row(RESERVATIONS, "selectedBaggage", ENTRIES, reason)
    yield row(RESERVATIONS, "selectedBaggage/*", (*anything, *TEXT), reason)
    yield row(RESERVATIONS, "pnr", FORM, "a reference is any text")
    yield row(RESERVATIONS, "fare", SILENT, "contents and presence are open (OPEN-04)")


def _flights() -> Iterable[AllowedMutation]:
    row = _response
    options = "*flight/bags/checked results/*/bags/checked */bags/cabin"
    lists = f"results fares flights *flight_changes {options} *luggage_options"
    yield row((*FLIGHTS,), lists, ENTRIES, "the number of items is open (OPEN-80, OPEN-81)")
    indicative = (*SEARCHES, "searchRoundTrips", *REQUESTS)
    yield row(indicative, "*/segments", ("repeated entry",), "one to three")
    yield row(RETRIEVALS, "*final_flight/segments", ("repeated entry",), "one to three")
    lists = "results/*/luggage_options requests/*/luggage_options"
    yield row(("searchFlightsV2", "createRequestsV2"), lists, SILENT, "only warns without options (OPEN-81)")
    reason, made_first = "numbers without limits; the formulas are open (OPEN-82)", (*SEARCHES, *REQUESTS, *BOOKINGS)
    money = "*flight/price results/*/price fares/*/price flights/*/price requests/[*]/price price"
    money += " *options/[*]/price *bags/*/price *luggage/[*]/price *tax *flight/infant_price"
    yield row((*FLIGHTS, "verifyFlight"), money, NUMBER, reason)
    totals = "*_price *luggage_fee requests/[*]/cc_fee bookings/[*]/cc_fee"
    yield row((*made_first, "searchRoundTrips", "verifyFlight"), totals, NUMBER, reason)
    fees = "*/bags_fee/checked */bags_fee/cabin bookings/[*]/price"
    yield row(
        (*REQUESTS, *BOOKINGS), fees, NUMBER, "another price than that of the booking request only warns (OPEN-82)"
    )
    yield row((*made_first, "searchRoundTrips"), "*cc_fee *cc_fees", ("fraction",), "fractions are allowed")
    yield row(RETRIEVALS, "*flight/cc_fee", ("fraction",), "fractions are allowed")
    ids = "results/*/id fares/*/*_id flights/*/id requests/[*]/id *final_flight/id */data/flight_id"
    yield row(FLIGHTS, ids, WHOLE, "integers without limits")
    yield row(BOOKINGS, "*passenger_count", WHOLE, "integers without limits")
    numbers = "*_carrier_flight_number"
    yield row(indicative, numbers, WHOLE, "integers without limits; that a search shows another only warns (OPEN-37)")
    yield row(RETRIEVALS, f"*final_flight/{numbers}", WHOLE, "integers without limits")
    held = ("searchRoundTrips", *REQUESTS, *BOOKINGS, *RETRIEVALS)
    yield row(held, "*_seats", WHOLE, "integers without limits")
    yield row(("searchFlights",), "*_seats", ("one more",), "more than requested")
    yield row(("searchFlightsV2",), "*_seats", WHOLE, "integers without limits")
    sizes = (
        "*/weight *options/[*]/quantity *flight/bags/*/quantity results/[*]/bags/*/quantity */width */height */length"
    )
    yield row(FLIGHTS, sizes, NUMBER, "numbers; their meaning and unit are open (OPEN-81)")
    yield row(FLIGHTS, "*/cabin/*/weight", SILENT, "optional")
    yield row(FLIGHTS, "*infant_price", ("null",), "null if there is none")
    none = "fares/*/infant_price requests/[*]/infant_price bookings/[*]/infant_price"
    yield row(FLIGHTS, none, SET, "null if there is none")
    codes = "*airline_iata_code *final_flight/*carrier/iata_code"
    yield row(RETRIEVALS, codes, ("another text",), "letter case is open (OPEN-64)")
    yield row(indicative, "*_carrier/iata_code", ("another text",), "letter case is open (OPEN-64)")
    yield row(FLIGHTS, "*via_airport", SET, "a text or null")
    yield row(SEARCHES, "next_page_id", SET, "a text or null")
    yield row(("searchRoundTrips",), "next_page_id", (*TEXT, *SILENT), "a text or null, else it only warns")
    yield row(FLIGHTS, "*need_apis *is_company", ("negated",), "either")
    lasting = ("searchRoundTrips", *REQUESTS, *BOOKINGS, *RETRIEVALS)
    yield row(lasting, "*segments/*/duration", SILENT, "required in search results, elsewhere open")
    yield row(
        FLIGHTS, "*flight/bags results/*/bags", ("empty object",), "kinds without options may be left out (OPEN-81)"
    )
    yield row(FLIGHTS, options, SILENT, "kinds without options may be left out (OPEN-81)")
    yield row(("searchRoundTrips",), "*_bags_prices", ENTRIES, "open (OPEN-95)")
    yield row(("cancelRequest",), "success", ("negated",), "the booking request may not be pending any more (OPEN-89)")
    yield row(("searchRoundTrips",), "*_bags_prices/[*]", (*SET, *NUMBER, "null"), "open (OPEN-95)")


def _words() -> Iterable[AllowedMutation]:
    row = _response
    words = "*city_name *country_name */name *timezone *_class */gender */phonenumber"
    reason, names = "texts of any form; booker data are normalized (OPEN-38, OPEN-83)", "*first_name *last_name"
    yield row(FLIGHTS, words, TEXT, reason)
    booker = "bookings/[*]/first_name bookings/[*]/last_name */email"
    yield row((*REQUESTS, *BOOKINGS), booker, TEXT, reason)
    yield row((*BOOKINGS, *RETRIEVALS), names, ("longer text", "empty text"), "a title may be added")
    yield row(RETRIEVALS, "*airline_name", TEXT, "texts of any form")


def _booking_requests() -> Iterable[AllowedMutation]:
    row = _response
    details = "*customer/phonenumber *customer/gender *customer/address *customer/postal_code *customer/city_name"
    details += " *customer/country_* *customer/*_number"
    yield row(REQUESTS, details, (*SILENT, *TEXT), "optional details of a customer may be absent (OPEN-48)")
    yield row(REQUESTS, f"{details} *customer/created_at *customer/updated_at", SET, "the types are not documented")
    typeless = "*customer/name *customer/email *customer/is_company *customer/verified"
    yield row(REQUESTS, typeless, ("null", *TEXT, "negated", *SET), "the types are not documented")
    yield row(REQUESTS, "*customer/created_at *customer/updated_at", ("null",), "the types are not documented")
    yield row(REQUESTS, "*customer/created_at *customer/updated_at", TEXT, "the format is not documented")


def _bookings() -> Iterable[AllowedMutation]:
    row = _response
    made = (*BOOKINGS, *RETRIEVALS)
    yield row(made, "bookings/*/address *country_code *postal_code", (*SILENT, *TEXT), "open (OPEN-93)")
    moments = "*created_at *updated_at *confirmed_at"
    yield row(made, moments, TEXT, "forms are open (OPEN-94)")
    record = "*passengers/*/id *passengers/*/booking_id *passengers/*/*_at *passengers/*/date_of_birth"
    yield row(made, "*passengers/*/id *passengers/*/booking_id", ("null",), "the types are not documented")
    yield row(made, "*passengers/*/booking_id", ("fraction",), "the types are not documented")
    yield row(made, record, SET, "the types are not documented, except for booleans")
    yield row(BOOKINGS, "*passengers/*/id", (*WHOLE, "fraction"), "values without limits")
    yield row(made, "*passengers/*/*_at", ("null",), "absent values are null")
    yield row(RETRIEVALS, "*flight_changes/*/*_at", SET, "forms are open (OPEN-94)")
    yield row(RETRIEVALS, "*flight_changes/*/updated_at", ("null",), "a change need not have been updated (OPEN-48)")
    yield row(made, "*/date_of_birth", TEXT, "forms are open (OPEN-10)")
    record = "*/nationality */passport_* */birth_country */canceled_at"
    yield row(made, record, SET, "absent values are null, others are strings")
    yield row(made, "*/confirmed */canceled", ("negated",), "either")
    yield row(BOOKINGS, "*/cp_reference", FORM, "a reference is any text")
    yield row(RETRIEVALS, "*/pnr_airline", FORM, "a locator is any text")
    booked = "bookings/[*]/luggage bookings/[*]/bags/checked"
    yield row(made, booked, ("repeated entry",), "more bags may be included (OPEN-81)")
    booked = "bookings/[*]/luggage/[*]/quantity bookings/[*]/bags/*/quantity"
    yield row(made, booked, ("one more", "fraction"), "more bags may be included (OPEN-81)")
    yield row(made, "bookings/[*]/bags/checked", SET, "the form of booked bags is not documented")
    yield row(made, "bookings/[*]/bags/cabin", (*SILENT, *SET), "the form of booked bags is not documented")
    option, kinds = "bookings/[*]/bags/checked/*", (*SILENT, *SET, "empty object")
    yield row(("createBookings", "getBookings"), option, kinds, "the form of booked bags is not documented")
    reason = "members are documented for requests only"
    yield row(made, "*/bags_fee *luggage/[*]", ("empty object",), reason)
    yield row(made, "*/bags_fee/*", SILENT, reason)
    yield row(made, "*luggage/[*]/*", ("missing",), reason)
    carried = "*flight/bags *flight/luggage_options"
    yield row(made, carried, SILENT, "bag options of a booked flight may be absent")
    yield row(RETRIEVALS, "bookings/*/type", SILENT, "members of a single booking are open (OPEN-93)")
    yield row(RETRIEVALS, "*flight_changes", ("null",), "an array or null")
    yield row(RETRIEVALS, "*/oldFlight */newFlight", ("empty object",), "only keys that changed are listed")
    reason = "keys may be anywhere in data (OPEN-94)"
    keys = "*/data/flight_id */data/*/need_apis */data/*_name */data/*_date */data/*_number */data/*_timezone"
    yield row(RETRIEVALS, keys, ("missing",), reason)
    yield row(RETRIEVALS, "*/data/flight_id */data/*Flight/*", ("null",), reason)


ALLOWED = (*_requests(), *_v4_responses(), *_flights(), *_words(), *_booking_requests(), *_bookings())
