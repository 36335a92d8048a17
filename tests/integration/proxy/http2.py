"""HTTP/2 over TLS: a client and a server."""

import contextlib
import socket
import ssl
from collections.abc import Callable

import h2.config
import h2.connection
import h2.events

Headers = list[tuple[str, str]]


class NotOfferedError(Exception):
    """The server does not offer HTTP/2."""


def send_requests(port: int, requests: list[tuple[str, str, bytes]], headers: Headers) -> list[tuple[int, bytes]]:
    """Send requests (method, path, body) concurrently over one connection; return status and body of each."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    with context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout=60)) as connection:
        if connection.selected_alpn_protocol() != "h2":
            raise NotOfferedError
        client = h2.connection.H2Connection()
        client.initiate_connection()
        responses: dict[int, tuple[int, bytes]] = {}
        for method, path, body in requests:
            stream = client.get_next_available_stream_id()
            named = [(":method", method), (":path", path), (":scheme", "https"), (":authority", f"127.0.0.1:{port}")]
            client.send_headers(stream, [*named, *headers])
            client.send_data(stream, body, end_stream=True)
            responses[stream] = (0, b"")
        connection.sendall(client.data_to_send())
        waiting = set(responses)
        while waiting:
            for event in client.receive_data(connection.recv(65_536)):
                if isinstance(event, h2.events.ResponseReceived):
                    status = next(int(value) for name, value in event.headers if name in (":status", b":status"))
                    responses[event.stream_id] = (status, b"")
                elif isinstance(event, h2.events.DataReceived):
                    status, body = responses[event.stream_id]
                    responses[event.stream_id] = (status, body + event.data)
                    client.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded | h2.events.StreamReset):
                    waiting.discard(event.stream_id or 0)
            connection.sendall(client.data_to_send())
    return list(responses.values())


def serve(connection: ssl.SSLSocket, body: Callable[[], bytes]) -> None:
    """Respond to every request of a connection with 200 and a JSON body that fits into one window."""
    server = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
    server.initiate_connection()
    connection.sendall(server.data_to_send())
    with contextlib.suppress(OSError):
        while data := connection.recv(65_536):
            for event in server.receive_data(data):
                if isinstance(event, h2.events.DataReceived):
                    server.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded):
                    stream = event.stream_id or 0
                    server.send_headers(stream, [(":status", "200"), ("content-type", "application/json")])
                    server.send_data(stream, body(), end_stream=True)
            connection.sendall(server.data_to_send())
