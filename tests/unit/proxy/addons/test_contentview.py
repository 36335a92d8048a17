"""The content view that shows a message below its findings, and the marks of flows that have some."""

from typing import Any

import pytest
from mitmproxy import contentviews, http
from mitmproxy.utils.emoji import emoji
from mitmproxy.version import VERSION

from conformance.v4 import samples
from proxy_addons import mark
from proxy_addons.contentview import AddContentview, ContractContentview
from proxy_addons.mark import FINDINGS, MarkFlows

from ..material import flow, raw, search, search_without_adults
from .bench import context, judged_event

REGISTRY: Any = getattr(contentviews, "registry", None)


def shown(side: str) -> str:
    """Return what mitmproxy shows of a message in the view."""
    with context(AddContentview(), MarkFlows()) as made:
        seen = flow(search_without_adults())
        made.master.addons.trigger(judged_event(seen, raw(search_without_adults())))
        message = getattr(seen, side)
        if REGISTRY:
            text: str = contentviews.prettify_message(message, seen, "contract").text  # type: ignore[attr-defined]
        else:
            title, lines, error = contentviews.get_message_content_view("contract", message, seen)
            text = "\n".join([title, *("".join(text for _, text in line) for line in lines)])
            assert error is None
        made.master.addons.clear()
    return text


def test_message_is_shown_below_its_findings() -> None:
    text = shown("request")

    assert text.startswith(
        "Contract: 1 finding in the request\n"
        "violation by the client: adults of a search request is 0, not an integer from 1 to 9\n"
        "    rule: V4-SEARCH-ADULTS\n    pointer: /adults\n    expected: an integer from 1 to 9\n"
    )
    assert '"customerCode"' in text


def test_message_without_findings_is_shown_as_usual() -> None:
    assert shown("response").startswith("Contract: 0 findings in the response\n{")


@pytest.mark.skipif(VERSION.split(".")[0] != "11", reason="mitmproxy 12 cannot remove a view")
def test_view_is_removed_with_the_addon() -> None:
    with context(AddContentview()) as made:
        assert contentviews.get("Contract")
        made.master.addons.clear()
    assert contentviews.get("Contract") is None


def test_view_is_never_selected_automatically() -> None:
    assert ContractContentview().render_priority(b"{}") < 0


class Listening:
    def __init__(self) -> None:
        self.updated: list[http.HTTPFlow] = []

    def update(self, flows: list[http.HTTPFlow]) -> None:
        self.updated += flows


def test_flow_is_marked_with_its_findings() -> None:
    addon, listening = MarkFlows(), Listening()
    with context(addon, listening) as made:
        seen = flow(search_without_adults())
        made.master.addons.trigger(judged_event(seen, raw(search_without_adults())))

    assert seen.comment.startswith("violation by the client: POST /v4/search 400 at /adults: ")
    assert seen.marked == mark.VIOLATION
    assert [each["rule"] for each in seen.metadata[FINDINGS]] == ["V4-SEARCH-ADULTS"]
    assert listening.updated == [seen]
    assert type(seen).from_state(seen.get_state()).metadata == seen.metadata


def test_warnings_and_unreadable_bodies_have_their_own_markers() -> None:
    warned = samples.with_header(search(), "Accept", "text/html")
    for exchange, marker in (
        (raw(warned), mark.WARNING),
        (raw(search())._replace(response_body=None), mark.UNREADABLE),
    ):
        with context(MarkFlows()) as made:
            seen = flow(search())
            made.master.addons.trigger(judged_event(seen, exchange))
        assert seen.marked == marker
    assert {mark.VIOLATION, mark.WARNING, mark.UNREADABLE} <= set(emoji)


def test_markers_and_comments_of_the_user_are_kept() -> None:
    with context(MarkFlows()) as made:
        seen = flow(search_without_adults())
        seen.comment, seen.marked = "look here", ":star:"
        made.master.addons.trigger(judged_event(seen, raw(search_without_adults())))

    assert seen.comment.startswith("look here\nviolation")
    assert seen.marked == ":star:"


def test_flow_without_findings_is_not_changed() -> None:
    addon, listening = MarkFlows(), Listening()
    with context(addon, listening) as made:
        seen = flow(search())
        made.master.addons.trigger(judged_event(seen, raw(search())))

    assert (seen.comment, seen.marked, seen.metadata, listening.updated) == ("", "", {}, [])
