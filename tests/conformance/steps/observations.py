"""Steps that record what a service does where the documents are silent. Nothing here can fail a service."""

from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any

from conformance.export.content_export import SearchedRow
from conformance.parsed_response import ParsedResponse
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then

_ABSENT = object()

Look = Callable[[ScenarioContext], object]
"""Looks at the responses of a scenario."""


def _order_status(context: ScenarioContext) -> str:
    """Return a documented status: any other value may be personal data."""
    status = context.last_response.member("status")
    if status is None:
        return ""
    return str(status) if status in ("OPEN", "BOOKED", "FAILED") else "another status"


def _status(response: ParsedResponse) -> str:
    return str(response.status) if response.exchange.response is not None else "no response"


def _within(response: ParsedResponse, *steps: str | int, missing: object = None) -> Any:
    value = response.body
    for step in steps:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return missing
    return value


def _form(value: object) -> str:
    """Describe a JSON value without showing what is in it."""
    if isinstance(value, Mapping):
        return f"an object with {', '.join(sorted(value)) or 'no members'}"
    if isinstance(value, list):
        return f"an array of {_form(value[0])}" if value else "an empty array"
    names = {type(None): "null", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value), "absent")


def _members(value: object, name: str) -> Iterator[object]:
    """Yield every value of a member at any depth."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == name:
                yield inner
            yield from _members(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _members(inner, name)


def _stops(context: ScenarioContext) -> str:
    forms = {_form(stops) for response in context.together for stops in _members(response.body, "technicalStops")}
    return ", ".join(sorted(forms)) or "absent"


def _fees(context: ScenarioContext) -> str:
    options = _within(context.last_response, "paymentOptions") or []
    fees = (f"{option.get('type')}: {_form(option.get('fee', _ABSENT))}" for option in options)
    return "; ".join(sorted(fees)) or "no payment options"


def _inbound(context: ScenarioContext) -> str:
    offer = _within(context.last_response, "offers", 0, missing=context.last_response.body)
    return _form(offer["inboundSegment"]) if "inboundSegment" in offer else "absent"


def _descriptors(context: ScenarioContext) -> str:
    forms = {_form(descriptor) for descriptor in _members(context.last_response.body, "descriptor")}
    return ", ".join(sorted(forms)) or "no included baggage"


def _fares(context: ScenarioContext) -> str:
    body = context.last_response.body
    if not isinstance(body, Mapping):
        return _form(body)
    return "; ".join(f"{name}: {_form(value)}" for name, value in sorted(body.items()))


def _quantities(context: ScenarioContext) -> list[str]:
    return sorted({str(each) for each in _members(_within(context.last_response, "results"), "quantity")})[:5]


def _repeated(context: ScenarioContext) -> int:
    identifiers = [flight.get("id") for page in context.pages for flight in page.array("results")]
    return len(identifiers) - len(set(identifiers))


def _price_place(context: ScenarioContext) -> str:
    items = _within(context.last_response, "selectedBaggage") or []
    places = {
        "on the item": any("pricePerPiece" in item for item in items),
        "on the selection": any(
            "pricePerPiece" in selection
            for item in items
            for selection in item.get("outboundSegmentBaggageSelection") or ()
        ),
    }
    return ", ".join(place for place, found in places.items() if found) or "nowhere"


def _price(sought: SearchedRow) -> str:
    """Return which amount of a row the search shows as the price."""
    if sought.same is None:
        return "not found"
    price, total, base = (_number(each) for each in (sought.same["price"], sought.offered.total, sought.offered.base))
    return "the total fare" if price == total else "the base fare" if price == base else "another amount"


def _number(amount: object) -> float:
    return float(str(amount).replace(",", "."))


def _form_of(*steps: str | int) -> Look:
    """Return a function that describes a value of the response."""
    return lambda context: _form(_within(context.last_response, *steps, missing=_ABSENT))


def _presence_of(*names: str) -> Look:
    """Return a function that says whether the response has members of these names, at any depth."""
    return lambda context: (
        "present" if any(True for name in names for _ in _members(context.last_response.body, name)) else "absent"
    )


# By the words of the step: the question that the report shows, and the function that looks at the responses.
_QUESTIONS: Mapping[str, tuple[str, Look]] = {
    "the status": ("status", lambda context: _status(context.last_response)),
    "the way of the rejection": ("response", lambda context: _status(context.last_response)),
    "the status of the order": ("the order after a rejected payment", _order_status),
    "the status of the other order": (
        "another order of an offer once one of its orders is booked",
        lambda context: _order_status(context) or _status(context.last_response),
    ),
    "the number of aborted booking requests": (
        "the booking requests of two that a failed payment aborts",
        lambda context: sum(response.status == HTTPStatus.FORBIDDEN for response in context.together),
    ),
    "the form of the technical stops": ("the form of technicalStops", _stops),
    "the pricing keys of absent passenger types": (
        "the passenger types that are priced",
        lambda context: sorted(_within(context.last_response, "cheapestFare", "passengerPricingByPassengerType") or ()),
    ),
    "the fees of the payment options": ("the fees of paymentOptions", _fees),
    "the inbound segment of one-way offers": ("inboundSegment of one-way offers", _inbound),
    "the structure of the inbound segment": ("inboundSegment of round trips", _inbound),
    "the terminals in search results": (
        "terminals in the sections of search results",
        _presence_of("departureTerminal", "arrivalTerminal"),
    ),
    "the available seats in stored offers": (
        "availableSeats in the sections of stored offers",
        _presence_of("availableSeats"),
    ),
    "the relation of the two offer ids": (
        "the offer's id at search and at Get Offer",
        lambda context: "the same" if context.offer.found.get("id") == context.offer.id else "different",
    ),
    "the descriptors of included baggage": ("the members of descriptor", _descriptors),
    "the names of required additional fields": (
        "providerRequiredAdditionalFields of adults",
        lambda context: _within(
            context.last_response,
            "providerAdditionalPassengerInformationByPassengerType",
            "adult",
            "providerRequiredAdditionalFields",
        ),
    ),
    "the shape of the fares": ("the shape of the fares", _fares),
    "the inbound baggage options of one-way offers": (
        "inboundSegmentOptions of one-way offers",
        _form_of("fareBaggageOptions", 0, "inboundSegmentOptions"),
    ),
    "the place of the price per piece": ("the place of pricePerPiece", _price_place),
    "the flights that are on several pages": ("flights that are on several pages", _repeated),
    "the quantities of bag options": ("quantity of bag options", _quantities),
    "the bag prices of round-trip fares": ("checked_bags_prices", _form_of("fares", 0, "checked_bags_prices")),
    "the price in the search": (
        "the price of a flight of the content export",
        lambda context: ", ".join(sorted({_price(each) for each in context.searched_rows})),
    ),
    "the contents of the fare": ("the members of a reservation's fare", _form_of("fare")),
}


@then(r"(?P<what>[A-Za-z -]+) (?:is|are) observed as (?P<place>OPEN-\d+)")
def _record_observation(context: ScenarioContext, what: str, place: str) -> None:
    if context.export is not None and what not in _QUESTIONS:
        for value in context.export.observed(what):
            context.observe(place, f"content export: {what}", value)
        return
    question, look = _QUESTIONS[what]
    try:
        seen = look(context)
    except (LookupError, TypeError, ValueError, AttributeError):
        seen = "not to be seen"
    context.observe(
        place,
        f"{context.capture.scenario}: {question}",
        seen,
    )
