"""Says at the end what the traffic came to, and writes the report."""

import logging
from typing import Optional

from mitmproxy import addonmanager, ctx
from mitmproxy.log import ALERT

from airworthy.proxy import report, words
from proxy_addons.judging import Judging


class Reporting:
    """Tells the tally when the proxy ends."""

    def __init__(self, judging: Judging) -> None:
        self._judging = judging

    def load(self, loader: addonmanager.Loader) -> None:
        loader.add_option(
            "airworthy_report",
            Optional[str],  # type: ignore[arg-type]
            None,
            "Folder for the report that is written at the end.",
        )

    def done(self) -> None:
        summary = self._judging.judge.summary
        for line in words.closing_lines(summary):
            logging.info(line)
        if not ctx.options.airworthy_report:
            return
        try:
            written = report.write(summary, ctx.options.airworthy_report, self._judging.subject)
        except OSError as error:
            logging.error(f"airworthy_report: {ctx.options.airworthy_report}: {error.strerror}")  # noqa: TRY400
        else:
            logging.log(ALERT, f"The report is in {written}.")
