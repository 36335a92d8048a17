"""HAR files of any writer are read entry by entry, in bounded memory."""

import base64
import gzip
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from airworthy.audit import har_file
from airworthy.audit.har_file import HarRecording
from airworthy.audit.recording import UnreadableRecordingError
from airworthy.contract import Exchange
from conformance.v4 import samples
from exchange_parts import response_of

from .recordings import audited, entry, har, lines

# Without a duration, equal entries are different exchanges.
SEARCH = replace(samples.conversation()[0], elapsed=0.0)
NO_BODY = "the recording does not contain the request body"
JSON_TYPE = {"mimeType": "application/json"}


def read(**more: Any) -> tuple[Exchange, dict[str, str]]:  # noqa: ANN401
    return HarRecording.exchange(entry(SEARCH) | more, "x")


def request_entry(**more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {**entry(SEARCH)["request"], **more}


def response_entry(**more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {**entry(SEARCH)["response"], **more}


def content(**more: Any) -> dict[str, Any]:  # noqa: ANN401
    whole = {name: value for name, value in response_entry()["content"].items() if name in more or "text" not in more}
    return response_entry(content={name: value for name, value in (whole | more).items() if value is not None})


def test_entry_is_read_as_the_recorded_exchange() -> None:
    found, unread = HarRecording.exchange(entry(SEARCH), SEARCH.id)

    assert found == replace(SEARCH, elapsed=found.elapsed)
    assert found.elapsed == pytest.approx(SEARCH.elapsed)
    assert unread == {}


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-02T10:00:00+01:00", datetime(2026, 11, 2, 9, tzinfo=UTC)),
        ("2026-11-02T09:00:00.123Z", datetime(2026, 11, 2, 9, 0, 0, 123000, tzinfo=UTC)),
        ("2026-11-01T23:30:00.1234567-09:30", datetime(2026, 11, 2, 9, 0, 0, 123456, tzinfo=UTC)),
        ("2026-11-02T09:00:00", datetime(2026, 11, 2, 9, tzinfo=UTC)),
    ],
)
def test_times_with_any_offset(text: str, moment: datetime) -> None:
    assert read(startedDateTime=text)[0].started == moment


@pytest.mark.parametrize(
    ("stored", "header", "body"),
    [
        (b'{"offers":[]}', "x-none", b'{"offers":[]}'),
        (b'{"offers":[]}', "content-encoding", b'{"offers":[]}'),
        (gzip.compress(b'{"offers":[]}', mtime=0), "content-encoding", b'{"offers":[]}'),
        (b"\x00", "content-encoding", b"\x00"),
    ],
)
def test_base64_body_may_be_stored_as_it_was_transferred(stored: bytes, header: str, body: bytes) -> None:
    response = content(text=base64.b64encode(stored).decode(), encoding="base64")
    found, unread = read(response=response | {"headers": [{"name": header, "value": "gzip"}]})

    assert (response_of(found).body, unread) == (body, {})


@pytest.mark.parametrize(
    ("response", "body", "reason"),
    [
        (content(text=None), None, "the recording does not contain the response body"),
        (content(text=None, size=0) | {"bodySize": 0}, b"", None),
        (content(text=None) | {"status": 204}, b"", None),
        (response_entry(content=None), None, "the recording does not contain the response body"),
        (content(text='{"offers":[', size=4000), None, "the recording contains only a part of the response body"),
        (content(text='{"offers":[]}', size=4000), b'{"offers":[]}', None),
        (content(text='{"offers":[', size=-1), b'{"offers":[', None),
        (content(text="\ud800", size=1), b"\xed\xa0\x80", None),
    ],
)
def test_response_without_a_body(response: dict[str, Any], body: bytes | None, reason: str | None) -> None:
    found, unread = read(response=response)

    assert response_of(found).body == body
    assert unread.get("response_unread") == reason


@pytest.mark.parametrize(
    ("request_", "body", "reason"),
    [
        (request_entry(postData=None, bodySize=-1), b"", None),
        (request_entry(postData=JSON_TYPE, bodySize=-1), None, NO_BODY),
        (request_entry(postData=None, bodySize=100), None, NO_BODY),
        (request_entry(postData=JSON_TYPE | {"text": ""}, bodySize=0), b"", None),
        (request_entry(postData=JSON_TYPE | {"text": ""}), None, NO_BODY),
        (request_entry(postData=None, headers=[{"name": "content-length", "value": "17"}], bodySize=-1), None, NO_BODY),
        (request_entry(postData=None, bodySize=-1, headers=[{"name": "Content-Length", "value": "0"}]), b"", None),
        (
            request_entry(
                postData={
                    "mimeType": "application/x-www-form-urlencoded; charset=utf-8",
                    "params": [{"name": "card[number]", "value": "4242 4242"}, {"name": "type"}],
                }
            ),
            b"card%5Bnumber%5D=4242+4242&type=",
            None,
        ),
        (
            request_entry(postData={"mimeType": "multipart/form-data", "params": [{"name": "a", "value": "b"}]}),
            None,
            "the recording does not contain the request body as it was sent",
        ),
    ],
)
def test_request_body_in_other_forms(request_: dict[str, Any], body: bytes | None, reason: str | None) -> None:
    found, unread = read(request=request_)

    assert found.request.body == body
    assert unread.get("request_unread") == reason


def test_pseudo_headers_and_fragments_are_removed() -> None:
    headers = [{"name": ":authority", "value": "service.example"}, {"name": "accept", "value": "*/*"}]

    found, _ = read(request=request_entry(headers=headers, url="https://service.example/v4/search#top"))

    assert found.request.headers == (("accept", "*/*"),)
    assert found.request.url == "https://service.example/v4/search"


def test_status_0_means_no_response() -> None:
    assert read(response=response_entry(status=0))[0].response is None


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (None, "the entry is not an object"),
        ([], "the entry is not an object"),
        ({"request": None}, "the entry has no request"),
        ({"_fromCache": "disk"}, "the response is from the browser's cache"),
        ({"response": "200"}, "the entry has no response"),
        ({"response": response_entry(status="200")}, "the entry's response has no status"),
        ({"response": response_entry(status=True)}, "the entry's response has no status"),
        ({"startedDateTime": "yesterday"}, "the entry's startedDateTime is not a date-time"),
        ({"startedDateTime": "0001-01-01T00:00:00+14:00"}, "the entry's startedDateTime is not a date-time"),
        ({"startedDateTime": 1}, "the entry's startedDateTime is not a string"),
        ({"request": request_entry(url=None)}, "the entry's url is not a string"),
        ({"request": request_entry(method=["GET"])}, "the entry's method is not a string"),
        ({"request": request_entry(headers={})}, "the entry's headers are not an array"),
        ({"request": request_entry(headers=["x"])}, "the entry's headers do not have names and values"),
        (
            {"request": request_entry(headers=[{"name": "x", "value": 1}])},
            "the entry's header names and values are not strings",
        ),
        ({"request": request_entry(postData="{}")}, "the entry's postData is not an object"),
        ({"response": content(text="A", encoding="base64")}, "a body is declared as base64 and is not"),
    ],
)
def test_invalid_entry_has_a_reason(broken: object, reason: str) -> None:
    with pytest.raises(UnreadableRecordingError, match=f"^{reason}$"):
        HarRecording.exchange(entry(SEARCH) | broken if isinstance(broken, dict) else broken, "x")


# The file


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut files where that is hardest: everywhere."""
    monkeypatch.setattr(har_file, "CHUNK_SIZE", 1)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("indent", [None, 0, 4])
def test_entries_that_contain_text_like_entries(tmp_path: Path, indent: int) -> None:
    trap = {"_log": [{"startedDateTime": 1}, {"startedDateTime": 2}], "_text": '},{"startedDateTime":', "_end": "},{"}
    entries = [entry(SEARCH), entry(SEARCH, _initiator=trap), entry(SEARCH) | trap, entry(SEARCH, _priority={"[": "]"})]
    found = audited(har([*entries, *entries], indent=indent), folder=tmp_path)

    assert (found.summary.seen, found.summary.judged, lines(found)) == (8, 8, [])


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.text(max_size=5)
    | st.sampled_from(['},{"a":', "]}", '\\"', "{"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", '"', "{"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@pytest.mark.usefixtures("narrow")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(entries=st.lists(JSON, max_size=6), indent=st.sampled_from([None, 1]))
def test_entries_are_split_as_a_json_parser_does(entries: list[Any], indent: int | None, tmp_path: Path) -> None:
    found = audited(har(entries, indent=indent), folder=tmp_path)

    assert lines(found, "entry") == list(range(len(entries)))
    assert lines(found, "message") == [
        "the entry has no request" if isinstance(each, dict) else "the entry is not an object" for each in entries
    ]


def test_members_in_any_order(tmp_path: Path) -> None:
    log = {"entries": [entry(SEARCH), dict(reversed(entry(SEARCH).items()))], "version": "1.2"}
    content = json.dumps({"comment": {"log": {"entries": [1]}}, "log": log, "more": [1]}).encode()

    assert audited(b"\xef\xbb\xbf \n" + content, folder=tmp_path).summary.judged == 2


@pytest.mark.parametrize(
    ("part", "broken", "reason"),
    [
        ('"cache": {}', '"cache": }}]]{{', "the entry is not valid JSON"),
        ('"cache": {}', '"cache": {}} and {"cache": {}', "the entry is not valid JSON"),
        ('"cache": {}', f'"cache": {"[" * 5000}{"]" * 5000}', "the entry is nested too deeply"),
        ('"text": "', f'"text": "{"x" * 20 * 1024 * 1024}', "the body is larger than 16 MiB"),
    ],
    ids=["not valid", "continued", "nested too deeply", "large"],
)
def test_broken_entry_does_not_hide_the_next(tmp_path: Path, part: str, broken: str, reason: str) -> None:
    text = json.dumps(entry(SEARCH))
    other, spoiled = json.dumps(dict(reversed(entry(SEARCH).items()))), broken.join(text.rsplit(part, 1))
    found = audited(f'{{"log":{{"entries":[{text},{spoiled},{other},{text}]}}}}'.encode(), folder=tmp_path)

    assert lines(found, "entry", "kind", "message") == [(1, "unreadable", reason)]
    assert (found.summary.seen, found.summary.judged) == (4, 3)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"{}", "the file has no member log, or is truncated before it"),
        (b'{"log": []}', "the file has no object with a member entries"),
        (b'{"log": {"version": "1.2"}}', "the file has no member entries, or is truncated before it"),
        (b'{"log": {"entries": {}}}', "log.entries of the file is not an array"),
        (b'{"log": {"version": "1.', "the file has no member entries, or is truncated before it"),
        (b'{"log": {"entries": [', "the file is truncated before its first entry"),
        (b'{"log": {"entries": []', "the file is not valid JSON after its entries, or truncated"),
        (b'{"log": {"entries": []}} x', "the file is not valid JSON after its entries, or truncated"),
    ],
)
def test_file_that_is_not_a_har_is_one_finding(tmp_path: Path, content: bytes, reason: str) -> None:
    found = audited(content, har([entry(SEARCH)]), folder=tmp_path)

    assert lines(found, "kind", "message", "method") == [("unreadable", reason, None)]
    assert found.summary.not_judged == {f"recording-0: {reason}": 1}


@pytest.mark.usefixtures("narrow")
def test_truncated_har_is_reported_and_its_complete_entries_are_judged(tmp_path: Path) -> None:
    whole = har([entry(SEARCH), entry(SEARCH), entry(SEARCH)])
    judged = []
    for length in [*range(1, len(whole), 97), len(whole) - 1]:
        found = audited(whole[:length], whole, folder=tmp_path)
        assert len(lines(found, "kind")) >= 1, length
        judged.append(found.summary.judged)

    assert judged == sorted(judged)
    assert set(judged) == {3, 4, 5, 6}


@pytest.mark.parametrize("hostile", ["NaN", "1e999", "1" * 400, '"\\ud800"', '{"a":1,"a":2}', "[" * 30 + "]" * 30])
def test_json_that_parsers_read_differently_does_not_hide_an_entry(tmp_path: Path, hostile: str) -> None:
    text = json.dumps(entry(SEARCH, _hostile=0)).replace('"_hostile": 0', f'"_hostile": {hostile}')
    found = audited(f'{{"log":{{"entries":[{text},{text}]}}}}'.encode(), folder=tmp_path)

    assert (found.summary.judged, lines(found)) == (2, [])


@pytest.mark.usefixtures("narrow")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_har_does_not_stop_the_audit(data: st.DataObject, tmp_path: Path) -> None:
    content = bytearray(har(map(entry, samples.conversation()[4:6])))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(
            st.binary(max_size=3) | st.sampled_from([b'"', b"}", b"[", b"\\"])
        )

    found = audited(bytes(content), b'{"log":{"entries":[]}}', folder=tmp_path)

    assert found.summary.seen == found.summary.judged + found.summary.foreign + found.summary.not_judged.total()
