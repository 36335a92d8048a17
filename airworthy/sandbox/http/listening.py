"""Where the sandbox listens: sockets, and the names by which clients reach it."""

import errno
import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Final

from airworthy.errors import UsageError

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
LOOPBACK: Final = "127.0.0.1"
_LABEL: Final = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_HOST_NAME: Final = re.compile(rf"(?=.{{1,253}}$){_LABEL}(\.{_LABEL})*")
_LONGEST_SHOWN: Final = 80


def parsed_address(text: str) -> IpAddress | None:
    """Return an IP address, or None if a text is not one."""
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None


def ip_address(host: str) -> IpAddress:
    """Return the address to listen on; raises UsageError for anything but an IP address or "localhost"."""
    if (address := parsed_address(LOOPBACK if host == "localhost" else host)) is None:
        shown = host[:_LONGEST_SHOWN]
        raise UsageError(f"host {shown!r}: expected an IP address such as 127.0.0.1 or 0.0.0.0")
    return address


def certificate_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return host names and IP addresses in lower case; raises UsageError for anything else."""
    found = []
    for each in names:
        name = each.lower()
        if not (_HOST_NAME.fullmatch(name) or parsed_address(name)):
            shown = each[:_LONGEST_SHOWN]
            raise UsageError(f"name {shown!r}: expected a host name or an IP address, such as sandbox or 192.0.2.7")
        found.append(name)
    return tuple(dict.fromkeys(found))


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; raises UsageError if the address or the port cannot be used."""
    address = ip_address(host)
    family = socket.AF_INET6 if isinstance(address, ipaddress.IPv6Address) else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((str(address), port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            problem = f"port {port} on {host} is in use; choose another port, or 0 for a free one"
        else:
            problem = f"port {port} on {host}: {getattr(error, 'strerror', None) or error}"
        raise UsageError(problem) from None
    return listener


def origin(scheme: str, listener: socket.socket, names: Iterable[str]) -> str:
    """Return the origin by which clients reach a socket, such as ``https://127.0.0.1:8443``.

    A socket that listens on all addresses is reached by the first of the names, or on the loopback address.
    """
    bound, port = listener.getsockname()[:2]
    host = ipaddress.ip_address(bound)
    if host.is_unspecified:
        bound = next(iter(names), LOOPBACK)
    return f"{scheme}://{f'[{bound}]' if ':' in bound else bound}:{port}"
