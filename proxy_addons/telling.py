"""Tells findings in the log as they come, a line each, and no flood."""

import logging
from collections import Counter

from mitmproxy import http
from mitmproxy.log import ALERT

from airworthy.proxy.wire import Verdict

ALWAYS = 3
MOST_KINDS = 10_000
_OTHERS = ("", "", "", "")


class Telling:
    """Tells each kind of finding the first times that it shows, then at ten, a hundred and so on."""

    def __init__(self) -> None:
        self._told: Counter[tuple[str, str, str, str]] = Counter()

    def airworthy_verdict(self, flow: http.HTTPFlow, verdict: Verdict) -> None:
        for finding, line in zip(verdict.findings, verdict.lines, strict=True):
            key = finding.key if finding.key in self._told or len(self._told) < MOST_KINDS else _OTHERS
            self._told[key] += 1
            if is_told(self._told[key]):
                grave = finding.kind == "violation" and not finding.soft
                logging.log(logging.WARNING if grave else logging.INFO, line + _so_far(self._told[key]))
        if verdict.progress:
            logging.log(ALERT, verdict.progress)


def is_told(count: int) -> bool:
    """Whether the log tells this one of so many that are alike."""
    return count <= ALWAYS or str(count).rstrip("0") == "1"


def _so_far(count: int) -> str:
    if count < ALWAYS:
        return ""
    return f" ({count} times so far; told again at {10 ** len(str(count))})"
