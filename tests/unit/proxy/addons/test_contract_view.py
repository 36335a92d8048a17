from mitmproxy import contentviews

from proxy_addons.contract_view import ContractView
from proxy_addons.marking import Marking

from ..material import flow, mistaken, search, wire
from .bench import context, verdict_on


def shown(side: str) -> tuple[str, str]:
    with context(ContractView(), Marking()) as made:
        seen = flow(mistaken())
        made.master.addons.trigger(verdict_on(seen, wire(mistaken())))
        title, lines, error = contentviews.get_message_content_view("contract", getattr(seen, side), seen)
        text = "\n".join("".join(text for _, text in line) for line in lines)
        made.master.addons.clear()
    assert error is None
    return title, text


def test_a_message_is_shown_with_its_findings() -> None:
    title, text = shown("request")

    assert title == "Contract: 1 finding on the request"
    assert text.startswith("violation by the client: adults of a search request is 0, not an integer from 1 to 9\n")
    assert "\n    rule: V4-SEARCH-ADULTS\n    pointer: /adults\n    expected: an integer from 1 to 9\n" in text
    assert '"customerCode"' in text


def test_a_message_without_findings_is_shown_as_usual() -> None:
    title, text = shown("response")

    assert title == "Contract: 0 findings on the response"
    assert text.startswith("{")


def test_the_view_comes_and_goes_with_the_addon() -> None:
    with context(ContractView()) as made:
        assert contentviews.get("Contract")
        made.master.addons.clear()
    assert contentviews.get("Contract") is None


def test_the_view_needs_no_flow() -> None:
    title, lines = ContractView()(b"plain")
    assert title == "Contract: 0 findings on the response"
    assert list(lines)


def test_the_view_is_shown_where_it_is_chosen_only() -> None:
    assert ContractView().render_priority(search().request.body or b"") == 0
