"""The open choices of v3 and v2; see `airworthy.sandbox.dialects.choices`."""

from typing import Literal

from airworthy.sandbox.dialects import choice, open_choices


@open_choices
class V3Choices:
    """One choice for every open question on v3 and v2 that a client can observe."""

    # Everywhere
    rejection_body: Literal["message", "error", "errors", "text", "empty"] = choice(
        "OPEN-14", "body of a rejection in v3 and v2"
    )
    authorization_form: Literal["any", "Bearer", "bare on POST"] = choice(
        "OPEN-18", "accepted forms of the token: both, Bearer only, Bearer on GET and bare on POST"
    )
    wrong_bare_token: Literal[401, 400] = choice("OPEN-18", "a wrong token without the Bearer prefix")
    timestamps: Literal["+00:00", "Z", "milliseconds"] = choice("OPEN-94", "created_at of requests and bookings")
    zone_form: Literal["name", "offset"] = choice("OPEN-21", "time zones")
    undocumented_types: Literal["plain", "other"] = choice("OPEN-46", "members whose type is not documented")
    date_form_taken: Literal["any", "YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "date-time"] = choice(
        "OPEN-10", "birth and passport dates in requests"
    )
    date_form: Literal["as sent", "YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "date-time"] = choice(
        "OPEN-10", "birth and passport dates in responses"
    )
    gender_taken: Literal["any", "male/female", "M/F", "MALE/FEMALE"] = choice("OPEN-83", "genders that are accepted")
    unknown_words: Literal[400, 412, 422] = choice("OPEN-29", "a date or a gender in another form")
    gender_form: Literal["as sent", "male", "M", "MALE"] = choice("OPEN-83", "genders in responses")

    # Flights
    long_window: Literal["shortened", "empty", 400, 422] = choice("OPEN-78", "a search window of more than three days")
    odd_search: Literal["empty", 400, 404, 422] = choice("OPEN-78", "odd windows, days and codes of airports")
    window_end: Literal["included", "left out"] = choice("OPEN-78", "the last day of a longer window")
    one_day_window: Literal["searched", "empty", 400] = choice("OPEN-78", "a window whose end is its start")
    segment_order: Literal["as flown", "reversed"] = choice("OPEN-80", "order of the segments of a flight")
    flight_times: Literal["local", "UTC"] = choice("OPEN-80", "zone of a flight's times; its segments are local")
    last_page: Literal["without a cursor", "with an empty cursor", "followed by an empty page"] = choice(
        "OPEN-80", "the last page with results"
    )
    return_window: Literal["shortened", "empty", 400] = choice(
        "OPEN-79", "a way back whose window breaks the rules by its defaults, or begins before the way out"
    )
    cached: Literal["current", "other price and seats", "some sold out", "another departure", "some left out"] = choice(
        "OPEN-37", "what a search shows of a flight, and whether an ordinary one is still available"
    )
    pages: Literal["full", "half full", "overlapping", "after an empty one"] = choice(
        "OPEN-80", "distribution of flights to pages"
    )
    flight_order: Literal["departure", "price"] = choice("OPEN-80", "order of flights")
    foreign_cursor: Literal["goes on", "first page", 400] = choice("OPEN-80", "a cursor of another search, or invented")
    bag_quantity: Literal["maximum", "included", "zero"] = choice("OPEN-81", "quantity of a bag option in a search")
    no_bag_options: Literal["empty", "absent", "null"] = choice("OPEN-81", "a kind of bag without options")
    no_luggage_options: Literal["empty", "absent", "null"] = choice("OPEN-81", "luggage_options of a flight with none")
    included_bags: Literal["charged", "free"] = choice("OPEN-81", "price of pieces that a search lists as included")
    booked_bags: Literal["by kind", "by flight id", "only chosen"] = choice(
        "OPEN-81", "bags of a booking: all options by kind or by flight id, or the chosen ones"
    )
    bag_units: Literal["metric", "imperial"] = choice("OPEN-81", "units of weights and dimensions")
    bag_price_shape: Literal["numbers", "objects"] = choice("OPEN-95", "bag prices of round-trip fares")
    fare_flights: Literal["on the page", "on the first page"] = choice("OPEN-95", "place of round-trip fares' flights")
    verification: Literal["right", "wrong", 404, 410] = choice("OPEN-40", "verify after its last maintained day")
    verified_status: Literal[200, 201] = choice("OPEN-96", "status of a verification")
    verified_total: Literal["with fee", "without fee"] = choice("OPEN-96", "total_price of a verification")
    verified_infant_price: Literal["absent", "null"] = choice("OPEN-96", "infant_price verified without infants")

    # Requests
    request_status: Literal["absent", "pending", "PENDING"] = choice("OPEN-12", "status of a request")
    request_minutes: Literal[5, 4, 3] = choice("OPEN-15", "lifetime of a booking request in minutes")
    cabin_bag_needs: Literal["nothing", "dimensions and weight", "what was listed"] = choice(
        "OPEN-16", "required values of a cabin option beside its quantity"
    )
    cabin_bag_weight: Literal["listed", "not listed"] = choice("OPEN-16", "weight of cabin options in search results")
    flight_unknown: Literal[404, 409] = choice("OPEN-20", "a flight that does not exist")
    no_bags_sent: Literal["anything", 400] = choice("OPEN-28", "a kind of bag left out where there are no options")
    broken_rule: Literal[400, 409, 422] = choice(
        "OPEN-29", "rules on several fields or on a value: too many ids, another fare type, bags that break the rules"
    )
    child_age: Literal["at departure", "at request"] = choice("OPEN-84", "day that decides the age of a passenger")
    more_infants: Literal["accepted", 400, 422] = choice("OPEN-84", "more infants than adults at a request")
    passport_needed: Literal["no", 400, 409, 422] = choice("OPEN-85", "a flight with need_apis, and no passport data")
    infants_bags: Literal["counted", "not counted"] = choice("OPEN-86", "infants in the limit of bags")
    bags_limit: Literal["for a kind", "for an option"] = choice("OPEN-86", "what the limit of bags is for")
    bag_price_sent: Literal["ignored", "compared"] = choice(
        "OPEN-86", "the price sent with a bag option: one that differs from the listed price may be rejected"
    )
    unknown_bag: Literal["ignored", "refused"] = choice("OPEN-86", "a bag option that is not offered")
    no_such_fare: Literal["one way", 400, 404, 409] = choice("OPEN-87", "round_trip where there is no such fare")
    request_id_malformed: Literal[404, 400] = choice("OPEN-22", "a request id in the path that is not a number")
    not_cancellable: Literal["false", 400, 403, 404, 409] = choice("OPEN-89", "cancelling too late", default=409)
    cancel_in_v2: Literal["no route", "works"] = choice("OPEN-89", "cancelling in v2")
    cancelled_together: Literal["no", "all"] = choice("OPEN-98", "requests created together with a cancelled one")
    unsold_infant_price: Literal["null", "zero"] = choice("OPEN-82", "infant_price of a request without infant fares")
    customer_unknown_at_search: Literal["ignored", 403, 404] = choice("OPEN-90", "unknown customer code at a search")
    customer_unknown_at_request: Literal["ignored", 400, 403, 404, 409, 422] = choice(
        "OPEN-90", "unknown customer code at a request", default=404
    )

    # Bookings
    customer_unknown: Literal[400, 403, 404, 409, 422] = choice("OPEN-90", "unknown code at a booking", default=404)
    self_psp_unauthorized: Literal[403, 400, 404, 409, 422] = choice("OPEN-90", "self_psp without authorization")
    self_psp_with_card: Literal["deposit", 400, 422] = choice("OPEN-90", "self_psp beside a payment method")
    self_psp_left_out: Literal["pays by card", 400] = choice("OPEN-26", "self_psp left out though authorized")
    transaction_id_type: Literal["either", "string"] = choice("OPEN-17", "types of transaction_id")
    third_booking: Literal["same reference", "other reference", 409] = choice("OPEN-19", "a v2 booking of three")
    both_customers: Literal["code counts", "data count", 400] = choice("OPEN-23", "customer_code beside customer_data")
    unusable_request: Literal[409, 400, 403, 404] = choice("OPEN-88", "booking an expired, cancelled or booked request")
    payment_failed: Literal[422, 402, 403, 409] = choice("OPEN-91", "a payment that fails")
    declined_together: Literal["aborts all", "aborts the first"] = choice("OPEN-97", "two requests whose payment fails")
    rejected_booking: Literal["leaves it pending", "aborts it"] = choice(
        "OPEN-12", "a request whose booking is rejected for the customer code, or for another request that is booked"
    )
    price_moved: Literal[409, 422] = choice("OPEN-29", "a price that changes between request and booking")
    held_price: Literal["kept", "a little more"] = choice("OPEN-82", "price of a booking against that of its request")
    provider_code: Literal["code", "message", "error"] = choice(
        "OPEN-91", "where a failed payment shows the provider's code, if the body has a place for it"
    )
    partly_gone: Literal["all fail", "the rest is booked"] = choice("OPEN-97", "two requests, of which one is gone")
    unlike_requests: Literal["accepted", 400, 409] = choice("OPEN-98", "unlike requests, or one twice, in one booking")
    booker_form: Literal["trimmed", "upper case", "plain letters", "transliterated"] = choice(
        "OPEN-38", "form of the booker data in responses"
    )
    creation_fields: Literal["documented", "as retrieved"] = choice("OPEN-46", "members of a booking at its creation")
    round_trip_price: Literal["on both", "on the way out"] = choice("OPEN-82", "requests with a round trip's price")
    booked_price: Literal["per person", "total"] = choice("OPEN-82", "price of requests and bookings")
    booked_card_fee: Literal["fraction", "amount"] = choice("OPEN-82", "cc_fee of requests and bookings")
    booked_total: Literal["with card fee", "without card fee"] = choice("OPEN-82", "total_price of a booking by card")
    passenger_count: Literal["all", "without infants"] = choice("OPEN-82", "passenger_count of a booking")
    booking_infant_price: Literal["always", "with infants"] = choice(
        "OPEN-82", "infant_price of a booking: always the fare's, or null without infants"
    )
    locator_after: Literal["an hour", "three hours", "at once"] = choice("OPEN-39", "when the record locator arrives")
    first_status: Literal["AWAITING_PNR_AIRLINE", "CONFIRMED"] = choice("OPEN-39", "status before the record locator")
    awaited_locator: Literal["null", "empty"] = choice("OPEN-39", "pnr_airline before the locator has arrived")
    reference_unknown: Literal[404, "empty"] = choice("OPEN-92", "retrieving a booking with an unknown reference")
    single_type: Literal["outward", "null", "absent"] = choice("OPEN-93", "type of a single booking")
    final_flight_id: Literal["the same", "another"] = choice("OPEN-93", "id of the flight after a schedule change")
    changed_status: Literal["as before", "CHANGED", "CHANGED for an hour", "CANCELED"] = choice(
        "OPEN-11", "status of a booking whose schedule has changed"
    )
    current_flight: Literal["as changed", "as booked until accepted"] = choice(
        "OPEN-13", "final_flight while a passenger has not accepted the change"
    )
    change_status: Literal["WAITING", "SEEN", "ACCEPTED", "REFUSED"] = choice("OPEN-13", "status of a flight change")
    destination_timezone: Literal["with the origin", "with the destination", "with either"] = choice(
        "OPEN-21", "destination_timezone in a flight change"
    )
    change_flight_id: Literal["beside", "inside", "absent"] = choice(
        "OPEN-94", "flight_id of a flight change: beside or inside oldFlight and newFlight"
    )
    no_changes: Literal["null", "empty"] = choice("OPEN-48", "flight_changes of an unchanged booking")
    changed_airline: Literal["none", "in both", "name in oldFlight"] = choice(
        "OPEN-94", "whether the airline changes, and where its code and its name are listed"
    )
    change_timestamps: Literal["YYYY-MM-DD HH:mm:ss", "ISO 8601", "seconds"] = choice(
        "OPEN-94", "timestamps of a flight change"
    )

    # v2 alone
    text_ids: Literal["accepted", 400] = choice("OPEN-99", "ids sent to v2 as strings")
    no_counts: Literal["one adult", 400, 422] = choice("OPEN-99", "a v2 request without passengers")
    luggage_listed: Literal["as wished", 400] = choice("OPEN-99", "luggage options that a v2 booking does not list")
    created_status: Literal[200, 201] = choice("OPEN-99", "success of POST in v2")
