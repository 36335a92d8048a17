"""The open choices of v4; see `airworthy.sandbox.dialects.choices`."""

from typing import Literal

from airworthy.sandbox.dialects import choice, open_choices


@open_choices
class V4Choices:
    """One choice for every open question on v4 that a client can observe."""

    # Responses
    technical_stops: Literal["absent", "null", "empty", "strings", "objects"] = choice("OPEN-01", "technicalStops")
    available_seats: Literal["shown", "null"] = choice("OPEN-48", "availableSeats in search results")
    inbound_shape: Literal["sections", "legs"] = choice("OPEN-02", "structure of inboundSegment in round trips")
    one_way_inbound: Literal["null", "absent"] = choice("OPEN-02", "inboundSegment in one-way responses")
    order_inbound: Literal["present", "absent"] = choice("OPEN-02", "inboundSegment in order.offer")
    reservation_inbound: Literal["present", "absent", "another structure"] = choice(
        "OPEN-02", "inboundSegment in the reservation"
    )
    fares_shape: Literal["get-offer", "search", "other", "other members beside fares", "ids"] = choice(
        "OPEN-03", "items of Get Fares"
    )
    reservation_numbers: Literal["as sent", "from one"] = choice("OPEN-66", "numbers of passengers in a reservation")
    reservation_fare: Literal["full", "empty", "absent"] = choice("OPEN-04", "fare of a reservation")
    price_per_piece: Literal["item", "selection", "both"] = choice("OPEN-44", "place of pricePerPiece in an order")
    extra_fields: Literal["none", "everywhere"] = choice("OPEN-46", "unknown fields in responses")
    optional_fields: Literal["null", "absent"] = choice("OPEN-48", "optional fields without a value")
    baggage_inbound_one_way: Literal["null", "empty", "absent"] = choice("OPEN-58", "inboundSegmentOptions if one-way")
    pricing: Literal["per passenger and tax", "per type with tax"] = choice("OPEN-61", "meaning of fareAmount")
    source_amount: Literal["total", "net"] = choice("OPEN-61", "sourceAmount of a search price")
    descriptor: Literal["integers", "fractions", "nulls", "empty", "null"] = choice("OPEN-62", "descriptor of a bag")
    zero_types: Literal["absent", "zero"] = choice("OPEN-63", "passenger types without passengers")
    carriers: Literal["letters", "digits too"] = choice("OPEN-64", "carrier codes")
    flight_numbers: Literal["plain", "leading zeros"] = choice("OPEN-64", "flight numbers in responses")
    payment_method_echo: Literal["bare", "with false"] = choice("OPEN-69", "paymentMethod in responses")
    credentials_echo: Literal["dropped", "masked", "echoed"] = choice("OPEN-70", "carrierPortalCredentials returned")
    error_text: Literal["standard", "upper case", "lower case", "RFC 9110"] = choice("OPEN-76", "spelling of error")
    empty_inbound: Literal["null", "absent"] = choice("OPEN-48", "inboundSegmentBaggageSelection that was sent as null")
    baggage_fares: Literal["all", "with options"] = choice("OPEN-58", "fares of Get Baggage if there is nothing to buy")
    code_case: Literal["upper case", "lower case"] = choice("OPEN-64", "carrier codes in v4 responses")
    passenger_names: Literal["as sent", "capital letters", "plain letters", "transliterated"] = choice(
        "OPEN-67", "names of passengers in orders and reservations"
    )
    id_form: Literal["lower case", "upper case", "upper case in references"] = choice(
        "OPEN-73", "letter case of ids, and of those that refer to another resource"
    )
    array_order: Literal["as sent", "reversed"] = choice("OPEN-77", "order of passengers, baggage and fares in v4")
    message_language: Literal["English", "Spanish"] = choice("OPEN-76", "language of message")
    server_fault_body: Literal["v4", "text", "empty"] = choice("OPEN-41", "body of an internal error")

    # Search and offers
    search_offer_id: Literal["unrelated", "usable", "reused by Get Offer"] = choice("OPEN-57", "id of a search offer")
    offer_order: Literal["price", "departure", "shuffled"] = choice("OPEN-77", "order of search offers")
    fare_ids: Literal["of the offer", "of the fare family"] = choice("OPEN-73", "what the id of a fare identifies")
    offer_count: Literal["many", "few"] = choice("OPEN-77", "number of search offers")
    customer_code_unknown: Literal[404, "results", "empty"] = choice("OPEN-31", "unknown customerCode at search")
    customer_code_unknown_at_offer: Literal[404, "accepted"] = choice("OPEN-31", "unknown customerCode at Get Offer")
    one_way_inbound_left_out: Literal["accepted", 400] = choice("OPEN-25", "ONE_WAY request without inboundSegment")
    one_way_inbound_sent: Literal["ignored", 400] = choice("OPEN-25", "ONE_WAY request with inboundSegment")
    class_case: Literal["exact", "any"] = choice("OPEN-54", "travelClass economy in lower case")
    offer_other_class: Literal[400, 404, "empty"] = choice("OPEN-54", "other travelClass at Get Offer")
    search_edge: Literal["empty", 400, 404] = choice(
        "OPEN-55", "past or impossible dates, return before outbound, unserved or unknown places, more than nine seats"
    )
    itinerary_gone: Literal[404, 400, 409, 422] = choice("OPEN-56", "itinerary that is not sold at Get Offer")
    search_staleness: Literal["none", "some sold out"] = choice("OPEN-56", "found itineraries that are sold out later")
    seats_on_sale: Literal["many", "one or two"] = choice("OPEN-56", "seats of a flight, taken by orders if few")
    infants_sold: Literal["on all flights", "on some flights"] = choice("OPEN-56", "itineraries sold to infants")
    lower_case_codes: Literal["accepted", 400] = choice("OPEN-64", "codes in lower case in requests")
    repeated_offer: Literal["new id", "same id"] = choice("OPEN-73", "Get Offer repeated")
    balance_listed: Literal["when enabled", "always"] = choice("OPEN-53", "balance in paymentOptions if not enabled")
    card_fee: Literal["shown", "zero", "absent", "null", "no entry"] = choice("OPEN-36", "card fee in paymentOptions")
    balance_fee: Literal["absent", "zero"] = choice("OPEN-36", "fee of balance in paymentOptions")
    fares_malformed_id: Literal["empty", 400, 404, 422] = choice("OPEN-49", "Get Fares with a malformed id")
    baggage_expired: Literal[404, 403, "empty"] = choice("OPEN-58", "Get Baggage of an expired offer")
    baggage_foreign: Literal[404, 403, "empty"] = choice("OPEN-58", "Get Baggage of a foreign offer")

    # Orders
    order_expired_offer: Literal[404, 400, 409, 410, 422] = choice("OPEN-06", "Create Order with an expired offer")
    order_foreign_fare: Literal[404, 400, 422] = choice("OPEN-50", "Create Order with a fare of another offer")
    other_orders: Literal["stay open", "fail"] = choice("OPEN-73", "other open orders of an offer after one is booked")
    charge_for_balance: Literal["none", "as for a card"] = choice(
        "OPEN-61", "a charge in the total of an order by balance that no payment option shows"
    )
    booked_total_price: Literal["as ordered", "with a charge"] = choice("OPEN-61", "totalPrice of a booked order")
    repeated_order: Literal["new id", "same id"] = choice("OPEN-73", "Create Order repeated while the order is open")
    unlisted_birth_date: Literal["optional", 400, 422] = choice("OPEN-43", "adult without an unlisted birthDate")
    birth_date_identification: Literal["as any other", "number is enough"] = choice(
        "OPEN-30", "identification of type BIRTH_DATE"
    )
    birth_date_option: Literal["not listed", "listed"] = choice("OPEN-30", "BIRTH_DATE as a type that is listed")
    balance_not_enabled: Literal["at confirm", 403, 422] = choice("OPEN-53", "balance ordered but not enabled")
    baggage_beyond_options: Literal["accepted", 400, 422] = choice("OPEN-65", "baggage that is not offered")
    first_passenger_number: Literal["any", "one", "zero"] = choice("OPEN-66", "where passenger numbers have to start")
    passenger_mismatch: Literal["accepted", 400, 422] = choice(
        "OPEN-67", "passengers that do not match the offer's counts, a title that does not match the gender"
    )
    identification_required: Literal["no", 400, 422] = choice(
        "OPEN-68", "passenger without what the offer lists: an identification of a listed type, a locality of residency"
    )
    documents_listed: Literal["on some routes", "everywhere"] = choice("OPEN-68", "offers listing documents and fields")
    unlisted_identification: Literal["accepted", 400, 422] = choice("OPEN-68", "identification that is not listed")
    additional_field_names: Literal["BIRTH_DATE", "birthDate", "birth_date"] = choice(
        "OPEN-68", "spelling in providerRequiredAdditionalFields"
    )
    payment_method_false: Literal["accepted", 400] = choice("OPEN-69", "paymentMethod with false or other members")

    # Confirmation
    duplicate_confirmation: Literal[409, 400, 403, 404, 410, 422] = choice("OPEN-07", "confirming a booked order again")
    failed_order: Literal["confirmable", 400, 403, 404, 409, 422] = choice(
        "OPEN-05", "confirming a failed order again", default=409
    )
    payment_rejected: Literal["error", "FAILED"] = choice("OPEN-24", "a rejected payment: 422, or 200 and FAILED")
    payment_not_ready: Literal["error, OPEN", "error, FAILED", "FAILED"] = choice(
        "OPEN-24", "a payment that is not ready: 406 or 200, and the order afterwards"
    )
    balance_refused: Literal["OPEN", "FAILED"] = choice("OPEN-24", "the order after 403 at confirmation")
    wrong_confirmation: Literal[400, 403, 422] = choice(
        "OPEN-51", "method mismatch, both or none of the payment references, fields that may not be sent"
    )
    wrongly_confirmed_order: Literal["OPEN", "FAILED"] = choice("OPEN-51", "the order after a wrong confirmation")
    attempted_authentication: Literal[422, 406, "FAILED"] = choice("OPEN-52", "3-D Secure indicators 06 and 01")
    mastercard_indicators: Literal["any card", 400, "declined"] = choice("OPEN-52", "indicator 02 without a Mastercard")
    intent_without_method: Literal[406, 422] = choice("OPEN-72", "a payment intent that has no payment method yet")
    failed_authentication: Literal[400, 422] = choice("OPEN-52", "3-D Secure indicators 07 and 00")
    confirm_after_offer_expired: Literal["works", 400, 404, 409, 422] = choice("OPEN-27", "confirming after expiry")
    confirmation_window: Literal["none", "45 minutes"] = choice("OPEN-71", "lifetime of an open order")
    intent_prefix: Literal["pi_", "intent_"] = choice("OPEN-72", "prefix of a payment intent's id")
    unknown_payment_reference: Literal[422, "accepted"] = choice("OPEN-72", "unknown payment reference")
    payment_method_reuse: Literal["allowed", "refused"] = choice("OPEN-100", "a pm_ id that is used twice")

    # Reads
    foreign_resource: Literal[404, 403, 401] = choice("OPEN-59", "order or reservation of another organisation")
    reservation_before_booking: Literal[404, 400, 409] = choice("OPEN-60", "reservation of an order that is not booked")
    malformed_id: Literal[404, 400, 422] = choice("OPEN-49", "malformed ids in path or query")
    missing_query: Literal[400, 404, 422] = choice("OPEN-49", "offerId or fareId missing at Create Order")
    reservation_without_query: Literal[400, 404, 405] = choice("OPEN-49", "GET /reservation without orderId")

    # Everywhere
    key_missing: Literal[401, 400, 403] = choice("OPEN-32", "request without a key")
    bearer: Literal[401, "accepted"] = choice("OPEN-34", "key with the Bearer prefix")
    customer_code_elsewhere: Literal["ignored", 400] = choice("OPEN-35", "customerCode sent to another operation")
