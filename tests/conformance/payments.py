"""The ways to pay, in the words of the features, with the fields that the profile or the provider gives for each."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from airworthy.contract.bodies.body import skim
from airworthy.contract.findings.root_causes import NOT_OF_THE_SERVICE
from airworthy.contract.http.exchange import Exchange
from airworthy.contract.http.transaction import member
from airworthy.suite.outcomes import NotApplicable, Untested, expect_situation, prerequisite
from airworthy.target.client import InconclusiveError
from airworthy.target.profile import VERSIONS, PaymentSituation
from conformance.capabilities import CapabilityRequirements
from conformance.parsed_response import ParsedResponse
from conformance.v4 import request_bodies as bodies
from conformance.v4.request_bodies import PaymentMethod

Form = Mapping[str, str]
PostForm = Callable[[str, Form], Exchange]
"""Posts a form to a path of the payment provider, with the restricted token."""

_METHOD, _INTENT = "payment_method", "payment_intent_id"
# By the words for a way to pay: the situation of the profile that each field of the provider is about.
_SITUATIONS: Mapping[str, Mapping[str, str]] = {
    "balance": {},
    "both a payment intent and a payment method": {_METHOD: "accepted", _INTENT: "accepted"},
    "card": {_METHOD: "accepted"},
    "a payment method": {_METHOD: "accepted"},
    "a Mastercard": {_METHOD: "mastercard"},
    "a card that needs verification": {_METHOD: "needs_verification"},
    "a card that is declined": {_METHOD: "declined"},
    "a payment intent that is not ready to capture": {_INTENT: "not_ready"},
    "a payment intent that needs verification": {_INTENT: "needs_verification"},
    "a payment intent that was cancelled": {_INTENT: "cancelled"},
    "a payment intent whose card is declined": {_INTENT: "declined"},
    "a payment intent of a slightly larger amount": {_INTENT: "amount_mismatch"},
    "a payment intent of a slightly smaller amount": {_INTENT: "amount_mismatch"},
    "a payment intent of another amount": {_INTENT: "other_amount"},
    "a payment intent in another currency": {_INTENT: "currency_mismatch"},
    "a payment intent": {_INTENT: "accepted"},
}
_GROUPED = (
    rf"(?P<words>{'|'.join(_SITUATIONS)})"
    r"(?: and three_d_secure (?P<version>[0-9.]+)(?: with indicator (?P<indicator>[0-9]{2}))?)?"
)
_WAY = re.compile(_GROUPED)
# The same without the names of its groups, for use inside a step's own expression.
WAY = re.sub(r"\(\?P<\w+>", "(?:", _GROUPED)

# A profile need not name an intent for these: the suite creates it, or leaves it out.
_MADE_HERE = ("declined", "needs_verification", "other_amount", "currency_mismatch", "cancelled")
# How much more than an order's total a payment intent of another amount is for, in cents.
_OTHER_AMOUNTS: Mapping[str, int] = {
    "a payment intent of a slightly larger amount": 1,
    "a payment intent of a slightly smaller amount": -1,
}
_SAME = 1e-6
_INDICATOR = "electronic_commerce_indicator"
_ROUNDED = 10
"""How many times as much where a total is not a number of cents, so that a service may round it in some way."""
# The plain way to pay by a method.
WAYS: Mapping[PaymentMethod, str] = {"card": "a payment method", "balance": "balance"}
# The situations of payments that succeed.
_ACCEPTED = ("accepted", "mastercard")
_MASTERCARD = re.compile(r"5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720")
# The statuses of a payment intent that is paid.
_PAID = ("requires_capture", "succeeded")
# The ends of the paths of what pays.
_PAYING = ("/confirm", "/bookings")
# The id of an intent is not documented (OPEN-72).
_BEGINNINGS = {"/v1/payment_methods": "pm_", "/v1/payment_intents": ""}


class PaymentFields:
    """The ways to pay that a profile gives.

    ``post_form`` sends a request to the payment provider; None if the profile names no provider.
    """

    def __init__(self, needs: CapabilityRequirements, post_form: PostForm | None) -> None:
        self.needs = needs
        self._profile = needs.profile
        self._post_form = post_form
        # The situations of the payment methods and intents that the suite has used, by their ids.
        self._used: dict[str, str] = {}
        # The situations whose payments the service has accepted, and those whose payments it has rejected. On deposit,
        # the interface stands for the situation.
        self._outcomes: dict[bool, set[str]] = {True: set(), False: set()}

    def fields(self, by: str, amount: float) -> tuple[PaymentMethod, dict[str, Any]]:
        """Return the payment method and the provider's fields of a confirmation that is paid ``by`` some way.

        ``amount`` is the order's total in EUR. Raises Untested or NotApplicable if the profile lacks the way, and
        LookupError if no such way is known.
        """
        way = _WAY.fullmatch(by)
        if way is None:
            raise LookupError(f"unknown way to pay: {by!r}")
        if way["words"] == "balance":
            return "balance", {}
        self.needs("card", *(["three_d_secure"] if way["version"] else []))
        is_exact = abs(amount * 100 - round(amount * 100)) < _SAME
        more = _OTHER_AMOUNTS.get(way["words"], 0) * (1 if is_exact else _ROUNDED)
        fields: dict[str, Any] = {
            name: self.payment_method(situation)
            if name == _METHOD
            else self.payment_intent(situation, amount + more / 100)
            for name, situation in _SITUATIONS[way["words"]].items()
        }
        if way["version"]:
            results = bodies.three_d_secure(way["version"])
            fields["three_d_secure"] = results | ({_INDICATOR: way["indicator"]} if way["indicator"] else {})
        return "card", fields

    def payment_method(self, situation: str) -> str:
        """Return the id of a payment method with which a payment goes as the situation says."""
        self.needs("card")
        given = self._situation(situation)
        if given.payment_method is not None:
            reference = given.payment_method.reveal()
        elif given.number is None:
            raise _lacking(situation, "a card or a payment_method")
        else:
            # v3, External step: create a payment method
            reference = self._made("/v1/payment_methods", _card_form(given), situation)
        self._used[reference] = situation
        return reference

    def create_payment_method(self, situation: str, *, code: bool = True) -> None:
        """Create a payment method of a card, with its security code or without.

        Raises NotApplicable if the profile names an existing one instead, or if the provider requires the code.
        """
        self.needs("card")
        card = self._situation(situation)
        if card.payment_method is not None:
            raise NotApplicable("the profile names payment methods that exist, so the suite creates none")
        if code or card.number is None:
            self.payment_method(situation)
        elif not self._posted("/v1/payment_methods", _card_form(replace(card, cvc=None))).succeeded:
            raise NotApplicable("the payment provider requires the security code of a card")

    def lacks_mastercard(self) -> bool:
        """Whether the accepted card may be of another brand than Mastercard, which indicator 02 is for."""
        given = self._profile.payment.situations.get("accepted")
        number = given.number.reveal() if given is not None and given.number is not None else ""
        return not _MASTERCARD.match(number)

    def payment_intent(self, situation: str, amount: float) -> str:
        """Return the id of a payment intent that goes as the situation says, of an amount in EUR."""
        self.needs("payment_intents")
        given = self._profile.payment.situations.get(situation)
        # An intent of another amount that the suite makes itself proves more than one that the profile names.
        is_made = situation == "amount_mismatch" and self._profile.payment.payment_intents
        if given is not None and given.payment_intent_id is not None and not is_made:
            reference = given.payment_intent_id.reveal()
            self._used[reference] = situation
            return reference
        if not self._profile.payment.payment_intents:
            if situation in _MADE_HERE:
                raise NotApplicable("the suite creates no payment intents: [payment] payment_intents is not true")
            raise _lacking(situation, "a payment_intent_id, and [payment] payment_intents is not true")
        form = _intent_form(amount)
        if situation == "needs_verification":
            return self._intent_to_verify(form)
        if situation == "declined":
            return self._declined_intent(form)
        form["payment_method"] = self.payment_method("accepted")
        if situation == "currency_mismatch":
            return self._intent_in_another_currency(form)
        if situation != "not_ready":
            # Confirmed and not yet captured: the service captures it when it books. One that is not ready has a method
            # too: without any, its data may be rejected with 422 (v4, Errors).
            form["confirm"] = "true"
        made = self._made("/v1/payment_intents", form, "accepted")
        if situation == "cancelled":
            self.cancel_payment_intent(made)
        return made

    def _intent_to_verify(self, form: Form) -> str:
        """Have the payment provider make a payment intent that waits for its verification (OPEN-100)."""
        method = self.payment_method("needs_verification")
        made = self._posted("/v1/payment_intents", {**form, "payment_method": method, "confirm": "true"})
        if made.member("status") != "requires_action":
            raise NotApplicable("the payment intents of the payment provider wait for no verification")
        return str(made.member("id"))

    def _declined_intent(self, form: Form) -> str:
        """Have the payment provider make a payment intent whose card it declines, also one in its error (OPEN-100)."""
        method = self.payment_method("declined")
        made = self._posted("/v1/payment_intents", {**form, "payment_method": method, "confirm": "true"})
        intent = made.body if made.succeeded else member(made.member("error"), "payment_intent")
        if intent is None:
            # Without any payment method, a payment intent is as little ready as one that has lost it.
            intent = self._posted("/v1/payment_intents", form).body
        reference = member(intent, "id")
        if not isinstance(reference, str) or member(intent, "status") in _PAID:
            raise NotApplicable("the payment provider makes no payment intents of declined cards")
        self._used[reference] = "declined"
        return reference

    def _intent_in_another_currency(self, form: Form) -> str:
        """Have the payment provider make a payment intent in USD, if it takes that currency (OPEN-100)."""
        made = self._posted("/v1/payment_intents", {**form, "currency": "usd", "confirm": "true"})
        # A provider need not repeat the currency.
        if made.member("status") != "requires_capture" or made.member("currency") not in ("usd", None):
            raise NotApplicable("the payment provider makes no payment intents in USD")
        return str(made.member("id"))

    def cancel_payment_intent(self, reference: str) -> None:
        """Cancel a payment intent that the suite created; NotApplicable if the payment provider does not."""
        if self._used.get(reference) == "needs_verification":
            raise NotApplicable("the profile names the payment intent that needs verification")
        if not self._posted(f"/v1/payment_intents/{reference}/cancel", {}).succeeded:
            raise NotApplicable("the payment provider does not cancel payment intents")

    def has_reusable_intent(self) -> bool:
        """Whether the profile names a payment intent that is accepted several times."""
        given = self._profile.payment.situations.get("accepted")
        return given is not None and given.payment_intent_id is not None

    def _situation(self, situation: str) -> PaymentSituation:
        given = self._profile.payment.situations.get(situation)
        if given is None and situation == "mastercard":
            raise NotApplicable("the profile names no Mastercard: [payment.mastercard]")
        if given is None:
            raise Untested(f"the profile does not say how to pay in this situation: [payment.{situation}]")
        return given

    # Causes

    def follow(self, response: ParsedResponse) -> None:
        """Note whether the service accepts a payment of a situation."""
        if situation := self._situation_of(response.exchange) or _interface_of_deposit(response.exchange):
            self._outcomes[response.fulfilled].add(situation)

    def explain(self, _: str, exchange: Exchange) -> None:
        """Raise Untested if a payment has another outcome than its situation because the profile names the wrong one.

        The payment provider decides. Where the suite cannot ask it, the service does, by the same payment elsewhere.
        """
        situation, response = self._situation_of(exchange), ParsedResponse(exchange)
        is_paid, is_accepted = response.fulfilled, situation in _ACCEPTED
        if not situation or is_paid == is_accepted or not (is_paid or _is_rejected_payment(response)):
            return
        is_as_named = self._is_as_named(situation)
        instead = "is not accepted by the payment provider" if is_accepted else "is accepted by the payment provider"
        expect_situation(is_as_named, f"payment.{situation}", instead)

    def explain_deposit(self, interface: str, exchange: Exchange, pay: Callable[[], ParsedResponse]) -> None:
        """Raise Untested if a deposit or a balance is used up: it has paid, and does not ``pay`` now (OPEN-90)."""
        response = ParsedResponse(exchange)
        if response.unfulfilled and _interface_of_deposit(exchange) == interface and interface in self._outcomes[True]:
            expect_situation(pay().fulfilled, interface, "names an organisation whose deposit is used up: top it up")

    def _situation_of(self, exchange: Exchange) -> str:
        """Return the situation of the profile that a confirmation or booking is paid by, "" if there is none."""
        if not exchange.request.url.endswith(_PAYING):
            return ""
        body = skim(exchange.request.body)
        references = (member(body, name) for name in (_METHOD, _INTENT))
        return next((self._used[each] for each in references if isinstance(each, str) and each in self._used), "")

    def _is_as_named(self, situation: str) -> bool:
        is_accepted, given = situation in _ACCEPTED, self._profile.payment.situations[situation]
        if not self._profile.payment.payment_intents or (given.number is None and given.payment_method is None):
            return situation in self._outcomes[is_accepted]
        form = {**_intent_form(10.0), "payment_method": self.payment_method(situation), "confirm": "true"}
        return (self._posted("/v1/payment_intents", form).member("status") in _PAID) == is_accepted

    def _made(self, path: str, form: Form, situation: str) -> str:
        """Return the id of what the payment provider creates with the card of a situation."""
        response = self._posted(path, form)
        expect_situation(response.status not in (401, 403), "payment.token", "is not accepted by the payment provider")
        is_usable = response.succeeded and ("confirm" not in form or response.member("status") in _PAID)
        expect_situation(is_usable, f"payment.{situation}", "is not accepted by the payment provider")
        with prerequisite("the payment provider created nothing", rule="PAYMENT-METHOD-ID", exchange=response.exchange):
            response.expect(
                response.body["id"].startswith(_BEGINNINGS[path]),
                "the payment provider must return the id of the object it created",
                expected="an id of the documented form",
                actual="another id",
                pointer="/id",
            )
        return str(response.body["id"])

    def _posted(self, path: str, form: Form) -> ParsedResponse:
        if self._post_form is None:
            raise Untested("the profile names no payment provider: [payment] url and token")
        response = ParsedResponse(self._post_form(path, form))
        if response.status in NOT_OF_THE_SERVICE:
            raise InconclusiveError(
                f"a gateway responded instead of the payment provider with status {response.status}"
            )
        return response


def _card_form(card: PaymentSituation) -> dict[str, str]:
    assert card.number is not None
    form = {
        "type": "card",
        "card[number]": card.number.reveal(),
        "card[exp_month]": f"{card.exp_month or 12:02d}",
        "card[exp_year]": str(card.exp_year or 2034),
    }
    return form if card.cvc is None else {**form, "card[cvc]": card.cvc.reveal()}


def _intent_form(amount: float) -> dict[str, str]:
    return {
        "amount": str(round(amount * 100)),
        "currency": "eur",
        "capture_method": "manual",
        "payment_method_types[]": "card",
    }


def _interface_of_deposit(exchange: Exchange) -> str:
    """Return the interface of an order or a booking that is paid on deposit or by balance, "" of any other request."""
    body, url = skim(exchange.request.body), exchange.request.url
    is_on_deposit = member(body, "self_psp") is True or member(body, "paymentMethod", "balance") is True
    if not is_on_deposit or not url.endswith(_PAYING):
        return ""
    return next(each for each in url.split("/") if each in VERSIONS)


def _is_rejected_payment(response: ParsedResponse) -> bool:
    """Return whether a response says that a payment failed (v4, Errors; OPEN-24, OPEN-91)."""
    return response.succeeded or response.status in (402, 406, 422)


def _lacking(situation: str, what: str) -> Untested:
    return Untested(f"[payment.{situation}] of the profile lacks {what}")
