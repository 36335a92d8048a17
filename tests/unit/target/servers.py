"""Small servers with one behaviour each, for tests."""

import re
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
    """Return a response; ``headers`` replace those of the same name."""
    lines = {"Content-Length": str(len(body)), "Content-Type": "application/json"}
    lines |= dict(each.split(": ", 1) for each in headers)
    head = "\r\n".join([f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in lines.items())])
    return head.encode("latin-1") + b"\r\n\r\n" + body


def replies(*responses: bytes) -> Behaviour:
    left = list(responses)
    return lambda connection, _: connection.sendall(left.pop(0) if len(left) > 1 else left[0])


def request_of(connection: socket.socket) -> bytes:
    """Return one request with its body, or nothing if the client closed the connection."""
    head, rest, length, is_chunked = head_of(connection)
    while (length and len(rest) < length) or (is_chunked and not rest.endswith(b"0\r\n\r\n")):
        rest += connection.recv(65_536)
    return head + rest


def head_of(connection: socket.socket) -> tuple[bytes, bytes, int | None, bool]:
    """Return the head of a message, what is read of its body, and how its length is declared."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = connection.recv(65_536)
        data += piece
        # A TLS handshake at a server without TLS does not end so.
        if not piece or data.startswith(b"\x16"):
            return b"", data, 0, False
    head, end, rest = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    is_chunked = bool(re.search(rb"(?i)\r\ntransfer-encoding: *chunked", head))
    return head + end, rest, int(length[1]) if length else None, is_chunked


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
