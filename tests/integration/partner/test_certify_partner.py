"""What an operator decides in the profile, what is wrong with recordings, hostile text, and the command."""

import json
import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard
from typer.testing import CliRunner

from airworthy.attestation.keys import new_key_pair
from airworthy.attestation.signing import read_certificate
from airworthy.cli.app import app as commands
from airworthy.contract import Contract, Exchange, Request, Response
from airworthy.contract.http.operations import SERVED
from airworthy.errors import UsageError
from airworthy.evidence.chain import verify_chain
from airworthy.evidence.har import write_har
from airworthy.evidence.recorder import Recorder, read
from airworthy.register import go_live_rules
from airworthy.report.decision import decide
from airworthy.report.document import load_results
from airworthy.report.results import Results
from airworthy.sandbox import SandboxServer
from airworthy.target.profile import Profile, ProfileGoLive
from airworthy.target.profile_file import profile_from
from airworthy.target.records import Waiver

from .conftest import Certify, RecordPartner

EXAMPLE = Path(__file__).parents[3] / "examples" / "partner" / "sandbox.toml"
TOMORROW = date.fromordinal(datetime.now(UTC).date().toordinal() + 1)
HOSTILE = "<script>alert(1)</script>\u202e#set page(x)[link](javascript:1)\x1b[31m"


def verdict(results: Results, item: str) -> str:
    return next(rule.verdict for rule in results.rules if rule.id == item)


def test_operator_adds_and_leaves_out_items(partner: RecordPartner, certify: Certify, profile: Profile) -> None:
    decided = ProfileGoLive(adults=3, required=("GOLIVE-CHILDREN",), not_required={"GOLIVE-3DS": "by balance"})

    results = certify(partner("v4"), profile=replace(profile, golive=decided))

    assert [verdict(results, f"GOLIVE-{each}") for each in ("ADULTS", "CHILDREN")] == ["untested"] * 2
    assert verdict(results, "GOLIVE-3DS") == "not_applicable"
    assert results.integration
    assert [(each.rule, each.change, each.reason) for each in results.integration.changes] == [
        ("GOLIVE-CHILDREN", "added", "an optional item that the operator requires"),
        ("GOLIVE-3DS", "not required", "by balance"),
    ]
    adults = next(rule for rule in results.rules if rule.id == "GOLIVE-ADULTS")
    assert "at least 3 adults" in adults.instructions


def test_profile_has_what_the_operator_decides(sandbox: SandboxServer) -> None:
    def golive(**table: object) -> ProfileGoLive:
        return profile_from(sandbox.profile() | {"golive": table}, "acme", {}).golive

    assert golive() == ProfileGoLive()
    assert golive(version="v3", adults=3, required=["GOLIVE-CHILDREN"], not_required={"GOLIVE-3DS": "by balance"}) == (
        ProfileGoLive("", "v3", 3, None, ("GOLIVE-CHILDREN",), {"GOLIVE-3DS": "by balance"})
    )
    with pytest.raises(UsageError, match=r"acme: \[golive\] adults must be a number of adults from 1 to 9, got 0"):
        golive(adults=0)
    with pytest.raises(UsageError, match="must be the id of a go-live item"):
        golive(not_required={"V4-CURRENCY": "no"})


def test_capability_that_the_service_lacks_is_not_required(
    partner: RecordPartner, certify: Certify, profile: Profile
) -> None:
    without = replace(profile, capabilities={"three_d_secure": False})

    results = certify(partner("v3", "no-3d-secure"), profile=without)

    assert verdict(results, "GOLIVE-3DS") == "not_applicable"
    assert decide(results).outcome == "CERTIFIED"


def test_waiver_accepts_an_item_that_is_not_shown(partner: RecordPartner, certify: Certify, profile: Profile) -> None:
    waived = Waiver("GOLIVE-3DS", "Support", "Agreed", TOMORROW)
    of_service = Waiver("V4-CURRENCY", "Support", "Agreed", TOMORROW)

    results = certify(partner("v3", "no-3d-secure"), profile=replace(profile, waivers=(waived, of_service)))

    assert decide(results).outcome == "CERTIFIED WITH WAIVERS"
    assert [each.rule for each in results.waivers] == ["GOLIVE-3DS"]
    expired = replace(waived, expires=TOMORROW - timedelta(days=2))
    refused = certify(partner("v3", "no-3d-secure"), profile=replace(profile, waivers=(expired,)))
    assert decide(refused).outcome == "NOT CERTIFIED"


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        (
            {"golive": ProfileGoLive(required=("GOLIVE-CHILD",))},
            "required GOLIVE-CHILD is not a go-live item; did you mean GOLIVE-CHILDREN?",
        ),
        (
            {"golive": ProfileGoLive(not_required={"GOLIVE-4DS": "x"})},
            r"\[golive.not_required\] GOLIVE-4DS is not a go-live item",
        ),
        ({"golive": ProfileGoLive(required=("GOLIVE-3DS",))}, "required GOLIVE-3DS is required anyway; remove it"),
        ({"environment": "production"}, 'environment is "production"'),
        (
            {"base_url": "https://other.example"},
            "no exchange with an operation of the service at https://other.example; the traffic is with https://127",
        ),
    ],
)
def test_profile_that_does_not_fit_is_a_usage_error(
    partner: RecordPartner, certify: Certify, profile: Profile, settings: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        certify(partner("v3"), profile=replace(profile, **settings))


def test_changed_evidence_is_refused(partner: RecordPartner, certify: Certify, tmp_path: Path) -> None:
    lines = partner("v3").read_bytes().splitlines(keepends=True)
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(b"".join([*lines[:3], lines[3].replace(b'"status":', b'"status": '), *lines[4:]]))

    with pytest.raises(UsageError, match=r"changed.jsonl:4: the hash does not match .*; the evidence was changed"):
        certify(changed)
    assert not list((tmp_path / "reports").glob("*"))


def test_rotated_evidence_is_one_recording(partner: RecordPartner, certify: Certify, tmp_path: Path) -> None:
    lines = partner("v3").read_bytes().splitlines(keepends=True)
    parts = [lines[: len(lines) // 3], lines[len(lines) // 3 : -5], lines[-5:]]
    paths = [tmp_path / f"edge-9f3c2a7b-{number:08d}.jsonl.zst" for number in (1, 2, 3)]
    for path, part in zip(paths, parts, strict=True):
        path.write_bytes(zstandard.compress(b"".join(part)))

    whole, rotated = certify(partner("v3")), certify(*paths)

    assert [(rule.id, rule.verdict) for rule in rotated.rules] == [(rule.id, rule.verdict) for rule in whole.rules]
    assert rotated.integrity.lines == whole.integrity.lines
    certify(*paths[1:])
    with pytest.raises(UsageError, match=r"00000002.jsonl.zst: the file is missing$"):
        certify(paths[0], paths[2])


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"", "the file is empty"), (b"hello", "the file is not a HAR file"), (None, "No such file")],
)
def test_file_that_is_not_a_recording_is_refused(
    certify: Certify, tmp_path: Path, content: bytes | None, complaint: str
) -> None:
    path = tmp_path / "traffic"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(UsageError, match=rf"traffic: {complaint}"):
        certify(path)


def test_traffic_of_another_version_is_refused(partner: RecordPartner, certify: Certify) -> None:
    with pytest.raises(UsageError, match="the recordings contain no v4, only v3: correct --version"):
        certify(partner("v3"), version="v4")


def test_incomplete_line_is_named_once(partner: RecordPartner, tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(partner("v3").read_bytes()[:-20])
    arguments = ["certify", "partner", str(cut), "--reports", str(tmp_path), "--run-id", "acme"]

    lines = CliRunner().invoke(commands, arguments).output.splitlines()

    last = len(cut.read_bytes().splitlines()) - 1
    [reason] = [each for each in lines if "could not be judged" in each]
    assert reason.startswith(f"not shown: exchange cut.jsonl:{last} could not be judged: the line is incomplete [")
    assert sum("Record the traffic again" in each for each in lines) == 1


def test_equal_recordings_give_equal_results(partner: RecordPartner, certify: Certify) -> None:
    one, other = (certify(partner("v2")) for _ in range(2))

    assert replace(one, **times(other)) == other
    assert one.integrity == other.integrity


def times(results: Results) -> dict[str, Any]:
    return {name: getattr(results, name) for name in ("run", "started", "finished", "timing")}


def test_results_are_those_of_the_evidence_in_the_folder(
    partner: RecordPartner, certify: Certify, tmp_path: Path
) -> None:
    certified = certify(partner("v4"))

    folder = tmp_path / "reports" / certified.run
    evidence = folder / "evidence.jsonl"
    chain = verify_chain(evidence)
    recorded = {record.exchange.id: record.exchange.request for record in read(evidence)}
    assert (chain.sha256, chain.lines) == (certified.integrity.sha256, certified.integrity.lines)
    shown = {each for rule in certified.rules for one in rule.scenarios for each in one.exchanges}
    assert shown
    assert shown <= recorded.keys()
    deciding = {
        rule.id: recorded[one.exchanges[0]] for rule in certified.rules for one in rule.scenarios if one.exchanges
    }
    assert deciding["GOLIVE-ADULTS"].url.endswith("/confirm")
    assert deciding["GOLIVE-RETRIEVAL"].method == "GET"
    assert load_results(folder / "results.json") == certified


def test_each_step_of_the_list_has_a_meaning() -> None:
    steps = [step for rule in go_live_rules() for taken in rule.steps for step in taken]

    assert steps
    known = re.compile(r"Given the recorded traffic of a partner|Then no .+|(Then|And) it shows .+")
    assert [each for each in steps if not known.fullmatch(each)] == []


def test_hostile_text_is_harmless(certify: Certify, tmp_path: Path) -> None:
    content = json.dumps({HOSTILE: HOSTILE, "customerCode": HOSTILE, "adults": HOSTILE}).encode()
    headers = (("Authorization", "Bearer canary-4711"), ("X-Text", HOSTILE.encode("ascii", "replace").decode()))
    request = Request("POST", f"https://x/v4/search?a={HOSTILE}", headers, content)
    response = Response(200, (("Content-Type", "application/json"),), content)
    evidence, har = tmp_path / "hostile.jsonl", tmp_path / "<b>hostile.har"
    with Recorder(evidence, Contract.load(SERVED)) as recorder:
        recorder.append(Exchange("x1", datetime(2026, 11, 2, tzinfo=UTC), 0.1, request, response))
    write_har(read(evidence), har)
    document = orjson.loads(har.read_bytes())
    document["log"]["entries"][0]["request"] |= {"postData": {"mimeType": "application/json", "text": content.decode()}}
    document["log"]["entries"][0]["request"]["headers"].append({"name": "Authorization", "value": "canary-4711"})
    har.write_bytes(orjson.dumps(document))

    folder = tmp_path / "reports" / certify(har, profile=None, partner=HOSTILE).run

    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<script>alert" not in page
    assert "<b>hostile" not in page
    assert "\u202e" not in page
    for path in folder.iterdir():
        assert b"canary" not in path.read_bytes()
        assert str(tmp_path) not in path.read_text(encoding="utf-8", errors="replace")


def test_command_prints_the_decision_and_what_to_do(partner: RecordPartner, tmp_path: Path) -> None:
    arguments = ["certify", "partner", str(partner("v3", "no-3d-secure")), "--partner", "Acme\x1b[31m"]

    ended = CliRunner().invoke(commands, [*arguments, "--reports", str(tmp_path), "--run-id", "acme"])

    assert ended.exit_code == 3, ended.output
    lines = ended.output.splitlines()
    assert lines[0] == "INCOMPLETE: v3 integration of Acme\\u001b[31m"
    assert "not shown: the recorded traffic does not show a booking that was paid with 3-D Secure [GOLIVE-3DS]" in lines
    assert any(line.startswith("  Book with payment_method and a complete three_d_secure object.") for line in lines)
    assert lines[-1] == f"report: {tmp_path / 'acme' / 'report.html'}"
    as_json = CliRunner().invoke(commands, [*arguments, "--reports", str(tmp_path), "--json"])
    assert json.loads(as_json.output)["decision"] == "INCOMPLETE"


@pytest.mark.parametrize(("options", "days"), [((), 90), (("--valid-days", "7"), 7)])
def test_profile_says_how_long_a_certificate_is_valid(
    partner: RecordPartner, sandbox: SandboxServer, tmp_path: Path, options: tuple[str, ...], days: int
) -> None:
    text = EXAMPLE.read_text().replace("127.0.0.1:8443", sandbox.base_url.removeprefix("https://"))
    (tmp_path / "sandbox.toml").write_text(f"{text}\n[certificate]\nvalid_days = 90\n")
    (tmp_path / "ca.pem").write_bytes(Path(sandbox.profile()["ca_bundle"]).read_bytes())
    new_key_pair(tmp_path / "operator")
    arguments = ["certify", "partner", str(partner("v4")), "--profile", str(tmp_path / "sandbox.toml")]
    arguments += ["--sign", str(tmp_path / "operator.key"), "--reports", str(tmp_path), "--run-id", "acme", *options]

    ended = CliRunner().invoke(commands, arguments)

    assert ended.exit_code == 0, ended.output
    certificate = read_certificate(tmp_path / "acme")
    assert certificate
    assert certificate.expires - certificate.issued == timedelta(days=days)
    assert certificate.does_not_prove[-1].startswith("Readiness for production: the traffic was with a sandbox")
    note = "The traffic is with a sandbox on this machine, not with the service."
    assert f"\nself-test: {note}" in ended.output
    assert f"\n  self-test     {note}" in CliRunner().invoke(commands, ["verify", str(tmp_path / "acme")]).output
