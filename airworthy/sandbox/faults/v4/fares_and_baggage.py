"""Faults in Get Fares and Get Baggage."""

from uuid import uuid4

from airworthy.sandbox.faults.changes import (
    change,
    edit_responses,
    rename,
    when,
    with_status,
    with_success,
)
from airworthy.sandbox.faults.fault import Fault

_PRICE = "pricePerPiece/amount"

FAULTS: tuple[Fault, ...] = (
    Fault(
        "fares-rejected",
        "V4-FARES-LIVE",
        "The service responds with 409 to Get Fares for an offer that is still valid",
        rejects=when("getFares"),
        rejects_with=409,
    ),
    Fault(
        "fares-renamed",
        "V4-FARES-LIVE",
        "The service responds to Get Fares with the member items instead of fares",
        rewrite=edit_responses("getFares", rename("", "fares", "items")),
        verdict="warning",
        reason="OPEN-03: the structure of the fares response is not documented",
    ),
    Fault(
        "fares-missing-404",
        "V4-FARES-MISSING",
        "The service responds with 404 to Get Fares for an offer that does not exist",
        rewords={"fares-missing": with_status(404)},
    ),
    Fault(
        "fares-missing-null",
        "V4-FARES-MISSING",
        "The service responds with null fares to Get Fares for an offer that does not exist",
        rewords={"fares-missing": with_success({"fares": None})},
    ),
    Fault(
        "fares-after-expiry",
        "V4-FARES-EXPIRED",
        "The service responds with fares to Get Fares for an expired offer",
        tolerates=("fares-expired",),
    ),
    Fault(
        "fares-expired-410",
        "V4-FARES-EXPIRED",
        "The service responds with 410 to Get Fares for an expired offer",
        rewords={"fares-expired": with_status(410)},
    ),
    Fault(
        "fares-for-all",
        "V4-FARES-FOREIGN",
        "The service responds with the fares of offers that belong to another organisation",
        tolerates=("fares-foreign",),
    ),
    Fault(
        "fares-foreign-403",
        "V4-FARES-FOREIGN",
        "The service responds with 403 to Get Fares for an offer that belongs to another organisation",
        rewords={"fares-foreign": with_status(403)},
    ),
    Fault(
        "baggage-bare",
        "V4-BAGGAGE-OPTIONS",
        "The service responds to Get Baggage with an array instead of an object",
        rewrite=edit_responses("getBaggage", change("", lambda body: body["fareBaggageOptions"])),
    ),
    Fault(
        "baggage-unknown-400",
        "V4-BAGGAGE-UNKNOWN-OFFER",
        "The service responds with 400 to Get Baggage for an unknown offer",
        rewords={"offer-unknown@getBaggage": with_status(400)},
    ),
    Fault(
        "baggage-unknown-empty",
        "V4-BAGGAGE-UNKNOWN-OFFER",
        "The service responds with an empty list to Get Baggage for an unknown offer",
        rewords={"offer-unknown@getBaggage": with_success({"fareBaggageOptions": []})},
    ),
    Fault(
        "baggage-of-other-fares",
        "V4-BAGGAGE-FARES",
        "The service lists baggage options for fares that are not of the offer",
        rewrite=edit_responses("getBaggage", change("/fareBaggageOptions/*/fareId", lambda _: str(uuid4()))),
        verdict="warning",
        reason="OPEN-03: how Get Fares names the fares is not documented",
    ),
    Fault(
        "baggage-other-price",
        "V4-BAGGAGE-PRICE",
        "The service charges another price for outbound baggage than it lists",
        rewrite=edit_responses(
            "getBaggage", change(f"/fareBaggageOptions/*/outboundSegmentOptions/*/{_PRICE}", lambda price: price + 1)
        ),
    ),
    Fault(
        "baggage-other-price-back",
        "V4-BAGGAGE-PRICE",
        "The service charges another price for inbound baggage than it lists",
        rewrite=edit_responses(
            "getBaggage", change(f"/fareBaggageOptions/*/inboundSegmentOptions/*/{_PRICE}", lambda price: price + 1)
        ),
    ),
)
