"""Reads a profile from TOML."""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from airworthy.errors import UsageError
from airworthy.target.authorities import ca_bundle_problem
from airworthy.target.profile import (
    Export,
    Lifetimes,
    Organisation,
    Payment,
    PaymentSituation,
    Profile,
    ProfileWaiver,
    Route,
    TokenCredentials,
    V4Credentials,
)
from airworthy.target.profile_document import Key, ProfileDocument, dotted
from airworthy.target.secret import Secret

_VARIABLE: Final = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")
_DATE_WORDS: Final = {"YYYY": "%Y", "MM": "%m", "DD": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}
_VERSION_AT_END: Final = re.compile(r"/v[0-9](\.[0-9])?$")


def load_profile(path: Path, environ: Mapping[str, str] = os.environ) -> Profile:
    """Read a profile file.

    Raises `UsageError`, one line naming file, line, key and value (never a secret's), when the file cannot be read,
    does not follow ``schemas/profile.json``, names a variable that is not set or a CA bundle without certificates.
    """
    try:
        raw = path.read_bytes()
        text = raw.decode()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: is not UTF-8 text") from None
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        place = f"{path}:{line[1]}" if line else str(path)
        raise UsageError(f"{place}: is not valid TOML: {str(error).split(' (at ')[0]}") from None
    except RecursionError:
        raise UsageError(f"{path}: is nested too deeply") from None
    read = ProfileDocument.of(str(path), document, text)
    return _Reader(read, path.parent, environ, hashlib.sha256(raw).hexdigest()).profile()


def profile_from(document: Mapping[str, Any], source: str, environ: Mapping[str, str] | None = None) -> Profile:
    """Make a profile of a document that is already parsed, such as the one that a sandbox publishes.

    Raises `UsageError` as `load_profile` does. Without ``environ`` the document may name no variables at all: one
    that came over the wire must not choose what is read from the environment.
    """
    digest = hashlib.sha256(json.dumps(document, sort_keys=True, default=str).encode()).hexdigest()
    return _Reader(ProfileDocument.of(source, document), Path(), environ, digest).profile()


@dataclass(frozen=True)
class _Reader:
    document: ProfileDocument
    folder: Path
    environ: Mapping[str, str] | None
    digest: str

    def profile(self) -> Profile:
        plain = self.document.values
        base_url = self._base_url(plain)
        capabilities = plain.get("capabilities", {})
        organisation = self._organisation(plain, [], capabilities)
        second = self._organisation(plain.get("second_organisation", {}), ["second_organisation"], {})
        return Profile(
            source=self.document.source,
            digest=self.digest,
            subject=plain.get("subject") or base_url.split("://")[1],
            environment=plain.get("environment", "test"),
            base_url=base_url,
            ca_bundle=self._ca_bundle(plain),
            allow_plain_http=plain.get("allow_plain_http", False),
            max_rps=plain.get("max_rps"),
            timeout_seconds=float(plain.get("timeout_seconds", 30)),
            versions=self._versions(plain, organisation),
            organisation=organisation,
            second_organisation=second if second.versions else None,
            payment=self._payment(plain.get("payment", {})),
            advance_url=plain.get("clock", {}).get("advance_url"),
            lifetimes=self._lifetimes(plain.get("lifetimes", {})),
            routes={name: self._route(route, name) for name, route in plain.get("routes", {}).items()},
            capabilities=capabilities,
            export=self._export(plain, organisation) if "export" in plain else None,
            waivers=tuple(self._waiver(waiver, at) for at, waiver in enumerate(plain.get("waivers", []))),
            notes=self._notes(plain),
        )

    def _organisation(self, holder: Mapping[str, Any], at: Key, capabilities: Mapping[str, bool]) -> Organisation:
        """Read an organisation's credentials; what the profile declares the target to have, it may use."""

        def token(version: str) -> TokenCredentials | None:
            self_psp = capabilities.get("self_psp", False)
            return self._token(holder[version], [*at, version], self_psp) if version in holder else None

        balance = capabilities.get("balance", False)
        return Organisation(
            v4=self._v4(holder["v4"], [*at, "v4"], balance) if "v4" in holder else None,
            v3=token("v3"),
            v2=token("v2"),
        )

    def _versions(self, plain: Mapping[str, Any], organisation: Organisation) -> tuple[str, ...]:
        asked = plain.get("versions", organisation.versions)
        for at, version in enumerate(asked):
            if version not in organisation.versions:
                self.document.fail(["versions", at], f'= "{version}": the profile has no [{version}]')
        return tuple(sorted(asked))

    def _lifetimes(self, table: dict[str, Any]) -> Lifetimes:
        lifetimes = Lifetimes(**table)
        if lifetimes.request_seconds_min > lifetimes.request_seconds_max:
            key = "request_seconds_min" if "request_seconds_min" in table else "request_seconds_max"
            self.document.fail(["lifetimes", key], "a request's shortest life is longer than its longest")
        return lifetimes

    def _token(self, table: dict[str, Any], at: Key, self_psp: bool) -> TokenCredentials:
        return TokenCredentials(
            token=self._secret(table["token"], [*at, "token"]),
            customer_code=self._secret(table["customer_code"], [*at, "customer_code"]),
            self_psp=table.get("self_psp", self_psp),
            get_key_form=table.get("get_key_form", "bearer"),
            post_key_form=table.get("post_key_form", "bearer"),
            date_format=_strftime(table.get("date_format", "YYYY-MM-DD")),
        )

    def _v4(self, table: dict[str, Any], at: Key, balance: bool) -> V4Credentials:
        return V4Credentials(
            key=self._secret(table["key"], [*at, "key"]),
            customer_code=self._secret(table["customer_code"], [*at, "customer_code"]),
            balance=table.get("balance", balance),
        )

    def _payment(self, table: dict[str, Any]) -> Payment:
        situations = {name: value for name, value in table.items() if isinstance(value, dict) and name != "token"}
        return Payment(
            url=table["url"].rstrip("/") if "url" in table else None,
            token=self._secret(table["token"], ["payment", "token"]) if "token" in table else None,
            payment_intents=table.get("payment_intents", False),
            situations={name: self._situation(value, name) for name, value in situations.items()},
        )

    def _situation(self, table: dict[str, Any], name: str) -> PaymentSituation:
        def hidden(key: str) -> Secret | None:
            return self._secret(table[key], ["payment", name, key]) if key in table else None

        return PaymentSituation(
            number=hidden("number"),
            exp_month=table.get("exp_month"),
            exp_year=table.get("exp_year"),
            cvc=hidden("cvc"),
            payment_method=hidden("payment_method"),
            payment_intent_id=hidden("payment_intent_id"),
        )

    def _route(self, table: dict[str, Any], name: str) -> Route:
        day = table.get("date")
        others = {key: value for key, value in table.items() if key != "date"}
        return Route(**others, day=self._date(day, ["routes", name, "date"]) if day else None)

    def _export(self, plain: Mapping[str, Any], organisation: Organisation) -> Export:
        """Read where the export lies; without a word about versions, those of its document that are examined."""
        table = plain["export"]
        examined = [version for version in self._versions(plain, organisation) if version in organisation.tokens]
        return Export(
            location=self._export_location(table["location"]),
            user=self._secret(table["user"], ["export", "user"]) if "user" in table else None,
            password=self._secret(table["password"], ["export", "password"]) if "password" in table else None,
            versions=tuple(sorted(table.get("versions", examined))),
            customers=tuple(table.get("customers", ())),
        )

    def _export_location(self, location: str) -> str:
        if "://" in location:
            return location
        if self.environ is None:
            self.document.fail(["export", "location"], "may not name a folder here")
        folder = self.folder / location
        if not folder.is_dir():
            self.document.fail(["export", "location"], f'= "{location}": is no folder')
        return str(folder)

    def _waiver(self, table: dict[str, Any], at: int) -> ProfileWaiver:
        return ProfileWaiver(**table | {"expires": self._date(table["expires"], ["waivers", at, "expires"])})

    def _date(self, text: str, key: Key) -> date:
        try:
            return date.fromisoformat(text)
        except ValueError:
            self.document.fail(key, f'= "{text}": is no day of the calendar')

    def _secret(self, value: str | dict[str, str], key: Key) -> Secret:
        variable = _variable(value)
        if variable is None:
            return Secret(str(value))
        if self.environ is None:
            self.document.fail(key, "may not name an environment variable here")
        if not self.environ.get(variable):
            self.document.fail(key, f"the environment variable {variable} is not set")
        return Secret(self.environ[variable], variable)

    def _notes(self, plain: Mapping[str, Any]) -> tuple[str, ...]:
        literal = [key for key, value in self.document.secrets() if _variable(value) is None]
        # What is written out for a sandbox is published anyway; a card's number is not, but it is a test card's.
        if literal and plain.get("environment") == "production":
            self.document.fail(literal[0], 'a production secret is not written into a file: expected { env = "NAME" }')
        if literal and self.document.lines:
            return (f"{self.document.source}: {dotted(literal[0])} is written out; fit for test credentials only",)
        return ()

    def _base_url(self, plain: Mapping[str, Any]) -> str:
        base_url: str = plain["base_url"].rstrip("/")
        if _VERSION_AT_END.search(base_url):
            self.document.fail(["base_url"], f'= "{base_url}": expected the URL without the version at its end')
        if base_url.startswith("http:") and not plain.get("allow_plain_http"):
            self.document.fail(
                ["base_url"],
                f'= "{base_url}": expected https://; for a service under development behind a TLS proxy, '
                "set allow_plain_http = true (or --allow-plain-http)",
            )
        return base_url

    def _ca_bundle(self, plain: Mapping[str, Any]) -> Path | None:
        if "ca_bundle" not in plain:
            return None
        path: Path = self.folder / plain["ca_bundle"]
        if problem := ca_bundle_problem(path):
            self.document.fail(["ca_bundle"], f'= "{plain["ca_bundle"]}": {problem}')
        return path


def _strftime(shown: str) -> str:
    """Turn ``DD.MM.YYYY`` into what `date.strftime` reads; what is such a text already stays as it is."""
    for word, directive in _DATE_WORDS.items():
        shown = shown.replace(word, directive)
    return shown


def _variable(value: str | dict[str, str]) -> str | None:
    if isinstance(value, dict):
        return value["env"]
    match = _VARIABLE.fullmatch(value)
    return (match[1] or match[2]) if match else None
