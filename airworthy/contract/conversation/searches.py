"""What the searches of each caller have shown: which versions it searches, and which offers and flights v4 found."""

from dataclasses import dataclass, replace
from itertools import starmap
from operator import itemgetter
from typing import Any

from airworthy.contract.bodies.body import Json
from airworthy.contract.conversation.store import ConversationStore
from airworthy.contract.http.operations import SERVED
from airworthy.contract.http.transaction import Transaction, member

FLIGHT_SEARCHES = ("searchFlights", "searchFlightsV2")
SEARCHES = (*FLIGHT_SEARCHES, "searchRoundTrips", "searchOffers")
MOST_SEARCHES = 20
MOST_FLIGHTS = 5000

FoundLeg = tuple[str, str, str, str, str]
"""Flight number, departure, origin, and operating and marketing carrier, which identify a leg."""
_LEG = ("flightNumber", "departureDate", "origin", "operatingCarrierCode", "marketingCarrierCode")


@dataclass(frozen=True, slots=True)
class FoundOffers:
    """The ids and the legs of the offers of one search."""

    offers: frozenset[str]
    legs: frozenset[FoundLeg]


@dataclass(frozen=True, slots=True)
class SeenSearches:
    """The searches of one caller in one version.

    ``flights`` is how many flights were found; ``complete`` is False if something was found that is not remembered or
    was not seen. ``more_fares`` says whether there may be other round-trip fares, on further pages or in a response
    that was not seen; ``stored`` whether Get Offer stored an offer.
    """

    offers: tuple[FoundOffers, ...] = ()
    flights: int = 0
    complete: bool = True
    searched: bool = False
    more_fares: bool = False
    stored: bool = False

    def found(self, sections: list[dict[str, Any]]) -> bool:
        """Return whether the searches found every one of some sections."""
        legs = [leg(each) for each in sections]
        return all(each and any(each in found.legs for found in self.offers) for each in legs)


class Searches:
    """Remembers the searches of each caller."""

    def __init__(self, store: ConversationStore) -> None:
        self._store = store

    def of(self, transaction: Transaction, version: str = "") -> SeenSearches:
        """Return the searches of the caller of a request, in its version unless another one is named."""
        found = self._store.get("search", _key(transaction, version)) if transaction.caller else None
        return found if isinstance(found, SeenSearches) else SeenSearches()

    def elsewhere(self, transaction: Transaction) -> str:
        """Return the version that the caller of a request searches, if that is only another one; else an empty text."""
        if self.of(transaction).searched:
            return ""
        return next((each for each in SERVED if self.of(transaction, each).searched), "")

    def observe(self, transaction: Transaction) -> None:
        """Remember what a search found."""
        operation, body = transaction.operation, transaction.delivered
        if not transaction.caller:
            return
        known = self.of(transaction)
        if not isinstance(body, dict):
            if operation not in SEARCHES or transaction.rejected:
                return
            more = known.more_fares or operation == "searchRoundTrips"
            known = replace(known, complete=False, searched=True, more_fares=more)
        elif operation == "searchOffers":
            known = _with_offers(known, body.get("offers"))
        elif operation in FLIGHT_SEARCHES:
            known = _with_flights(known, body.get("results"))
        elif operation == "searchRoundTrips":
            more = body.get("next_page_id") is not None
            known = replace(_with_flights(known, body.get("flights")), more_fares=more)
        elif operation == "getOffer":
            known = replace(known, stored=True)
        else:
            return
        self._store.put("search", _key(transaction, ""), known)


def leg(section: Json) -> FoundLeg | None:
    """Return what identifies a leg, in normal form, or None if a member is missing."""
    values = [member(section, name) for name in _LEG]
    return _normal(*values) if all(isinstance(each, str) for each in values) else None


def _normal(number: str, departs: str, origin: str, operating: str, marketing: str) -> FoundLeg:
    return number.lstrip("0"), departs, origin.upper(), operating.upper(), marketing.upper()


def _with_offers(known: SeenSearches, offers: Json) -> SeenSearches:
    if not isinstance(offers, list):
        return known
    try:
        # There are hundreds of offers, most of them in normal form.
        ids = frozenset([offer["id"] for offer in offers])
        sections = [section for offer in offers for section in offer["outboundSegment"]["sections"]]
        shown = frozenset(map(itemgetter(*_LEG), sections))
        found = FoundOffers(frozenset(map(str.lower, ids)), frozenset(starmap(_normal, shown)))
    except (AttributeError, LookupError, TypeError):
        return replace(known, searched=True, complete=False)
    complete = known.complete and len(known.offers) < MOST_SEARCHES
    return replace(known, offers=(*known.offers, found)[-MOST_SEARCHES:], searched=True, complete=complete)


def _with_flights(known: SeenSearches, flights: Json) -> SeenSearches:
    count = known.flights + (len(flights) if isinstance(flights, list) else 0)
    return replace(known, flights=count, searched=True, complete=known.complete and count <= MOST_FLIGHTS)


def _key(transaction: Transaction, version: str) -> str:
    return f"{version or transaction.url.version} {transaction.caller}"
