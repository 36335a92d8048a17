"""Steps that record what a service does where the documents are silent. Nothing here can fail a service."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pytest_bdd import parsers, then

from airworthy.suite.capture import Capture
from conformance.answer import Answer
from conformance.exports import Sought
from conformance.fixtures import Observe
from conformance.scene import Scene

_ABSENT = object()

# What is looked at, by the words of the step: the question that the report shows, and how the answer is read.
_QUESTIONS: Mapping[str, tuple[str, Callable[[Scene], object]]] = {
    "the status": ("status", lambda scene: _status(scene.last)),
    "the way of the refusal": ("answer", lambda scene: _status(scene.last)),
    "the status of the order": ("the order after a rejected payment", lambda scene: scene.last.member("status")),
    "the form of the technical stops": ("the form of technicalStops", lambda scene: _stops(scene.together)),
    "the pricing keys of absent passenger types": (
        "the passenger types that are priced",
        lambda scene: sorted(_within(scene.last, "cheapestFare", "passengerPricingByPassengerType") or ()),
    ),
    "the fees of the payment options": ("the fees of paymentOptions", lambda scene: _fees(scene.last)),
    "the inbound segment of one-way offers": ("inboundSegment of one-way offers", lambda scene: _inbound(scene.last)),
    "the structure of the inbound segment": ("inboundSegment of round trips", lambda scene: _inbound(scene.last)),
    "the relation of the two offer ids": (
        "the offer's id at search and at Get Offer",
        lambda scene: "the same" if scene.offer.found.get("id") == scene.offer.id else "different",
    ),
    "the descriptors of included baggage": ("the members of descriptor", lambda scene: _descriptors(scene.last)),
    "the names of required additional fields": (
        "providerRequiredAdditionalFields of adults",
        lambda scene: _within(
            scene.last,
            "providerAdditionalPassengerInformationByPassengerType",
            "adult",
            "providerRequiredAdditionalFields",
        ),
    ),
    "the shape of the fares": ("the shape of the fares", lambda scene: _fares(scene.last)),
    "the inbound baggage options of one-way offers": (
        "inboundSegmentOptions of one-way offers",
        lambda scene: _form(_within(scene.last, "fareBaggageOptions", 0, "inboundSegmentOptions", missing=_ABSENT)),
    ),
    "the place of the price per piece": ("where pricePerPiece stands", lambda scene: _price_place(scene.last)),
    "the flights that stand on several pages": (
        "flights that stand on several pages",
        lambda scene: _repeated(scene.pages),
    ),
    "the quantities of bag options": (
        "quantity of bag options",
        lambda scene: sorted({str(value) for value in _members(_within(scene.last, "results"), "quantity")})[:5],
    ),
    "the bag prices of round-trip fares": (
        "checked_bags_prices",
        lambda scene: _form(_within(scene.last, "fares", 0, "checked_bags_prices", missing=_ABSENT)),
    ),
    "the price in the search": (
        "the price of a flight of the content export",
        lambda scene: ", ".join(sorted({_price(each) for each in scene.sought})),
    ),
    "the contents of the fare": (
        "the members of a reservation's fare",
        lambda scene: _form(_within(scene.last, "fare", missing=_ABSENT)),
    ),
}


@then(parsers.re(r"(?P<what>[A-Za-z -]+) (?:is|are) observed as (?P<place>OPEN-\d+)"))
def _it_is_observed(scene: Scene, observe: Observe, scenario_capture: Capture, what: str, place: str) -> None:
    if scene.export is not None and what not in _QUESTIONS:
        for value in scene.export.observed(what):
            observe(place, f"content export: {what}", value)
        return
    question, look = _QUESTIONS[what]
    try:
        seen = look(scene)
    except (LookupError, TypeError, ValueError, AttributeError):
        seen = "not to be seen"
    observe(
        place, f"{scenario_capture.scenario}: {question}", str(seen), scene.answer.exchange if scene.answer else None
    )


def _status(answer: Answer) -> str:
    return str(answer.status) if answer.exchange.response is not None else "no answer"


def _within(answer: Answer, *steps: str | int, missing: object = None) -> Any:
    value = answer.body
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
    """Find every value of a member, however deep it stands."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == name:
                yield inner
            yield from _members(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _members(inner, name)


def _stops(answers: tuple[Answer, ...]) -> str:
    forms = {_form(stops) for answer in answers for stops in _members(answer.body, "technicalStops")}
    return ", ".join(sorted(forms)) or "absent"


def _fees(answer: Answer) -> str:
    options = _within(answer, "paymentOptions") or []
    fees = (f"{option.get('type')}: {_form(option.get('fee', _ABSENT))}" for option in options)
    return "; ".join(sorted(fees)) or "no payment options"


def _inbound(answer: Answer) -> str:
    offer = _within(answer, "offers", 0, missing=answer.body)
    return _form(offer["inboundSegment"]) if "inboundSegment" in offer else "absent"


def _descriptors(answer: Answer) -> str:
    forms = {_form(descriptor) for descriptor in _members(answer.body, "descriptor")}
    return ", ".join(sorted(forms)) or "no included baggage"


def _fares(answer: Answer) -> str:
    if not isinstance(answer.body, Mapping):
        return _form(answer.body)
    return "; ".join(f"{name}: {_form(value)}" for name, value in sorted(answer.body.items()))


def _repeated(pages: list[Answer]) -> int:
    identifiers = [flight.get("id") for page in pages for flight in page.array("results")]
    return len(identifiers) - len(set(identifiers))


def _price_place(answer: Answer) -> str:
    items = _within(answer, "selectedBaggage") or []
    places = {
        "on the item": any("pricePerPiece" in item for item in items),
        "on the selection": any(
            "pricePerPiece" in selection
            for item in items
            for selection in item.get("outboundSegmentBaggageSelection") or ()
        ),
    }
    return ", ".join(place for place, found in places.items() if found) or "nowhere"


def _price(sought: Sought) -> str:
    """Say which amount of a row the search shows as the price."""
    if sought.same is None:
        return "not found"
    price, total, base = (_number(each) for each in (sought.same["price"], sought.offered.total, sought.offered.base))
    return "the total fare" if price == total else "the base fare" if price == base else "another amount"


def _number(amount: object) -> float:
    return float(str(amount).replace(",", "."))
