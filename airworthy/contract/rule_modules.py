"""All modules of coded rules. Importing them registers their rules."""

# ruff: noqa: F401 - the names are not needed

from airworthy.contract.payment import rules as payment_rules
from airworthy.contract.rules import client_rules, customer_rules, transport_rules
from airworthy.contract.v3 import (
    agreement_rules,
    bag_fee_rules,
    booking_record_rules,
    booking_request_rules,
    booking_rules,
    flight_rules,
    held_value_rules,
    itinerary_rules,
    passenger_rules,
    retrieval_rules,
    schedule_change_rules,
)
from airworthy.contract.v4 import agreement_rules as v4_agreement_rules
from airworthy.contract.v4 import (
    confirmation_rules,
    conversation_rules,
    echo_rules,
    identifier_rules,
    price_rules,
    request_rules,
    reservation_rules,
    response_rules,
    section_rules,
)
