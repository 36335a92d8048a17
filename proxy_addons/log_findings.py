"""Log findings as they occur, one line each; repeated findings are logged less and less often."""

import logging
from collections import Counter

from mitmproxy import http
from mitmproxy.log import ALERT

from airworthy.proxy.messages import JudgeResult

ALWAYS = 3
MOST_KINDS = 10_000
_OTHER_KINDS = ("", "", "", "")

logger = logging.getLogger(__name__)


class LogFindings:
    """Logs each kind of finding the first three times, then the 10th, 100th, 1000th time, and so on."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str, str, str]] = Counter()

    def airworthy_judged(self, flow: http.HTTPFlow, result: JudgeResult) -> None:
        for finding, line in zip(result.findings, result.lines, strict=True):
            known = finding.key in self._counts or len(self._counts) < MOST_KINDS
            key = finding.key if known else _OTHER_KINDS
            self._counts[key] += 1
            if is_logged(self._counts[key]):
                serious = finding.kind == "violation" and not finding.soft
                logger.log(logging.WARNING if serious else logging.INFO, line + _repetition(self._counts[key]))
        if result.progress:
            logger.log(ALERT, result.progress)


def is_logged(count: int) -> bool:
    """Return whether the log shows a finding that occurs for the ``count``-th time."""
    return count <= ALWAYS or str(count).rstrip("0") == "1"


def _repetition(count: int) -> str:
    if count < ALWAYS:
        return ""
    return f" ({count} times so far; logged again at {10 ** len(str(count))})"
