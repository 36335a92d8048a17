"""A relay before the sandbox that spoils responses on their way to the suite."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from unit.target.hostile import HOSTILE, reply
from unit.target.servers import serving

Spoiled = Literal["successes", "rejections"]
"""Which responses are spoiled: the successful ones to POST requests, or those that say that the client is at fault."""


@contextmanager
def spoiling(base_url: str, kind: str, spoiled: Spoiled, folder: Path) -> Iterator[str]:
    """Yield the base URL of a relay, without TLS, that sends some responses of the service as `HOSTILE` says."""
    origin = urlsplit(base_url)

    def relay(connection: socket.socket, request: bytes) -> None:
        head, _, body = request.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ")
        headers = dict(line.split(": ", 1) for line in lines) | {"Host": origin.netloc}
        served = http.client.HTTPConnection(origin.netloc)
        served.request(method, path, body, headers)
        response = served.getresponse()
        content, status = response.read(), response.status
        served.close()
        if spoiled == "successes":
            is_spoiled = method == "POST" and status == http.HTTPStatus.OK
        else:
            is_spoiled = status >= http.HTTPStatus.BAD_REQUEST and status != http.HTTPStatus.UNAUTHORIZED
        is_service = path.startswith(("/v2/", "/v3/", "/v4/"))
        usual = reply(status, content, media=response.headers.get("Content-Type", ""))
        sent = HOSTILE[kind](status, content) if is_spoiled and is_service else usual
        connection.sendall(sent) if isinstance(sent, bytes) else sent(connection)

    with serving(relay, folder, tls=False) as server:
        yield server.base_url
