from mitmproxy import http
from mitmproxy.utils.emoji import emoji

from conformance.v4 import samples
from proxy_addons import marking
from proxy_addons.marking import FINDINGS, Marking

from ..material import flow, mistaken, search, wire
from .bench import context, verdict_on


class Listening:
    """Notes which flows were updated."""

    def __init__(self) -> None:
        self.updated: list[http.HTTPFlow] = []

    def update(self, flows: list[http.HTTPFlow]) -> None:
        self.updated += flows


def test_a_flow_is_marked_with_what_was_found() -> None:
    addon, listening = Marking(), Listening()
    with context(addon, listening) as made:
        seen = flow(mistaken())
        made.master.addons.trigger(verdict_on(seen, wire(mistaken())))

    assert seen.comment.startswith("violation by the client: POST /v4/search 400 at /adults: ")
    assert seen.marked == marking.VIOLATION
    assert [each["rule"] for each in seen.metadata[FINDINGS]] == ["V4-SEARCH-ADULTS"]
    assert listening.updated == [seen]
    assert type(seen).from_state(seen.get_state()).metadata == seen.metadata


def test_a_warning_is_marked_as_such_and_so_is_what_was_not_judged() -> None:
    doubtful = samples.with_header(search(), "Accept", "text/html")
    for on_the_wire, mark in (
        (wire(doubtful), marking.WARNING),
        (wire(search())._replace(response_body=None), marking.UNREADABLE),
    ):
        with context(Marking()) as made:
            seen = flow(search())
            made.master.addons.trigger(verdict_on(seen, on_the_wire))
        assert seen.marked == mark
    assert {marking.VIOLATION, marking.WARNING, marking.UNREADABLE} <= set(emoji)


def test_what_a_user_has_written_stays() -> None:
    with context(Marking()) as made:
        seen = flow(mistaken())
        seen.comment, seen.marked = "look here", ":star:"
        made.master.addons.trigger(verdict_on(seen, wire(mistaken())))

    assert seen.comment.startswith("look here\nviolation")
    assert seen.marked == ":star:"


def test_a_flow_without_findings_is_left_alone() -> None:
    addon, listening = Marking(), Listening()
    with context(addon, listening) as made:
        seen = flow(search())
        made.master.addons.trigger(verdict_on(seen, wire(search())))

    assert (seen.comment, seen.marked, seen.metadata, listening.updated) == ("", "", {}, [])
