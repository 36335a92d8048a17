"""The addon that marks flows with their findings."""

from mitmproxy import http
from mitmproxy.utils.emoji import emoji

from conformance.v4 import samples
from proxy_addons import mark
from proxy_addons.mark import FINDINGS, MarkFlows

from ..material import flow, raw, search, search_without_adults
from .bench import context, judged_event


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
