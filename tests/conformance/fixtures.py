"""Fixtures for the step functions, in addition to those of the plugin (see `airworthy.suite`)."""

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from airworthy.contract import Contract, Conversation, ServiceAddress
from airworthy.contract.findings.finding import Finding
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.rules.coded_rules import CODED_RULES
from airworthy.suite import ages
from airworthy.suite.capture import Capture
from airworthy.suite.examiner import Examiner
from airworthy.suite.fixtures import RunScope
from airworthy.suite.outcomes import SeatsGone, UnexpectedError, comparisons, expect
from airworthy.target.ageing import AgedItem, Ageing, ClockProbe
from airworthy.target.client import Client
from airworthy.target.clock import TargetClock, Times, shown_times
from airworthy.target.profile import VERSIONS, Profile
from conformance.capabilities import CapabilityRequirements
from conformance.export.content_export import ExportUnderTest, read_export
from conformance.kinds import if_sold
from conformance.parsed_response import ParsedResponse
from conformance.payments import WAYS, PaymentFields
from conformance.request_draft import RequestDraft
from conformance.scenario_context import ScenarioContext
from conformance.v3.booking_client import BookingClient
from conformance.v3.booking_request_client import CreatedBookingRequests
from conformance.v3.flight_client import FlightCriteria
from conformance.v3.last_seats import hold_all_seats
from conformance.v3.request_bodies import INTERFACES, cancel_request
from conformance.v3.requested_flights import RequestedFlights
from conformance.v4 import request_bodies as bodies
from conformance.v4 import samples
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import OrderClient
from conformance.v4.request_bodies import PassengerCounts

if TYPE_CHECKING:
    from conformance.explore.planned import PlannedConversations
    from conformance.explore.random_conversation import ExploredService


Conversing = Callable[[str], "tuple[PlannedConversations, ExploredService]"]


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """Checks the rule of the running scenario against the findings of the contract.

    ``interfaces`` are the examined ones that the rule is about. Other scenarios of the run send every value that the
    documents exclude if ``is_validated_elsewhere``, and use every operation if ``is_exercised_elsewhere``.
    ``is_self_test`` is set for a run against the embedded sandbox.
    """

    capture: Capture
    interfaces: Collection[str]
    is_visible_in_traffic: bool
    is_validated_elsewhere: bool
    is_exercised_elsewhere: bool
    is_self_test: bool = False

    def check_own_rule(self) -> None:
        """Fail if an earlier response violates the rule and the scenario has none: the contract checks its own ones.

        If the contract never applied the rule, the results show it as untested.
        """
        earlier = [] if self.capture.exchanges else self.capture.earlier_violations
        violation = next((each for each in earlier if each.rule in self.capture.rules), None)
        if violation is not None:
            expect(
                False,
                violation.message,
                expected=violation.expected,
                actual=violation.actual,
                pointer=violation.pointer,
                exchange=self.capture.exchange(violation.exchange),
            )
        self.capture.relies_on_contract = True

    def wrong_request(self, exchange: Exchange) -> str:
        """Return words for a request that violates the rule, with what is wrong if the contract knows it."""
        found = [each.message for each in self._of_request(exchange) if each.rule in self.capture.rules]
        return f"a request in which {found[0]}" if found else "a request that violates the documents"

    def _of_request(self, exchange: Exchange) -> list[Finding]:
        return [each for each in self.capture.findings if each.exchange == exchange.id and each.side == "request"]

    def check_request_finding(self, exchange: Exchange) -> None:
        """Raise UnexpectedError if the contract does not find the violation that this request contains on purpose.

        A scenario tagged ``@unseen`` violates its rule in a way that traffic alone does not show. The same may be true
        of other services for what earlier traffic shows: a flight of a round-trip fare may have another id (OPEN-95).
        """
        by_conversation = any(each.by_conversation and each.id in self.capture.rules for each in CODED_RULES)
        if not self.is_visible_in_traffic or (by_conversation and not self.is_self_test):
            return
        found = {each.rule for each in self._of_request(exchange)}
        # An earlier violation may have kept the contract from finding the one in this request.
        if not found & self.capture.rules and not self.capture.earlier_violations:
            raise UnexpectedError(
                "internal error of the suite: the contract does not find the violation in this request: expected "
                f"{sorted(self.capture.rules)}, actual {sorted(found)}"
            )


@dataclass(frozen=True, slots=True)
class SyntheticTraffic:
    """Judges synthetic traffic with a conversation of its own."""

    contract: Contract
    rules: frozenset[str]
    tolerated: set[str] = field(default_factory=set)

    def tolerate(self, rule: str) -> None:
        """Ignore findings of a rule that even the documented exchange violates."""
        self.tolerated.add(rule)

    def check_no_findings(self, exchanges: Sequence[Exchange]) -> None:
        """Raise LookupError if there is any finding."""
        found = self._findings(exchanges)
        comparisons.add()
        if found:
            raise LookupError(
                f"expected no findings in documented traffic, actual {[(each.rule, each.pointer) for each in found]}"
            )

    def check_own_rule_findings(self, exchanges: Sequence[Exchange]) -> None:
        """Raise LookupError unless there are findings, all of the running scenario's rule."""
        found = {each.rule for each in self._findings(exchanges)}
        comparisons.add()
        if found != self.rules:
            raise LookupError(f"expected findings of {sorted(self.rules)} only, actual {sorted(found)}")

    def _findings(self, exchanges: Sequence[Exchange]) -> list[Finding]:
        conversation = Conversation()
        found = [finding for exchange in exchanges for finding in self.contract.judge(exchange, conversation)]
        return [finding for finding in found if finding.rule not in self.tolerated]


@pytest.fixture(scope="session")
def needs(profile: Profile, needed_capabilities: Callable[[], list[str]]) -> CapabilityRequirements:
    """The check of the capabilities that scenarios need."""
    return CapabilityRequirements(profile, needed_capabilities)


@pytest.fixture(scope="session")
def payments(profile: Profile, needs: CapabilityRequirements, request: pytest.FixtureRequest) -> PaymentFields:
    """The payment fields that the profile allows."""
    if not (profile.payment.url and profile.payment.token):
        return PaymentFields(needs, None)
    provider: Client = request.getfixturevalue("provider")
    return PaymentFields(needs, lambda path, form: provider.send("POST", path, form=form))


@pytest.fixture(scope="session")
def service_client(
    profile: Profile, client: Client, payments: PaymentFields, clock: TargetClock, examiner: Examiner
) -> OrderClient:
    """The client of the organisation whose interface is tested."""
    return OrderClient(profile, profile.organisation, client, payments, clock, examiner.contract, examiner.share)


@pytest.fixture(scope="session")
def booking_client(service_client: OrderClient) -> BookingClient:
    """The same organisation's client for v2 and v3."""
    return BookingClient(service_client, requested_flights=RequestedFlights(service_client.share))


@pytest.fixture(scope="session")
def content_export(profile: Profile) -> ExportUnderTest:
    """The content export, read once. Its rules are not applicable if the profile has no [export] location."""
    return read_export(profile)


@pytest.fixture(scope="session")
def second_client_or_none(
    profile: Profile, payments: PaymentFields, clock: TargetClock, examiner: Examiner, request: pytest.FixtureRequest
) -> OrderClient | None:
    """The client of the second organisation; None if the profile has none."""
    if profile.second_organisation is None:
        return None
    client: Client = request.getfixturevalue("second_client")
    second, contract = profile.second_organisation, examiner.contract
    return OrderClient(profile, second, client, payments, clock, contract, examiner.share)


@pytest.fixture(scope="session")
def aged_items(service_client: OrderClient, booking_client: BookingClient, profile: Profile) -> Mapping[str, AgedItem]:
    """The resources that must age before they are used, by the step that needs them."""

    # A service may keep what it holds for some passengers, or for a round trip, for another time.
    party = PassengerCounts(1, *(int(profile.has_capability(kind)) for kind in ("children", "infants")))

    def offer() -> StoredOffer:
        store, needs = service_client.store, service_client.needs
        return if_sold(partial(store, OfferCriteria(party=party)), needs) or store(OfferCriteria())

    round_trip = partial(service_client.store, OfferCriteria(route="round_trip", round_trip=True))

    def used(create: Callable[[], StoredOffer]) -> StoredOffer:
        """Store an offer, read it, and request an itinerary that nobody sells: none of this shortens its life."""
        stored = create()
        reads = [bodies.get_fares(stored.id), *[bodies.get_baggage(stored.id)] * profile.has_capability("baggage")]
        for each in (*reads, stored.draft.with_value("outboundSegment.sections[0].flightNumber", "9999")):
            service_client.send(each)
        return stored

    def order() -> object:
        return service_client.any_order(service_client.usual_payment)

    def booking() -> object:
        return service_client.book(WAYS[service_client.usual_payment])

    creators: dict[str, Callable[[], object]] = {
        "an offer stored almost 30 minutes ago": partial(used, offer),
        "a round-trip offer stored almost 30 minutes ago": partial(used, round_trip),
        "an offer stored more than 30 minutes ago": offer,
        "a round-trip offer stored more than 30 minutes ago": round_trip,
        "an order created in time from an offer stored more than 30 minutes ago": order,
        "an order booked in time from an offer stored more than 30 minutes ago": booking,
    }

    def special_or_plain(create: Callable[..., object], **special: object) -> object:
        return if_sold(partial(create, **special), service_client.needs) or create()

    for interface in INTERFACES:
        request = partial(booking_client.request, FlightCriteria(interface))
        of_family = partial(special_or_plain, request, party=booking_client.family)
        without_code = partial(special_or_plain, request, party=booking_client.family, names_customer=False)
        another = partial(booking_client.any_request, FlightCriteria(interface))
        trip = partial(booking_client.request_trip, interface)
        # The second of two bookings ages like the first one.
        two = partial(booking_client.booked, FlightCriteria(interface), count=2, party=booking_client.family)
        changing = partial(booking_client.booked, FlightCriteria(interface, "schedule_change"))
        creators |= {
            f"a booking request in {interface} made almost 3 minutes ago": of_family,
            f"another booking request in {interface} made almost 3 minutes ago": another,
            f"two booking requests in {interface} made almost 3 minutes ago": trip,
            f"a booking request in {interface} to be cancelled made almost 3 minutes ago": another,
            f"a booking request in {interface} made more than 5 minutes ago": without_code,
            f"another booking request in {interface} made more than 5 minutes ago": another,
            f"two booking requests in {interface} made more than 5 minutes ago": trip,
            **{
                f"booking requests in {interface} that held all seats of a flight {ago}": partial(
                    hold_all_seats, booking_client, interface
                )
                for ago in ("almost 3 minutes ago", "more than 5 minutes ago")
            },
            f"a booking in {interface} made more than two hours ago": partial(special_or_plain, two, bag="checked"),
            f"a booking in {interface} whose schedule changed a while ago": partial(
                special_or_plain, changing, count=2
            ),
        }

    def create(start: Callable[[], object]) -> object:
        try:
            return start()
        except SeatsGone:
            # What a search found may be known for a while only (OPEN-37, OPEN-56), and the clock has moved.
            booking_client.search_anew()
            return start()

    return {
        step: ages.item(step, partial(create, start), profile.lifetimes)
        for step, start in creators.items()
        if step in ages.BY_STEP
    }


@pytest.fixture(scope="session")
def clock_probes(
    service_client: OrderClient, booking_client: BookingClient, profile: Profile
) -> Iterator[Sequence[ClockProbe[Any]]]:
    """Booking requests of v3 and v2 and offers of v4, in the interfaces that are examined."""
    # This client has no listeners: while the target's time is unknown, its responses cannot be judged.
    client = Client(profile.base_url, ca_bundle=profile.ca_bundle, timeout=profile.timeout_seconds)

    def send(draft: RequestDraft) -> ParsedResponse:
        return ParsedResponse(client.send(draft.method, draft.path, key=service_client.authorization(draft)))

    def has_fares(stored: StoredOffer) -> bool:
        response = send(bodies.get_fares(stored.id))
        assert response.status == 200
        return bool(response.array("fares"))

    def is_cancelled(requested: CreatedBookingRequests) -> bool:
        return send(cancel_request(requested.requests[0]["id"])).succeeded

    def times(created: StoredOffer | CreatedBookingRequests) -> Times:
        return shown_times(created.response.exchange)

    lives = profile.lifetimes
    requests = (lives.request_seconds_min, lives.request_seconds_max)
    offers = (lives.offer_seconds, lives.offer_seconds)
    store = partial(service_client.store, OfferCriteria())
    request_v3, request_v2 = (partial(booking_client.request, FlightCriteria(each)) for each in ("v3", "v2"))
    probes: dict[str, ClockProbe[Any]] = {
        "v4": ClockProbe(store, times, has_fares, *offers),
        "v3": ClockProbe(request_v3, times, is_cancelled, *requests),
        # v2 has no operation that shows whether a booking request exists without booking it.
        "v2": ClockProbe(request_v2, times, None, *requests),
    }
    yield [probe for version, probe in probes.items() if version in profile.versions]
    client.close()


@pytest.fixture
def conversing(
    scenario_capture: Capture,
    service_client: OrderClient,
    second_client_or_none: OrderClient | None,
    examiner: Examiner,
    ageing: Ageing,
) -> Conversing:
    """``conversing("v3")`` returns the judge of planned conversations with an interface, and the service."""
    from conformance.explore.planned import PlannedConversations  # noqa: PLC0415 - needs Hypothesis, which takes a moment
    from conformance.explore.random_conversation import explored_service  # noqa: PLC0415 - needs Hypothesis, which takes a moment

    def begin(interface: str) -> "tuple[PlannedConversations, ExploredService]":
        # A conversation also tries what is not documented.
        scenario_capture.explores = True
        conversations, clients = PlannedConversations(scenario_capture), (service_client, second_client_or_none)
        service = explored_service(conversations, interface, *clients, examiner.conversation)
        service.can_wait = ageing.is_clock_proven
        return conversations, service

    return begin


@pytest.fixture
def context(
    service_client: OrderClient,
    booking_client: BookingClient,
    second_client_or_none: OrderClient | None,
    scenario_capture: Capture,
) -> ScenarioContext:
    """The state that the steps of one scenario share."""
    return ScenarioContext(service_client, booking_client, second_client_or_none, scenario_capture)


@pytest.fixture
def rule_check(
    scenario_capture: Capture,
    profile: Profile,
    rule_interfaces: Sequence[str],
    run_scope: RunScope,
    request: pytest.FixtureRequest,
) -> RuleCheck:
    """The check of the scenario's own rule."""
    marks = request.node.get_closest_marker
    # The contract uses the documented lifetimes: if a target shortens them, it does not find late requests.
    is_visible = marks("unseen") is None and (marks("ages") is None or profile.lifetimes.are_documented)
    return RuleCheck(
        scenario_capture,
        rule_interfaces,
        is_visible_in_traffic=marks("both") is not None and is_visible,
        is_validated_elsewhere={f"{each.upper()}-BAD-REQUEST" for each in rule_interfaces} <= run_scope.rules,
        is_exercised_elsewhere=not run_scope.is_narrowed,
        is_self_test=run_scope.is_self_test,
    )


@pytest.fixture
def traffic(scenario_capture: Capture) -> SyntheticTraffic:
    """The check of synthetic traffic, which may belong to any interface."""
    service = ServiceAddress((samples.BASE,), (samples.PROVIDER,))
    return SyntheticTraffic(Contract.load(VERSIONS, service), scenario_capture.rules)


@pytest.fixture
def wrong_key() -> str:
    """A key that the service has never issued."""
    return f"airworthy-nobody-{secrets.token_hex(8)}"
