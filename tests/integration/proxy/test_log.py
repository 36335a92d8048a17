"""Nothing private of any part of a message reaches what a proxy writes, whatever mitmproxy makes of the message.

mitmproxy itself ends a request that has trailers, and names of headers stay if they look like names.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

from . import corpus
from .mitm import Service, exchange, mitm

CARD: Final = "4242424242424242"
PRIVATE: Final = ("sk_live_Zephyrine77", CARD, "٦٠٠٧٦٥٤٣٢", "צפירה", "Quillfeather")
DOCUMENTED: Final = corpus.REQUESTS["as documented"].replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
Place = Callable[[str], str]
GET: Final = "GET /v4/offer HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
REQUESTS: Final[dict[str, Place]] = {
    "nothing else": lambda text: f"{text}\r\n\r\n",
    "method": lambda text: f"{text} /v4/offer HTTP/1.1\r\nHost: a\r\n\r\n",
    "target": lambda text: f"GET {text} HTTP/1.1\r\n\r\n",
    "path": lambda text: GET.replace("offer", f"offer/{quote(text)}") + "\r\n",
    "query": lambda text: GET.replace("offer", f"offer?key={quote(text)}") + "\r\n",
    "version": lambda text: f"GET /v4/offer HTTP/{text}\r\n\r\n",
    "absolute address": lambda text: f"GET https://user:{text}@a.example:99999/{text} HTTP/1.1\r\nHost: a\r\n\r\n",
    "tunnel": lambda text: f"CONNECT {text} HTTP/1.1\r\n\r\n",
    "host": lambda text: f"GET /v4/offer HTTP/1.1\r\nHost: {text}\r\n\r\n",
    "header line": lambda text: f"{GET}{text}\r\n\r\n",
    "header": lambda text: f"{GET}Authorization: Bearer {text}\r\nReferer: {text}\r\nExpect: {text}\r\n\r\n",
    "cookie": lambda text: f"{GET}Cookie: session={text}\r\n\r\n",
    "length": lambda text: f"{GET}Content-Length: {text}x\r\n\r\n",
    "encoding": lambda text: f"{GET}Transfer-Encoding: {text}\r\n\r\n",
    "body": lambda text: f"POST{GET[3:]}Content-Length: {len(text.encode())}\r\n\r\n{text}",
    "chunk": lambda text: f"POST{GET[3:]}Transfer-Encoding: chunked\r\n\r\n{text}x\r\n\r\n0\r\n\r\n",
}
RESPONSES: Final[dict[str, Place]] = {
    "nothing else": lambda text: f"{text}\r\n\r\n",
    "version": lambda text: f"HTTP/{text} 200 OK\r\n\r\n",
    "status": lambda text: f"HTTP/1.1 {text} OK\r\n\r\n",
    "reason phrase": lambda text: f"HTTP/1.1 422 {text}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    "interim response": lambda text: f"HTTP/1.1 103 {text}\r\nLink: {text}\r\n\r\nHTTP/1.1 204 OK\r\n\r\n",
    "switched protocol": lambda text: f"HTTP/1.1 101 {text}\r\nUpgrade: {text}\r\nConnection: Upgrade\r\n\r\n",
    "header line": lambda text: f"HTTP/1.1 200 OK\r\n{text}\r\n\r\n",
    "header": lambda text: f"HTTP/1.1 302 OK\r\nLocation: https://{text}/{text}\r\nContent-Length: 0\r\n\r\n",
    "cookie": lambda text: f"HTTP/1.1 200 OK\r\nSet-Cookie: a={text}\r\nContent-Length: 0\r\n\r\n",
    "length": lambda text: f"HTTP/1.1 200 OK\r\nContent-Length: {text}\r\n\r\n",
    "content encoding": lambda text: f"HTTP/1.1 200 OK\r\nContent-Encoding: {text}\r\nContent-Length: 1\r\n\r\nx",
    "media type": lambda text: f"HTTP/1.1 200 OK\r\nContent-Type: {text}\r\nContent-Length: 2\r\n\r\n{{}}",
    "body": lambda text: f"HTTP/1.1 500 OK\r\nContent-Length: {len(text.encode())}\r\n\r\n{text}",
    "chunk": lambda text: f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{text}x\r\n\r\n0\r\n\r\n",
    "trailer": lambda text: (
        f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{{}}\r\n0\r\nX-Name: {text}\r\nX-{text}: 1\r\n\r\n"
    ),
}


def test_nothing_private_is_written(tmp_path: Path, service: Service, trust: str) -> None:
    evidence, report = tmp_path / "evidence.jsonl", tmp_path / "report"
    options = (f"--set=airworthy_evidence={evidence}", f"--set=airworthy_report={report}")
    with mitm(tmp_path, f"reverse:{service.url}", trust, "--set=termlog_verbosity=debug", *options) as proxy:
        service.responses = [corpus.RESPONSES["as documented"]]
        for request in (place(value).encode() for place in REQUESTS.values() for value in PRIVATE):
            exchange(proxy.port, request)
        for response in (place(value).encode() for place in RESPONSES.values() for value in PRIVATE):
            service.responses = [response.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)]
            exchange(proxy.port, DOCUMENTED)
        log = proxy.end()

    assert "Bad HTTP request line: b'[redacted:" in log
    assert f"server connect 127.0.0.1:{service.port}" in log
    assert "listening at 127.0.0.1:" in log
    written = "\n".join([log, *(path.read_text(encoding="utf-8") for path in (evidence, *report.iterdir()))])
    forms = {
        form
        for value in PRIVATE
        for form in (value, quote(value), repr(value.encode())[2:-1], value.encode("unicode_escape").decode())
    }
    assert [line for line in written.splitlines() if any(form in line for form in forms)] == []
