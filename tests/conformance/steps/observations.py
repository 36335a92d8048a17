"""Steps that record what a service does where the documents are silent. Nothing here can fail a service."""

from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import Any

from pytest_bdd import parsers

from airworthy.suite.capture import Capture
from conformance.export.content_export import SearchedRow
from conformance.fixtures import RecordObservation
from conformance.parsed_response import ParsedResponse
from conformance.scenario_context import ScenarioContext
from conformance.step_table import then

_ABSENT = object()

# By the words of the step: the question that the report shows, and the function that reads the response.
_QUESTIONS: Mapping[str, tuple[str, Callable[[ScenarioContext], object]]] = {
    "the status": ("status", lambda context: _status(context.last_response)),
    "the way of the rejection": ("response", lambda context: _status(context.last_response)),
    "the status of the order": (
        "the order after a rejected payment",
        lambda context: _order_status(context.last_response),
    ),
    "the status of the other order": (
        "another order of an offer once one of its orders is booked",
        lambda context: _order_status(context.last_response) or _status(context.last_response),
    ),
    "the number of aborted booking requests": (
        "the booking requests of two that a failed payment aborts",
        lambda context: sum(response.status == HTTPStatus.FORBIDDEN for response in context.together),
    ),
    "the form of the technical stops": ("the form of technicalStops", lambda context: _stops(context.together)),
    "the pricing keys of absent passenger types": (
        "the passenger types that are priced",
        lambda context: sorted(_within(context.last_response, "cheapestFare", "passengerPricingByPassengerType") or ()),
    ),
    "the fees of the payment options": ("the fees of paymentOptions", lambda context: _fees(context.last_response)),
    "the inbound segment of one-way offers": (
        "inboundSegment of one-way offers",
        lambda context: _inbound(context.last_response),
    ),
    "the structure of the inbound segment": (
        "inboundSegment of round trips",
        lambda context: _inbound(context.last_response),
    ),
    "the terminals in search results": (
        "terminals in the sections of search results",
        lambda context: _presence(context.last_response, "departureTerminal", "arrivalTerminal"),
    ),
    "the available seats in stored offers": (
        "availableSeats in the sections of stored offers",
        lambda context: _presence(context.last_response, "availableSeats"),
    ),
    "the relation of the two offer ids": (
        "the offer's id at search and at Get Offer",
        lambda context: "the same" if context.offer.found.get("id") == context.offer.id else "different",
    ),
    "the descriptors of included baggage": (
        "the members of descriptor",
        lambda context: _descriptors(context.last_response),
    ),
    "the names of required additional fields": (
        "providerRequiredAdditionalFields of adults",
        lambda context: _within(
            context.last_response,
            "providerAdditionalPassengerInformationByPassengerType",
            "adult",
            "providerRequiredAdditionalFields",
        ),
    ),
    "the shape of the fares": ("the shape of the fares", lambda context: _fares(context.last_response)),
    "the inbound baggage options of one-way offers": (
        "inboundSegmentOptions of one-way offers",
        lambda context: _form(
            _within(context.last_response, "fareBaggageOptions", 0, "inboundSegmentOptions", missing=_ABSENT)
        ),
    ),
    "the place of the price per piece": (
        "the place of pricePerPiece",
        lambda context: _price_place(context.last_response),
    ),
    "the flights that are on several pages": (
        "flights that are on several pages",
        lambda context: _repeated(context.pages),
    ),
    "the quantities of bag options": (
        "quantity of bag options",
        lambda context: sorted(
            {str(value) for value in _members(_within(context.last_response, "results"), "quantity")}
        )[:5],
    ),
    "the bag prices of round-trip fares": (
        "checked_bags_prices",
        lambda context: _form(_within(context.last_response, "fares", 0, "checked_bags_prices", missing=_ABSENT)),
    ),
    "the price in the search": (
        "the price of a flight of the content export",
        lambda context: ", ".join(sorted({_price(each) for each in context.searched_rows})),
    ),
    "the contents of the fare": (
        "the members of a reservation's fare",
        lambda context: _form(_within(context.last_response, "fare", missing=_ABSENT)),
    ),
}


@then(parsers.re(r"(?P<what>[A-Za-z -]+) (?:is|are) observed as (?P<place>OPEN-\d+)"))
def _record_observation(
    context: ScenarioContext, observe: RecordObservation, scenario_capture: Capture, what: str, place: str
) -> None:
    if context.export is not None and what not in _QUESTIONS:
        for value in context.export.observed(what):
            observe(place, f"content export: {what}", value)
        return
    question, look = _QUESTIONS[what]
    try:
        seen = look(context)
    except (LookupError, TypeError, ValueError, AttributeError):
        seen = "not to be seen"
    observe(
        place,
        f"{scenario_capture.scenario}: {question}",
        str(seen),
        context.response.exchange if context.response else None,
    )


def _order_status(response: ParsedResponse) -> str:
    """Return a documented status: any other value may be personal data."""
    status = response.member("status")
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


def _presence(response: ParsedResponse, *names: str) -> str:
    return "present" if any(True for name in names for _ in _members(response.body, name)) else "absent"


def _stops(responses: tuple[ParsedResponse, ...]) -> str:
    forms = {_form(stops) for response in responses for stops in _members(response.body, "technicalStops")}
    return ", ".join(sorted(forms)) or "absent"


def _fees(response: ParsedResponse) -> str:
    options = _within(response, "paymentOptions") or []
    fees = (f"{option.get('type')}: {_form(option.get('fee', _ABSENT))}" for option in options)
    return "; ".join(sorted(fees)) or "no payment options"


def _inbound(response: ParsedResponse) -> str:
    offer = _within(response, "offers", 0, missing=response.body)
    return _form(offer["inboundSegment"]) if "inboundSegment" in offer else "absent"


def _descriptors(response: ParsedResponse) -> str:
    forms = {_form(descriptor) for descriptor in _members(response.body, "descriptor")}
    return ", ".join(sorted(forms)) or "no included baggage"


def _fares(response: ParsedResponse) -> str:
    if not isinstance(response.body, Mapping):
        return _form(response.body)
    return "; ".join(f"{name}: {_form(value)}" for name, value in sorted(response.body.items()))


def _repeated(pages: list[ParsedResponse]) -> int:
    identifiers = [flight.get("id") for page in pages for flight in page.array("results")]
    return len(identifiers) - len(set(identifiers))


def _price_place(response: ParsedResponse) -> str:
    items = _within(response, "selectedBaggage") or []
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
