"""The travel agent's desk: what an organisation does at the service in every version.

What is only read is shared between scenarios, so that a full run makes few orders and bookings; what a scenario
changes is made for it alone. Whatever cannot be had because the service breaks a rule is a broken prerequisite,
held against that rule.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from airworthy.contract import Contract
from airworthy.contract.contract import GATEWAY
from airworthy.suite.outcomes import NotApplicable, Outcome, expect, prerequisite
from airworthy.target.client import NOT_GIVEN, Client, InconclusiveError
from airworthy.target.clock import TargetClock
from airworthy.target.profile import KeyForm, Organisation, Profile, TokenCredentials, V4Credentials
from conformance.answer import Answer, read
from conformance.capabilities import Needs
from conformance.draft import Draft
from conformance.payments import Payments

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class _Shared:
    """What scenarios share, or the outcome with which it failed to be made, and the capabilities that it needs."""

    made: Any
    needed: tuple[str, ...]


@dataclass(eq=False, repr=False)
class Desk:
    """One organisation's desk at the service: it sends with the organisation's key, and keeps what is shared."""

    profile: Profile
    organisation: Organisation
    client: Client
    payments: Payments
    clock: TargetClock
    contract: Contract
    _shared: dict[Hashable, _Shared] = field(default_factory=dict, init=False)
    _post_forms: dict[str, KeyForm] = field(default_factory=dict, init=False)

    @property
    def needs(self) -> Needs:
        """What scenarios need of the target."""
        return self.payments.needs

    @property
    def v4(self) -> V4Credentials:
        """The organisation's credentials for v4. Raises NotApplicable where the profile has none."""
        if self.organisation.v4 is None:
            raise NotApplicable("the profile has no credentials for v4: [v4] key")
        return self.organisation.v4

    def send(self, draft: Draft, **how: Any) -> Answer:
        """Send a draft with the organisation's key; ``how`` goes to `Client.send` (another key, headers, …)."""
        if "key" in how:
            return self._sent(draft, **how)
        answer = self._sent(draft, key=self.authorization(draft), **how)
        version = draft.path.split("/")[1]
        if answer.status != 401 or draft.method != "POST" or version == "v4" or version in self._post_forms:
            return answer
        # Which form of the token POST takes is left open (OPEN-18): the very first refused one is sent in the other.
        credentials = self.token(version)
        other: KeyForm = "bare" if credentials.post_key_form == "bearer" else "bearer"
        again = self._sent(draft, key=replace(credentials, post_key_form=other).authorization("POST"), **how)
        self._post_forms[version] = credentials.post_key_form if again.status == 401 else other
        return answer if again.status == 401 else again

    def _sent(self, draft: Draft, **how: Any) -> Answer:
        json = NOT_GIVEN if draft.body is None else draft.body
        answer = read(self.client.send(draft.method, draft.path, query=draft.query, json=json, body=draft.raw, **how))
        if answer.status in GATEWAY:
            # Sent again, an order or a confirmation that went through would be a second one.
            raise InconclusiveError(f"a gateway answered for the service with {answer.status}")
        return answer

    def authorization(self, draft: Draft) -> str:
        """Return the Authorization of a request: the bare key for v4, the token as the profile says for v2 and v3.

        Raises NotApplicable where the profile has no credentials for the interface.
        """
        version = draft.path.split("/")[1]
        if version == "v4":
            return self.v4.key.reveal()
        credentials = self.token(version)
        form = self._post_forms.get(version, credentials.post_key_form)
        return replace(credentials, post_key_form=form).authorization(draft.method)

    def token(self, version: str) -> TokenCredentials:
        """Return the organisation's credentials for v2 or v3. Raises NotApplicable where the profile has none."""
        found = self.organisation.tokens.get(version)
        if found is None:
            raise NotApplicable(f"the profile has no credentials for {version}: [{version}] token")
        return found

    def needed(self, draft: Draft, reason: str, rule: str, *members: str) -> Answer:
        """Send a draft whose answer the scenario stands on: it has to succeed and to have some members.

        What is wrong with it otherwise is left to the contract, so that one fault does not hide the others.
        """
        return self.usable(self.send(draft), reason, rule, *members)

    def usable(self, answer: Answer, reason: str, rule: str, *members: str) -> Answer:
        """Hold an answer that the scenario stands on to have succeeded, with some members."""
        with prerequisite(reason, rule=_owner(answer, rule), exchange=answer.exchange):
            expect(
                answer.succeeded and answer.body is not None,
                "a documented request has to be answered",
                expected="status 200 with JSON",
                actual=f"status {answer.status}",
                pointer="status",
                exchange=answer.exchange,
            )
            for name in members:
                expect(
                    answer.member(name),
                    f"the answer has to have {name}",
                    expected=f"a value of {name}",
                    actual="none",
                    pointer=f"/{name}",
                    exchange=answer.exchange,
                )
        return answer

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Make a shared thing once; what failed to be made fails again without another try.

        Whoever shares it needs what it needs.
        """
        if key in self._shared:
            self.needs.note(*self._shared[key].needed)
        else:
            noted = self.needs.noted()
            before = len(noted)
            made: Any
            try:
                made = make()
            except Outcome as outcome:
                made = outcome
            self._shared[key] = _Shared(made, tuple(noted[before:]))
        made = self._shared[key].made
        if isinstance(made, Outcome):
            raise made
        return cast("Made", made)

    def forget(self, made: object) -> None:
        """Share a thing no longer: it is no more as it was made."""
        self._shared = {key: shared for key, shared in self._shared.items() if shared.made is not made}


def _owner(answer: Answer, rule: str) -> str:
    """The rule that a request which was not answered breaks: that of the valid key, where the key was refused."""
    if answer.status != 401:
        return rule
    return "V4-AUTH-KEY" if "/v4/" in answer.exchange.request.url else "V23-AUTH-KEY"
