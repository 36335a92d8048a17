"""Show what has been found: by commands while the proxy runs, and in a report when it ends."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Optional

import mitmproxy.types
from mitmproxy import addonmanager, command, ctx, exceptions, flow
from mitmproxy.log import ALERT

from airworthy.proxy.report import summary_lines, write_report
from proxy_addons.judge_control import ControlledAddon, JudgeControl
from proxy_addons.mark import FINDINGS

logger = logging.getLogger(__name__)


class Report(ControlledAddon):
    """Reports on the whole traffic at the end."""

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
        for line in summary_lines(self._control.judge.summary):
            logger.info(line)
        if not ctx.options.airworthy_report:
            return
        try:
            _write(self._control, ctx.options.airworthy_report)
        except OSError as error:
            logger.error(f"airworthy_report: {ctx.options.airworthy_report}: {error.strerror}")  # noqa: TRY400 - one line


class Commands(ControlledAddon):
    """The commands ``airworthy.*``, for mitmproxy's command prompt, key bindings and other addons."""

    @command.command("airworthy.summary")
    def summary(self) -> str:
        """Show a summary of the traffic so far."""
        text = "\n".join(summary_lines(self._control.judge.summary))
        logger.log(ALERT, text)
        return text

    @command.command("airworthy.report")
    def report(self, path: mitmproxy.types.Path) -> None:
        """Write a report on the traffic so far into a folder."""
        try:
            _write(self._control, path)
        except OSError as error:
            raise exceptions.CommandError(f"{path}: {error.strerror}") from None

    @command.command("airworthy.findings")
    def findings(self, flows: Sequence[flow.Flow]) -> Sequence[str]:
        """Return the findings of flows, one line each."""
        return [
            f"{finding['kind']} in the {finding['side']}: {finding['message']} [{finding['rule']}]"
            for each in flows
            for finding in each.metadata.get(FINDINGS, [])
        ]


def _write(control: JudgeControl, folder: str) -> None:
    page = write_report(control.judge.summary, folder, control.subject, control.settings.evidence)
    logger.log(ALERT, f"Report written to {page}")
