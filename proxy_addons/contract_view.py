"""Shows a message with what the contract says of it."""

from collections.abc import Iterator
from typing import Any

from mitmproxy import addonmanager, contentviews, flow, http

from proxy_addons.marking import FINDINGS

_SIDES = {"request": "client", "response": "service"}


class ContractView(contentviews.View):
    """A content view: the findings of the side that is looked at, then the message as it usually looks."""

    name = "Contract"

    def load(self, loader: addonmanager.Loader) -> None:
        contentviews.add(self)

    def done(self) -> None:
        contentviews.remove(self)

    def __call__(
        self,
        data: bytes,
        *,
        content_type: str | None = None,
        flow: flow.Flow | None = None,
        http_message: http.Message | None = None,
        **unknown_metadata: Any,  # noqa: ANN401  whatever mitmproxy adds
    ) -> contentviews.base.TViewResult:
        side = "request" if isinstance(http_message, http.Request) else "response"
        found = flow.metadata.get(FINDINGS, []) if flow else []
        mine = [each for each in found if each["side"] == side]
        # mitmproxy 12 has no such view any more: there the message stands as it is.
        usual = contentviews.get("Auto")
        metadata = {"content_type": content_type, "flow": flow, "http_message": http_message} | unknown_metadata
        lines = usual(data, **metadata)[1] if usual else contentviews.base.format_text(data)
        counted = f"{len(mine)} finding{'s' * (len(mine) != 1)} on the {side}"
        return f"Contract: {counted}", _told(mine, lines)


def _told(
    findings: list[dict[str, Any]], message: Iterator[contentviews.base.TViewLine]
) -> Iterator[contentviews.base.TViewLine]:
    for finding in findings:
        kind = finding["kind"] + (f" ({finding['drift']})" if finding["drift"] else "")
        kind += ", warning" if finding["soft"] else ""
        yield [("error", f"{kind} by the {_SIDES[finding['side']]}: "), ("text", finding["message"])]
        for name in ("rule", "pointer", "expected", "actual", "provenance"):
            if finding[name]:
                yield [("header", f"    {name}: "), ("text", finding[name])]
    if findings:
        yield [("text", "")]
    yield from message
