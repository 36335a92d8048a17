"""With airworthy_on_error=block, only documented requests that conform are forwarded: tried by generated requests."""

import gzip
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

import brotli
import pytest
import zstandard

from airworthy.contract import Exchange, Headers, ServiceAddress
from airworthy.contract.bodies.body import LARGEST
from airworthy.contract.http.operations import LONGEST_QUERY
from airworthy.proxy.messages import JudgeSettings, JudgeTask
from airworthy.proxy.traffic_judge import TrafficJudge
from exchange_parts import changed_request
from unit.contract.all_examples import EXAMPLES
from unit.contract.examples import ENDPOINTS, exchange
from unit.contract.http.test_paths import SPELLINGS
from unit.contract.payment.test_rules import FIELDS, payment

from .material import raw

ENCODERS = {"gzip": gzip.compress, "br": brotli.compress, "zstd": zstandard.compress, "deflate": zlib.compress}

SERVICE, PROVIDER = "https://service.example", "https://payment.example"
OPERATIONS = (*ENDPOINTS, "createPaymentMethod")
ENDINGS = (
    *(".json", "%C2%AD", ",", ";a=b", "%20", ".", "%00", "%2f"),
    *("/x", "//", "/.", "~", "*", "%3F", "\\", "#a", "%c0%af"),
)
METHODS = ("PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "SEARCH", "post", "get", "Post", "XPOST", "POSTX")
QUERIES = ("customerCode[]=X", "a;origin=MAD", "_method=DELETE", "utm=1", "offerid=x", "Seats=1", "seats[]=1", "a=%26b")
HEADERS = (
    *(
        (separator.join(("X", *words)), "DELETE")
        for separator in "-_."
        for words in (("HTTP", "Method", "Override"), ("Method", "Override"), ("Original", "URL"), ("Rewrite", "Url"))
    ),
    ("X-Original-Method", "DELETE"),
    ("X-Forwarded-Uri", "/v4/order"),
    ("Upgrade", "websocket"),
    ("upgrade", "foo"),
    ("Upgrade", "h2c"),
    ("Connection", "close, Authorization"),
    ("Authorization", "another"),
    ("Content_Type", "text/plain"),
    ("content_length", "0"),
    ("Transfer_Encoding", "chunked"),
)
TYPES = ("text/plain", "multipart/form-data", "application/json, text/plain", "application/xml", "application/jsonx")


def documented(operation: str) -> Exchange:
    return payment(FIELDS) if operation == "createPaymentMethod" else exchange(operation)


def at(made: Exchange, *, path: str = "", query: str | None = None, url: str = "") -> Exchange:
    """Return the exchange with another path, query or URL."""
    parts = urlsplit(made.request.url)
    kept = parts.query if query is None else query
    written = url or urlunsplit((parts.scheme, parts.netloc, "", "", "")) + (path or parts.path) + (
        f"?{kept}" * bool(kept)
    )
    return changed_request(made, url=written)


def sent(made: Exchange, *headers: tuple[str, str], body: bytes | None = None) -> Exchange:
    """Return the exchange with more headers or another body; None keeps the body."""
    request = made.request
    body = request.body if body is None else body
    return replace(made, request=replace(request, headers=(*request.headers, *headers), body=body))


def typed(made: Exchange, media: str) -> Exchange:
    headers: Headers = tuple(each for each in made.request.headers if each[0].lower() != "content-type")
    return changed_request(made, headers=(*headers, *((("Content-Type", media),) * bool(media))))


def other_paths(made: Exchange) -> Iterator[Exchange]:
    path = urlsplit(made.request.url).path
    version = path.split("/")[1]
    words = re.findall(r"(?<=/)[A-Za-z_]+(?=/|$)", path)
    written = [path + ending for ending in ENDINGS]
    written += [f"{before}{path}" for before in ("/", "/.", "/x/..", "/api", "/x%2F..", "/\\")]
    for other in (f"v0{version[1:]}", version.upper(), f"{version}.0", f"%76{version[1:]}", f"api/{version}", "", "v5"):
        written.append(path.replace(f"/{version}", f"/{other}", 1))
    for word in words:
        code = f"{ord(word[0]):02x}{word[1:]}"
        others = {word.upper(), word.title(), f"%{code}", f"%25{code}", *(word + ending for ending in ENDINGS)}
        written += [path.replace(f"/{word}", f"/{other}", 1) for other in others - {word}]
    yield from (at(made, path=each) for each in sorted(written))


def other_methods(made: Exchange) -> Iterator[Exchange]:
    for method in sorted({*METHODS, "GET", "POST"} - {made.request.method}):
        yield changed_request(made, method=method)


def other_queries(made: Exchange) -> Iterator[Exchange]:
    query = urlsplit(made.request.url).query
    yield from (at(made, query=f"{query}&{more}" if query else more) for more in QUERIES)
    for name in re.findall(r"(?:^|&)(\w+)=", query):
        for other in (name, f"{name}[]", name.upper(), f"%{ord(name[0]):02x}{name[1:]}"):
            yield from (at(made, query=f"{query}{sign}{other}=x") for sign in "&;")


def other_services(made: Exchange) -> Iterator[Exchange]:
    parts = urlsplit(made.request.url)
    for origin in ("http://service.example", "https://other.example"):
        yield at(made, url=f"{origin}{parts.path}?{parts.query}")
    if not made.request.url.startswith(PROVIDER):
        yield at(made, path=f"{parts.path}/v1/payment_methods")
        yield replace(made, request=payment(FIELDS, base=SERVICE).request)


def other_bodies(made: Exchange) -> Iterator[Exchange]:
    content = made.request.body
    if not content:
        yield from (sent(made, body=body) for body in (b'{"_method": "DELETE"}', b"_method=DELETE"))
        return
    yield from (typed(made, media) for media in ("", *TYPES))
    yield from (sent(made, body=body) for body in (b"\xff" + content, b"[" + content + b"]"))
    if content.startswith(b"{"):
        body = json.loads(content)
        first = next(iter(body))
        names = ("_method", first.upper(), f"{first} ", f"{first}[]", "é", "isAdmin")
        yield from (sent(made, body=json.dumps(body | {name: body[first]}).encode()) for name in names)
        yield sent(made, body=content.replace(b"{", f'{{"{first}": null, '.encode(), 1))
        yield sent(made, body=json.dumps({name: each for name, each in body.items() if name != first}).encode())


def encoded(made: Exchange, *encodings: str, tail: bytes = b"") -> Exchange:
    """Return the exchange with an encoded body, to which something is added."""
    body = made.request.body or b""
    for each in encodings:
        body = ENCODERS[each](body)
    return sent(made, ("Content-Encoding", ", ".join(encodings)), body=body + tail)


def other_codings(made: Exchange) -> Iterator[Exchange]:
    """Yield requests whose bodies the judge and a service can understand in different ways."""
    body = made.request.body or b""
    for each, encode in ENCODERS.items():
        yield sent(made, ("Content-Encoding", each), body=encode(body)[:-4])
        yield sent(made, ("Content-Encoding", each))
        yield encoded(made, each, tail=b"{}")
    yield sent(made, ("Content-Encoding", "compress"))
    yield sent(made, ("Content-Encoding", "rot13"), ("Content-Encoding", "gzip"), body=gzip.compress(body))
    yield encoded(made, *["gzip"] * 4)
    yield sent(made, ("Content-Encoding", "gzip"), body=gzip.compress(bytes(LARGEST + 1)))
    yield sent(made, body=body + b" " * LARGEST)
    for charset in ("utf-16", "utf-7", "iso-8859-1", "cp037", "'UTF-32'"):
        yield typed(made, f"application/json; charset={charset}")
    yield sent(made, body=body.decode().encode("utf-16"))
    yield sent(made, body=body.replace(b"{", b'{"note": "\xff", ', 1))
    yield sent(made, ("Content-Type", "application/json"), ("content-type", "text/xml"))
    yield sent(made, body=b"[" * 5000 + b"]" * 5000)
    yield at(made, query="a" * (LONGEST_QUERY + 1))


def attempts(operation: str) -> Iterator[Exchange]:
    """Yield requests that some server might read as this operation, but that are not documented."""
    made = documented(operation)
    for others in (other_paths, other_methods, other_queries, other_services, other_bodies):
        yield from others(made)
    yield from (sent(made, each) for each in HEADERS)


def conforming(operation: str) -> Iterator[Exchange]:
    """Yield documented requests that are written in unusual ways."""
    made = documented(operation)
    request, parts = made.request, urlsplit(made.request.url)
    yield made
    yield at(made, path=f"{parts.path}/")
    yield replace(
        made, request=replace(request, headers=tuple((name.upper(), value) for name, value in request.headers))
    )
    yield sent(made, ("traceparent", "00-1-2-01"), ("Cookie", "a=b;c"), ("X-Custom_Name", "DELETE /v4/order"))
    yield sent(made, ("X-Request-Id", "1"), ("X-Forwarded-For", "10.0.0.1"), ("Connection", "Keep-Alive"))
    if "-" in parts.path:
        yield at(made, path=parts.path.replace("-", "%2D"))
    if parts.query:
        yield at(made, query="&".join(reversed(parts.query.split("&"))))
        yield at(made, query=re.sub(r"=(.)", lambda found: f"=%{ord(found[1]):02X}", parts.query))
    if request.body:
        media = "application/x-www-form-urlencoded" if operation == "createPaymentMethod" else "application/json"
        yield typed(made, f'{media.upper()} ; charset="UTF-8"')
        yield from (encoded(made, *each) for each in (*((name,) for name in ENCODERS), ("gzip", "br")))
        yield sent(made, ("Content-Encoding", "identity"))
    if request.body and operation != "createPaymentMethod":
        yield sent(made, body=json.dumps(json.loads(request.body), indent=3).encode())
        for each in EXAMPLES:
            if each.operation == operation and each.side == "request":
                yield sent(made, body=json.dumps(each.body).encode())


@pytest.fixture(scope="module")
def judge() -> TrafficJudge:
    return TrafficJudge(JudgeSettings(ServiceAddress((SERVICE,), (PROVIDER,))))


def refusals(judge: TrafficJudge, requests: list[Exchange]) -> dict[str, str]:
    """Return the reason why each request is rejected, empty if it is forwarded."""
    found = {}
    for number, each in enumerate(requests):
        result = judge.judge(JudgeTask(1, "screen", raw(each, with_response=False)))
        assert not result.failed
        reason = "violation" if result.blocked else result.refusal
        shown = f"{number} {each.request.method} {each.request.url} {each.request.headers} {each.request.body!r:.200}"
        found[shown] = reason
    return found


def test_enough_is_tried() -> None:
    assert sum(1 for operation in OPERATIONS for _ in attempts(operation)) >= 300
    assert sum(1 for operation in OPERATIONS for _ in conforming(operation)) >= 50


@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_is_not_documented_is_rejected(judge: TrafficJudge, operation: str) -> None:
    found = refusals(judge, list(attempts(operation)))

    assert [shown for shown, reason in found.items() if not reason] == []


def test_other_spelling_of_a_path_or_coding_of_a_body_is_rejected(judge: TrafficJudge) -> None:
    search = documented("searchOffers")
    found = refusals(judge, [*(at(search, path=path) for path in SPELLINGS.values()), *other_codings(search)])

    assert [shown for shown, reason in found.items() if not reason] == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_documented_request_is_forwarded_however_it_is_written(judge: TrafficJudge, operation: str) -> None:
    found = refusals(judge, list(conforming(operation)))

    assert {shown: reason for shown, reason in found.items() if reason} == {}


def test_payment_provider_must_be_named() -> None:
    judge = TrafficJudge(JudgeSettings(ServiceAddress((SERVICE,))))

    assert all(refusals(judge, [payment(FIELDS), payment(FIELDS, base=SERVICE)]).values())
