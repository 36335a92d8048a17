"""What clients can request from the payment provider: one function for each operation, and the table of their paths."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from airworthy.sandbox.payment_provider import parameters
from airworthy.sandbox.payment_provider.parameters import Record
from airworthy.sandbox.payment_provider.provider import BY_NUMBER, CARDS, PaymentProvider
from airworthy.sandbox.payment_provider.records import PaymentIntent, PaymentMethod, ProviderError

Document = dict[str, Any]
_CANCELLATION_REASONS = ("duplicate", "fraudulent", "requested_by_customer", "abandoned")


@dataclass(frozen=True, slots=True)
class ProviderRequest:
    """A request of an account; ``id`` is the one in the path, ``url`` the provider's address as the client sees it."""

    account: str = field(repr=False)
    parameters: Mapping[str, str] = field(repr=False)
    url: str
    id: str = ""


ProviderOperation = Callable[[PaymentProvider, ProviderRequest], PaymentMethod | PaymentIntent | Document]


def create_method(provider: PaymentProvider, request: ProviderRequest) -> PaymentMethod:
    """Store a card."""
    now = provider.clock.now()
    number, month, year = parameters.card_details(request.parameters, now.date())
    card = BY_NUMBER.get(number, CARDS[0])
    created = PaymentMethod(
        id=provider.method_prefix() + secrets.token_hex(12),
        brand=card.brand,
        last4=number[-4:],
        month=month,
        year=year,
        outcome=card.outcome,
        code=card.code,
        created=int(now.timestamp()),
        account=request.account,
        metadata=parameters.changed_metadata({}, request.parameters),
    )
    return provider.methods.put(created.id, created)


def update_method(provider: PaymentProvider, request: ProviderRequest) -> PaymentMethod:
    """Change the metadata of a payment method."""
    method = retrieve_method(provider, request)
    if not method.account:
        raise parameters.invalid("payment_method", "This PaymentMethod belongs to a test card and cannot be changed")
    metadata = parameters.changed_metadata(method.metadata, request.parameters)
    return provider.methods.change(method.id, lambda found: replace(found, metadata=metadata))


def list_methods(provider: PaymentProvider, request: ProviderRequest) -> Document:
    """Return a page of the account's payment methods, the newest first."""
    return _listed("/v1/payment_methods", provider.methods.newest(), request)


def create_intent(provider: PaymentProvider, request: ProviderRequest) -> PaymentIntent:
    """Create a payment, and confirm it if the client says so."""
    form = request.parameters
    for name in ("amount", "currency"):
        if name not in form:
            raise parameters.missing(name)
    method = _chosen_method(provider, request)
    reference = provider.intent_prefix + secrets.token_hex(12)
    intent = PaymentIntent(
        id=reference,
        status="requires_confirmation" if method else "requires_payment_method",
        method=method,
        secret=f"{reference}_secret_{secrets.token_hex(12)}",
        created=int(provider.clock.now().timestamp()),
        account=request.account,
        **{"manual_capture": False} | parameters.payment_terms(form) | parameters.payment_notes({}, form),
    )
    if form.get("confirm") == "true":
        intent = intent.confirm(None, secrets.token_urlsafe(24), parameters.checked_return_url(form))
    return _confirmed(provider.put_intent(intent))


def update_intent(provider: PaymentProvider, request: ProviderRequest) -> PaymentIntent:
    """Change a payment that is not paid, or its description and metadata."""
    form, intent, method = request.parameters, retrieve_intent(provider, request), _chosen_method(provider, request)
    terms, notes = parameters.payment_terms(form), parameters.payment_notes(intent.metadata, form)
    return provider.change_intent(intent.id, lambda found: found.update(method, terms, notes))


def confirm_intent(provider: PaymentProvider, request: ProviderRequest) -> PaymentIntent:
    """Pay; a card that needs verification leads to a 3-D Secure challenge."""
    intent, method = retrieve_intent(provider, request), _chosen_method(provider, request)
    challenge, return_url = secrets.token_urlsafe(24), parameters.checked_return_url(request.parameters)
    changed = provider.change_intent(intent.id, lambda found: found.confirm(method, challenge, return_url))
    return _confirmed(changed)


def capture_intent(provider: PaymentProvider, request: ProviderRequest) -> PaymentIntent:
    """Capture a payment or a part of it."""
    text = request.parameters.get("amount_to_capture")
    amount = None if text is None else parameters.cents("amount_to_capture", text)
    intent = retrieve_intent(provider, request)
    return provider.change_intent(intent.id, lambda found: found.capture(amount))


def cancel_intent(provider: PaymentProvider, request: ProviderRequest) -> PaymentIntent:
    """Cancel a payment that has not succeeded."""
    reason = request.parameters.get("cancellation_reason")
    if reason is not None and reason not in _CANCELLATION_REASONS:
        raise parameters.invalid("cancellation_reason", f"must be one of {', '.join(_CANCELLATION_REASONS)}")
    intent, now = retrieve_intent(provider, request), int(provider.clock.now().timestamp())
    return provider.change_intent(intent.id, lambda found: found.cancel(now, reason))


def list_intents(provider: PaymentProvider, request: ProviderRequest) -> Document:
    """Return a page of the account's payments, the newest first."""
    return _listed("/v1/payment_intents", provider.intents.newest(), request)


def retrieve_method(provider: PaymentProvider, request: ProviderRequest) -> PaymentMethod:
    """Return a payment method."""
    return _own(request, provider.method(request.id), "PaymentMethod", "payment_method")


def _chosen_method(provider: PaymentProvider, request: ProviderRequest) -> PaymentMethod | None:
    reference = request.parameters.get("payment_method")
    found = provider.method(reference) if reference else None
    return _own(request, found, "PaymentMethod", "payment_method", status=400) if reference else None


def retrieve_intent(provider: PaymentProvider, request: ProviderRequest) -> PaymentIntent:
    """Return a payment."""
    return _own(request, provider.intent(request.id), "payment_intent", "intent")


def _own(request: ProviderRequest, found: Record | None, kind: str, param: str, status: int = 404) -> Record:
    """Return a record of the account, or one that always exists; raises `ProviderError` for any other."""
    if found is None or found.account not in (request.account, ""):
        raise ProviderError(status, "resource_missing", f"No such {kind}", param=param)
    return found


def _confirmed(intent: PaymentIntent) -> PaymentIntent:
    if failure := intent.failure:
        code, message, decline = failure["code"], failure["message"], failure.get("decline_code")
        raise ProviderError(402, code, message, decline=decline, intent=intent)
    return intent


def _listed(path: str, records: list[Record], request: ProviderRequest) -> Document:
    page, has_more = parameters.page_of(records, request.account, request.parameters)
    return {"object": "list", "url": path, "has_more": has_more, "data": [each.document(request.url) for each in page]}


# The operations by path, relative to the provider's URL, and method.
OPERATIONS: Mapping[str, Mapping[str, ProviderOperation]] = {
    "/v1/payment_methods": {"GET": list_methods, "POST": create_method},
    "/v1/payment_methods/{id}": {"GET": retrieve_method, "POST": update_method},
    "/v1/payment_intents": {"GET": list_intents, "POST": create_intent},
    "/v1/payment_intents/{id}": {"GET": retrieve_intent, "POST": update_intent},
    "/v1/payment_intents/{id}/confirm": {"POST": confirm_intent},
    "/v1/payment_intents/{id}/capture": {"POST": capture_intent},
    "/v1/payment_intents/{id}/cancel": {"POST": cancel_intent},
}
