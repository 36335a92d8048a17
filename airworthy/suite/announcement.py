"""The line before the first scenario: how many bookings are about to be made, and where."""

import ipaddress
import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from airworthy.suite.selection import Selected
from airworthy.target.profile import Profile

# How many bookings a full run makes in each interface, rounded up; a test compares them with a full run.
BOOKINGS: Final = {"v4": 30, "v3": 25, "v2": 25}
_TEST_NAMES: Final = re.compile(
    r"(?:^|[.\-_0-9])(?:test(?:ing|s)?|stag(?:e|ing)|stg|sandbox|dev(?:el|elop|elopment)?|qa|uat|demo|preprod|"
    r"pre-?prod(?:uction)?|int|integration|local|mock|ci|lab)(?=$|[.\-_0-9])"
)
# https://www.rfc-editor.org/rfc/rfc2606 and rfc6762
_TEST_DOMAINS: Final = ("localhost", "test", "example", "invalid", "local", "internal")


def is_loopback(base_url: str) -> bool:
    """Return whether a URL is on this machine."""
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def looks_like_a_test_system(base_url: str) -> bool:
    """Return whether the host or the path of a URL is named like that of a test system."""
    parts = urlsplit(base_url.lower())
    host = parts.hostname or ""
    has_test_name = any(_TEST_NAMES.search(each) for each in (host, *parts.path.split("/")))
    return has_test_name or host.rpartition(".")[2] in _TEST_DOMAINS


def announcement(profile: Profile, selected: Iterable[Selected], *, allow_live_bookings: bool) -> str:
    """Return a line with the number of bookings that are about to be made, and where.

    Without ``selected``, which xdist's controller does not know, the number is that of a full run.
    """
    target = f"{profile.base_url} ({profile.environment} environment)"
    if profile.environment == "production" and not allow_live_bookings:
        return f"no bookings are about to be made at {target}: --allow-live-bookings is not set"
    statuses = Counter(each.status for each in selected)
    share = statuses["selected"] / ((statuses["selected"] + statuses["deselected"]) or 1) if statuses else 1.0
    count = math.ceil(sum(BOOKINGS[version] for version in profile.versions) * share)
    line = f"up to {count} bookings are about to be made at {target}"
    if is_loopback(profile.base_url) or looks_like_a_test_system(profile.base_url):
        return line
    return f"{line}; {urlsplit(profile.base_url).hostname} does not look like a test system"
