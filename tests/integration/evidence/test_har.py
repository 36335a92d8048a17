"""Evidence as HAR: valid, and judged like the evidence."""

import json
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any, Final

import jsonschema_rs

from airworthy.audit import AuditSettings, audit
from airworthy.contract import Contract, Exchange, Request, Response, ServiceAddress
from airworthy.evidence.har import write_har
from airworthy.evidence.recorder import Recorder, read
from airworthy.traffic import SummaryRow
from command_line import Command
from integration.conftest import FAULTY, FullRun
from unit.contract.examples import SENT, START, changed, exchange, put

FORM: Final = (("Content-Type", "application/x-www-form-urlencoded"),)
HTML: Final = (("Content-Type", "text/html; charset=latin-1"), ("Location", "/elsewhere"))
PAIRS: Final = {
    "type": "array",
    "items": {"required": ["name", "value"], "properties": {"name": {"type": "string"}, "value": {"type": "string"}}},
}
MESSAGE: Final = {"httpVersion", "cookies", "headers", "headersSize", "bodySize"}
# The required members of an entry.
HAR: Final = {
    "required": ["log"],
    "properties": {
        "log": {
            "required": ["version", "creator", "entries"],
            "properties": {
                "version": {"const": "1.2"},
                "creator": {"required": ["name", "version"]},
                "entries": {
                    "items": {
                        "required": ["startedDateTime", "time", "request", "response", "cache", "timings"],
                        "properties": {
                            "startedDateTime": {"type": "string", "format": "date-time"},
                            "time": {"type": "number", "minimum": 0},
                            "request": {
                                "required": ["method", "url", "queryString", *sorted(MESSAGE)],
                                "properties": {
                                    "url": {"format": "uri"},
                                    "headers": PAIRS,
                                    "queryString": PAIRS,
                                    "postData": {"required": ["mimeType", "text"]},
                                },
                            },
                            "response": {
                                "required": ["status", "statusText", "content", "redirectURL", *sorted(MESSAGE)],
                                "properties": {"headers": PAIRS, "content": {"required": ["size", "mimeType"]}},
                            },
                            "timings": {"required": ["send", "wait", "receive"]},
                        },
                    }
                },
            },
        }
    },
}


def written(folder: Path, *made: Exchange, body_limit: int = 100_000) -> list[dict[str, Any]]:
    with Recorder(folder / "evidence.jsonl", Contract.load(("v2", "v3", "v4")), body_limit=body_limit) as recorder:
        for each in made:
            recorder.append(each, scenario="A search")
    assert write_har(read(folder / "evidence.jsonl"), folder / "out.har") == len(made)
    document = json.loads((folder / "out.har").read_bytes())
    jsonschema_rs.Draft202012Validator(HAR, validate_formats=True).validate(document)
    entries: list[dict[str, Any]] = document["log"]["entries"]
    return entries


def found_in(path: Path, service: ServiceAddress | None = None) -> list[tuple[object, ...]]:
    """Return the findings of an audit without the ids of exchanges."""

    def row_members(row: SummaryRow) -> tuple[object, ...]:
        finding = row.finding
        return (*row.key, row.count, row.first, finding.message, finding.expected, finding.actual)

    summary = audit(AuditSettings((path,), service or ServiceAddress()), jobs=1).summary
    return sorted(map(row_members, summary.rows()), key=repr)


def test_har_entry_has_the_recorded_exchange(tmp_path: Path) -> None:
    (entry,) = written(tmp_path, exchange("createOrder", name="x0042"))

    request, response = entry["request"], entry["response"]
    assert datetime.fromisoformat(entry["startedDateTime"]) == START
    assert entry["comment"] == "x0042 A search"
    assert entry["time"] == entry["timings"]["wait"]
    assert [pair["name"] for pair in request["queryString"]] == ["offerId", "fareId"]
    assert request["postData"]["mimeType"].startswith("application/json")
    assert request["bodySize"] == len(request["postData"]["text"].encode())
    assert (response["status"], response["statusText"]) == (200, "OK")
    assert response["content"]["size"] == response["bodySize"] == len(response["content"]["text"].encode())


def test_har_is_redacted(tmp_path: Path) -> None:
    sent = changed(SENT["createOrder"], put("passengers[0].name", "Canaria"))
    written(tmp_path, exchange("createOrder", sent=sent))

    assert "Canaria" not in (tmp_path / "out.har").read_text()


def test_har_entry_of_an_unusual_exchange(tmp_path: Path) -> None:
    url = "https://service.example/v4/search"
    bare = Request("POST", url, FORM, b"a=1&b=%20")
    entries = written(
        tmp_path,
        Exchange("1", START, 0.25, bare, None),
        Exchange(
            "2", START, 0.0, Request("GET", "https://service.example/v4", (), b"\xff"), Response(299, HTML, b"\xe9")
        ),
        Exchange("3", START, 0.0, Request("POST", url, (), None), Response(200, (), None)),
        Exchange("4", START, 0.0, Request("GET", url), Response(204)),
    )

    no_response, latin, unread, empty = entries
    assert (no_response["response"]["status"], no_response["time"]) == (0, 250)
    assert no_response["request"]["postData"]["text"] == "a=1&b=%20"
    assert latin["response"]["content"]["encoding"] == "base64"
    assert latin["response"]["statusText"] == ""
    # A path is private unless it is documented.
    assert len(latin["response"]["redirectURL"]) == len("/elsewhere")
    assert (unread["request"]["bodySize"], unread["response"]["bodySize"]) == (1, -1)
    assert "text" not in unread["response"]["content"]
    assert (empty["response"]["content"]["size"], "postData" in empty["request"]) == (0, False)


def test_har_entry_of_a_long_body_has_its_size(tmp_path: Path) -> None:
    long = {"filler": ["x" * 100] * 100}
    (entry,) = written(tmp_path, exchange("searchOffers", sent=long, returned=long), body_limit=1000)

    assert entry["request"]["bodySize"] > 10_000
    assert entry["response"]["content"]["size"] > 10_000
    kinds = {row[2] for row in found_in(tmp_path / "out.har")}
    assert kinds == {row[2] for row in found_in(tmp_path / "evidence.jsonl")} == {"unreadable"}


def test_har_of_a_run_has_the_same_findings(full_run: FullRun, tmp_path: Path) -> None:
    evidence = tmp_path / "evidence.jsonl"
    with (full_run(faults=FAULTY).folder / evidence.name).open("rb") as lines:
        # They concern every interface.
        evidence.write_bytes(b"".join(islice(lines, 1_800)))
    count = write_har(read(evidence), tmp_path / "run.har")

    document = json.loads((tmp_path / "run.har").read_bytes())
    assert len(document["log"]["entries"]) == count > 1000
    jsonschema_rs.Draft202012Validator(HAR, validate_formats=True).validate(document)
    found = found_in(tmp_path / "run.har")
    assert len(found) > 100
    assert found == found_in(evidence)


def test_har_command(airworthy: Command, tmp_path: Path) -> None:
    def run(*arguments: Path) -> tuple[int, str]:
        code, out, err = airworthy("har", *arguments)
        return code, (out + err).strip()

    written(tmp_path, exchange("searchOffers"))
    evidence, out = tmp_path / "evidence.jsonl", tmp_path / "made.har"
    assert run(evidence, out) == (0, f"{out}: 1 exchange")
    assert run(evidence, evidence)[0] == 2
    assert run(tmp_path / "absent", out) == (2, f"airworthy: {tmp_path / 'absent'}: No such file or directory")
    assert run(evidence, tmp_path / "no" / "folder.har")[0] == 2
    evidence.write_bytes(evidence.read_bytes() + b"{}\n")
    before = out.read_bytes()
    assert run(evidence, out) == (2, f"airworthy: {evidence}:2: not a line of evidence")
    # No incomplete file is left.
    assert out.read_bytes() == before
    assert not list(tmp_path.glob(".*"))
