"""The addon that logs why a server cannot be reached."""

import pytest
from mitmproxy import connection, tls
from mitmproxy.options import Options
from mitmproxy.proxy.context import Context
from mitmproxy.proxy.server_hooks import ServerConnectionHookData
from mitmproxy.test import tflow

from proxy_addons.log_connections import LogConnections

REFUSED = "[Errno 111] Connect call failed ('127.0.0.1', 8443)"


def unreachable(error: str) -> ServerConnectionHookData:
    server = connection.Server(address=("127.0.0.1", 8443))
    server.error = error
    return ServerConnectionHookData(server, tflow.tclient_conn())


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (REFUSED, "Connection refused"),
        ("[Errno -2] Name or service not known", "[Errno -2] Name or service not known"),
        ("connection cancelled", "connection cancelled"),
    ],
)
def test_reason_is_logged_in_words(error: str, reason: str, caplog: pytest.LogCaptureFixture) -> None:
    LogConnections().server_connect_error(unreachable(error))

    assert caplog.messages == [f"127.0.0.1:8443 cannot be reached ({reason}); start the service, or correct the URL"]


def test_repeated_reason_is_logged_less_and_less_often(caplog: pytest.LogCaptureFixture) -> None:
    addon = LogConnections()
    for _ in range(12):
        addon.server_connect_error(unreachable(REFUSED))

    assert len(caplog.messages) == 4


def test_certificate_that_is_not_trusted_names_the_option(caplog: pytest.LogCaptureFixture) -> None:
    server = unreachable("Certificate verify failed: self-signed certificate").server
    LogConnections().tls_failed_server(tls.TlsData(server, Context(tflow.tclient_conn(), Options())))

    (line,) = caplog.messages
    assert line.startswith("127.0.0.1:8443 cannot be reached by TLS (Certificate verify failed: self-signed")
    assert line.endswith("--ca-bundle")
