"""Three dialects as independent teams could have built them from the documents.

They take the choices that the six other dialects (`airworthy.sandbox.dialects.named`) do not take.
"""

from airworthy.sandbox.dialects.choices import Choices
from airworthy.sandbox.dialects.dialect import Dialect

DEMANDING = Dialect(
    "demanding",
    "Requires everything that a service may require of a request, and throttles often",
    Choices(
        # Offers and orders
        documents_listed="everywhere",
        identification_required=422,
        birth_date_option="listed",
        unlisted_birth_date=400,
        baggage_beyond_options=422,
        passenger_mismatch=422,
        first_passenger_number="one",
        payment_method_false=400,
        passenger_names="capital letters",
        one_way_inbound_left_out=400,
        one_way_inbound_sent=400,
        # Payments
        mastercard_indicators=422,
        intent_without_method=422,
        payment_method_reuse="refused",
        wrong_confirmation=422,
        # HTTP
        unknown_request_fields=400,
        wrong_bare_token=400,
        authorization_form="Bearer",
        error_text="RFC 9110",
        rejection_body="errors",
        id_form="upper case",
        throttling="429 often",
        media_type="application/json;charset=UTF-8",
        transfer="chunked",
        json_form="indented",
        extra_headers="some",
        # v3 and v2
        date_form_taken="YYYY-MM-DD",
        gender_taken="MALE/FEMALE",
        gender_form="MALE",
        timestamps="Z",
        one_day_window=400,
        long_window=422,
        odd_search=422,
        return_window=400,
        last_page="followed by an empty page",
        cabin_bag_needs="dimensions and weight",
        no_bags_sent=400,
        infants_bags="not counted",
        bag_price_sent="compared",
        unknown_bag="refused",
        broken_rule=422,
        passport_needed=422,
        customer_unknown_at_search=404,
        self_psp_left_out=400,
        self_psp_with_card=422,
        both_customers=400,
        awaited_locator="empty",
        payment_failed=402,
        text_ids=400,
        no_counts=422,
        luggage_listed=400,
        # The export
        export_versions="3",
        export_seats="stars from nine on",
    ),
)

NORMALIZING = Dialect(
    "normalizing",
    "Writes everything in a form of its own: names without accents, reversed arrays, UTC, numbers with a fraction",
    Choices(
        # v4
        passenger_names="transliterated",
        array_order="reversed",
        code_case="lower case",
        inbound_shape="legs",
        unlisted_identification=422,
        mastercard_indicators=400,
        price_per_piece="both",
        pricing="per type with tax",
        technical_stops="objects",
        # HTTP
        media_type="Application/JSON; charset=utf-8",
        transfer="gzip",
        json_form="escaped",
        number_form="with a fraction",
        key_order="reversed",
        # v3 and v2
        date_form="DD/MM/YYYY",
        gender_form="M",
        timestamps="milliseconds",
        zone_form="offset",
        undocumented_types="other",
        window_end="left out",
        one_day_window="empty",
        cached="another departure",
        segment_order="reversed",
        flight_times="UTC",
        no_luggage_options="null",
        booker_form="transliterated",
        booked_bags="by flight id",
        booked_price="total",
        round_trip_price="on the way out",
        changed_airline="name in oldFlight",
        change_timestamps="seconds",
        destination_timezone="with either",
        # The export
        export_weight="with unit",
        export_own_files="none",
        export_decimal="comma",
        export_codes="small letters",
    ),
)

ECONOMICAL = Dialect(
    "economical",
    "Shares ids between offers, includes bags in the price, and lists only what was chosen",
    Choices(
        # v4
        fares_shape="ids",
        fare_ids="of the fare family",
        baggage_fares="with options",
        empty_inbound="absent",
        passenger_names="plain letters",
        optional_fields="absent",
        order_inbound="absent",
        repeated_offer="same id",
        repeated_order="same id",
        unlisted_identification=400,
        # v3 and v2
        cached="some left out",
        current_flight="as booked until accepted",
        bag_quantity="included",
        included_bags="free",
        no_bag_options="absent",
        no_luggage_options="absent",
        booked_bags="only chosen",
        booked_total="without card fee",
        creation_fields="as retrieved",
        first_status="CONFIRMED",
        no_changes="empty",
        changed_airline="in both",
        cancel_in_v2="works",
        reference_unknown="empty",
    ),
)
