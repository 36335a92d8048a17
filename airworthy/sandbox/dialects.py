"""Named sets of choices: services that all conform and are as unlike as the documents allow.

Between them they take every behaviour that `Choices` lists; ``docs/reference/dialects.md`` shows which takes which.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from airworthy.errors import UsageError
from airworthy.sandbox.choices import Choices, questions


@dataclass(frozen=True, slots=True)
class Dialect:
    """A named set of choices."""

    name: str
    description: str
    choices: Choices


DOCUMENTED = Dialect(
    "documented", "The plainest reading of the documents; what the sandbox speaks by default", Choices()
)

STRICT = Dialect(
    "strict",
    "Refuses whatever it may refuse, with 400 wherever that is allowed",
    Choices(
        technical_stops="empty",
        price_per_piece="selection",
        flight_numbers="leading zeros",
        error_text="upper case",
        server_fault_body="text",
        offer_order="departure",
        customer_code_unknown="empty",
        one_way_inbound_left_out=400,
        one_way_inbound_sent=400,
        offer_other_class=400,
        search_edge=400,
        itinerary_gone=400,
        lower_case_codes=400,
        card_fee="zero",
        balance_fee="zero",
        fares_malformed_id=400,
        baggage_expired=403,
        baggage_foreign=403,
        order_expired_offer=400,
        order_foreign_fare=400,
        unlisted_birth_date=400,
        birth_date_option="listed",
        balance_not_enabled=403,
        baggage_beyond_options=400,
        first_passenger_number="one",
        passenger_mismatch=400,
        identification_demanded=400,
        payment_method_false=400,
        duplicate_confirmation=400,
        failed_order=400,
        payment_not_ready="error, FAILED",
        balance_refused="FAILED",
        wrongly_confirmed_order="FAILED",
        attempted_authentication=406,
        confirm_after_offer_expired=400,
        confirmation_window="45 minutes",
        payment_method_reuse="refused",
        foreign_resource=403,
        reservation_before_booking=400,
        malformed_id=400,
        key_missing=400,
        customer_code_elsewhere=400,
        unknown_request_fields=400,
        plain_http="reset",
        order_of_checks="body first",
        other_accept=406,
        other_content_type=415,
        unknown_path=405,
        removed_versions=410,
    ),
)

LENIENT = Dialect(
    "lenient",
    "Accepts whatever it may accept and shows failures as answers",
    Choices(
        technical_stops="strings",
        fares_shape="search",
        price_per_piece="both",
        source_amount="net",
        descriptor="null",
        carriers="digits too",
        credentials_echo="echoed",
        search_offer_id="usable",
        customer_code_unknown="results",
        customer_code_unknown_at_offer="accepted",
        class_case="any",
        offer_other_class="empty",
        itinerary_gone=409,
        repeated_offer="same id",
        balance_listed="always",
        card_fee="absent",
        baggage_expired="empty",
        baggage_foreign="empty",
        order_expired_offer=422,
        order_foreign_fare=422,
        repeated_order="same id",
        birth_date_identification="number is enough",
        duplicate_confirmation=422,
        failed_order="confirmable",
        payment_rejected="FAILED",
        payment_not_ready="FAILED",
        wrong_confirmation=422,
        attempted_authentication="FAILED",
        failed_authentication=422,
        unknown_payment_reference="accepted",
        foreign_resource=401,
        reservation_before_booking=409,
        missing_query=422,
        malformed_id=422,
        fares_malformed_id=422,
        bearer="accepted",
        plain_http="redirect",
        throttling="429 with Retry-After",
    ),
)

TERSE = Dialect(
    "terse",
    "Leaves out whatever it may leave out and knows little more than 404",
    Choices(
        one_way_inbound="absent",
        order_inbound="absent",
        reservation_inbound="absent",
        reservation_fare="absent",
        optional_fields="absent",
        baggage_inbound_one_way="absent",
        descriptor="empty",
        error_text="lower case",
        server_fault_body="empty",
        offer_count="few",
        offer_other_class=404,
        search_edge=404,
        card_fee="no entry",
        fares_malformed_id=404,
        order_expired_offer=409,
        additional_field_names="birth_date",
        duplicate_confirmation=404,
        failed_order=404,
        confirm_after_offer_expired=404,
        missing_query=404,
        reservation_without_query=404,
        plain_http="no answer",
        throttling="429",
        order_of_checks="resource first",
        unknown_method=404,
        removed_versions="no route",
    ),
)

TALKATIVE = Dialect(
    "talkative",
    "Says more than anybody asked: other members everywhere, zeros instead of absent keys",
    Choices(
        technical_stops="objects",
        fares_shape="other members beside fares",
        extra_fields="everywhere",
        baggage_inbound_one_way="empty",
        pricing="per type with tax",
        descriptor="fractions",
        zero_types="zero",
        payment_method_echo="with false",
        credentials_echo="masked",
        message_language="Spanish",
        search_offer_id="kept by Get Offer",
        itinerary_gone=422,
        card_fee="null",
        unlisted_birth_date=422,
        additional_field_names="birthDate",
        balance_not_enabled=422,
        baggage_beyond_options=422,
        passenger_mismatch=422,
        identification_demanded=422,
        duplicate_confirmation=403,
        failed_order=403,
        wrong_confirmation=403,
        confirm_after_offer_expired=409,
        key_missing=403,
        plain_http=400,
        other_accept=400,
        other_content_type=400,
    ),
)

ODD = Dialect(
    "odd",
    "The reading that nobody expects and the documents allow all the same",
    Choices(
        inbound_shape="legs",
        fares_shape="other",
        reservation_fare="empty",
        carriers="digits too",
        descriptor="nulls",
        offer_order="shuffled",
        order_expired_offer=410,
        first_passenger_number="zero",
        duplicate_confirmation=410,
        failed_order=422,
        confirm_after_offer_expired=422,
        intent_prefix="intent_",
        reservation_without_query=405,
        throttling="503",
    ),
)

_DIALECTS = (DOCUMENTED, STRICT, LENIENT, TERSE, TALKATIVE, ODD)


def dialects() -> Mapping[str, Dialect]:
    """Return all dialects by name; the first is the default."""
    return {each.name: each for each in _DIALECTS}


def dialect(name: str) -> Dialect:
    """Return one dialect; raises UsageError, naming those there are, for an unknown name."""
    try:
        return dialects()[name]
    except KeyError:
        raise UsageError(f"unknown dialect {name!r}; there are: {', '.join(dialects())}") from None


def table() -> Iterator[str]:
    """Yield the lines of the Markdown table which shows what dialect takes which behaviour of which open question."""
    yield "| question | about | " + " | ".join(dialects()) + " |"
    yield "|---" * (2 + len(_DIALECTS)) + "|"
    for question in questions():
        taken = (str(getattr(each.choices, question.name)) for each in _DIALECTS)
        yield f"| {question.open_id} | {question.subject} | " + " | ".join(taken) + " |"
