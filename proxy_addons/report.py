"""Log a summary and write the report when the proxy ends."""

import asyncio
import logging
from typing import Optional

from mitmproxy import addonmanager, ctx
from mitmproxy.log import ALERT

from airworthy.proxy.report import summary_lines, write_report
from proxy_addons.judge_control import JudgeControl

logger = logging.getLogger(__name__)


class Report:
    """Reports on the whole traffic at the end."""

    def __init__(self, control: JudgeControl) -> None:
        self._control = control

    def load(self, loader: addonmanager.Loader) -> None:
        loader.add_option(
            "airworthy_report",
            Optional[str],  # type: ignore[arg-type]
            None,
            "Folder for the report that is written when the proxy ends.",
        )

    def done(self) -> asyncio.Future[None]:
        return self._control.when_closed(self._report)

    def _report(self) -> None:
        summary = self._control.judge.summary
        for line in summary_lines(summary):
            logger.info(line)
        if not ctx.options.airworthy_report:
            return
        try:
            page = write_report(summary, ctx.options.airworthy_report, self._control.subject, self._control.evidence)
        except OSError as error:
            logger.error(f"airworthy_report: {ctx.options.airworthy_report}: {error.strerror}")  # noqa: TRY400 - one line
        else:
            logger.log(ALERT, f"Report written to {page}")
