"""Features of mitmproxy that are unsafe in the installed version, according to its security advisories."""

import re
from dataclasses import dataclass
from typing import Final

HTTP2_FIXED: Final = (12, 1, 2)
LOGIN_FIXED: Final = (11, 1, 2)
_REMEDY: Final = "Python 3.12 or later supports a newer mitmproxy, which is not affected"


@dataclass(frozen=True, slots=True)
class Restrictions:
    """The reasons not to use HTTP/2 and the web page of a version of mitmproxy; empty if they are safe."""

    http2: str = ""
    web: str = ""


def restrictions(version: str) -> Restrictions:
    """Return the restrictions for a version of mitmproxy, such as ``11.0.2``."""
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:3])
    http2 = (
        f"HTTP/2 is off: with mitmproxy {version}, a client can hide a request from the proxy inside an HTTP/2 request "
        f"(GHSA-847f-9342-265h); {_REMEDY}"
    )
    web = f"the web page of mitmproxy {version} has no login (CVE-2025-23217); {_REMEDY}"
    return Restrictions(http2 if numbers < HTTP2_FIXED else "", web if numbers < LOGIN_FIXED else "")
