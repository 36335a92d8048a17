# ruff: noqa: RUF001  digits and letters that look like others
"""The promise of docs/explanation/privacy.md: what no schema describes as harmless does not reach evidence.

Every place of an exchange is combined with every kind of private value.
"""

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import cycle, islice, repeat
from operator import attrgetter
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airworthy.audit.judging import Entry, lines
from airworthy.contract.http.exchange import Exchange, Response
from airworthy.evidence.curl_command import curl
from airworthy.evidence.har import write_har
from airworthy.evidence.pseudonyms import Pseudonyms
from airworthy.evidence.recorder import Recorder, read_line
from airworthy.evidence.redaction import Redactor
from airworthy.proxy.report import summary_lines
from airworthy.report.exchange_view import view_exchange
from airworthy.suite.capture import Capture, conclude
from airworthy.traffic import Summary, TrafficMonitor, line
from airworthy.traffic.document import to_json
from airworthy.traffic.sarif import to_sarif
from exchange_parts import changed_response
from unit.contract.examples import RETURNED, SENT, changed, put
from unit.contract.examples import exchange as documented

from .stub import CONTRACT, JSON, SECRETS, STARTED, exchange

# Each value, with the parts of which none may be found in any output.
VALUES: Final[dict[str, tuple[Any, tuple[str, ...]]]] = {
    "phone as a number": (34600765432, ("34600765432",)),
    "e-mail": ("zephyrine@quillfeather.example", ("zephyrine", "quillfeather")),
    "card with letters": ("pan4242424242424242x", ("4242424242424242",)),
    "card with a wrong digit": ("4242424242424241", ("4242424242424241",)),
    "document": ("X7654321K", ("X7654321K", "7654321")),
    "base64": (base64.b64encode(b"Zephyrine Quillfeather").decode(), ("WmVwaHlyaW5l",)),
    "token": ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJaZXBoIn0.c2lnbmF0dXJl", ("eyJzdWIiOiJaZXBoIn0", "c2lnbmF0dXJl")),
    "UUID": ("5e5510f1-d7a3-4b2c-9f00-2b1a6d1c0de5", ("5e5510f1", "2b1a6d1c0de5")),
    "JSON": ('{"passenger": {"surname": "Quillfeather"}}', ("Quillfeather",)),
    "escaped JSON": ('{\\"surname\\":\\"Quillfeather\\"}', ("Quillfeather",)),
    "password in a message": ("login failed, password=swordfish77", ("swordfish77",)),
    "word as a password": ("login failed, password=quillfeather", ("quillfeather",)),
    "URL": ("https://quillfeather.example/u?session=Zephyrine", ("quillfeather", "Zephyrine")),
    "birth date in words": ("born 5 Zephyrember 1987", ("Zephyrember", "1987")),
    "street": ("Quillfeather Lane 17b", ("Quillfeather", "Lane 17b")),
}
# Each digit, from 0 to 9, in several scripts and disguises.
DIGITS: Final = {
    "ASCII": "0123456789",
    "Arabic": "٠١٢٣٤٥٦٧٨٩",
    "Persian": "۰۱۲۳۴۵۶۷۸۹",
    "Devanagari": "०१२३४५६७८९",
    "full-width": "０１２３４５６７８９",
    "mathematical": "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗",
    "circled": "⓪①②③④⑤⑥⑦⑧⑨",
    "superscript": "⁰¹²³⁴⁵⁶⁷⁸⁹",
    "Chinese": "〇一二三四五六七八九",
}
WRITTEN: Final = {
    "phone": ("+34600765432", "600765432"),
    "phone in groups": ("+34 600 76 54 32", "76 54 32"),
    "card": ("4242424242424242", "4242424242424242"),
    "card with dots": ("4242.4242.4242.4242", "4242.4242"),
    "card with slashes": ("4242/4242/4242/4242", "4242/4242"),
    "security code": ("739", "739"),
}
for script, digits in DIGITS.items():
    table = str.maketrans(DIGITS["ASCII"], digits)
    for kind, (number, part) in WRITTEN.items():
        VALUES[f"{kind}, {script}"] = (number.translate(table), (part.translate(table),))
for script, name in {
    "Latin": "Zephyrine Quillfeather",
    "lower-case": "zephyrine",
    "Cyrillic": "Зефирина",
    "Greek": "Ζεφυρίνη",
    "Hebrew": "צפירה",
    "Hebrew with vowels": "צְפִירָה",
    "Arabic": "زفيرين",
    "Chinese": "王小明",
    "Japanese": "かなえ",
    "Korean": "김민수",
    "Thai": "กมลวรรณ",
    "Hindi": "ज़ेफ़िरीन",
    "full-width": "Ｚｅｐｈｙｒｉｎｅ",
    "mathematical": "𝒁𝒆𝒑𝒉𝒚𝒓𝒊𝒏𝒆",
    "circled": "Ⓩⓔⓟⓗⓨⓡⓘⓝⓔ",
    "decomposed": "Ze\u0301phyrine",
    "Georgian": "ზეფირინა",
}.items():
    VALUES[f"name, {script}"] = (name, tuple(name.split()))
NAMES: Final = ("surname", "apellidos", "msisdn", "sessionId", "iban", "comment", "x")
LONGEST_COINCIDENCE: Final = 4
UNKNOWN: Final = "https://service.example/v4/refunds"
REDACTOR: Final = Redactor(CONTRACT, Pseudonyms(b"k" * 32))
# The documents describe the place: it has ids and codes, even wrong ones, which findings show. Headers have numbers.
KEPT: Final = {
    ("path parameter", "UUID"),
    ("path parameter", "name, lower-case"),
    ("path parameter", "security code, ASCII"),
    ("allowed header", "security code, ASCII"),
    ("described code", "name, lower-case"),
    ("described code", "security code, ASCII"),
    ("described code", "UUID"),
    ("public name", "security code, ASCII"),
    ("header name", "name, lower-case"),
    ("header name", "security code, ASCII"),
    *((place, "phone as a number") for place in ("described code", "described number", "public name")),
    *(("described number", kind) for kind in ("UUID", "name, lower-case", "security code, ASCII")),
    # Public names are words of any script.
    *(
        ("public name", kind)
        for kind in VALUES
        if kind.startswith(("name, ", "birth date", "street")) or "Chinese" in kind
    ),
    *(("public name", f"security code, {script}") for script in DIGITS),
}
Place = Callable[[str, Any], Exchange]


def in_body(
    *, url: str, status: int = 200, wrap: Callable[[str, Any], object] = lambda name, value: {name: value}
) -> Place:
    return lambda name, value: exchange(wrap(name, value), wrap(name, value), url=url, status=status)


def in_order(name: str, value: object) -> Exchange:
    sent = changed(SENT["createOrder"], put(f"passengers[0].{name}", value))
    return documented("createOrder", sent=sent, returned=changed(RETURNED["createOrder"], put(name, value)))


def in_headers(*names: str) -> Place:
    def made(_: str, value: object) -> Exchange:
        headers = tuple((name, str(value)) for name in names)
        return changed_response(exchange({}, {}, url=UNKNOWN, headers=headers), headers=headers)

    return made


def as_text(form: str, media: str = "text/plain", status: int = 200) -> Place:
    def made(name: str, value: object) -> Exchange:
        body = form.format(name=name, value=value).encode()
        found = exchange(body, body, headers=(("Content-Type", media),), status=status)
        return replace(found, response=Response(status, (("Content-Type", media),), body))

    return made


def as_form(name: str, value: object) -> Exchange:
    return as_text("{name}", "application/x-www-form-urlencoded")(urlencode({name: value}), value)


def in_offer(path: str) -> Place:
    return lambda _, value: documented("getOffer", returned=changed(RETURNED["getOffer"], put(path, value)))


PLACES: Final[Mapping[str, Place]] = {
    "unknown member of an order": in_order,
    "described code": in_offer("outboundSegment.sections[0].travelClass"),
    "public name": in_offer("outboundSegment.sections[0].departureTerminal"),
    "described number": in_offer("cheapestFare.totalPrice.amount"),
    "status": lambda _, value: exchange({}, {}, status=value if isinstance(value, int) else 200),
    "method": lambda _, value: exchange({}, {}, method="".join(str(value).split())),
    "header name": lambda _, value: exchange({}, {}, headers=((f"X-{value}", "1"),)),
    "body of an undocumented operation": in_body(url=UNKNOWN),
    "deep in a body": in_body(url=UNKNOWN, wrap=lambda name, value: [{"a": [{name: [value]}]}]),
    "error of an undocumented operation": in_body(url=UNKNOWN, status=422),
    "error message": in_body(
        url="https://service.example/v4/order",
        status=400,
        wrap=lambda _, value: {"statusCode": 400, "error": "Bad Request", "message": f"The value {value} is wrong"},
    ),
    "error of v3": in_body(url="https://service.example/v3/bookings", status=400),
    "server error": in_body(url="https://service.example/v4/order", status=500),
    "member name": in_body(url=UNKNOWN, wrap=lambda _, value: {f"{value}, it is": 1}),
    "session header": in_headers("X-Session-Id", "Session", "X-Amzn-Identity"),
    "cookie": lambda name, value: in_headers("Cookie", "Set-Cookie")(name, f"{name}={value}; Secure; Path=/"),
    "URL-valued header": lambda name, value: in_headers("Location", "Referer", "Link")(
        name, f"https://service.example/v4/order?{name}={value}"
    ),
    "allowed header": in_headers("Date", "Accept", "Content-Type", "Retry-After", "Vary", "Cache-Control"),
    "path": lambda _, value: exchange(url=f"{UNKNOWN}/{quote(str(value), safe='')}", method="GET"),
    "path parameter": lambda _, value: exchange(
        url=f"https://service.example/v4/order/{quote(str(value), safe='')}", method="GET"
    ),
    "query": lambda name, value: exchange(url=f"{UNKNOWN}?{urlencode({name: value})}", method="GET"),
    "query of a search": lambda name, value: exchange(
        url=f"https://service.example/v3/flights?{urlencode({name: value})}", method="GET"
    ),
    "fragment": lambda _, value: exchange(url=f"{UNKNOWN}#{quote(str(value))}", method="GET"),
    "text": as_text("Dear {value}!"),
    "page": as_text("<html><body><p>{value}</p></body></html>", "text/html", status=502),
    "broken JSON": as_text('{{"{name}": "{value}", ', "application/json"),
    "XML": as_text("<order><{name}>{value}</{name}></order>", "application/xml"),
    "form": as_form,
    "multipart form": as_text(
        '--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n--b--',
        "multipart/form-data; boundary=b",
    ),
    "form of the payment provider": lambda name, value: exchange(
        urlencode({f"metadata[{name}]": value}).encode(),
        {"id": "pm_1", "metadata": {name: value}},
        url="https://payments.example/v1/payment_methods",
        headers=(("Content-Type", "application/x-www-form-urlencoded"),),
    ),
}


class Outputs:
    """Everything that a proxy or an audit writes about an exchange."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "evidence.jsonl"
        self._recorder = Recorder(self._path, CONTRACT, pseudonyms=Pseudonyms(b"k" * 32), secrets=SECRETS)
        self._monitor = TrafficMonitor(CONTRACT, recorder=self._recorder)
        self._read = 0

    def close(self) -> None:
        """Close the evidence."""
        self._recorder.close()

    def of(self, made: Exchange) -> dict[str, str]:
        """Record, judge and report an exchange, and return the outputs by name."""
        summary = self._monitor.summary = Summary()
        findings = self._monitor.observe(made)
        with self._path.open("rb") as file:
            file.seek(self._read)
            evidence = file.read()
            self._read = file.tell()
        record = read_line(evidence)
        assert self._recorder.redactor.failures == 0
        har = self._path.with_suffix(".har")
        # Some file systems write a file to the disk before it takes the place of another one.
        har.unlink(missing_ok=True)
        write_har([record], har)
        return {
            "evidence": evidence.decode(),
            "HAR": har.read_text("utf-8", "replace"),
            "curl": curl(record),
            "page of the exchange": repr(view_exchange(record)),
            "log": "\n".join(line(each, made) for each in findings),
            "JSON Lines": lines(Entry("a", 0, 0, made), findings).decode(),
            "JSON": to_json(summary).decode(),
            "SARIF": to_sarif(summary, {}).decode(),
            "findings of a run": repr([conclude(Capture("a", findings=findings), None, "a", 0.1)]),
            "log at the end": "\n".join(summary_lines(summary)),
        }


def is_shown(part: str, text: str) -> bool:
    if len(part) <= LONGEST_COINCIDENCE and part.isascii() and part.isdigit():
        # A digest may contain it.
        return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None
    forms = (part, quote(part, safe=""), json.dumps(part)[1:-1], json.dumps(json.dumps(part)[1:-1])[1:-1])
    return any(form in text for form in forms)


def leaks(folder: Path, place: str, names: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the place, kind and output of each private value that is shown; each value has the next of the names."""
    with closing(Outputs(folder)) as outputs:
        for name, (kind, (value, parts)) in zip(names, VALUES.items(), strict=False):
            if (place, kind) not in KEPT:
                found = outputs.of(PLACES[place](name, value))
                shown = (each for each, text in found.items() if any(is_shown(part, text) for part in parts))
                yield from ((place, kind, each) for each in shown)


@pytest.mark.parametrize("place", PLACES)
def test_no_private_value_is_shown(place: str, tmp_path: Path) -> None:
    assert list(leaks(tmp_path, place, repeat(NAMES[0]))) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("start", "place"),
    [*enumerate(each for each, made in PLACES.items() if repr(made("a", "1")) != repr(made("b", "1")))],
)
def test_no_private_value_is_shown_whatever_its_name(start: int, place: str, tmp_path: Path) -> None:
    # Of the places together, each value has each name.
    assert list(leaks(tmp_path, place, islice(cycle(NAMES), start, None))) == []


def test_no_private_value_of_a_library_is_shown() -> None:
    for kind, (value, parts) in VALUES.items():
        for text in (f"bad status line: HTTP/1.1 200 {value}", f"{value}", f"invalid literal for int(): {value!r}"):
            assert not any(is_shown(part, REDACTOR.words(text)) for part in parts), kind


HOSTILE: Final = st.text(st.characters(), max_size=30) | st.sampled_from(
    ["\ud800", "1e22", "%", "%ff", "[::", "\0", "$A", "@", "\\u00", "१२३", "4242 4242 4242 4242"]
)
NUMBERS: Final = st.sampled_from(
    ["1e22", "1e400", "-0", "1E-400", "9" * 400, "1e22222", "0.1e+5", "4242424242424242.0"]
)
BODIES: Final = st.recursive(
    NUMBERS | HOSTILE.map(json.dumps) | st.sampled_from(["true", "null", "NaN", '"\\ud800"', '"\\u0000"', "{", '"']),
    lambda inner: (
        st.lists(inner, max_size=4).map(lambda items: f"[{','.join(items)}]")
        | st.lists(st.tuples(HOSTILE.map(json.dumps) | st.just('"passengers"'), inner), max_size=4).map(
            lambda members: f"{{{','.join(f'{name}:{value}' for name, value in members)}}}"
        )
    ),
    max_leaves=12,
).map(lambda text: text.encode("utf-8", "surrogatepass"))


@settings(max_examples=150, deadline=None)
@given(
    url=HOSTILE.map(lambda text: f"https://service.example/v4/order/{text}?{text}={text}#{text}") | HOSTILE,
    headers=st.lists(st.tuples(HOSTILE | st.sampled_from(["Accept", "Authorization"]), HOSTILE), max_size=3),
    body=BODIES | st.binary(max_size=60),
    method=HOSTILE | st.just("POST"),
    status=st.sampled_from([200, 400, 999]),
)
def test_redaction_never_raises(
    url: str, headers: list[tuple[str, str]], body: bytes, method: str, status: int
) -> None:
    redactor = Redactor(CONTRACT, Pseudonyms(b"k" * 32), {"$A": ("$SECRET",)})
    response = Response(status, tuple(headers), body)
    made = replace(exchange(body, None, url=url, method=method, headers=tuple(headers)), response=response)
    redacted = redactor.exchange(made)
    for text in (redacted.request.url, redacted.request.method, *sum(redacted.request.headers, ())):
        assert text.encode() is not None


@pytest.mark.parametrize(
    "part",
    ["_private._pseudonyms.text", "_private._vocabulary.redact", "_private._pseudonyms.number", "_contract.resolve"],
)
def test_value_that_cannot_be_redacted_is_omitted_and_counted(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise ArithmeticError

    redactor = Redactor(CONTRACT, Pseudonyms(b"k" * 32))
    *path, holder, name = part.split(".")
    owner = attrgetter(*path)(redactor) if path else redactor
    original = getattr(owner, holder)
    stub = type("Stub", (), {"__getattr__": lambda _, each: fails if each == name else getattr(original, each)})()
    monkeypatch.setattr(owner, holder, stub)
    body = {"surname": "Quillfeather", "msisdn": 34600765432, "deep": ["Zephyrine"]}
    made = redactor.redacted(
        exchange(body, {"message": "Quillfeather"}, status=400, headers=(JSON, ("X", "Zephyrine")))
    )
    assert redactor.failures > 0
    assert "Quillfeather" not in repr(made)
    assert "Zephyrine" not in repr(made)
    assert made.exchange.started == STARTED
