"""The open choices of v4; see `airworthy.sandbox.dialects.choices`."""

from dataclasses import dataclass
from typing import Literal

from airworthy.sandbox.dialects import choice


@dataclass(frozen=True, slots=True)
class V4Choices:
    """One choice for every open question on v4 that a client can observe."""

    # Responses
    technical_stops: Literal["absent", "empty", "strings", "objects"] = choice(
        "absent", "OPEN-01", "technicalStops of a section"
    )
    inbound_shape: Literal["sections", "legs"] = choice(
        "sections", "OPEN-02", "structure of inboundSegment in round-trip responses"
    )
    one_way_inbound: Literal["null", "absent"] = choice("null", "OPEN-02", "inboundSegment in one-way responses")
    order_inbound: Literal["present", "absent"] = choice("present", "OPEN-02", "inboundSegment in order.offer")
    reservation_inbound: Literal["present", "absent"] = choice(
        "present", "OPEN-02", "inboundSegment in the reservation"
    )
    fares_shape: Literal["get-offer", "search", "other", "other members beside fares", "ids"] = choice(
        "get-offer", "OPEN-03", "items of Get Fares"
    )
    reservation_fare: Literal["full", "empty", "absent"] = choice("full", "OPEN-04", "fare of a reservation")
    price_per_piece: Literal["item", "selection", "both"] = choice(
        "item", "OPEN-44", "place of pricePerPiece in selectedBaggage of an order"
    )
    extra_fields: Literal["none", "everywhere"] = choice("none", "OPEN-46", "unknown fields in responses")
    optional_fields: Literal["null", "absent"] = choice("null", "OPEN-48", "optional fields without a value")
    baggage_inbound_one_way: Literal["null", "empty", "absent"] = choice(
        "null", "OPEN-58", "inboundSegmentOptions on one-way offers"
    )
    pricing: Literal["per passenger and tax", "per type with tax"] = choice(
        "per passenger and tax", "OPEN-61", "meaning of fareAmount"
    )
    source_amount: Literal["total", "net"] = choice("total", "OPEN-61", "sourceAmount of a search price")
    descriptor: Literal["integers", "fractions", "nulls", "empty", "null"] = choice(
        "integers", "OPEN-62", "descriptor of an included bag"
    )
    zero_types: Literal["absent", "zero"] = choice("absent", "OPEN-63", "passenger types without passengers")
    carriers: Literal["letters", "digits too"] = choice("letters", "OPEN-64", "carrier codes")
    flight_numbers: Literal["plain", "leading zeros"] = choice("plain", "OPEN-64", "flight numbers in responses")
    payment_method_echo: Literal["bare", "with false"] = choice("bare", "OPEN-69", "paymentMethod in responses")
    credentials_echo: Literal["dropped", "masked", "echoed"] = choice(
        "dropped", "OPEN-70", "carrierPortalCredentials in responses"
    )
    error_text: Literal["standard", "upper case", "lower case", "RFC 9110"] = choice(
        "standard", "OPEN-76", "spelling of error"
    )
    empty_inbound: Literal["null", "absent"] = choice(
        "null", "OPEN-48", "inboundSegmentBaggageSelection of one-way orders, sent as null"
    )
    baggage_fares: Literal["all", "with options"] = choice(
        "all", "OPEN-58", "fares that Get Baggage lists if there is nothing to buy"
    )
    code_case: Literal["upper case", "lower case"] = choice("upper case", "OPEN-64", "carrier codes in v4 responses")
    passenger_names: Literal["as sent", "capital letters", "plain letters", "transliterated"] = choice(
        "as sent", "OPEN-67", "names of passengers in orders and reservations"
    )
    id_form: Literal["lower case", "upper case"] = choice("lower case", "OPEN-73", "letter case of ids")
    array_order: Literal["as sent", "reversed"] = choice(
        "as sent", "OPEN-77", "order of passengers, baggage and fares in v4 responses"
    )
    message_language: Literal["English", "Spanish"] = choice("English", "OPEN-76", "language of message")
    server_fault_body: Literal["v4", "text", "empty"] = choice("v4", "OPEN-41", "body of an internal error")

    # Search and offers
    search_offer_id: Literal["unrelated", "usable", "reused by Get Offer"] = choice(
        "unrelated", "OPEN-57", "the id of a search offer"
    )
    offer_order: Literal["price", "departure", "shuffled"] = choice("price", "OPEN-77", "order of search offers")
    fare_ids: Literal["of the offer", "of the fare family"] = choice(
        "of the offer", "OPEN-73", "whether fares of different offers may have the same id"
    )
    offer_count: Literal["many", "few"] = choice("many", "OPEN-77", "number of search offers")
    customer_code_unknown: Literal[404, "results", "empty"] = choice(404, "OPEN-31", "unknown customerCode at search")
    customer_code_unknown_at_offer: Literal[404, "accepted"] = choice(
        404, "OPEN-31", "unknown customerCode at Get Offer"
    )
    one_way_inbound_left_out: Literal["accepted", 400] = choice(
        "accepted", "OPEN-25", "ONE_WAY request without the key inboundSegment"
    )
    one_way_inbound_sent: Literal["ignored", 400] = choice("ignored", "OPEN-25", "ONE_WAY request with inboundSegment")
    class_case: Literal["exact", "any"] = choice("exact", "OPEN-54", "travelClass economy in lower case")
    offer_other_class: Literal[400, 404, "empty"] = choice(400, "OPEN-54", "other travelClass at Get Offer")
    search_edge: Literal["empty", 400, 404] = choice(
        "empty",
        "OPEN-55",
        "past or impossible dates, return before outbound, unserved or unknown places, more than nine seats",
    )
    itinerary_gone: Literal[404, 400, 409, 422] = choice(404, "OPEN-56", "itinerary that is not sold at Get Offer")
    search_staleness: Literal["none", "some sold out"] = choice(
        "none", "OPEN-56", "itineraries of a search that are sold out by Get Offer"
    )
    seats_on_sale: Literal["many", "one or two"] = choice(
        "many", "OPEN-56", "seats of a flight; an order of v4 takes its seats only if they are one or two"
    )
    infants_sold: Literal["on all flights", "on some flights"] = choice(
        "on all flights", "OPEN-56", "itineraries that are sold to infants"
    )
    lower_case_codes: Literal["accepted", 400] = choice("accepted", "OPEN-64", "codes in lower case in requests")
    repeated_offer: Literal["new id", "same id"] = choice("new id", "OPEN-73", "Get Offer repeated")
    balance_listed: Literal["when enabled", "always"] = choice(
        "when enabled", "OPEN-53", "balance in paymentOptions of an organisation that may not use it"
    )
    card_fee: Literal["shown", "zero", "absent", "null", "no entry"] = choice(
        "shown", "OPEN-36", "fee of card in paymentOptions"
    )
    balance_fee: Literal["absent", "zero"] = choice("absent", "OPEN-36", "fee of balance in paymentOptions")
    fares_malformed_id: Literal["empty", 400, 404, 422] = choice("empty", "OPEN-49", "Get Fares with a malformed id")
    baggage_expired: Literal[404, 403, "empty"] = choice(404, "OPEN-58", "Get Baggage of an expired offer")
    baggage_foreign: Literal[404, 403, "empty"] = choice(404, "OPEN-58", "Get Baggage of a foreign offer")

    # Orders
    order_expired_offer: Literal[404, 400, 409, 410, 422] = choice(404, "OPEN-06", "Create Order with an expired offer")
    order_foreign_fare: Literal[404, 400, 422] = choice(404, "OPEN-50", "Create Order with a fare of another offer")
    other_orders: Literal["stay open", "fail"] = choice(
        "stay open", "OPEN-73", "the other open orders of an offer once one of its orders is booked"
    )
    charge_for_balance: Literal["none", "as for a card"] = choice(
        "none", "OPEN-61", "a charge in the total of an order by balance that no payment option shows"
    )
    booked_total_price: Literal["as ordered", "with a charge"] = choice(
        "as ordered", "OPEN-61", "totalPrice of a booked order"
    )
    repeated_order: Literal["new id", "same id"] = choice(
        "new id", "OPEN-73", "Create Order repeated with the same body while the order is open"
    )
    unlisted_birth_date: Literal["optional", 400, 422] = choice(
        "optional", "OPEN-43", "adult without birthDate where BIRTH_DATE is not listed"
    )
    birth_date_identification: Literal["as any other", "number is enough"] = choice(
        "as any other", "OPEN-30", "identification of type BIRTH_DATE"
    )
    birth_date_option: Literal["not listed", "listed"] = choice(
        "not listed", "OPEN-30", "BIRTH_DATE in providerIdentificationTypeOptions (birthDate satisfies it)"
    )
    balance_not_enabled: Literal["at confirm", 403, 422] = choice(
        "at confirm", "OPEN-53", "balance ordered by an organisation that may not use it"
    )
    baggage_beyond_options: Literal["accepted", 400, 422] = choice(
        "accepted", "OPEN-65", "pieces above the maximum, kilos that are not offered, zero pieces"
    )
    first_passenger_number: Literal["any", "one", "zero"] = choice(
        "any", "OPEN-66", "where passenger numbers have to start"
    )
    passenger_mismatch: Literal["accepted", 400, 422] = choice(
        "accepted", "OPEN-67", "passengers that do not match the offer's counts, a title that does not match the gender"
    )
    identification_required: Literal["no", 400, 422] = choice(
        "no",
        "OPEN-68",
        "passenger without what the offer lists: an identification of a listed type, a locality of residency",
    )
    documents_listed: Literal["on some routes", "everywhere"] = choice(
        "on some routes", "OPEN-68", "offers that list identification types and required fields"
    )
    unlisted_identification: Literal["accepted", 400, 422] = choice(
        "accepted", "OPEN-68", "identification of a passenger although the offer lists no type"
    )
    additional_field_names: Literal["BIRTH_DATE", "birthDate", "birth_date"] = choice(
        "BIRTH_DATE", "OPEN-68", "spelling in providerRequiredAdditionalFields"
    )
    payment_method_false: Literal["accepted", 400] = choice(
        "accepted", "OPEN-69", "paymentMethod with an explicit false, or with other members"
    )

    # Confirmation
    duplicate_confirmation: Literal[409, 400, 403, 404, 410, 422] = choice(
        409, "OPEN-07", "confirming a booked order again"
    )
    failed_order: Literal["confirmable", 400, 403, 404, 409, 422] = choice(
        409, "OPEN-05", "confirming a failed order again"
    )
    payment_rejected: Literal["error", "FAILED"] = choice(
        "error", "OPEN-24", "transport of a rejected payment: 422, or 200 with status FAILED"
    )
    payment_not_ready: Literal["error, OPEN", "error, FAILED", "FAILED"] = choice(
        "error, OPEN", "OPEN-24", "a payment that is not ready: 406 or 200, and the order afterwards"
    )
    balance_refused: Literal["OPEN", "FAILED"] = choice("OPEN", "OPEN-24", "the order after 403 at confirmation")
    wrong_confirmation: Literal[400, 403, 422] = choice(
        400, "OPEN-51", "method mismatch, both or none of the payment references, fields that may not be sent"
    )
    wrongly_confirmed_order: Literal["OPEN", "FAILED"] = choice(
        "OPEN", "OPEN-51", "the order after a confirmation that broke the rules"
    )
    attempted_authentication: Literal[422, 406, "FAILED"] = choice(422, "OPEN-52", "3-D Secure indicators 06 and 01")
    mastercard_indicators: Literal["any card", 400, 422] = choice(
        "any card", "OPEN-52", "3-D Secure indicator 02 with a card that is not a Mastercard"
    )
    intent_without_method: Literal[406, 422] = choice(406, "OPEN-72", "a payment intent that has no payment method yet")
    failed_authentication: Literal[400, 422] = choice(400, "OPEN-52", "3-D Secure indicators 07 and 00")
    confirm_after_offer_expired: Literal["works", 400, 404, 409, 422] = choice(
        "works", "OPEN-27", "confirming an order after its offer has expired"
    )
    confirmation_window: Literal["none", "45 minutes"] = choice("none", "OPEN-71", "lifetime of an open order")
    intent_prefix: Literal["pi_", "intent_"] = choice("pi_", "OPEN-72", "prefix of a payment intent's id")
    unknown_payment_reference: Literal[422, "accepted"] = choice(
        422, "OPEN-72", "payment reference that is unknown to the payment provider"
    )
    payment_method_reuse: Literal["allowed", "refused"] = choice("allowed", "OPEN-100", "a pm_ id that is used twice")

    # Reads
    foreign_resource: Literal[404, 403, 401] = choice(404, "OPEN-59", "order or reservation of another organisation")
    reservation_before_booking: Literal[404, 400, 409] = choice(
        404, "OPEN-60", "reservation of an order that is not booked"
    )
    malformed_id: Literal[404, 400, 422] = choice(404, "OPEN-49", "malformed ids in path or query")
    missing_query: Literal[400, 404, 422] = choice(400, "OPEN-49", "offerId or fareId missing at Create Order")
    reservation_without_query: Literal[400, 404, 405] = choice(400, "OPEN-49", "GET /reservation without orderId")

    # Everywhere
    key_missing: Literal[401, 400, 403] = choice(401, "OPEN-32", "request without a key")
    bearer: Literal[401, "accepted"] = choice(401, "OPEN-34", "key with the Bearer prefix")
    customer_code_elsewhere: Literal["ignored", 400] = choice(
        "ignored", "OPEN-35", "customerCode sent to another operation"
    )
