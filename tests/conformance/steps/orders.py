"""Steps that order, confirm and read what was ordered and booked."""

from dataclasses import replace
from functools import partial

from pytest_bdd import given, parsers, when

from airworthy.suite.outcomes import NotApplicable, Untested
from airworthy.target.client import run_concurrently
from conformance import bodies
from conformance.bodies import OrderOptions, PaymentMethod, Way
from conformance.desk import Desk
from conformance.fixtures import Announce
from conformance.offer_desk import Wanted
from conformance.order_desk import OrderDesk, Ordered
from conformance.parties import PARTY, parse_party
from conformance.payments import WAY, WAYS
from conformance.scene import Scene
from conformance.steps.searches import wanted

_ACCEPTED = rf"an order request(?: for (?P<party>{PARTY}))?(?: with a (?P<extra>passport|checked bag))?"
_ACCEPTED += r"(?: to be paid by (?P<method>card|balance))? that the service (?:accepts|answers)"


@given(parsers.re(_ACCEPTED))
def _an_order_request_that_is_accepted(desk: OrderDesk, scene: Scene, party: str, extra: str, method: str) -> None:
    options = OrderOptions(
        payment="balance" if method == "balance" else desk.usual_payment,
        passport=extra == "passport",
        bags=int(extra == "checked bag"),
    )
    _prepare(scene, desk, Wanted(party=parse_party(party)) if party else Wanted(), options)


def _prepare(scene: Scene, desk: OrderDesk, what: Wanted, options: OrderOptions) -> None:
    """Have the pattern accepted once, then write the same order for a live offer that none was created from."""
    scene.wanted = what
    scene.order = desk.ordered(what, options)
    scene.answer = scene.order.answer
    scene.stored = desk.stored(what)
    scene.draft = desk.order_request(scene.stored, options)


@given("an order request on a route where birth dates are optional")
def _an_order_request_without_birth_dates(desk: OrderDesk, scene: Scene) -> None:
    _prepare(scene, desk, Wanted(route="birth_date_optional"), OrderOptions(payment=desk.usual_payment))


@given("an order request on an offer that requires birth dates of adults")
def _an_order_request_that_requires_birth_dates(desk: OrderDesk, scene: Scene) -> None:
    options = OrderOptions(payment=desk.usual_payment)
    for each in (Wanted(), Wanted(route="birth_date_required")):
        if desk.requires_birth_date(desk.stored(each)):
            _prepare(scene, desk, each, options)
            return
    raise Untested("no offer lists BIRTH_DATE as a required field of adults")


@given(parsers.re(r"an open (?P<kind>round-trip )?order(?: to be paid by (?P<method>card|balance))?"))
def _an_open_order(desk: OrderDesk, scene: Scene, kind: str | None, method: PaymentMethod | None) -> None:
    _keep(scene, desk.order(wanted(kind, None, None), OrderOptions(payment=method or desk.usual_payment)))


@given(parsers.re(rf"an open order for (?P<party>{PARTY}) with passports"))
def _an_open_order_of_a_family(desk: OrderDesk, scene: Scene, party: str) -> None:
    options = OrderOptions(payment=desk.usual_payment, passport=True)
    _keep(scene, desk.order(Wanted(party=parse_party(party)), options))


_BAGS = r"(?P<number>a|two) checked bags?(?P<back> on the way back)?"


@given(parsers.re(rf"an open (?P<kind>round-trip )?order with {_BAGS}"))
def _an_open_order_with_bags(desk: OrderDesk, scene: Scene, kind: str | None, number: str, back: str | None) -> None:
    _keep(scene, desk.order(wanted(kind, None, None), _with_bags(desk, number, back)))


def _with_bags(desk: OrderDesk, number: str, back: str | None) -> OrderOptions:
    way: Way = "inbound" if back else "outbound"
    return OrderOptions(payment=desk.usual_payment, bags={"a": 1, "two": 2}[number], way=way)


def _keep(scene: Scene, order: Ordered) -> None:
    scene.order, scene.stored, scene.answer = order, order.stored, order.answer


@given(parsers.re(rf"two orders of one (?P<kind>round-trip )?offer, with and without {_BAGS}"))
def _two_orders_with_and_without_bags(
    desk: OrderDesk, scene: Scene, kind: str | None, number: str, back: str | None
) -> None:
    first = desk.order(wanted(kind, None, None), _with_bags(desk, number, back))
    options = OrderOptions(payment=desk.usual_payment)
    _keep(scene, desk.order(first.stored.wanted, options, stored=first.stored))


@given("two orders of one offer, to be paid by card and by balance")
def _two_orders_by_card_and_by_balance(desk: OrderDesk, scene: Scene) -> None:
    first = desk.order(Wanted(), OrderOptions(payment="card"))
    _keep(scene, desk.order(Wanted(), OrderOptions(payment="balance"), stored=first.stored))


@given(parsers.re(r"a booked order(?: paid by (?P<method>card|balance))?"))
def _a_booked_order(desk: OrderDesk, scene: Scene, method: PaymentMethod | None) -> None:
    order = desk.booked(WAYS[method or desk.usual_payment])
    _keep(scene, order)
    scene.draft = order.confirmation


_PAID = r"(?: by (?P<method>card|balance)| (?P<secure>with 3D Secure results))?"


@given(parsers.re(rf"a confirmation{_PAID} that the service would accept"))
def _a_confirmation(desk: OrderDesk, scene: Scene, method: PaymentMethod | None, secure: str) -> None:
    by = "a payment method and three_d_secure 2.2.0" if secure else WAYS[method or desk.usual_payment]
    options = desk.booked(by).options
    _keep(scene, desk.order(Wanted(), options))
    scene.draft = desk.confirmation(scene.ordered, by)


@given("an organisation without balance payment orders by balance")
def _an_organisation_without_balance_orders(desk: OrderDesk, second_desk: OrderDesk, scene: Scene) -> None:
    # That the service books by balance at all is what binds the refusal to its cause.
    desk.booked("balance")
    if second_desk.v4.balance:
        raise NotApplicable("the profile says that the second organisation has balance payment, too")
    scene.second = True
    stored = second_desk.stored(Wanted())
    options = OrderOptions(payment="balance")
    draft = second_desk.order_request(stored, options)
    scene.answer = second_desk.send(draft)
    if scene.answer.succeeded and scene.answer.member("id"):
        scene.order = Ordered(draft, scene.answer, stored, options)


@given("a payment method of an accepted card")
def _a_payment_method(desk: Desk) -> None:
    desk.payments.payment_method("accepted")


# Creating and confirming


@when("an order is created from it")
def _an_order_is_created(desk: OrderDesk, scene: Scene) -> None:
    options = OrderOptions(payment=desk.usual_payment)
    scene.draft = desk.order_request(scene.offer, options)
    scene.answer = desk.send(scene.draft)
    if scene.answer.succeeded and scene.answer.member("id"):
        scene.order = Ordered(scene.draft, scene.answer, scene.offer, options)


@when(parsers.re(rf"it is confirmed by (?P<by>{WAY})"))
def _it_is_confirmed(scene: Scene, desk: OrderDesk, second_desk_or_none: OrderDesk | None, by: str) -> None:
    if scene.order is None:
        return
    one = second_desk_or_none if scene.second and second_desk_or_none else desk
    scene.draft = one.confirmation(scene.order, by)
    scene.answer = one.send(scene.draft)


@when("it is confirmed")
def _it_is_confirmed_as_usual(desk: OrderDesk, scene: Scene) -> None:
    order = scene.ordered
    scene.draft = desk.confirmation(order, WAYS[order.options.payment])
    scene.answer = desk.needed(
        scene.draft, "a documented confirmation did not book", "V4-CONFIRM-BOOKS", "reservationId"
    )
    scene.order = replace(order, confirmation=scene.draft, confirmed=scene.answer)


@when("it is confirmed again")
def _it_is_confirmed_again(desk: OrderDesk, scene: Scene, expects_request_finding: Announce) -> None:
    expects_request_finding("V4-CONFIRM-ONCE")
    order = scene.ordered
    desk.forget(order)
    scene.draft = desk.confirmation(order, WAYS[order.options.payment])
    scene.answer = desk.send(scene.draft)


@when("it is confirmed ten times at once")
def _it_is_confirmed_ten_times(desk: OrderDesk, scene: Scene, expects_request_finding: Announce) -> None:
    expects_request_finding("V4-CONFIRM-ONCE")
    order = scene.ordered
    by = WAYS[order.options.payment]
    desk.booked(by)
    calls = [partial(desk.send, desk.confirmation(order, by)) for _ in range(10)]
    # Ten connections are opened before: while the others still shake hands, the first confirmation would be done.
    run_concurrently([partial(desk.send, bodies.get_order(order.id)) for _ in calls])
    scene.together = tuple(run_concurrently(calls))
    scene.answer = next((answer for answer in scene.together if answer.succeeded), scene.together[0])
    if scene.answer.succeeded:
        scene.order = replace(order, confirmed=scene.answer)


@when(parsers.re(r"it is confirmed (?P<how>with a wrong key|without a key)"))
def _it_is_confirmed_without_authority(
    desk: OrderDesk, scene: Scene, expects_request_finding: Announce, wrong_key: str, how: str
) -> None:
    expects_request_finding("V4-AUTH-KEY-SENT")
    scene.draft = desk.confirmation(scene.ordered, WAYS[scene.ordered.options.payment])
    scene.answer = desk.send(scene.draft, key=wrong_key if how == "with a wrong key" else None)


@when("the second organisation sends it")
def _the_second_organisation_sends_it(second_desk: Desk, scene: Scene) -> None:
    scene.answer = second_desk.send(scene.request)


# Reading


@when("it is read")
def _it_is_read(desk: Desk, scene: Scene) -> None:
    scene.answer = desk.send(bodies.get_order(scene.ordered.id))


@when("an unknown order is read")
def _an_unknown_order_is_read(desk: Desk, scene: Scene, unknown_id: str) -> None:
    scene.answer = desk.send(bodies.get_order(unknown_id))


@when("the second organisation reads it")
def _the_second_organisation_reads_it(second_desk: Desk, scene: Scene) -> None:
    scene.answer = second_desk.send(bodies.get_order(scene.ordered.id))


@when("its reservation is read")
def _its_reservation_is_read(desk: Desk, scene: Scene) -> None:
    scene.answer = desk.send(bodies.get_reservation(scene.ordered.reservation_id))


@when("its reservation is read by the order")
def _its_reservation_is_read_by_the_order(desk: Desk, scene: Scene) -> None:
    scene.answer = desk.send(bodies.find_reservation(scene.ordered.id))


@when("an unknown reservation is read")
def _an_unknown_reservation_is_read(desk: Desk, scene: Scene, unknown_id: str) -> None:
    scene.answer = desk.send(bodies.get_reservation(unknown_id))


@when("the reservation of an unknown order is read")
def _the_reservation_of_an_unknown_order(desk: Desk, scene: Scene, unknown_id: str) -> None:
    scene.answer = desk.send(bodies.find_reservation(unknown_id))


@when(parsers.re(r"the second organisation reads its reservation by (?P<key>its id|its order)"))
def _the_second_organisation_reads_its_reservation(second_desk: Desk, scene: Scene, key: str) -> None:
    order = scene.ordered
    draft = bodies.get_reservation(order.reservation_id) if key == "its id" else bodies.find_reservation(order.id)
    scene.answer = second_desk.send(draft)


@when("a reservation is looked for without an order")
def _a_reservation_without_an_order(desk: Desk, scene: Scene) -> None:
    scene.answer = desk.send(bodies.find_reservation(scene.ordered.id).asking(orderId=None))
