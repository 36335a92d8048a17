"""What mitmproxy itself logs about traffic that it rejects does not show private values."""

from pathlib import Path

from . import corpus
from .mitm import Service, exchange, mitm

SECRET = "sk_live_Zephyrine77"
CARD = "4242424242424242"
REQUESTS = (
    f"{SECRET}\r\n\r\n",
    f"GET {SECRET} HTTP/1.1\r\n\r\n",
    f"GET /v4/offer?key={SECRET} HTTP/{CARD}\r\n\r\n",
    f"GET https://user:{SECRET}@service.example:99999/{CARD} HTTP/1.1\r\nHost: a\r\n\r\n",
    f"GET /v4/offer HTTP/1.1\r\nHost: a\r\n{SECRET}\r\n\r\n",
    f"CONNECT {SECRET} HTTP/1.1\r\n\r\n",
)
RESPONSES = (
    f"{SECRET} {CARD}\r\n\r\n",
    f"HTTP/1.1 {CARD} {SECRET}\r\n\r\n",
    f"HTTP/1.1 200 OK\r\n{SECRET}\r\n\r\n",
    f"HTTP/1.1 200 OK\r\nContent-Length: {CARD}x\r\n\r\n",
)


def test_messages_of_mitmproxy_are_redacted(folder: Path, service: Service, authority: Path) -> None:
    trust = f"--set=ssl_verify_upstream_trusted_ca={authority}"
    with mitm(folder, f"reverse:{service.url}", trust, "--set=termlog_verbosity=debug") as proxy:
        for request in REQUESTS:
            exchange(proxy.port, request.encode())
        for response in RESPONSES:
            service.responses = [f"{response}Connection: close\r\n".encode()]
            exchange(
                proxy.port, corpus.REQUESTS["as documented"].replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
            )
        log = proxy.end()

    assert "Bad HTTP request line: b'[redacted:" in log
    assert f"server connect 127.0.0.1:{service.port}" in log
    assert "listening at 127.0.0.1:" in log
    assert [each for each in log.splitlines() if any(part in each for part in (SECRET, "Zephyrine", CARD))] == []
