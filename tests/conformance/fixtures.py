"""What the steps get from pytest, beside the plugin's own fixtures (see `airworthy.suite`)."""

import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import pytest

from airworthy.contract import Contract, Journey, Service
from airworthy.contract.exchange import Exchange
from airworthy.contract.finding import Finding
from airworthy.suite.ages import BY_STEP
from airworthy.suite.capture import Capture
from airworthy.suite.outcomes import expect
from airworthy.target.ageing import AgedItem
from airworthy.target.client import Client
from airworthy.target.clock import TargetClock
from airworthy.target.profile import VERSIONS, Lifetimes, Profile
from conformance import samples
from conformance.bodies import OrderOptions
from conformance.booking_desk import BookingDesk
from conformance.capabilities import Needs
from conformance.exports import ContentExport, read_export
from conformance.flight_bodies import INTERFACES
from conformance.flight_desk import Asked
from conformance.offer_desk import Wanted
from conformance.order_desk import OrderDesk
from conformance.payments import Payments
from conformance.scene import Scene


class Observe(Protocol):
    """Records what a service does where the documents are silent."""

    def __call__(self, open_id: str, question: str, value: object, exchange: Exchange | None = None) -> None: ...


class Warn(Protocol):
    """Records that a soft check did not hold; the scenario goes on."""

    def __call__(self, message: str, exchange: Exchange | None = None) -> None: ...


class Announce(Protocol):
    """Says which other rules a request breaks on purpose."""

    def __call__(self, *rules: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Keeping:
    """Whether the running scenario's own rule is kept, by what the contract found on the wire."""

    capture: Capture
    shows_on_the_wire: bool

    def service_keeps_own_rule(self) -> None:
        """Fail where any answer so far breaks the rule; the capture itself weighs the findings of this scenario."""
        broken = next((each for each in self.capture.earlier if each.rule in self.capture.rules), None)
        if broken is not None:
            expect(
                False,
                broken.message,
                expected=broken.expected,
                actual=broken.actual,
                pointer=broken.pointer,
                exchange=self.capture.exchange(broken.exchange),
            )

    def names_own_request(self, exchange: Exchange) -> None:
        """Fail the suite where a request that breaks a rule of the client, too, was not found to break it.

        A scenario tagged ``@unseen`` breaks its rule in a way that traffic alone cannot show.
        """
        if not self.shows_on_the_wire:
            return
        found = {each.rule for each in self.capture.findings if each.exchange == exchange.id and each.side == "request"}
        # An answer that broke a rule before may have kept the contract from seeing what this request breaks.
        if not found & self.capture.rules and not self.capture.earlier:
            raise LookupError(
                f"the contract does not find what this request breaks: it names {sorted(found) or 'nothing'}"
            )


@dataclass(frozen=True, slots=True)
class Traffic:
    """The contract's own view of synthetic traffic, with a journey of its own."""

    contract: Contract
    rules: frozenset[str]
    tolerated: set[str] = field(default_factory=set)

    def tolerates(self, rule: str) -> None:
        """Leave the findings of a rule out: the documented exchange breaks it, whatever else it does."""
        self.tolerated.add(rule)

    def finds_nothing(self, exchanges: Sequence[Exchange]) -> None:
        """Fail where anything is found."""
        found = self._findings(exchanges)
        if found:
            raise LookupError(f"documented traffic has findings: {[(each.rule, each.pointer) for each in found]}")

    def names_own_rule(self, exchanges: Sequence[Exchange]) -> None:
        """Fail where the running scenario's rule is not among the findings, or where another is."""
        named = {each.rule for each in self._findings(exchanges)}
        if named != self.rules:
            raise LookupError(
                f"the mistake should be found as {sorted(self.rules)} alone, it is found as {sorted(named)}"
            )

    def _findings(self, exchanges: Sequence[Exchange]) -> list[Finding]:
        journey = Journey()
        found = [finding for exchange in exchanges for finding in self.contract.judge(exchange, journey)]
        return [finding for finding in found if finding.rule not in self.tolerated]


@pytest.fixture(scope="session")
def needs(profile: Profile, needed: Callable[[], list[str]]) -> Needs:
    """What scenarios need of the target."""
    return Needs(profile, needed)


@pytest.fixture(scope="session")
def payments(profile: Profile, needs: Needs, request: pytest.FixtureRequest) -> Payments:
    """The ways to pay that the profile gives."""
    if not (profile.payment.url and profile.payment.token):
        return Payments(needs, None)
    provider: Client = request.getfixturevalue("provider")
    return Payments(needs, lambda path, form: provider.send("POST", path, form=form))


@pytest.fixture(scope="session")
def desk(profile: Profile, client: Client, payments: Payments, clock: TargetClock, contract: Contract) -> OrderDesk:
    """The desk of the organisation whose interface is examined."""
    return OrderDesk(profile, profile.organisation, client, payments, clock, contract)


@pytest.fixture(scope="session")
def flight_desk(desk: OrderDesk) -> BookingDesk:
    """The same organisation's desk for v2 and v3."""
    return BookingDesk(desk)


@pytest.fixture(scope="session")
def content_export(profile: Profile) -> ContentExport:
    """The content export, read once; without a place in the profile its rules are not applicable."""
    return read_export(profile)


@pytest.fixture(scope="session")
def second_desk_or_none(
    profile: Profile, payments: Payments, clock: TargetClock, contract: Contract, request: pytest.FixtureRequest
) -> OrderDesk | None:
    """The desk of another organisation, where the profile has one."""
    if profile.second_organisation is None:
        return None
    client: Client = request.getfixturevalue("second_client")
    return OrderDesk(profile, profile.second_organisation, client, payments, clock, contract)


@pytest.fixture
def second_desk(second_desk_or_none: OrderDesk | None, second_client: Client) -> OrderDesk:
    """The desk of another organisation; the plugin's client says that it is untested where there is none."""
    assert second_desk_or_none is not None, second_client
    return second_desk_or_none


@pytest.fixture(scope="session")
def things_to_age(desk: OrderDesk, flight_desk: BookingDesk, profile: Profile) -> Mapping[str, AgedItem]:
    """What has to grow old before it is looked at, by the words of the step that asks for it."""

    def offer() -> object:
        return desk.store(Wanted())

    def order() -> object:
        return desk.order(Wanted(), OrderOptions(payment=desk.usual_payment))

    made: dict[str, Callable[[], object]] = {
        "an offer stored almost 30 minutes ago": offer,
        "an offer stored more than 30 minutes ago": offer,
        "an order created in time from an offer stored more than 30 minutes ago": order,
    }
    for interface in INTERFACES:
        request = partial(flight_desk.request, Asked(interface))
        booking = partial(flight_desk.booked, Asked(interface))
        made |= {
            f"a request in {interface} made almost 3 minutes ago": request,
            f"a request in {interface} made more than 5 minutes ago": request,
            f"a booking in {interface} made more than two hours ago": booking,
        }
    return {step: BY_STEP[step].thing(start, profile.lifetimes) for step, start in made.items()}


@pytest.fixture
def scene() -> Scene:
    """What the steps of one scenario hand to each other."""
    return Scene()


@pytest.fixture
def keeping(scenario_capture: Capture, profile: Profile, request: pytest.FixtureRequest) -> Keeping:
    """Whether the scenario's own rule is kept."""
    marks = request.node.get_closest_marker
    # The contract knows the documents' times: where a target has shortened them, nothing is seen to be late.
    seen = marks("unseen") is None and (marks("ages") is None or profile.lifetimes == Lifetimes())
    return Keeping(scenario_capture, marks("both") is not None and seen)


@pytest.fixture
def traffic(scenario_capture: Capture) -> Traffic:
    """The contract's view of synthetic traffic, of whatever interface."""
    service = Service((samples.BASE,), (samples.PROVIDER,))
    return Traffic(Contract.load(VERSIONS, service), scenario_capture.rules)


@pytest.fixture
def unknown_id() -> str:
    """A UUID that names nothing."""
    return str(uuid.uuid4())


@pytest.fixture
def wrong_key() -> str:
    """A key that the service has never issued."""
    return f"airworthy-wrong-{secrets.token_hex(8)}"
