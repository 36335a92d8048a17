"""What the suite has to know of a target, as values.

`airworthy.target.profile_file.load_profile` reads them from a TOML file; ``schemas/profile.json`` says what it may
hold. A new interface adds its credentials to `Organisation` and its section to the schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Literal

from airworthy.target.secret import Secret

Environment = Literal["test", "production"]
LocationType = Literal["AIRPORT", "CITY"]


@dataclass(frozen=True, slots=True)
class V4Credentials:
    """An organisation's key and customer code for v4; ``balance`` says whether it may pay from its balance."""

    key: Secret
    customer_code: Secret
    key_form: Literal["bare"] = "bare"
    balance: bool = False


@dataclass(frozen=True, slots=True)
class Organisation:
    """A customer of the service, with its credentials for each interface."""

    v4: V4Credentials


@dataclass(frozen=True, slots=True)
class PaymentSituation:
    """A card, or ready ids, with which a payment goes as the situation's name says."""

    number: Secret | None = None
    exp_month: int | None = None
    exp_year: int | None = None
    cvc: Secret | None = None
    payment_method: Secret | None = None
    payment_intent_id: Secret | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """The external payment provider.

    Without ``url`` and ``token`` only the ready ids of the situations can be used. ``payment_intents`` says whether
    the provider's ``/v1/payment_intents`` may be called with the token.
    """

    url: str | None = None
    token: Secret | None = None
    payment_intents: bool = False
    situations: Mapping[str, PaymentSituation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Route:
    """Where and when a situation is found: ``day`` itself, or ``days_ahead`` whole days after the target's today."""

    origin: str
    destination: str
    origin_type: LocationType = "AIRPORT"
    destination_type: LocationType = "AIRPORT"
    days_ahead: int = 30
    day: date | None = None
    return_after_days: int = 7

    def departure(self, today: date) -> date:
        """Return the day of departure."""
        return self.day or today + timedelta(days=self.days_ahead)

    def way_back(self, today: date) -> date:
        """Return the day of the way back."""
        return self.departure(today) + timedelta(days=self.return_after_days)


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long things live, in seconds: the documents' figures, unless the target has shortened them for tests."""

    offer_seconds: float = 30 * 60.0


@dataclass(frozen=True, slots=True)
class ProfileWaiver:
    """A rule that somebody answers for until a day (inclusive)."""

    rule: str
    owner: str
    reason: str
    expires: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A target, as its profile describes it.

    ``source`` is the file (or what stands for it), ``base_url`` has no version and no slash at its end, ``max_rps``
    is in requests a second, ``timeout_seconds`` bounds one whole answer. ``routes`` and ``payment.situations`` hold
    the situations that the target offers; ``capabilities`` what it was declared to have or to lack.
    ``notes`` are for the reader of the run's header; ``digest`` is the SHA-256 of the file's bytes.
    """

    source: str
    base_url: str
    organisation: Organisation
    subject: str = ""
    environment: Environment = "test"
    ca_bundle: Path | None = None
    allow_plain_http: bool = False
    max_rps: float | None = None
    timeout_seconds: float = 30.0
    versions: tuple[str, ...] = ("v4",)
    second_organisation: Organisation | None = None
    payment: Payment = Payment()
    advance_url: str | None = None
    lifetimes: Lifetimes = Lifetimes()
    routes: Mapping[str, Route] = field(default_factory=dict)
    capabilities: Mapping[str, bool] = field(default_factory=dict)
    export_location: str | None = None
    waivers: tuple[ProfileWaiver, ...] = ()
    notes: tuple[str, ...] = ()
    digest: str = ""

    def route(self, situation: str) -> Route | None:
        """Return the route of a situation, or None; a round trip is sought on the regular route if it has no own."""
        fallback = self.routes.get("regular") if situation == "round_trip" else None
        return self.routes.get(situation, fallback)

    def offers(self, capability: str) -> bool:
        """Whether the target has a capability: it does, unless the profile declares it absent."""
        return self.capabilities.get(capability, True)

    def secrets(self) -> tuple[Secret, ...]:
        """Return every secret in it, so that no text shows one by accident."""
        organisations = [self.organisation, *([self.second_organisation] if self.second_organisation else [])]
        found = [secret for each in organisations for secret in (each.v4.key, each.v4.customer_code)]
        for situation in self.payment.situations.values():
            found += [
                secret
                for secret in (
                    situation.number,
                    situation.cvc,
                    situation.payment_method,
                    situation.payment_intent_id,
                )
                if secret
            ]
        return (*found, *([self.payment.token] if self.payment.token else []))
