"""Show a message below its findings."""

from collections.abc import Iterator
from typing import Any

from mitmproxy import addonmanager, contentviews, flow, http

from airworthy.contract import Finding
from airworthy.traffic.lines import at_fault, kind
from proxy_addons.mark import FINDINGS

_DETAILS = ("rule", "pointer", "expected", "actual", "provenance")


class ContractContentview:
    """The content view ``Contract``: mitmproxy 11 calls the view itself, mitmproxy 12 calls `prettify`."""

    name = "Contract"
    syntax_highlight = "none"

    def render_priority(self, data: bytes, metadata: object = None, **_: object) -> float:
        """Return a priority that never selects this view automatically."""
        return -1

    def prettify(self, data: bytes, metadata: Any) -> str:  # noqa: ANN401  a type of mitmproxy 12
        """Return the text of the findings and of the message."""
        title, lines = _findings(metadata.flow, metadata.http_message)
        usual = _registry().get_view(data, metadata)
        return "\n".join([title, *lines, usual.prettify(data, metadata)])

    def __call__(
        self,
        data: bytes,
        *,
        content_type: str | None = None,
        flow: flow.Flow | None = None,
        http_message: http.Message | None = None,
        **more: Any,  # noqa: ANN401  whatever mitmproxy adds
    ) -> contentviews.base.TViewResult:
        """Return the title and the styled lines of the findings and of the message."""
        title, lines = _findings(flow, http_message)
        usual = contentviews.get("Auto")
        assert usual
        _, message = usual(data, content_type=content_type, flow=flow, http_message=http_message, **more)
        return title, _styled(lines, message)


class AddContentview:
    """Adds the content view `ContractContentview` to mitmproxy."""

    def __init__(self) -> None:
        self._view: Any = ContractContentview()

    def load(self, loader: addonmanager.Loader) -> None:
        contentviews.add(self._view)

    def done(self) -> None:
        # mitmproxy 12 has no way to remove a view; the next one of that name replaces it.
        if not _registry():
            contentviews.remove(self._view)


def _registry() -> Any:  # noqa: ANN401 - mitmproxy 11 has no type for it
    return getattr(contentviews, "registry", None)


def _findings(flow: flow.Flow | None, message: http.Message | None) -> tuple[str, list[str]]:
    """Return a title and the lines of the findings in a message, with an empty line at the end."""
    side = "request" if isinstance(message, http.Request) else "response"
    findings = [each for each in (flow.metadata.get(FINDINGS, []) if flow else []) if each["side"] == side]
    lines = []
    for finding in findings:
        found = Finding(**finding)
        lines.append(f"{kind(found)} by the {at_fault(found)}: {found.message}")
        lines += [f"    {name}: {finding[name]}" for name in _DETAILS if finding[name]]
    if lines:
        lines.append("")
    return f"Contract: {len(findings)} finding{'s' * (len(findings) != 1)} in the {side}", lines


def _styled(lines: list[str], message: Iterator[contentviews.base.TViewLine]) -> Iterator[contentviews.base.TViewLine]:
    for each in lines:
        yield [("text", each)]
    yield from message
