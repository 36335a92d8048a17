"""What the suite has to know of a target, as values.

`airworthy.target.profile_file.load_profile` reads them from a TOML file; ``schemas/profile.json`` says what it may
hold. A new interface adds its credentials to `Organisation` and its section to the schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Final, Literal

from airworthy.contract.limits import (
    BOOKING_REQUEST_LONGEST_LIFETIME,
    BOOKING_REQUEST_SHORTEST_LIFETIME,
    OFFER_LIFETIME,
    RECORD_LOCATOR_DELAY,
)
from airworthy.target.secret import Secret

Environment = Literal["test", "production"]
LocationType = Literal["AIRPORT", "CITY"]
KeyForm = Literal["bearer", "bare"]

VERSIONS: Final = ("v2", "v3", "v4")


@dataclass(frozen=True, slots=True)
class V4Credentials:
    """An organisation's key and customer code for v4; ``balance`` says whether it may pay from its balance."""

    key: Secret
    customer_code: Secret
    balance: bool = False


@dataclass(frozen=True, slots=True)
class TokenCredentials:
    """An organisation's token and customer code for v3 or v2.

    ``self_psp`` says whether it may book on deposit. In which form the service takes the token on GET and on POST
    (OPEN-18) and how it writes dates of birth and of passports (OPEN-10, as for `date.strftime`) is left open by the
    documents, and so it is the target's to say.
    """

    token: Secret
    customer_code: Secret
    self_psp: bool = False
    get_key_form: KeyForm = "bearer"
    post_key_form: KeyForm = "bearer"
    date_format: str = "%Y-%m-%d"

    def authorization(self, method: str) -> str:
        """Return the value of the header ``Authorization`` for a method: for the wire only."""
        form = self.post_key_form if method.upper() == "POST" else self.get_key_form
        token = self.token.reveal()
        return f"Bearer {token}" if form == "bearer" else token


@dataclass(frozen=True, slots=True)
class Organisation:
    """A customer of the service, with its credentials for each interface that it uses (v3, Authentication)."""

    v4: V4Credentials | None = None
    v3: TokenCredentials | None = None
    v2: TokenCredentials | None = None

    @property
    def versions(self) -> tuple[str, ...]:
        """The interfaces that it has credentials for."""
        return tuple(version for version in VERSIONS if getattr(self, version))

    @property
    def tokens(self) -> Mapping[str, TokenCredentials]:
        """Its credentials for the interfaces with tokens, by version."""
        return {version: found for version, found in (("v2", self.v2), ("v3", self.v3)) if found}

    def secrets(self) -> tuple[Secret, ...]:
        """Return its keys, tokens and customer codes."""
        found = [self.v4.key, self.v4.customer_code] if self.v4 else []
        return (*found, *(secret for each in self.tokens.values() for secret in (each.token, each.customer_code)))


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
    """How long things live, in seconds: the documents' figures, unless the target has shortened them for tests.

    A request of v3 or v2 lives for 3 minutes or for 5 (OPEN-15): it is held to both, the shorter and the longer.
    ``locator_seconds`` is how long an airline's record locator takes at most.
    """

    offer_seconds: float = OFFER_LIFETIME.total_seconds()
    request_seconds_min: float = BOOKING_REQUEST_SHORTEST_LIFETIME.total_seconds()
    request_seconds_max: float = BOOKING_REQUEST_LONGEST_LIFETIME.total_seconds()
    locator_seconds: float = RECORD_LOCATOR_DELAY.total_seconds()


@dataclass(frozen=True, slots=True)
class Export:
    """Where the content export is dropped: a folder, or an ``ftp://`` or ``ftps://`` URL.

    ``versions`` are the API versions that files are expected for, ``customers`` those with distribution rules of their
    own, as their files name them.
    """

    location: str
    user: Secret | None = None
    password: Secret | None = None
    versions: tuple[str, ...] = ()
    customers: tuple[str, ...] = ()


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
    the situations that the target offers; ``capabilities`` what it was declared to have or to lack. ``versions`` are
    the interfaces that are examined: `organisation` has credentials for each.
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
    versions: tuple[str, ...]
    second_organisation: Organisation | None = None
    payment: Payment = Payment()
    advance_url: str | None = None
    lifetimes: Lifetimes = Lifetimes()
    routes: Mapping[str, Route] = field(default_factory=dict)
    capabilities: Mapping[str, bool] = field(default_factory=dict)
    export: Export | None = None
    waivers: tuple[ProfileWaiver, ...] = ()
    notes: tuple[str, ...] = ()
    digest: str = ""

    def route(self, situation: str) -> Route | None:
        """Return the route of a situation, or None.

        A round trip is sought on the regular route if it has none of its own, and so are the flights of v3 and v2,
        which know no cities.
        """
        regular = self.routes.get("regular")
        if situation == "flights_regular" and regular and "CITY" in (regular.origin_type, regular.destination_type):
            regular = None
        return self.routes.get(situation, regular if situation in ("round_trip", "flights_regular") else None)

    def offers(self, capability: str) -> bool:
        """Whether the target has a capability: it does, unless the profile declares it absent."""
        return self.capabilities.get(capability, True)

    def secrets(self) -> tuple[Secret, ...]:
        """Return every secret in it, so that no text shows one by accident."""
        organisations = [self.organisation, *([self.second_organisation] if self.second_organisation else [])]
        found = [secret for each in organisations for secret in each.secrets()]
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
        # The export's user is none: an ordinary word would be blotted out wherever it stands.
        if self.export and self.export.password:
            found.append(self.export.password)
        return (*found, *([self.payment.token] if self.payment.token else []))
