"""Steps that order, confirm and read what was ordered and booked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from airworthy.contract.http.transaction import same_id
from airworthy.suite.outcomes import NotApplicable, Untested, expect_situation
from conformance.passenger_counts import PARTY
from conformance.payments import WAY, WAYS
from conformance.scenario_context import ScenarioContext
from conformance.simultaneous import send_at_once
from conformance.step_table import given, when
from conformance.v4 import request_bodies as bodies
from conformance.v4.offer_client import OfferCriteria, StoredOffer
from conformance.v4.order_client import CreatedOrder, OrderClient
from conformance.v4.request_bodies import BagKind, BagOwner, OrderOptions, PassengerCounts, PaymentMethod, Way
from conformance.v4.steps.offers import criteria

# Differences of two totals up to this one, in EUR, may come from rounding.
_ROUNDING: Final = 0.1
_ORDER = rf"(?: for (?P<party>{PARTY}))?(?: with a (?P<extra>passport|checked bag))?"


@given(f"an? (?P<kind>round-trip )?order request{_ORDER} that the service accepts")
@when(f"the client creates an? (?P<kind>round-trip )?order{_ORDER}")
def _an_order_request_that_is_accepted(context: ScenarioContext, *, kind: str | None, party: str, extra: str) -> None:
    options = OrderOptions(
        payment=context.service.usual_payment,
        passport=extra == "passport",
        bags=int(extra == "checked bag"),
    )
    chosen = context.service.criteria_for(options, criteria(kind, None, party))
    prepare(context, chosen, options)


def prepare(context: ScenarioContext, what: OfferCriteria, options: OrderOptions) -> None:
    """Have the pattern accepted once, then write the same order for a live offer that none was created from.

    It is paid by a method that the offer lists (OPEN-36).
    """
    if context.service.v4.balance and not context.service.stored(what).lists(options.payment):
        options = replace(options, payment="balance")
    context.criteria = what
    context.order = context.service.ordered(what, options)
    context.response = context.order.response
    context.stored = context.service.stored(what)
    context.draft = context.service.order_request(context.stored, options)


@given(rf"an order request(?: for (?P<party>{PARTY}))? on a route where birth dates are optional")
def _an_order_without_birth_dates(context: ScenarioContext, party: str | None) -> None:
    options = OrderOptions(payment=context.service.usual_payment)
    prepare(context, replace(criteria(None, None, party), route="birth_date_optional"), options)
    is_optional = not context.service.requires_birth_date(context.offer)
    expect_situation(is_optional, "routes.birth_date_optional", "has offers that require the birth date of adults")


@given("an order request on an offer that requires birth dates of adults")
def _an_order_request_that_requires_birth_dates(context: ScenarioContext) -> None:
    listing = context.service.requires_birth_date(context.service.stored(OfferCriteria()))
    chosen = OfferCriteria() if listing else OfferCriteria(route="birth_date_required")
    prepare(context, chosen, OrderOptions(payment=context.service.usual_payment))
    if not context.service.requires_birth_date(context.offer):
        # How a supplier says that it requires one is open (OPEN-43), but the profile says that this one does.
        response = context.service.send(context.request.without("passengers[0].birthDate"))
        instead = "has offers that do not require the birth date of adults"
        expect_situation(response.rejected, "routes.birth_date_required", instead)


_OPEN = rf"(?: to be paid by (?P<method>card|balance)| for (?P<party>{PARTY}))?(?P<passports> with passports)?"


@given(f"an open (?P<kind>round-trip )?order{_OPEN}")
def _an_open_order(
    context: ScenarioContext,
    *,
    kind: str | None,
    method: PaymentMethod | None,
    party: str | None,
    passports: str | None,
) -> None:
    passport = bool(passports) and context.service.profile.has_capability("identification")
    options = OrderOptions(payment=method or context.service.usual_payment, passport=passport)
    chosen = context.service.criteria_for(options, criteria(kind, None, party))
    is_any = chosen == OfferCriteria() and not passport
    context.keep_ordered(
        context.service.any_order(options.payment) if is_any else context.service.order(chosen, options)
    )


@given("an open round-trip order without optional fields")
def _an_open_order_without_optional_fields(context: ScenarioContext) -> None:
    chosen, options = criteria("round-trip", None, None), OrderOptions(payment=context.service.usual_payment)
    # Shows with which number the first passenger begins (OPEN-66).
    context.service.ordered(OfferCriteria(), options)
    stored = context.service.store(chosen)
    draft = context.service.without_optional_fields(context.service.order_request(stored, options), stored)
    reason = "the service did not accept an order without optional fields"
    response = context.service.send_required(draft, reason, "V4-ORDER-OPTIONAL", "id")
    context.keep_ordered(CreatedOrder(draft, response, stored, options))


# The number of bags of each kind, on which ways, and whose they are, in the words of the features.
_SELECTED: Final[Mapping[str, tuple[int, tuple[BagKind, ...]]]] = {
    "a checked bag": (1, ("CHECK_IN",)),
    "three checked bags": (3, ("CHECK_IN",)),
    "a cabin bag and a checked bag": (1, ("CABIN", "CHECK_IN")),
    "three bags of each option": (3, ()),
}
_PLACES: Final[Mapping[str, tuple[tuple[Way, ...], BagOwner]]] = {
    "": (("outbound",), "first"),
    " on the way back": (("inbound",), "first"),
    " for each passenger on both ways": (("outbound", "inbound"), "every"),
    " for the second passenger": (("outbound",), "second"),
    " for an infant": (("outbound",), "infant"),
}
_FAMILY: Final = PassengerCounts(adults=1, infants=1)
_BAGS = rf"(?P<bags>{'|'.join(_SELECTED)})(?P<where>{'|'.join(_PLACES)})"


@given(rf"an open (?P<kind>round-trip )?order with {_BAGS}")
def _an_open_order_with_bags(context: ScenarioContext, kind: str | None, bags: str, where: str) -> None:
    context.keep_ordered(_order_with_bags(context.service, kind, bags, where, context.service.usual_payment))


def _order_with_bags(
    service_client: OrderClient, kind: str | None, bags: str, where: str, payment: PaymentMethod
) -> CreatedOrder:
    (pieces, kinds), (ways, whose) = _SELECTED[bags], _PLACES[where]
    party = {"first": PassengerCounts(), "second": PassengerCounts(2), "every": PassengerCounts(3)}.get(whose, _FAMILY)
    options = OrderOptions(payment, bags=pieces, ways=ways, kinds=kinds, whose=whose)
    return service_client.order(replace(criteria(kind, None, None), party=party), options)


@when(
    rf"the client creates two orders of one (?P<kind>round-trip )?offer, with and without {_BAGS}"
    r"(?P<card>, to be paid by card)?"
)
def _two_orders_with_and_without_bags(
    context: ScenarioContext, *, kind: str | None, bags: str, where: str, card: str | None
) -> None:
    # A card fee may depend on the total in any way (OPEN-61): by balance the difference is exactly that of the bags.
    by_balance = context.service.v4.balance and not card
    payment: PaymentMethod = "balance" if by_balance else "card" if card else context.service.usual_payment
    first = _order_with_bags(context.service, kind, bags, where, payment)
    without = OrderOptions(payment=payment)
    context.keep_ordered(context.service.order(first.stored.criteria, without, stored=first.stored))


@when(
    r"the client creates two orders of one (?P<kind>round-trip )?offer(?P<bag> with a checked bag)?, "
    r"to be paid by card and by balance"
)
def _two_orders_by_card_and_by_balance(context: ScenarioContext, kind: str | None, bag: str | None) -> None:
    chosen = criteria(kind, None, None)
    first = context.service.order(chosen, OrderOptions(payment="card", bags=int(bool(bag))))
    by_balance = replace(first.options, payment="balance")
    context.keep_ordered(context.service.order(chosen, by_balance, stored=first.stored))


@given(r"a booked order(?: paid by (?:(?P<method>card|balance)|(?P<intent>a payment intent)))?")
def _a_booked_order(context: ScenarioContext, method: PaymentMethod | None, intent: str | None) -> None:
    order = context.service.booked(intent or WAYS[method or context.service.usual_payment])
    context.keep_ordered(order)
    context.draft = order.confirmation


_PAID = r"(?: by (?P<method>card|balance)| (?P<secure>with 3D Secure results))?"


@given(rf"a confirmation{_PAID} that the service would accept")
def _a_confirmation(context: ScenarioContext, method: PaymentMethod | None, secure: str) -> None:
    by = "a payment method and three_d_secure 2.2.0" if secure else WAYS[method or context.service.usual_payment]
    context.keep_ordered(context.service.any_order(context.service.booked(by).options.payment))
    context.draft = context.service.confirmation(context.ordered, by)


@given("an order to be paid by balance of an organisation without balance payment")
def _order_of_an_organisation_without_balance(context: ScenarioContext) -> None:
    if context.service.v4.balance:
        without = context.second_organisation
        # The rejection proves most where the service accepts balance payment of another organisation.
        context.service.booked("balance")
        if without.v4.balance:
            raise NotApplicable("the profile says that the second organisation also has balance payment")
        context.is_of_second = True
    elif not context.service.v4.declares_balance:
        raise Untested("the profile does not say whether the organisation has balance payment: [v4] balance")
    else:
        context.service.booked(WAYS[context.service.usual_payment])
    _try_to_order(context, context.owner.stored(OfferCriteria()), "balance")


def _try_to_order(context: ScenarioContext, stored: StoredOffer, payment: PaymentMethod) -> None:
    options = OrderOptions(payment=payment)
    draft = context.owner.order_request(stored, options)
    response = context.send(draft, context.owner)
    if response.succeeded and response.member("id"):
        context.order = CreatedOrder(draft, response, stored, options)


@when("the client creates a payment method of an accepted card(?P<without> without its code)?")
def _a_payment_method(context: ScenarioContext, without: str | None) -> None:
    context.service.payments.create_payment_method("accepted", code=not without)


# Creating and confirming


@when(r"the client creates an order from the offer(?P<by_balance> by balance, where it may)?")
def _create_order(context: ScenarioContext, by_balance: str | None) -> None:
    if not by_balance or context.service.v4.balance:
        payment: PaymentMethod = "balance" if by_balance else context.service.usual_payment
        _try_to_order(context, context.offer, payment)


@when(rf"the client confirms the order by (?P<by>{WAY})")
def _confirm_order_by(context: ScenarioContext, by: str) -> None:
    if context.order is None:
        return
    if not context.is_of_second and by not in WAYS.values():
        # A rejection shows something only if the service accepts other payments.
        context.service.booked(WAYS[context.service.usual_payment])
    context.send(context.owner.confirmation(context.order, by), context.owner)


@when("the client confirms the order by a payment intent without paymentMethod", "V4-CONFIRM-REQUIRED")
def _confirm_without_payment_method(context: ScenarioContext) -> None:
    # A rejection shows something only if the service accepts payment intents.
    context.service.booked("a payment intent")
    draft = context.service.confirmation(context.ordered, "a payment intent")
    context.send(draft.without("paymentMethod"))


@when("the client confirms the order")
def _confirm_order(context: ScenarioContext) -> None:
    context.order = order = context.service.confirm(context.ordered)
    context.draft, context.response = order.confirmation, order.confirmed


@when(
    r"the client confirms the order again(?: by (?P<by>a payment intent|a card that is declined))?", "V4-CONFIRM-ONCE"
)
def _confirm_order_again(context: ScenarioContext, by: str | None) -> None:
    context.service.forget(context.ordered)
    context.send(context.service.confirmation(context.ordered, by))


@when("the client confirms another order by a card that is declined")
def _confirm_another_order_by_a_declined_card(context: ScenarioContext) -> None:
    other = context.service.any_order(context.ordered.options.payment)
    context.response = context.service.send(context.service.confirmation(other, "a card that is declined"))


@when("the client confirms another order of the same offer")
def _confirm_another_order(context: ScenarioContext) -> None:
    confirmed = context.service.confirm(another_order(context.service, context.ordered)).confirmed
    assert confirmed is not None
    context.response, context.together = confirmed, (confirmed,)


@when("the client confirms the order as well")
def _confirm_order_as_well(context: ScenarioContext) -> None:
    """Confirm an order after another one of its offer, which may have made it fail (OPEN-73)."""
    context.response = context.service.send(context.service.confirmation(context.ordered))
    context.together = (*context.together, context.response)


def another_order(service_client: OrderClient, order: CreatedOrder) -> CreatedOrder:
    """Create an order like another one, from the same offer."""
    draft = service_client.order_request(order.stored, order.options)
    created = service_client.send(draft)
    key = created.member("id")
    if not created.succeeded or key is None or same_id(key, order.id):
        raise NotApplicable("the service creates no second order from an offer (OPEN-73)")
    return CreatedOrder(draft, created, order.stored, order.options)


@when("the client confirms another order of the same offer by the same payment intent")
def _confirm_another_order_by_the_same_payment_intent(context: ScenarioContext) -> None:
    if context.service.payments.has_reusable_intent():
        raise NotApplicable("the profile names a payment intent that is accepted several times")
    first = context.ordered
    assert first.confirmation is not None
    context.keep_ordered(another_order(context.service, first))
    if context.ordered.total != first.total:
        raise NotApplicable("two orders of one offer have different total prices (OPEN-61)")
    intent = first.confirmation.body["payment_intent_id"]
    context.send(bodies.confirm_order(context.ordered.id, "card", payment_intent_id=intent))


@when(
    r"the client confirms the order by a payment intent over the total of one "
    r"(?P<by_balance>paid by balance or )?without the bag"
)
def _confirm_over_another_total(context: ScenarioContext, by_balance: str | None) -> None:
    """Pay for a part of the order only: a service may compare with a sum that leaves out the bag or the card fee."""
    order, options = context.ordered, context.ordered.options
    # Without a card fee (OPEN-36) the first total is that of the order.
    others = [*([replace(options, payment="balance")] if by_balance else []), replace(options, bags=0)]
    created = (context.service.order(order.stored.criteria, each, stored=order.stored) for each in others)
    priced = next((each for each in created if abs(each.total - order.total) > _ROUNDING), None)
    if priced is None:
        raise NotApplicable("two orders of one offer have the same total price (OPEN-61)")
    context.service.booked("a payment intent")
    context.send(context.service.confirmation(order, "a payment intent of another amount", priced))


@when("the client cancels the payment intent and confirms the order again")
def _cancel_payment_intent_and_confirm(context: ScenarioContext) -> None:
    context.service.payments.cancel_payment_intent(context.request.body["payment_intent_id"])
    context.response = context.service.send(context.request)


@when("the client confirms the order four times at once", "V4-CONFIRM-ONCE")
def _confirm_order_four_times_at_once(context: ScenarioContext) -> None:
    order = context.ordered
    context.service.booked(WAYS[order.options.payment])
    confirmations = [context.service.confirmation(order) for _ in range(4)]
    context.together = send_at_once(context.service, confirmations, bodies.get_order(order.id))
    context.response = next((response for response in context.together if response.succeeded), context.together[0])
    if context.response.succeeded:
        context.order = replace(order, confirmed=context.response)


@when("the second organisation sends the request")
def _send_request_as_the_second_organisation(context: ScenarioContext) -> None:
    context.response = context.second_organisation.send(context.request)
