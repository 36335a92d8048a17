"""Run mitmproxy's programs, and a service that responds with given bytes."""

import contextlib
import os
import re
import signal
import socket
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from airworthy.resources import resource
from unit.target.servers import head_of, request_of

from . import http2

SCRIPT = resource("proxy_addons") / "airworthy.py"
_PATIENCE = 60.0


class Mitm:
    """A running program of mitmproxy, its port and its output; port 0 becomes the one that it chose."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, output: Path) -> None:
        self.process = process
        self._port = port
        self._output = output

    @property
    def port(self) -> int:
        chosen = re.search(r"listening at 127\.0\.0\.1:(\d+)", self.log)
        return int(chosen[1]) if chosen else self._port

    @property
    def log(self) -> str:
        return self._output.read_text(encoding="utf-8")

    @property
    def judge(self) -> int:
        """The id of the judge process."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii")
        return int(children.split()[0])

    @property
    def peak_memory(self) -> int:
        """The most memory that the program has used, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return 1024 * int(status.partition("VmHWM:")[2].split()[0])

    def wait_for(self, text: str) -> str:
        until(lambda: text in self.log, lambda: f"{text!r} not in {self.log}")
        return self.log

    def end(self, how: signal.Signals = signal.SIGINT) -> str:
        self.process.send_signal(how)
        self.process.wait(timeout=_PATIENCE)
        return self.log


def until(condition: Callable[[], object], why: Callable[[], str]) -> None:
    end = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < end, why()
        threading.Event().wait(0.01)


@contextlib.contextmanager
def mitm(
    folder: Path,
    mode: str,
    *options: str,
    script: Path | None = SCRIPT,
    program: str = "mitmdump",
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Iterator[Mitm]:
    """Run mitmdump, or another program, on a free port of the loopback address, unless the mode names another."""
    output = Path(tempfile.mkstemp(".log", program, folder)[1])
    command = [
        str(Path(sys.executable).with_name(program)),
        f"--set=confdir={Path(os.environ['AIRWORTHY_TEST_CONFDIR'])}",
        f"--mode={mode if '@' in mode else f'{mode}@127.0.0.1:0'}",
        *((f"--scripts={script}",) if script else ()),
        *options,
    ]
    with output.open("wb") as file:
        process = subprocess.Popen(  # noqa: S603  mitmproxy's own programs
            command, stdout=file, stderr=subprocess.STDOUT, env=os.environ | (environment or {}), cwd=cwd or folder
        )
    running = Mitm(process, 0, output)
    try:
        running.wait_for("listening at 127.0.0.1:")
        if program == "mitmweb":
            running.wait_for("Web server listening at")
        if script:
            running.wait_for("Airworthy ")
        yield running
    finally:
        if process.poll() is None:
            running.end(signal.SIGTERM)


class Service:
    """Responds to each request with the next of its ``responses``, the last one repeatedly, and keeps the requests."""

    def __init__(self, context: ssl.SSLContext | None) -> None:
        self.responses: list[bytes] = []
        self.requests: list[bytes] = []
        service = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                connection = context.wrap_socket(self.request, server_side=True) if context else self.request
                if context and connection.selected_alpn_protocol() == "h2":
                    with connection:
                        http2.serve(connection, lambda: service.responses[0].partition(b"\r\n\r\n")[2])
                    return
                with connection, contextlib.suppress(OSError):
                    while request := request_of(connection):
                        service.requests.append(request)
                        response = service.responses.pop(0) if len(service.responses) > 1 else service.responses[0]
                        connection.sendall(response)
                        if b"\r\nconnection: close" in response.lower():
                            return

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            allow_reuse_address = True
            block_on_close = False

        self._server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.port: int = self._server.server_address[1]
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def exchange(port: int, *requests: bytes, context: ssl.SSLContext | None = None) -> list[bytes]:
    """Send requests over one connection and return the bytes of the responses."""
    with socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE) as plain:
        connection = context.wrap_socket(plain, server_hostname="127.0.0.1") if context else plain
        with connection:
            responses = []
            for request in requests:
                connection.sendall(request)
                responses.append(_read_response(connection))
            return responses


def _read_response(connection: socket.socket) -> bytes:
    head, begun, length, is_chunked = head_of(connection)
    rest = bytearray(begun)
    is_bare = length is None and not is_chunked and b" 204 " not in head.partition(b"\r\n")[0]
    while is_bare or (length and len(rest) < length) or (is_chunked and not rest.endswith(b"0\r\n\r\n")):
        piece = connection.recv(1 << 20)
        if not piece:
            break
        rest += piece
    return head + rest


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
