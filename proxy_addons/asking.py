"""Commands that ask what was found so far."""

import logging
from collections.abc import Sequence

import mitmproxy.types
from mitmproxy import command, exceptions, flow
from mitmproxy.log import ALERT

from airworthy.proxy import report, words
from proxy_addons.judging import Judging
from proxy_addons.marking import FINDINGS


class Asking:
    """The commands ``airworthy.…``, for mitmproxy's prompt, key bindings and other addons."""

    def __init__(self, judging: Judging) -> None:
        self._judging = judging

    @command.command("airworthy.summary")
    def summary(self) -> str:
        """Say what the traffic came to so far."""
        text = "\n".join(words.closing_lines(self._judging.judge.summary))
        logging.log(ALERT, text)
        return text

    @command.command("airworthy.report")
    def report(self, path: mitmproxy.types.Path) -> None:
        """Write the report of the traffic so far into a folder."""
        try:
            written = report.write(self._judging.judge.summary, path, self._judging.subject)
        except OSError as error:
            raise exceptions.CommandError(f"{path}: {error.strerror}") from None
        logging.log(ALERT, f"The report is in {written}.")

    @command.command("airworthy.findings")
    def findings(self, flows: Sequence[flow.Flow]) -> Sequence[str]:
        """Say what was found in flows, a line each."""
        return [
            f"{finding['kind']} of the {finding['side']}: {finding['message']} [{finding['rule']}]"
            for each in flows
            for finding in each.metadata.get(FINDINGS, [])
        ]
