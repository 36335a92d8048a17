"""Steps that search and store offers."""

from pytest_bdd import given, parsers, when

from airworthy.suite.outcomes import Untested
from conformance import bodies
from conformance.bodies import Party
from conformance.desk import Desk
from conformance.offer_desk import Itinerary, OfferDesk, Wanted
from conformance.parties import PARTY, parse_party
from conformance.scene import Scene


def wanted(kind: str | None, route: str | None, party: str | None) -> Wanted:
    """Say what is wanted, from the words that a step names it with."""
    routes = {"between cities": "city", "for connecting flights": "connecting"}
    return Wanted(
        route=routes.get(route or "", "round_trip" if kind else "regular"),
        party=parse_party(party) if party else Party(),
        round_trip=bool(kind),
    )


_SEARCH = (
    r"a (?P<kind>round-trip )?search(?: (?P<route>between cities|for connecting flights)| for (?P<party>"
    + PARTY
    + r"))? that "
)


@given("a documented search")
def _a_documented_search(desk: OfferDesk, scene: Scene) -> None:
    scene.draft = desk.search_request(Wanted())


@given(parsers.re(_SEARCH + "the service answers"))
def _a_search_that_is_answered(desk: OfferDesk, scene: Scene, kind: str, route: str, party: str) -> None:
    found = desk.search(wanted(kind, route, party))
    scene.wanted, scene.draft, scene.answer = wanted(kind, route, party), found.draft, found.answer


@given(parsers.re(_SEARCH + "finds offers"))
def _a_search_that_finds_offers(desk: OfferDesk, scene: Scene, kind: str, route: str, party: str) -> None:
    found = desk.search_with_offers(wanted(kind, route, party))
    scene.wanted, scene.draft, scene.answer = wanted(kind, route, party), found.draft, found.answer


@given(parsers.re(r"an? (?P<kind>round-trip )?offer request that the service answers"))
def _an_offer_request(desk: OfferDesk, scene: Scene, kind: str) -> None:
    _use(scene, desk, wanted(kind, None, None))
    scene.draft = scene.offer.draft


@given(parsers.re(rf"a stored offer for (?P<party>{PARTY})"))
def _a_stored_offer(desk: OfferDesk, scene: Scene, party: str) -> None:
    _use(scene, desk, Wanted(party=parse_party(party)))


@given("a stored round-trip offer")
def _a_stored_round_trip_offer(desk: OfferDesk, scene: Scene) -> None:
    _use(scene, desk, wanted("round-trip", None, None))


@given("a stored offer of connecting flights")
def _a_stored_connecting_offer(desk: OfferDesk, scene: Scene) -> None:
    _use(scene, desk, Wanted(route="connecting"))


@given("a stored offer that wants identification")
def _a_stored_offer_that_wants_identification(desk: OfferDesk, scene: Scene) -> None:
    _use(scene, desk, Wanted(route="identification_required"))


@given("a stored offer without paid baggage")
def _a_stored_offer_without_paid_baggage(desk: OfferDesk, scene: Scene) -> None:
    _use(scene, desk, Wanted(route="no_baggage"))


def _use(scene: Scene, desk: OfferDesk, what: Wanted) -> None:
    scene.wanted, scene.stored = what, desk.stored(what)
    scene.answer = scene.stored.answer


@given(parsers.re(rf"an itinerary with seats for (?P<party>{PARTY})"))
def _an_itinerary_with_seats(desk: OfferDesk, scene: Scene, party: str) -> None:
    scene.wanted = Wanted(party=parse_party(party))
    desk.sells(scene.wanted)
    seats = scene.wanted.party.adults + scene.wanted.party.children
    if scene.wanted != Wanted():
        desk.stored(Wanted())
    for later in range(5):
        for itinerary in desk.search(scene.wanted, later).itineraries:
            if _seats(itinerary) >= seats:
                scene.draft = desk.offer_request(scene.wanted, itinerary)
                return
    raise Untested(f"no search on [routes.regular] finds {seats} available seats")


def _seats(itinerary: Itinerary) -> int:
    """The seats that all sections of an offer have; none where it does not say."""
    sections = itinerary.sections("outboundSegment")
    seats = [section.get("availableSeats") if isinstance(section, dict) else None for section in sections]
    return min((number if isinstance(number, int) else 0 for number in seats), default=0)


@given("an itinerary that is sold out by the time of Get Offer")
def _a_sold_out_itinerary(desk: OfferDesk, scene: Scene) -> None:
    _find(scene, desk, Wanted(route="sold_out"))


@given("an itinerary whose price changes by the time of Get Offer")
def _an_itinerary_whose_price_changes(desk: OfferDesk, scene: Scene) -> None:
    _find(scene, desk, Wanted(route="price_changed"))


def _find(scene: Scene, desk: OfferDesk, what: Wanted) -> None:
    scene.wanted = what
    scene.draft = desk.offer_request(what, desk.itinerary(what))


@when(parsers.re(rf"it is offered for (?P<party>{PARTY})"))
def _it_is_offered(desk: Desk, scene: Scene, party: str) -> None:
    counts = parse_party(party)
    draft = scene.request.setting("adults", counts.adults).setting("children", counts.children)
    scene.answer = desk.send(draft.setting("infants", counts.infants))


@when("its fares are read")
def _its_fares_are_read(desk: Desk, scene: Scene) -> None:
    scene.answer = desk.send(bodies.get_fares(scene.offer.id))


@when("the fares of an unknown offer are read")
def _the_fares_of_an_unknown_offer(desk: Desk, scene: Scene, unknown_id: str) -> None:
    scene.answer = desk.send(bodies.get_fares(unknown_id))


@when("the second organisation reads its fares")
def _the_second_organisation_reads_its_fares(second_desk: Desk, scene: Scene) -> None:
    scene.answer = second_desk.send(bodies.get_fares(scene.offer.id))


@when("its baggage is read")
def _its_baggage_is_read(desk: Desk, scene: Scene) -> None:
    scene.answer = desk.send(bodies.get_baggage(scene.offer.id))


@when("the baggage of an unknown offer is read")
def _the_baggage_of_an_unknown_offer(desk: Desk, scene: Scene, unknown_id: str) -> None:
    scene.answer = desk.send(bodies.get_baggage(unknown_id))
