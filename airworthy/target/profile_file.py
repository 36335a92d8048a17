"""Reads a profile from a TOML file, or from a document that is already parsed."""

import hashlib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, TypeVar, get_type_hints

from airworthy.contract.conversation.limits import Lifetimes
from airworthy.errors import UsageError
from airworthy.target.profile import (
    Organisation,
    Payment,
    PaymentSituation,
    Profile,
    ProfileExport,
    ProfileGoLive,
    Route,
    TokenCredentials,
    V4Credentials,
)
from airworthy.target.profile_document import Key, ProfileDocument, key_name, shown_line
from airworthy.target.records import Waiver
from airworthy.target.secret import Secret
from airworthy.target.urls import ca_bundle_problem, without_version

T = TypeVar("T")

_VARIABLE: Final = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")
# The secrets that are sent in the header Authorization.
_IN_HEADERS: Final = ("key", "token")
_DATE_WORDS: Final = {"YYYY": "%Y", "MM": "%m", "DD": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}


def load_profile(path: Path, environ: Mapping[str, str] = os.environ) -> Profile:
    """Return the profile in a TOML file.

    Raises:
        UsageError: the file cannot be read, does not conform to ``schemas/profile.json``, or names an environment
            variable that is not set or a CA bundle without certificates. The message is one line with file, line, key
            and value, but never with the value of a secret.
    """
    try:
        raw = path.read_bytes()
        # Some editors begin a file with a byte order mark, which TOML does not know.
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}{_elsewhere(path)}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: is not UTF-8") from None
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}{_toml_problem(str(error), text)}") from None
    except RecursionError:
        raise UsageError(f"{path}: is nested too deeply") from None
    parsed = ProfileDocument.of(str(path), document, text)
    return _ProfileReader(parsed, path.parent, environ, hashlib.sha256(raw).hexdigest()).profile()


def profile_from(document: Mapping[str, Any], source: str, environ: Mapping[str, str] | None = None) -> Profile:
    """Return the profile in a parsed document, such as the one that a sandbox publishes.

    A document received from a server must not choose what is read from this machine: without ``environ``, it may
    name neither environment variables nor folders.

    Raises:
        UsageError: as for `load_profile`.
    """
    digest = hashlib.sha256(json.dumps(document, sort_keys=True, default=str).encode()).hexdigest()
    return _ProfileReader(ProfileDocument.of(source, document), Path(), environ, digest).profile()


@dataclass(frozen=True)
class _ProfileReader:
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
        waivers = enumerate(plain.get("waivers", []))
        return self._read(
            Profile,
            plain,
            [],
            source=self.document.source,
            digest=self.digest,
            subject=plain.get("subject") or base_url.split("://")[1],
            base_url=base_url,
            ca_bundle=self._ca_bundle(plain),
            versions=self._versions(plain, organisation),
            organisation=organisation,
            second_organisation=second if second.versions else None,
            payment=self._payment(plain.get("payment", {})),
            advance_url=plain.get("clock", {}).get("advance_url"),
            lifetimes=self._lifetimes(plain.get("lifetimes", {})),
            routes={name: self._route(route, name) for name, route in plain.get("routes", {}).items()},
            export=self._export(plain["export"]) if "export" in plain else None,
            golive=self._read(ProfileGoLive, plain.get("golive", {}), ["golive"]),
            valid_days=plain.get("certificate", {}).get("valid_days"),
            waivers=tuple(self._read(Waiver, waiver, ["waivers", at]) for at, waiver in waivers),
            notes=self._notes(plain),
        )

    def _read(self, kind: type[T], table: Mapping[str, Any], at: Key, **given: object) -> T:
        """Return a table as a dataclass, whose fields have the names of its keys; ``given`` are fields with a value."""
        hints = get_type_hints(kind)
        read = {name: value for name, value in table.items() if name in hints and name not in given}
        return kind(**{name: self._value(hints[name], read[name], [*at, name]) for name in read}, **given)

    def _value(self, kind: object, value: Any, key: Key) -> object:  # noqa: ANN401  any value of a profile
        if kind in (Secret, Secret | None):
            return self._secret(value, key)
        if kind in (date, date | None):
            return self._date(value, key)
        return tuple(value) if isinstance(value, list) else value

    def _organisation(self, holder: Mapping[str, Any], at: Key, capabilities: Mapping[str, bool]) -> Organisation:
        """Return an organisation with its credentials; by default it may use every capability that is declared."""

        def token(version: str) -> TokenCredentials | None:
            if version not in holder:
                return None
            table = {"self_psp": capabilities.get("self_psp", False), "date_format": "YYYY-MM-DD", **holder[version]}
            date_format = _strftime(table["date_format"])
            return self._read(TokenCredentials, table, [*at, version], date_format=date_format)

        return Organisation(
            v4=self._v4(holder["v4"], [*at, "v4"], capabilities.get("balance")) if "v4" in holder else None,
            v3=token("v3"),
            v2=token("v2"),
        )

    def _versions(self, plain: Mapping[str, Any], organisation: Organisation) -> tuple[str, ...]:
        versions = plain.get("versions", organisation.versions)
        for at, version in enumerate(versions):
            if version not in organisation.versions:
                self.document.fail(["versions", at], f"is '{version}', but the profile has no table [{version}]")
        return tuple(sorted(versions))

    def _lifetimes(self, table: dict[str, Any]) -> Lifetimes:
        lifetimes = Lifetimes(**table)
        if lifetimes.request_seconds_min > lifetimes.request_seconds_max:
            key = "request_seconds_min" if "request_seconds_min" in table else "request_seconds_max"
            self.document.fail(["lifetimes", key], "is wrong: request_seconds_min must not exceed request_seconds_max")
        return lifetimes

    def _v4(self, table: dict[str, Any], at: Key, balance: bool | None) -> V4Credentials:
        declared = table.get("balance", balance)
        return self._read(V4Credentials, table, at, balance=declared or False, declares_balance=declared is not None)

    def _payment(self, table: dict[str, Any]) -> Payment:
        tables = {name: value for name, value in table.items() if isinstance(value, dict) and name != "token"}
        situations = {name: self._read(PaymentSituation, tables[name], ["payment", name]) for name in tables}
        url = table["url"].rstrip("/") if "url" in table else None
        return self._read(Payment, table, ["payment"], url=url, situations=situations)

    def _route(self, table: dict[str, Any], name: str) -> Route:
        day = self._date(table["date"], ["routes", name, "date"]) if "date" in table else None
        return self._read(Route, table, ["routes", name], day=day)

    def _export(self, table: Mapping[str, Any]) -> ProfileExport:
        location, versions = table["location"], tuple(sorted(table.get("versions", ())))
        if "://" not in location:
            if self.environ is None:
                problem = "must be an ftp:// or ftps:// URL in a profile from a server"
                self.document.fail(["export", "location"], problem)
            if not (self.folder / location).is_dir():
                problem = f"must be an existing folder or an FTP URL, got '{location}'"
                self.document.fail(["export", "location"], problem)
            location = str(self.folder / location)
        return self._read(ProfileExport, table, ["export"], location=location, versions=versions)

    def _date(self, text: str, key: Key) -> date:
        try:
            return date.fromisoformat(text)
        except ValueError:
            self.document.fail(key, f"must be a day of the calendar, got '{text}'")

    def _secret(self, value: str | dict[str, str], key: Key) -> Secret:
        variable = _variable(value)
        if variable is None:
            return Secret(self._sendable(str(value), "it", key))
        if self.environ is None:
            self.document.fail(key, "must not name an environment variable in a profile from a server")
        if not (found := self.environ.get(variable)):
            state = "not set" if found is None else "empty"
            self.document.fail(key, f"is invalid: the environment variable {variable} is {state}")
        return Secret(self._sendable(found, f"the environment variable {variable}", key), variable)

    def _sendable(self, value: str, holder: str, key: Key) -> str:
        if not value.isprintable() or value != value.strip():
            self.document.fail(key, f"is invalid: {holder} has a line break, or a space at its start or end")
        if key[-1] in _IN_HEADERS and not value.isascii():
            self.document.fail(key, f"is invalid: {holder} has a character that is not ASCII")
        return value

    def _notes(self, plain: Mapping[str, Any]) -> tuple[str, ...]:
        literal = [key for key, value in self.document.secrets() if _variable(value) is None]
        if literal and plain.get("environment") == "production":
            self.document.fail(literal[0], 'must be { env = "NAME" }: a production secret does not belong in a file')
        # A sandbox publishes its credentials: only a file deserves the note.
        if literal and self.document.lines:
            place = f"{self.document.source}: {key_name(literal[0])}"
            return (f"{place} is written in the file; do this for test credentials only",)
        return ()

    def _base_url(self, plain: Mapping[str, Any]) -> str:
        base_url: str = plain["base_url"].rstrip("/")
        if (wanted := without_version(base_url)) is not None:
            self.document.fail(["base_url"], f"must not end with the version, got '{base_url}'; write '{wanted}'")
        if base_url.startswith("http:") and not plain.get("allow_plain_http"):
            self.document.fail(
                ["base_url"],
                f"must start with https://, got '{base_url}'; for a service under development without TLS, "
                "set allow_plain_http = true (or --allow-plain-http)",
            )
        return base_url

    def _ca_bundle(self, plain: Mapping[str, Any]) -> Path | None:
        if "ca_bundle" not in plain:
            return None
        path: Path = self.folder / plain["ca_bundle"]
        if problem := ca_bundle_problem(path):
            folder = f" (relative to the profile: {path})" if not path.exists() else ""
            self.document.fail(["ca_bundle"], f"'{plain['ca_bundle']}' {problem}{folder}")
        return path


def _toml_problem(error: str, text: str) -> str:
    problem, _, place = error.partition(" (at ")
    lines = text.splitlines()
    found = re.match(r"line (\d+), column (\d+)", place)
    # What is not closed begins somewhere before the end.
    number, where = (int(found[1]), f" in column {found[2]}") if found else (len(lines), " at the end of the file")
    shown = shown_line(lines[number - 1]) if found and number <= len(lines) else ""
    return f":{number}: is not valid TOML: {problem}{where}" + (f": {shown}" if shown else "")


def _elsewhere(path: Path) -> str:
    """Return the advice for a file that does not exist: a file of this name in a folder around or below this one."""
    if path.exists():
        return ""
    here = Path.cwd()
    candidates = (folder / path.name for folder in (*sorted(here.iterdir()), *here.parents))
    found = next((each for each in candidates if each.is_file()), None)
    return f"; did you mean {os.path.relpath(found)}?" if found else ""


def _strftime(pattern: str) -> str:
    """Return a format such as ``DD.MM.YYYY`` as `date.strftime` reads it; ``%d.%m.%Y`` is returned unchanged."""
    for word, directive in _DATE_WORDS.items():
        pattern = pattern.replace(word, directive)
    return pattern


def _variable(value: str | dict[str, str]) -> str | None:
    if isinstance(value, dict):
        return value["env"]
    match = _VARIABLE.fullmatch(value)
    return (match[1] or match[2]) if match else None
