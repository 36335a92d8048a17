"""The go-live list on documented conversations of v4, v3 and v2."""

from dataclasses import replace
from datetime import timedelta
from itertools import chain

import pytest

from airworthy.contract import Contract, Exchange, Finding, Request
from airworthy.contract.http.credentials import digest
from airworthy.contract.http.operations import PAYMENT
from airworthy.register import go_live_rules
from airworthy.traffic import GoLive, TrafficMonitor
from airworthy.traffic.golive import findings as ids
from airworthy.traffic.golive.items import GoLiveSettings, go_live_items
from airworthy.traffic.lines import progress_lines
from conformance.v4 import samples
from exchange_parts import changed_request, changed_response

from .material import body, booked, finding, responding, sent

CONTRACT = Contract.load(("v2", "v3", "v4"))
ALONE = {"adults": 1, "children": 0, "infants": 0}
FAMILY = {"adults": 2, "children": 1, "infants": 1}
BOOKINGS = "Go-live bookings"
SEARCH, REQUEST, BOOKING, RETRIEVAL = booked("v3", ALONE)


def seen(*exchanges: Exchange, golive: GoLive | None = None, found: tuple[Finding, ...] = ()) -> GoLive:
    golive = golive or GoLive()
    for each in exchanges:
        url = CONTRACT.resolve(each.request.method, each.request.url)
        assert url
        golive.observe(each, url, found)
    return golive


def status(golive: GoLive, item: str, version: str = "v3") -> str:
    return next(each.status for each in golive.outcomes(version) if each.item.id == item)


def shown(golive: GoLive, version: str = "v3") -> list[str]:
    """Return the go-live bookings that are shown, without their prefix."""
    outcomes = (each for each in golive.outcomes(version) if each.item.area == BOOKINGS)
    return [each.item.id.removeprefix("GOLIVE-") for each in outcomes if each.status == "shown"]


def later(exchange: Exchange, minutes: float, name: str) -> Exchange:
    return replace(exchange, id=name, started=exchange.started + timedelta(minutes=minutes))


def test_every_item_has_texts_for_its_versions_and_one_scenario() -> None:
    for item, rule in zip(go_live_items(), go_live_rules(), strict=True):
        assert item.sources.keys() == item.quotes.keys() == item.instructions.keys() == set(item.versions)
        assert all(1 <= len(quote.split()) <= 25 for quote in item.quotes.values())
        assert len(rule.scenarios) == 1
    named = {value for name, value in vars(ids).items() if name.isupper() and str(value).startswith("GOLIVE-")}
    assert named <= {item.id for item in go_live_items()}


def test_booking_shows_the_items_of_its_booking_request() -> None:
    golive = seen(*booked("v3", FAMILY, checked=2))

    assert shown(golive) == ["ADULTS", "INFANTS", "CHECKED-BAGS", "NO-CABIN-BAGS", "CHILDREN"]
    assert golive.record.of("GOLIVE-ADULTS", "v3").proofs[0].exchanges == ("sample-1-4711", "sample-2-4711")
    assert status(golive, ids.RETRIEVAL) == "shown"


def test_several_bookings_show_the_list() -> None:
    golive = seen(*booked("v3", FAMILY, checked=1), *booked("v3", ALONE, cabin=1, request=4712, later=600))

    assert {"CHECKED-BAGS", "NO-CHECKED-BAGS", "CABIN-BAGS", "NO-CABIN-BAGS"} < set(shown(golive))


def test_v2_bookings_show_checked_bags_only() -> None:
    golive = seen(*booked("v2", FAMILY, checked=1), *booked("v2", ALONE, request=4712, later=600))

    assert shown(golive, "v2") == ["ADULTS", "INFANTS", "CHECKED-BAGS", "NO-CHECKED-BAGS", "CHILDREN"]
    assert status(golive, "GOLIVE-CABIN-BAGS", "v2") == "not applicable"


def test_v4_order_shows_the_items_of_its_offer_and_order() -> None:
    golive = seen(*samples.conversation())

    assert shown(golive, "v4") == ["CHECKED-BAGS", "NO-CABIN-BAGS"]
    assert [status(golive, item, "v4") for item in (ids.RETRIEVAL, ids.LOCATOR, ids.BOOK_ONCE)] == ["shown"] * 3


def test_booking_request_and_rejected_booking_show_nothing() -> None:
    search, request, booking, _ = booked("v3", FAMILY, checked=1)

    assert shown(seen(search, request)) == []
    assert shown(seen(search, request, responding(booking, {"error": "no"}, 402))) == []
    assert shown(seen(search, request, responding(booking, {"bookings": []}))) == []


def test_retrieval_counts_only_after_its_booking() -> None:
    search, request, booking, retrieval = booked("v3", FAMILY, checked=1)

    assert status(seen(search, request, booking), ids.RETRIEVAL) == "not shown"
    assert status(seen(retrieval), ids.RETRIEVAL) == "not shown"
    assert status(seen(booking, responding(retrieval, {"bookings": []})), ids.RETRIEVAL) == "not shown"
    assert status(seen(booking, retrieval), ids.RETRIEVAL) == "shown"


def test_record_locator_is_obtained_or_polled_for() -> None:
    found = body(RETRIEVAL.response)
    for each in found["bookings"]:
        each |= {"pnr_airline": None, "status": "AWAITING_PNR_AIRLINE"}
    waiting = responding(RETRIEVAL, found)

    assert status(seen(SEARCH, REQUEST, BOOKING, waiting), ids.LOCATOR) == "not shown"
    assert status(seen(SEARCH, REQUEST, BOOKING, waiting, later(waiting, 0.5, "poll")), ids.LOCATOR) == "not shown"
    assert status(seen(SEARCH, REQUEST, BOOKING, waiting, later(waiting, 2, "poll")), ids.LOCATOR) == "shown"
    often = [later(waiting, at / 2, f"poll-{at}") for at in range(1, 4)]
    assert status(seen(SEARCH, REQUEST, BOOKING, waiting, *often), ids.LOCATOR) == "shown"


def test_minimum_number_of_adults_and_infants() -> None:
    three = GoLive(GoLiveSettings(adults=3, infants=2))

    assert shown(seen(*booked("v3", FAMILY), golive=three)) == ["NO-CHECKED-BAGS", "NO-CABIN-BAGS", "CHILDREN"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_merged_lists_are_the_list_of_the_whole(order: tuple[int, int]) -> None:
    parts = [booked("v3", FAMILY, checked=1), booked("v3", FAMILY, checked=1, request=4712, later=600)]
    merged = GoLive()
    for index in order:
        merged.merge(seen(*parts[index]))

    assert merged.outcomes("v3") == seen(*chain(*parts)).outcomes("v3")
    assert merged.versions == {"v3": 8}


def test_taken_progress_adds_up() -> None:
    whole, total = GoLive(), GoLive()
    for each in booked("v3", FAMILY):
        seen(each, golive=whole)
        total.merge(whole.take())

    assert total.outcomes("v3") == whole.outcomes("v3")
    assert total.versions == whole.versions


@pytest.mark.parametrize(("response", "outcome"), [(None, "shown"), (504, "shown"), (409, "not shown")])
def test_repeating_an_unclear_booking_is_safe(response: int | None, outcome: str) -> None:
    unclear = replace(BOOKING, response=None) if response is None else responding(BOOKING, {}, response)

    golive = seen(SEARCH, REQUEST, unclear, later(responding(BOOKING, {}, 409), 1, "again"))

    assert status(golive, ids.SAFE_RETRY) == outcome


def test_booking_the_same_again_after_an_unclear_response_is_a_violation() -> None:
    lost = replace(BOOKING, response=None)
    others = [later(each, 1, f"{each.id}-new") for each in booked("v3", ALONE, request=4712)[:3]]
    others[1] = sent(others[1], {"passengers": body(REQUEST.request)["passengers"]})

    monitor = TrafficMonitor(CONTRACT)
    found = [finding.rule for each in (SEARCH, REQUEST, lost, *others) for finding in monitor.observe(each)]
    golive, rows = monitor.golive, [row.finding.rule for row in monitor.summary.rows()]
    assert found.count(ids.SAFE_RETRY) == rows.count(ids.SAFE_RETRY) == 1
    assert status(golive, ids.SAFE_RETRY) == "violated"
    assert golive.record.of(ids.SAFE_RETRY, "v3").violations[0].exchanges == (lost.id, others[2].id)

    resolved = later(responding(BOOKING, {}, 409), 0.5, "resolved")
    assert status(seen(SEARCH, REQUEST, lost, resolved, *others), ids.SAFE_RETRY) == "shown"


def test_booking_for_other_passengers_after_an_unclear_response_is_no_repetition() -> None:
    others = [later(each, 1, f"{each.id}-new") for each in booked("v3", ALONE, request=4712)[:3]]
    assert body(others[1].request)["passengers"] != body(REQUEST.request)["passengers"]

    golive = seen(SEARCH, REQUEST, replace(BOOKING, response=None), *others)

    assert status(golive, ids.SAFE_RETRY) == "not shown"


def test_new_booking_request_replaces_an_expired_one() -> None:
    _, again, booking, _ = booked("v3", ALONE, request=4712, later=6 * 60)
    again = sent(again, {"passengers": body(REQUEST.request)["passengers"]})

    assert status(seen(SEARCH, REQUEST, again, booking), ids.EXPIRY) == "shown"
    for earlier, reason in (
        (
            1.0,
            "the client replaces a booking request after 300 seconds; it has surely expired only 305 seconds after its",
        ),
        (0.0, "the client replaces a booking request that has expired, but uses no new one"),
    ):
        soon = [later(each, -earlier, f"{each.id}-soon") for each in (again, booking)][: 1 + bool(earlier)]
        golive = seen(SEARCH, REQUEST, *soon)
        assert status(golive, ids.EXPIRY) == "not shown"
        decisive = golive.record.of(ids.EXPIRY, "v3").decisive
        assert decisive
        assert decisive.reason.startswith(reason)
        [text] = [each for each in progress_lines(golive) if "because of" in each]
        assert text.startswith("GOLIVE-EXPIRY is not shown in v3 because of POST /v3/requests, exchange ")
    cancel = replace(REQUEST.request, url=f"{samples.BASE}/v3/requests/4711/cancel", body=b"")
    cancellation = responding(later(replace(REQUEST, request=cancel), 1, "cancelled"), {"success": True})
    assert status(seen(SEARCH, REQUEST, cancellation, again, booking), ids.EXPIRY) == "not shown"
    much_too_soon = [later(each, -4, f"{each.id}-soon") for each in (again, booking)]
    assert seen(SEARCH, REQUEST, *much_too_soon).record.of(ids.EXPIRY, "v3").decisive is None


@pytest.mark.parametrize("version", ["v4", "v3"])
def test_expired_offer_or_booking_request_is_not_used_again(version: str) -> None:
    if version == "v4":
        *_, offer, _, _, use, _, _, _, _ = samples.conversation()
        before, age = [offer], 31.0
    else:
        search, request, use, _ = booked("v3", ALONE)
        before, age = [search, request], 6.0
    first = responding(later(use, age, "first"), {}, 404)
    second = responding(later(use, age + 1, "second"), {}, 404)

    golive = seen(*before, first, second)

    assert status(golive, ids.EXPIRY, version) == "violated"
    (violation,) = golive.record.of(ids.EXPIRY, version).violations
    assert violation.exchanges == (before[-1].id, "first", "second")
    assert "again that the service rejected after its expiry" in violation.reason
    meanwhile = replace(second, started=first.started)
    of_payload = [responding(each, {}, 400) for each in (first, second)]
    early = [later(each, -4, each.id) for each in (first, second)]
    accepted = replace(second, response=use.response)
    for others in ([first], [first, meanwhile], of_payload, early, [first, accepted]):
        assert status(seen(*before, *others), ids.EXPIRY, version) != "violated"


def test_expiry_by_the_clock_of_the_service() -> None:
    *_, offer, _, _, use, _, _, _, _ = samples.conversation()

    def at(exchange: Exchange, time: str) -> Exchange:
        return changed_response(exchange, headers=(("Date", f"Mon, 02 Nov 2026 {time} GMT"),))

    rejected = [responding(later(use, minutes, f"{minutes}"), {}, 404) for minutes in (1, 2)]
    stored = at(offer, "09:00:00")

    assert status(seen(stored, *(at(each, "09:31:00") for each in rejected)), ids.EXPIRY, "v4") == "violated"
    assert status(seen(stored, *(at(each, "09:30:02") for each in rejected)), ids.EXPIRY, "v4") == "not shown"


def test_3d_secure_is_shown_by_its_results_or_by_a_payment_intent_after_a_challenge() -> None:
    *start, order, confirmation, _, _, _ = samples.conversation()
    challenged = responding(sent(confirmation, {"payment_method": "pm_1"}), {"statusCode": 406}, 406)
    paid = later(confirmation, 5, "paid")
    plain = changed_request(paid, body=b'{"paymentMethod":{"card":true},"payment_method":"pm_2"}')
    intent = sent(plain, {"payment_method": None, "payment_intent_id": "pi_1"})
    results = sent(plain, {"three_d_secure": {"version": "2.2.0"}})

    def of(*exchanges: Exchange) -> str:
        return status(seen(*start, order, *exchanges), ids.SECURE, "v4")

    assert of(challenged, plain) == "not shown"
    assert of(intent) == "not shown"
    [attempt] = seen(*start, order, intent).record.of(ids.SECURE, "v4").attempts
    assert "only a 406 to an earlier confirmation of the same order does" in attempt.reason
    assert of(challenged, intent) == "shown"
    assert of(results) == "shown"


def test_failed_payment_is_handled_by_booking_again_for_the_same_passengers() -> None:
    declined = responding(BOOKING, {"code": "card_declined"}, 422)
    _, again, book_again, _ = booked("v3", ALONE, request=4712, later=60)
    same = sent(again, {"passengers": body(REQUEST.request)["passengers"]})

    for cheap in ([], [same], [again, book_again]):
        assert status(seen(SEARCH, REQUEST, declined, *cheap), ids.FAILED_PAYMENT) == "not shown"
    golive = seen(SEARCH, REQUEST, declined, same, book_again)
    assert status(golive, ids.FAILED_PAYMENT) == "shown"
    assert golive.record.of(ids.FAILED_PAYMENT, "v3").proofs[0].exchanges == (declined.id, book_again.id)


def test_failed_payment_of_v4_is_handled_by_another_payment_or_order() -> None:
    *start, offer, _, _, order, confirmation, read_order, _, _ = samples.conversation()
    failed = responding(confirmation, body(confirmation.response) | {"status": "FAILED"})
    other = "1" * 8 + "-1111-4111-8111-" + "1" * 12
    new_order = responding(later(order, 5, "again"), body(order.response) | {"id": other})
    paid = later(confirmation, 6, "paid")
    url = paid.request.url.replace(body(order.response)["id"], other)
    of_new_order = changed_request(paid, url=url)

    for declined in (failed, responding(confirmation, {"statusCode": 422}, 422)):
        tried = [*start, offer, order, declined]
        unpaid = responding(read_order, body(read_order.response) | {"status": "FAILED"})
        for cheap in ([], [unpaid], [new_order], [new_order, replace(of_new_order, response=declined.response)]):
            assert status(seen(*tried, *cheap), ids.FAILED_PAYMENT, "v4") == "not shown"
        for handled in ([paid], [new_order, of_new_order]):
            assert status(seen(*tried, *handled), ids.FAILED_PAYMENT, "v4") == "shown"


@pytest.mark.parametrize("rejection", [401, 429])
def test_rejected_request_is_no_safe_retry(rejection: int) -> None:
    *start, order, confirmation, read_order, _, _ = samples.conversation()
    lost = replace(confirmation, response=None)
    for request in (read_order, later(confirmation, 1, "again")):
        cheap = seen(*start, order, lost, responding(request, {}, rejection))
        assert status(cheap, ids.SAFE_RETRY, "v4") == "not shown"
    assert status(seen(*start, order, lost, read_order), ids.SAFE_RETRY, "v4") == "shown"


def test_other_items_need_what_they_name() -> None:
    found = body(RETRIEVAL.response)
    for each in found["bookings"]:
        each |= {"pnr_airline": None, "status": "CANCELLED"}
    rejected = responding(BOOKING, {}, 401)
    assert status(seen(SEARCH, REQUEST, BOOKING, responding(RETRIEVAL, found)), ids.LOCATOR) == "not shown"
    assert status(seen(SEARCH, REQUEST, rejected), ids.CUSTOMER_CODE) == "not shown"

    _, other_passenger, use, _ = booked("v3", ALONE, request=4712, later=6 * 60)
    assert status(seen(SEARCH, REQUEST, other_passenger, use), ids.EXPIRY) == "not shown"


def test_findings_count_for_their_item() -> None:
    search = samples.conversation()[0]
    cases = [
        (finding("/adults"), ids.REQUESTS, "violated"),
        (finding("/adults", soft=True), ids.REQUESTS, "shown"),
        (finding("/adults", side="response"), ids.REQUESTS, "shown"),
        (finding("", "unreadable"), ids.REQUESTS, "not shown"),
        (finding("/customerCode"), ids.CUSTOMER_CODE, "violated"),
        (finding("/x", rule="V4-CARD-DATA"), ids.NO_CARD_DATA, "violated"),
        (finding("", rule="V23-BOOKINGS-ONCE", soft=True), ids.BOOK_ONCE, "violated"),
        (finding("path", "deprecated", rule="V3-VERIFY-DEPRECATED"), ids.NO_DEPRECATED, "violated"),
        (finding("/card_token", rule="V2-CARD-TOKEN"), ids.NO_DEPRECATED, "violated"),
        (finding("/x", "drift", drift="earlier-revision"), ids.NO_DRIFT, "violated"),
        (finding("/x", "drift", drift="unknown-field"), ids.NO_DRIFT, "shown"),
        (finding("path", "drift", drift="unknown-version"), ids.ONE_VERSION, "violated"),
    ]
    for found, item, expected in cases:
        assert (found, status(seen(search, found=(found,)), item, "v4")) == (found, expected)
    many = tuple(finding(f"/field{each}") for each in range(40))
    violations = seen(search, found=many * 2).record.of(ids.REQUESTS, "v4").violations
    assert {each.finding for each in violations} == set(many)


def test_versions_are_separate_until_one_uses_what_belongs_to_another() -> None:
    v3, monitor = booked("v3", ALONE), TrafficMonitor(CONTRACT)
    for each in (*samples.conversation(), *v3):
        monitor.observe(each)
    assert [status(monitor.golive, ids.ONE_VERSION, each) for each in ("v3", "v4")] == ["shown", "shown"]

    cancelling = Request("POST", "https://api.example.com/v2/requests/1/cancel", v3[1].request.headers, b"")
    monitor.observe(replace(v3[1], request=cancelling, response=responding(v3[1], {}, 404).response))
    assert [status(monitor.golive, ids.ONE_VERSION, each) for each in ("v3", "v4")] == ["violated", "shown"]

    monitor = TrafficMonitor(CONTRACT)
    for each in (*samples.conversation(), *v3):
        monitor.observe(each)
    [offer] = [body(each.response)["id"] for each in samples.conversation() if each.request.url.endswith("/v4/offer")]
    monitor.observe(responding(sent(v3[1], {"flight_ids": [offer]}), {}, 404))
    assert [status(monitor.golive, ids.ONE_VERSION, each) for each in ("v3", "v4")] == ["violated", "violated"]


def test_only_known_credentials_are_test_credentials() -> None:
    search = samples.conversation()[0]
    key = next(value for name, value in search.request.headers if name == "Authorization")
    paying = Request("POST", "https://api.example.com/payment/v1/payment_methods", (), b"")

    def with_key(value: str, request: Request = search.request) -> Exchange:
        return replace(search, request=replace(request, headers=(("Authorization", value),)))

    def of(*exchanges: Exchange, interfaces: tuple[str, ...] = ("v4", PAYMENT)) -> tuple[str, str]:
        known = GoLiveSettings(credentials=frozenset({digest(key)}), interfaces=frozenset(interfaces))
        golive = seen(*exchanges, golive=GoLive(known))
        progress = golive.record.of(ids.CREDENTIALS, "v4")
        reasons = [each.reason for each in (*progress.violations, *progress.gaps)]
        return status(golive, ids.CREDENTIALS, "v4"), "".join(reasons)

    foreign = "the payment provider accepts a credential that is not among the test credentials of the profile"
    unnamed = "the profile does not name the test credential of the payment provider: [payment] token"
    assert of(search) == ("shown", "")
    assert of(with_key("another-key"))[0] == "violated"
    assert of(with_key("redacted-0a1b2c3d"))[0] == "not shown"
    assert of(responding(with_key("another-key"), {}, 401)) == ("not shown", "")
    assert of(search, with_key("Bearer rk_live", paying)) == ("violated", foreign)
    for token in ("Bearer rk_live", "Bearer redacted-0a1b2c3d"):
        assert of(search, with_key(token, paying), interfaces=("v4",)) == ("not shown", unnamed)
    assert status(seen(search), ids.CREDENTIALS, "v4") == "not shown"


def test_entry_that_cannot_be_read_leaves_a_gap() -> None:
    golive = seen(*samples.conversation())
    golive.record.skip("traffic.har:7", "the entry is cut off")

    assert status(golive, ids.REQUESTS, "v4") == "not shown"
    assert status(golive, "GOLIVE-CHECKED-BAGS", "v4") == "shown"
