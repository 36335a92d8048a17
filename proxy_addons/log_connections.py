"""Log why the service or the payment provider cannot be reached; a client sees only a closed connection."""

import logging
import os
import re
from collections import Counter
from typing import Final

from mitmproxy import connection, tls
from mitmproxy.proxy.server_hooks import ServerConnectionHookData
from mitmproxy.utils.human import format_address

from airworthy.text import printable
from proxy_addons.log_findings import is_logged

_ERROR_NUMBER: Final = re.compile(r"\[Errno (\d+)\]")

logger = logging.getLogger(__name__)


class LogConnections:
    """Logs each reason as often as `LogFindings` logs a finding, because clients try again."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def server_connect_error(self, data: ServerConnectionHookData) -> None:
        error = data.server.error or ""
        number = _ERROR_NUMBER.search(error)
        reason = os.strerror(int(number[1])) if number else error
        self._log(data.server, f"cannot be reached ({reason}); start the service, or correct the URL")

    def tls_failed_server(self, data: tls.TlsData) -> None:
        self._log(
            data.conn,
            f"cannot be reached by TLS ({data.conn.error}); correct the URL, or name its authority with --ca-bundle",
        )

    def _log(self, server: connection.Connection, problem: str) -> None:
        address = server.address if isinstance(server, connection.Server) else None
        line = printable(f"{format_address(address)} {problem}")
        self._counts[line] += 1
        if is_logged(self._counts[line]):
            logger.warning(line)
