"""Steps that hold an answer against what the documents promise of it."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from pytest_bdd import parsers, then

from airworthy.suite.outcomes import expect, prerequisite
from conformance import bodies
from conformance.answer import Answer
from conformance.desk import Desk
from conformance.fixtures import Keeping, Observe, Warn
from conformance.scene import Scene

_REASONS = "Conflict|Bad Request|Unauthorized|Forbidden|Not Found|Not Acceptable|Unprocessable Entity"


def _status(reason: str) -> int:
    return next(status.value for status in HTTPStatus if reason in (status.phrase, _RENAMED.get(status.value)))


# RFC 9110 gave 422 another text; the documents and Python's versions differ in which they use.
_RENAMED = {422: "Unprocessable Entity"}


def _expect_status(answer: Answer, holds: bool, message: str, expected: str) -> None:
    expect(
        holds,
        message,
        expected=expected,
        actual=f"status {answer.status}",
        pointer="status",
        exchange=answer.exchange,
    )


# Answered


@then("it is answered")
@then("it was answered")
def _it_is_answered(scene: Scene) -> None:
    _expect_status(scene.last, scene.last.succeeded, "a documented request has to be answered", "status 200")


@then("the key was accepted every time")
def _the_key_was_accepted(scene: Scene) -> None:
    for answer in scene.together:
        _expect_status(answer, answer.status not in (401, 403), "a valid key has to be accepted", "neither 401 nor 403")


@then(parsers.re(r"it is answered with(?P<out>out)? offers"))
def _it_is_answered_with_offers(scene: Scene, out: str) -> None:
    _it_is_answered(scene)
    offers = scene.last.member("offers")
    expect(
        isinstance(offers, list) and bool(offers) != bool(out),
        "another travel class has to find no offers" if out else "the usual travel class has to find the usual offers",
        expected="an empty array" if out else "offers",
        actual=f"{len(offers)} offers" if isinstance(offers, list) else "no array of offers",
        pointer="/offers",
        exchange=scene.last.exchange,
    )


@then("it is answered with an empty array of fares")
def _it_is_answered_with_no_fares(scene: Scene) -> None:
    _it_is_answered(scene)
    fares = scene.last.member("fares")
    expect(
        fares == [],
        "there have to be no fares, and that is no error",
        expected="fares: []",
        actual=f"{len(fares)} fares" if isinstance(fares, list) else "no array fares",
        pointer="/fares",
        exchange=scene.last.exchange,
    )


# Refused


@then("it is refused")
def _it_is_refused(scene: Scene, keeping: Keeping) -> None:
    _expect_status(
        scene.last,
        scene.last.refused,
        "a request that breaks the documents has to be refused",
        "a status of refusal, 4xx",
    )
    keeping.names_own_request(scene.last.exchange)


@then(parsers.re(rf"it is refused as (?P<reason>{_REASONS})"))
def _it_is_refused_as(scene: Scene, keeping: Keeping, reason: str) -> None:
    status = _status(reason)
    _expect_status(scene.last, scene.last.status == status, f"it has to be refused as {reason}", f"status {status}")
    keeping.names_own_request(scene.last.exchange)


@then("it is refused as Not Found or Conflict")
def _it_is_refused_as_not_found_or_conflict(scene: Scene) -> None:
    _expect_status(scene.last, scene.last.status in (404, 409), "it is Not Found or in Conflict", "status 404 or 409")


@then("it fails")
def _it_fails(scene: Scene) -> None:
    _expect_status(scene.last, not scene.last.succeeded, "the request has to fail", "no status of success")
    _no_error_of_the_service(scene)


@then("no error of the service is answered")
def _no_error_of_the_service(scene: Scene) -> None:
    _expect_status(scene.last, scene.last.status < 500, "a client's mistake must be no error of the service", "no 5xx")


@then("it should be refused")
def _it_should_be_refused(scene: Scene, warn: Warn) -> None:
    _no_error_of_the_service(scene)
    if not scene.last.refused:
        warn(f"it was not refused: status {scene.last.status}", scene.last.exchange)


@then(parsers.re(r"it is answered, or refused as (?P<reason>Not Found)"))
def _it_is_answered_or_refused_as(scene: Scene, reason: str) -> None:
    status = _status(reason)
    _expect_status(
        scene.last,
        scene.last.succeeded or scene.last.status == status,
        f"it has to be answered, or refused as {reason}",
        f"status 200 or {status}",
    )


@then("nothing is delivered")
def _nothing_is_delivered(scene: Scene) -> None:
    if scene.last.exchange.response is not None:
        _expect_status(scene.last, not scene.last.succeeded, "nothing may be delivered", "no status of success")


# Orders


@then("the order is open")
def _the_order_is_open(scene: Scene) -> None:
    _it_is_answered(scene)
    with prerequisite("a created order is not open", rule="V4-ORDER-OPENS", exchange=scene.last.exchange):
        _expect_status_of_order(scene.last, "OPEN", "a created order has to be open")


def _expect_member(answer: Answer, name: str, value: str, message: str) -> None:
    actual = answer.member(name)
    expect(
        actual == value,
        message,
        expected=f"{name} {value}",
        actual=f"{name} {actual}",
        pointer=f"/{name}",
        exchange=answer.exchange,
    )


@then("the order is booked")
def _the_order_is_booked(desk: Desk, scene: Scene) -> None:
    _it_is_answered(scene)
    _expect_status_of_order(scene.last, "BOOKED", "a paid confirmation has to book the order")
    _reservation_of(scene.last)
    now = _order_now(desk, scene)
    with prerequisite("an order is not persisted as it was answered", rule="V4-ORDER-READ", exchange=now.exchange):
        _expect_status_of_order(now, "BOOKED", "an order has to be persisted as it was answered")


def _order_now(desk: Desk, scene: Scene) -> Answer:
    reason = "an order of one's own could not be read"
    return desk.needed(bodies.get_order(scene.ordered.id), reason, "V4-ORDER-READ")


def _expect_status_of_order(answer: Answer, status: str, message: str) -> None:
    documented = answer.member("status") in ("OPEN", "BOOKED", "FAILED")
    with prerequisite("an order has none of the documented statuses", rule="V4-ORDER-STATUS", exchange=answer.exchange):
        assert documented
    _expect_member(answer, "status", status, message)


def _reservation_of(answer: Answer) -> str:
    reservation = answer.member("reservationId")
    reason = "a booked order names no reservation"
    with prerequisite(reason, rule="V4-ORDER-RESERVATION-ID", exchange=answer.exchange):
        expect(
            reservation,
            "a booked order has to name its reservation",
            expected="a reservationId",
            actual="none",
            pointer="/reservationId",
            exchange=answer.exchange,
        )
    return str(reservation)


@then("the order is booked with the same reservation")
def _the_order_is_booked_with_the_same_reservation(desk: Desk, scene: Scene) -> None:
    now = _order_now(desk, scene)
    _expect_status_of_order(now, "BOOKED", "a booked order has to stay booked")
    _reservation_of(now)
    _expect_member(now, "reservationId", scene.ordered.reservation_id, "a booked order has to keep its reservation")


@then("one confirmation succeeds")
def _one_confirmation_succeeds(scene: Scene) -> None:
    succeeded = sum(answer.succeeded for answer in scene.together)
    expect(
        succeeded == 1,
        "of simultaneous confirmations exactly one has to succeed",
        expected="1 success among ten",
        actual=f"{succeeded} successes, statuses {sorted(answer.status for answer in scene.together)}",
        pointer="status",
        exchange=scene.last.exchange,
    )


@then("the order is not booked")
def _the_order_is_not_booked(desk: Desk, second_desk_or_none: Desk | None, scene: Scene) -> None:
    if scene.order is None:
        return
    one = second_desk_or_none if scene.second and second_desk_or_none else desk
    now = _order_now(one, scene)
    for answer in (scene.last, now):
        expect(
            answer.member("status") != "BOOKED" and not answer.member("reservationId"),
            "an order whose confirmation was refused must not be booked",
            expected="an order that is not BOOKED, without a reservation",
            actual=f"status {answer.member('status')}",
            pointer="/status",
            exchange=answer.exchange,
        )
    found = one.send(bodies.find_reservation(scene.order.id))
    reason = "an order that is not booked has a reservation"
    with prerequisite(reason, rule="V4-RESERVATION-BEFORE-BOOKING", exchange=found.exchange):
        _no_reservation_is_delivered_in(found)


@then("the payment fails")
def _the_payment_fails(scene: Scene) -> None:
    answer = scene.last
    expect(
        answer.refused or (answer.succeeded and answer.member("status") == "FAILED"),
        "the payment has to fail: by an error, or by an order that FAILED",
        expected="a status of refusal, or an order that FAILED",
        actual=f"status {answer.status}, order {answer.member('status')}",
        pointer="/status" if answer.succeeded else "status",
        exchange=answer.exchange,
    )


@then(parsers.re(rf"the payment fails as (?P<reason>{_REASONS})"))
def _the_payment_fails_as(scene: Scene, observe: Observe, reason: str) -> None:
    _the_payment_fails(scene)
    if scene.last.succeeded:
        observe("OPEN-24", "how a failed payment is answered", "200 with an order that FAILED", scene.last.exchange)
        return
    status = _status(reason)
    _expect_status(scene.last, scene.last.status == status, f"the payment has to fail as {reason}", f"status {status}")
    observe("OPEN-24", "how a failed payment is answered", "an error", scene.last.exchange)


@then(parsers.re(r"it is refused as (?P<reason>Forbidden), or was refused before"))
def _it_is_refused_or_was_before(scene: Scene, observe: Observe, reason: str) -> None:
    if scene.order is None:
        _it_fails(scene)
        observe("OPEN-53", "where balance is refused", f"at Create Order, {scene.last.status}", scene.last.exchange)
        return
    status = _status(reason)
    _expect_status(scene.last, scene.last.status == status, f"it has to be refused as {reason}", f"status {status}")
    observe("OPEN-53", "where balance is refused", "at Confirm Order", scene.last.exchange)


@then("the order should have failed")
def _the_order_should_have_failed(desk: Desk, scene: Scene, warn: Warn) -> None:
    _the_payment_fails(scene)
    now = _order_now(desk, scene)
    scene.answer = now
    expect(
        now.member("status") in ("FAILED", "OPEN"),
        "an order whose payment was rejected has to be FAILED, or at most still OPEN",
        expected="status FAILED or OPEN",
        actual=f"status {now.member('status')}",
        pointer="/status",
        exchange=now.exchange,
    )
    if now.member("status") != "FAILED":
        warn(f"the order is {now.member('status')}", now.exchange)


# Reservations


@then("no reservation is delivered")
def _no_reservation_is_delivered(scene: Scene) -> None:
    _no_reservation_is_delivered_in(scene.last)


def _no_reservation_is_delivered_in(answer: Answer) -> None:
    expect(
        not (answer.succeeded and (answer.member("id") or answer.member("pnr"))),
        "an order that is not booked must have no reservation",
        expected="no reservation",
        actual=f"status {answer.status} with a reservation",
        pointer="/id",
        exchange=answer.exchange,
    )


@then("it is the same reservation as by its id")
def _it_is_the_same_reservation(desk: Desk, scene: Scene) -> None:
    _it_is_answered(scene)
    by_id = desk.send(bodies.get_reservation(scene.ordered.reservation_id))
    _expect_status(by_id, by_id.succeeded, "a reservation has to be readable by its id", "status 200")
    for name in ("id", "orderId", "pnr", "email"):
        expect(
            scene.last.member(name) == by_id.member(name),
            f"the reservation has to have the same {name} by its order as by its id",
            expected=_same(by_id.member(name)),
            actual=_same(scene.last.member(name)),
            pointer=f"/{name}",
            exchange=scene.last.exchange,
        )
    shapes = [set(answer.body) if isinstance(answer.body, Mapping) else set() for answer in (scene.last, by_id)]
    expect(
        shapes[0] == shapes[1],
        "a reservation has to have the same shape by its order as by its id",
        expected=f"members {sorted(shapes[1])}",
        actual=f"members {sorted(shapes[0])}",
        exchange=scene.last.exchange,
    )


def _same(value: Any) -> str:
    return "the value that was answered by id" if value else "none"


# The contract, and what is left open


@then("the service keeps this rule")
def _the_service_keeps_this_rule(keeping: Keeping) -> None:
    keeping.service_keeps_own_rule()


@then("the service shows no name or value of an earlier revision or of another version")
def _the_service_shows_no_drift(keeping: Keeping) -> None:
    keeping.service_keeps_own_rule()
