"""The profile of a target, as values, and what redaction has to know of it.

`airworthy.target.profile_file.load_profile` reads a profile from a TOML file, whose schema is
``schemas/profile.json``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Final, Literal, TypedDict

from airworthy.contract import ServiceAddress
from airworthy.contract.conversation.limits import Lifetimes
from airworthy.target.records import Waiver
from airworthy.target.secret import Secret

Environment = Literal["test", "production"]
LocationType = Literal["AIRPORT", "CITY"]
KeyForm = Literal["bearer", "bare"]

VERSIONS: Final = ("v2", "v3", "v4")
# Situations that every flight of a target is in which has none of these capabilities.
_LACKING: Final[Mapping[str, tuple[str, ...]]] = {
    "no_baggage": ("baggage",),
    "flights_no_bags": ("checked_bags", "cabin_bags"),
    "flights_no_infants": ("infants",),
    "flights_no_fares": ("round_trip_fares",),
}


@dataclass(frozen=True, slots=True)
class V4Credentials:
    """The v4 key and customer code of an organisation.

    ``balance``: whether it may pay from its account balance. ``declares_balance``: whether the profile
    has that key.
    """

    key: Secret
    customer_code: Secret
    balance: bool = False
    declares_balance: bool = False


@dataclass(frozen=True, slots=True)
class TokenCredentials:
    """The token and customer code of an organisation for v3 or v2.

    ``self_psp``: whether it may book on deposit. The documents leave open the form of the token in GET and POST
    requests (OPEN-18), the format of dates of birth and passports (OPEN-10, as in `date.strftime`), and the values of
    ``gender`` (OPEN-83), of a man and of a woman.
    """

    token: Secret
    customer_code: Secret
    self_psp: bool = False
    get_key_form: KeyForm = "bearer"
    post_key_form: KeyForm = "bearer"
    date_format: str = "%Y-%m-%d"
    genders: tuple[str, str] = ("male", "female")

    def authorization(self, method: str) -> str:
        """Return the value of the header ``Authorization`` for a method."""
        form = self.post_key_form if method.upper() == "POST" else self.get_key_form
        token = self.token.reveal()
        return f"Bearer {token}" if form == "bearer" else token


@dataclass(frozen=True, slots=True)
class Organisation:
    """A customer of the service, with its credentials for each interface (v3, Authentication)."""

    v4: V4Credentials | None = None
    v3: TokenCredentials | None = None
    v2: TokenCredentials | None = None

    @property
    def versions(self) -> tuple[str, ...]:
        """The interfaces for which it has credentials."""
        return tuple(version for version in VERSIONS if getattr(self, version))

    @property
    def tokens(self) -> Mapping[str, TokenCredentials]:
        """Its credentials for v2 and v3, by version."""
        return {version: found for version, found in (("v2", self.v2), ("v3", self.v3)) if found}


@dataclass(frozen=True, slots=True)
class PaymentSituation:
    """A card, or ids of the payment provider, that lead to the outcome in the situation's name."""

    number: Secret | None = None
    exp_month: int | None = None
    exp_year: int | None = None
    cvc: Secret | None = None
    payment_method: Secret | None = None
    payment_intent_id: Secret | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """The external payment provider.

    Without ``url`` and ``token``, only situations with ids can be used. ``payment_intents``: whether the suite may
    call the provider's ``/v1/payment_intents``.
    """

    url: str | None = None
    token: Secret | None = None
    payment_intents: bool = False
    situations: Mapping[str, PaymentSituation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Route:
    """A search that finds a situation, on ``day`` or ``days_ahead`` days after today at the target."""

    origin: str
    destination: str
    origin_type: LocationType = "AIRPORT"
    destination_type: LocationType = "AIRPORT"
    days_ahead: int = 30
    day: date | None = None
    return_after_days: int = 7

    def departure_date(self, today: date) -> date:
        """Return the date of departure."""
        return self.day or today + timedelta(days=self.days_ahead)

    def return_date(self, today: date) -> date:
        """Return the date of the return flight."""
        return self.departure_date(today) + timedelta(days=self.return_after_days)


@dataclass(frozen=True, slots=True)
class ProfileExport:
    """The location of the content export: a folder, or an ``ftp://`` or ``ftps://`` URL.

    ``versions`` are the API versions, ``formats`` the formats and ``customers`` the customers with distribution rules
    for which files are expected; without versions or formats those of the files.
    """

    location: str
    user: Secret | None = None
    password: Secret | None = None
    versions: tuple[str, ...] = ()
    customers: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfileGoLive:
    """What the operator requires of a partner, where it differs from the go-live list.

    ``adults`` and ``infants`` are numbers of passengers in one booking; None means those of the list. ``required`` are
    optional items that the operator adds, ``not_required`` the items that it leaves out, with the reason for each.
    """

    partner: str = ""
    version: str | None = None
    adults: int | None = None
    infants: int | None = None
    required: tuple[str, ...] = ()
    not_required: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The profile of a target.

    ``source`` is the file name or URL. ``base_url`` has no version and does not end with a slash. ``max_rps`` is in
    requests per second; ``timeout_seconds`` bounds one exchange. ``routes`` and ``payment.situations`` have the
    situations that the target provides, ``capabilities`` the declared ones, present or absent. ``versions`` are the
    examined interfaces: `organisation` has credentials for each. ``valid_days`` is how long a signed certificate is
    valid; None means the default. ``notes`` are shown in the header of a run. ``digest`` is the SHA-256 of the file.
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
    lifetimes: Lifetimes = field(default_factory=Lifetimes)
    routes: Mapping[str, Route] = field(default_factory=dict)
    capabilities: Mapping[str, bool] = field(default_factory=dict)
    export: ProfileExport | None = None
    golive: ProfileGoLive = field(default_factory=ProfileGoLive)
    valid_days: int | None = None
    waivers: tuple[Waiver, ...] = ()
    notes: tuple[str, ...] = ()
    digest: str = ""

    def route(self, situation: str) -> Route | None:
        """Return the route of a situation, or None."""
        return self.routes.get(self.route_name(situation))

    def route_name(self, situation: str) -> str:
        """Return the name of the route of a situation: its own, or that of the route which takes its place.

        The default for round trips and for v3 and v2 is the regular route, but not for v3 and v2 if it is a route
        between cities, which they cannot search. It is also the default for flights without what the target never has.
        """
        regular = self.routes.get("regular")
        lacking = _LACKING.get(situation, ())
        if lacking and situation not in self.routes and not any(map(self.has_capability, lacking)):
            return self.route_name("flights_regular" if situation.startswith("flights_") else "regular")
        if situation in self.routes or situation not in ("round_trip", "flights_regular") or regular is None:
            return situation
        is_of_cities = "CITY" in (regular.origin_type, regular.destination_type)
        return situation if situation == "flights_regular" and is_of_cities else "regular"

    def has_capability(self, capability: str) -> bool:
        """Return whether the target has a capability: yes, unless the profile declares it absent."""
        return self.capabilities.get(capability, True)


class KnownTerms(TypedDict):
    """The arguments of a redactor that come from a profile."""

    secrets: Mapping[str, tuple[str, ...]]
    public: frozenset[str]


def known_terms(profile: Profile | None) -> KnownTerms:
    """Return the secrets of a profile with their placeholders, and its addresses and airports, which are public."""
    if profile is None:
        return {"secrets": {}, "public": frozenset()}
    export = profile.export.location if profile.export and "://" in profile.export.location else None
    urls = (profile.base_url, profile.payment.url, profile.advance_url, export)
    airports = (code for route in profile.routes.values() for code in (route.origin, route.destination))
    public = ServiceAddress(tuple(filter(None, urls))).names.union(airports)
    return {"secrets": secret_placeholders(profile), "public": public}


def secret_placeholders(profile: Profile) -> Mapping[str, tuple[str, ...]]:
    """Return each secret of a profile with the variables that may be shown in its place, such as ``$ACME_KEY``.

    It is the variable that the profile names. A secret written in the profile gets a name from its key, such as
    ``$AIRWORTHY_V4_KEY``; if interfaces share it, it has a name for each of them.
    """
    placeholders: dict[str, tuple[str, ...]] = {}
    for place, secret in _places(profile):
        name = secret.name if secret.from_environment or not place else f"$AIRWORTHY_{place}"
        known = placeholders.get(secret.reveal(), ())
        placeholders[secret.reveal()] = (*known, name) if place else known or (name,)
    return placeholders


def _places(profile: Profile) -> Iterator[tuple[str, Secret]]:
    """Yield each secret, with what ends a variable that is named after its key; empty for the others, which come last.

    The user of the export is not a secret: it may be an ordinary word, which would be hidden in every text.
    """
    for prefix, organisation in (("", profile.organisation), ("SECOND_", profile.second_organisation)):
        if organisation and organisation.v4:
            yield f"V4_{prefix}KEY", organisation.v4.key
            yield f"V4_{prefix}CUSTOMER_CODE", organisation.v4.customer_code
        for version, credentials in organisation.tokens.items() if organisation else ():
            yield f"{version.upper()}_{prefix}TOKEN", credentials.token
            yield f"{version.upper()}_{prefix}CUSTOMER_CODE", credentials.customer_code
    if profile.payment.token:
        yield "PAYMENT_TOKEN", profile.payment.token
    others = [profile.export.password if profile.export else None]
    for each in profile.payment.situations.values():
        others += [each.number, each.cvc, each.payment_method, each.payment_intent_id]
    yield from (("", secret) for secret in others if secret)
