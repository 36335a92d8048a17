"""Observe the exchanges of a partner, one after the other, and collect what they show of the go-live list."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from airworthy.contract import Exchange, Finding, ResolvedUrl
from airworthy.contract.http.credentials import digest
from airworthy.contract.http.operations import PAYMENT, SERVED
from airworthy.contract.http.reading import read_transaction
from airworthy.contract.http.transaction import Transaction, member
from airworthy.traffic.golive import findings as ids
from airworthy.traffic.golive.bookings import OPERATIONS, BookingMemory, BookingObserver
from airworthy.traffic.golive.items import GoLiveSettings, go_live_items
from airworthy.traffic.golive.progress import ALL, ItemOutcome, ItemProgress, ProgressRecord, Sighting, Status
from airworthy.traffic.naming import operation_name

# The last operation of each version that has the code: a client that leaves it out earlier violates a rule.
_CUSTOMER_CODE: Final = {
    "getOffer": "customerCode",
    "createBookings": "customer_code",
    "createBookingsV2": "customer_code",
}
_OWNERS: Final = {PAYMENT: "payment provider"}
_KEYS: Final = {"v4": "[v4] key", "v3": "[v3] token", "v2": "[v2] token", PAYMENT: "[payment] token"}
_SHOWN_BY_REQUESTS: Final = (*ids.EVERY_REQUEST, ids.CUSTOMER_CODE, ids.CREDENTIALS)
# How evidence shows a credential that it does not name, and one that the profile of its recording named.
_REDACTED: Final = ("redacted-", "$")


class GoLive:
    """The progress on the go-live list. Not thread-safe.

    ``record`` has what the traffic shows of each item, ``versions`` the number of exchanges of each version.
    """

    def __init__(self, settings: GoLiveSettings | None = None) -> None:
        self.settings = settings or GoLiveSettings()
        self.versions: Counter[str] = Counter()
        self.record = ProgressRecord()
        self._bookings = BookingObserver(self.settings, self.record)
        self._taken: Counter[str] = Counter()

    def observe(self, exchange: Exchange, url: ResolvedUrl, found: Sequence[Finding] = ()) -> None:
        """Take an exchange with the service or the payment provider, and the findings in it, into account."""
        version = url.version if url.version in SERVED else ALL
        for finding in found:
            self._add_finding(finding, exchange, url, version)
        if url.operation is None:
            return
        transaction = read_transaction(exchange, url, url.operation)
        self._check_credential(transaction, version)
        if url.version == PAYMENT:
            return
        self.versions[version] += 1
        self.record.examine(transaction)
        self._check_customer_code(transaction)
        if url.operation.id in OPERATIONS:
            self._bookings.observe(transaction)

    @property
    def memory(self) -> BookingMemory:
        """What the exchanges so far were about, without the progress."""
        return self._bookings.memory

    def recall(self, memory: BookingMemory | None = None) -> None:
        """Replace what the exchanges so far were about, by nothing unless ``memory`` is given; the progress stays."""
        self._bookings = BookingObserver(self.settings, self.record, memory)

    def outcomes(self, version: str) -> tuple[ItemOutcome, ...]:
        """Return the outcome of every item for a version, in the order of the list."""
        return tuple(
            ItemOutcome(item, version, self.record.of(item.id, version) if version in item.versions else ItemProgress())
            for item in go_live_items()
        )

    @property
    def revision(self) -> tuple[int, int]:
        """A value that changes whenever the traffic shows something that it did not show before."""
        return self.record.revision, len(self.versions)

    def required(self, versions: Collection[str] = ()) -> tuple[ItemOutcome, ...]:
        """Return the outcomes of the items that are required in each version of the traffic, and in further ones."""
        return tuple(
            outcome
            for version in sorted({*self.versions, *versions})
            for outcome in self.outcomes(version)
            if outcome.status != "not applicable" and not outcome.item.is_optional
        )

    def reportable(self) -> tuple[tuple[str, str, Status], ...]:
        """Return the items that the proxy reports while it runs, as (version, item, status).

        A violated item is reported whatever finds the violation. Items that any request shows are left out.
        """
        return tuple(
            (each.version, each.item.id, each.status)
            for each in self.required()
            if each.status == "violated" or (each.status == "shown" and each.item.id not in _SHOWN_BY_REQUESTS)
        )

    def take_contradictions(self) -> list[Finding]:
        """Return the violations that only the list finds, since the previous call."""
        found, self.record.contradictions = self.record.contradictions, []
        return found

    def counts(self) -> Iterator[str]:
        """Yield how many items are shown, for each version of the traffic."""
        outcomes = self.required()
        for version in sorted(self.versions):
            own = [each.status for each in outcomes if each.version == version]
            yield f"{version}: {own.count('shown')} of {len(own)} items shown"

    def booked(self) -> Counter[str]:
        """Return the number of bookings by version."""
        return +Counter({version: self.record.examined(ids.BOOK_ONCE, version) for version in SERVED})

    def merge(self, other: "GoLive") -> None:
        """Add the progress in another part of the same traffic, which is judged with the same settings."""
        self.settings = other.settings
        self.versions += other.versions
        for key, progress in other.record.entries.items():
            self.record.add(*key, progress)

    def take(self) -> "GoLive":
        """Return the progress, with the counts since the previous call, so that what is taken can be added up."""
        taken = GoLive(self.settings)
        for key, progress in self.record.take().items():
            taken.record.add(*key, progress)
        taken.versions = self.versions - self._taken
        self._taken = Counter(self.versions)
        return taken

    def _add_finding(self, finding: Finding, exchange: Exchange, url: ResolvedUrl, version: str) -> None:
        item, weight = ids.classify(finding)
        operation = operation_name(url)
        sightings = (Sighting(exchange.started, (exchange.id,), finding, finding.message, operation),)
        if weight == "gap":
            self.record.skip(exchange.id, finding.message, exchange.started, operation)
        elif weight != "none":
            is_violation = weight == "violation"
            progress = ItemProgress(violations=sightings) if is_violation else ItemProgress(warnings=sightings)
            for each in _concerned(version, finding.provenance) if item == ids.ONE_VERSION else (version,):
                self.record.add(item, each, progress)

    def _check_credential(self, transaction: Transaction, version: str) -> None:
        """Compare the credential of an accepted request with the test credentials; others may be tried in vain."""
        known, secret = self.settings.credentials, transaction.credential[1]
        if known is None or not transaction.succeeded or not (secret or transaction.hides_credential):
            return
        interface = transaction.url.version
        is_named, owner = interface in self.settings.interfaces, _OWNERS.get(interface, "service")
        sighting = Sighting(transaction.started, (transaction.exchange.id,), operation=operation_name(transaction.url))
        if digest(secret) in known:
            self.record.add(ids.CREDENTIALS, version, ItemProgress(proofs=(sighting,), examined=1))
        elif not is_named or transaction.hides_credential or secret.startswith(_REDACTED):
            reason = (
                f"the recording does not say which credential a request to the {owner} has"
                if is_named
                else f"the profile does not name the test credential of the {owner}: {_KEYS[interface]}"
            )
            self.record.add(ids.CREDENTIALS, version, ItemProgress(gaps=(replace(sighting, reason=reason),)))
        else:
            text = f"the {owner} accepts a credential that is not among the test credentials of the profile"
            of_profile, where = "a test credential of the profile", "header:Authorization"
            self.record.contradict(transaction, ids.CREDENTIALS, text, of_profile, "another credential", pointer=where)

    def _check_customer_code(self, transaction: Transaction) -> None:
        name = _CUSTOMER_CODE.get(transaction.operation)
        code = member(transaction.sent, name) if name else None
        # In v2, customer data may take the place of the code (OPEN-23).
        has_data = transaction.operation == "createBookingsV2" and bool(member(transaction.sent, "customer_data"))
        if transaction.succeeded and ((isinstance(code, str) and code) or has_data):
            self.record.show(transaction, ids.CUSTOMER_CODE)


def _concerned(version: str, provenance: str) -> Collection[str]:
    """Return the versions whose lists count the choice of a version: that of the request, and that of what it uses.

    v4 is a separate integration from v2 and v3. A request to a removed or unknown version concerns all lists.
    """
    used = (each for each in provenance.split(" and ") if each in SERVED)
    return (ALL,) if version == ALL else {version, *used}
