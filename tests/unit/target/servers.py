"""Small servers with one behaviour each, for tests."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trustme

from airworthy.target.client import Client
from airworthy.target.rate_limiter import RateLimiter
from airworthy.target.transport import Deadline

Behaviour = Callable[[socket.socket, bytes], None]
Serve = Callable[..., "Server"]


@dataclass(frozen=True)
class Server:
    """A running server; ``requests`` are the requests that it received."""

    base_url: str
    ca_bundle: Path
    requests: list[bytes]

    def client(self, **options: Any) -> Client:  # noqa: ANN401 - options of Client
        """Return a client of the server that does not wait after it was throttled."""
        limiter = RateLimiter(None, pause=lambda _: None)
        return Client(self.base_url, ca_bundle=self.ca_bundle, **{"rate_limiter": limiter, **options})


def response(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Content-Type: application/json", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def request_of(connection: socket.socket) -> bytes:
    """Return one request with its body, or nothing if the client closed the connection."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65536)
        if not piece:
            return b""
        data += piece
        if data.startswith(b"\x16"):
            # A TLS handshake at a server without TLS.
            return data
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")]
    length = int(lengths[0].split(b":")[1]) if lengths else 0
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def hang(connection: socket.socket, _: bytes) -> None:
    """Never respond: wait until the client closes the connection."""
    while connection.recv(65536):
        pass


def time_out(connection: socket.socket, request: bytes) -> None:
    """Never respond to a client of this process, and let its time for the exchange be up at once."""
    for deadline in tuple(Deadline._watch._running):
        deadline.expire()
    hang(connection, request)


def close_in_body(connection: socket.socket, _: bytes) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    connection.close()


@contextmanager
def serving(behaviour: Behaviour, folder: Path, tls: bool) -> Iterator[Server]:
    authority = trustme.CA()
    ca_bundle = folder / "ca.pem"
    authority.cert_pem.write_to_path(str(ca_bundle))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    listener = socket.create_server(("127.0.0.1", 0))
    requests: list[bytes] = []

    def talk(plain: socket.socket) -> None:
        with suppress(OSError), plain:
            connection = context.wrap_socket(plain, server_side=True) if tls else plain
            with connection:
                while request := request_of(connection):
                    requests.append(request)
                    behaviour(connection, request)

    def accept() -> None:
        with suppress(OSError):
            while True:
                plain, _ = listener.accept()
                threading.Thread(target=talk, args=(plain,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    scheme = "https" if tls else "http"
    try:
        yield Server(f"{scheme}://127.0.0.1:{listener.getsockname()[1]}", ca_bundle, requests)
    finally:
        listener.close()
