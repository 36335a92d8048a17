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

from ..material import raw, search, search_without_adults
from .bench import context, judged_event, reported

REGISTRY: Any = getattr(contentviews, "registry", None)


def shown(side: str) -> str:
    """Return what mitmproxy shows of a message in the view."""
    with context(AddContentview(), MarkFlows()) as made:
        event = judged_event(search_without_adults())
        made.master.addons.trigger(event)
        seen, message = event.flow, getattr(event.flow, side)
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
    listening = Listening()
    seen = reported(search_without_adults(), MarkFlows(), listening)

    assert seen.comment.startswith("violation by the client: POST /v4/search 400 at /adults: ")
    assert seen.marked == mark.VIOLATION
    assert [each["rule"] for each in seen.metadata[FINDINGS]] == ["V4-SEARCH-ADULTS"]
    assert listening.updated == [seen]
    assert type(seen).from_state(seen.get_state()).metadata == seen.metadata


def test_warnings_and_unreadable_bodies_have_their_own_markers() -> None:
    warned = samples.with_header(search(), "Accept", "text/html")
    unread = raw(search())._replace(response_body=None)
    assert reported(warned, MarkFlows()).marked == mark.WARNING
    assert reported(search(), MarkFlows(), as_seen=unread).marked == mark.UNREADABLE
    assert {mark.VIOLATION, mark.WARNING, mark.UNREADABLE} <= set(emoji)


def test_markers_and_comments_of_the_user_are_kept() -> None:
    event = judged_event(search_without_adults())
    seen = event.flow
    seen.comment, seen.marked = "look here", ":star:"
    with context(MarkFlows()) as made:
        made.master.addons.trigger(event)

    assert seen.comment.startswith("look here\nviolation")
    assert seen.marked == ":star:"


def test_flow_without_findings_is_not_changed() -> None:
    listening = Listening()
    seen = reported(search(), MarkFlows(), listening)

    assert (seen.comment, seen.marked, seen.metadata, listening.updated) == ("", "", {}, [])
