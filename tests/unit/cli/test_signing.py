"""``keys new``, ``sign`` and ``verify`` of certifications and evidence: exit codes, one clear line for each mistake."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.attestation.keys import new_key_pair
from airworthy.evidence.rotation import RotatedFiles
from airworthy.report.exploration import Explored
from airworthy.report.results import Integrity
from airworthy.report.write import CERTIFICATE, write_reports
from command_line import Command
from unit.attestation.signed_run import write_run
from unit.evidence.test_rotation import SMALL, record
from unit.report.sample import partner, sample

PASSPHRASE = "canary-correct-horse"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a run and a key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("AIRWORTHY_KEY_PASSPHRASE", raising=False)
    write_run(tmp_path / "run")
    new_key_pair(Path("operator"), None)
    return tmp_path


def test_run_is_signed_and_verified(airworthy: Command, folder: Path) -> None:
    created = airworthy("keys", "new", "own")
    assert created.code == 0
    assert "it is not encrypted" in created.out

    signed = airworthy("sign", "run", "--key", "own.key", "--valid-days", "90")
    assert signed.code == 0
    assert f"signed run/{CERTIFICATE}: NOT CERTIFIED, valid until " in signed.out

    verified = airworthy("verify", "run", "--key", "own.pub")
    assert (verified.code, verified.err) == (0, "")
    assert verified.out.startswith("VERIFIED  run\n  decision      NOT CERTIFIED: Example Air")
    assert "not proved    Honest operation" in verified.out
    assert json.loads(airworthy("verify", "run", "--key", "own.pub", "--json").out)["verified"] is True

    private = airworthy("verify", "run", "--key", "own.key")
    assert private.code == 2
    secret = (folder / "own.key").read_text().splitlines()[1]
    shown = [each.out + each.err for each in (created, signed, verified, private)]
    files = [path.read_text() for path in (folder / "run").iterdir()]
    assert not any(part in text for part in (secret[:30], secret[-30:]) for text in shown + files)

    (folder / "run" / "summary.md").write_text("changed")
    ran = airworthy("verify", "run", "--key", "own.pub")
    assert ran.code == 1
    assert ran.out == "NOT VERIFIED  run\n  summary.md:1: the file was changed after it was signed\n"
    document = json.loads(airworthy("verify", "run", "--key", "own.pub", "--json").out)
    assert (document["verified"], document["problems"][0]["line"]) == (False, 1)


@pytest.mark.usefixtures("folder")
def test_run_and_evidence_are_verified_without_a_key(airworthy: Command) -> None:
    ran = airworthy("verify", "run")
    assert ran.code == 0
    assert ran.out.startswith("CONSISTENT, NOT SIGNED  run\n")
    assert "signature     the run is not signed" in ran.out
    assert "proves" not in ran.out

    ran = airworthy("verify", "run/evidence.jsonl")
    assert ran.code == 0
    assert "evidence      2 lines, last hash " in ran.out


def test_changed_page_is_found_without_a_signature(airworthy: Command, folder: Path) -> None:
    (folder / "run" / "report.pdf").write_bytes(b"%PDF-1.7")
    assert "not checked   report.pdf\n" in airworthy("verify", "run").out
    for name in ("report.html", "junit.xml", "findings.sarif", "summary.md"):
        page = folder / "run" / name
        content = page.read_text()
        page.write_text(f"{content} ")
        ran = airworthy("verify", "run")
        assert ran.code == 1
        assert f"  {name}: the page differs from results.json; airworthy report writes it again\n" in ran.out
        assert airworthy("sign", "run", "--key", "operator.key").code == 2
        page.write_text(content)


@pytest.mark.usefixtures("folder")
def test_signature_that_was_not_checked_is_named(airworthy: Command) -> None:
    for path, complaint in (
        ("run", "the run is not signed"),
        ("run/evidence.jsonl", "evidence is not signed by itself"),
    ):
        ran = airworthy("verify", path, "--require-signature")
        assert (ran.code, complaint in ran.out) == (1, True)

    airworthy("sign", "run", "--key", "operator.key")

    assert airworthy("verify", "run").out.startswith("CONSISTENT, SIGNATURE NOT CHECKED  run\n")
    assert airworthy("verify", "run", "--require-signature").code == 1
    assert airworthy("verify", "run", "--require-signature", "--key", "operator.pub").code == 0


def test_certificate_names_its_issuer_and_the_one_that_it_supersedes(airworthy: Command, folder: Path) -> None:
    airworthy("sign", "run", "--key", "operator.key")
    write_run(folder / "next", run="20261121-100000")
    document = folder / "next" / "report.pdf"
    document.write_bytes(b"%PDF-1.7")
    options = ("--supersedes", "run", "--issuer", "Example Air, partner desk")

    assert airworthy("sign", "next", "--key", "operator.key", *options).code == 0

    first, superseding = (
        json.loads(airworthy("verify", each, "--key", "operator.pub", "--json").out)["certificate"]
        for each in ("run", "next")
    )
    assert (first["issuer"], superseding["issuer"]) == (None, "Example Air, partner desk")
    assert superseding["supersedes"] == first["statement"]
    assert re.search(r"issuer +Example Air, partner desk\n", airworthy("verify", "next", "--key", "operator.pub").out)
    # The document is signed with its run.
    document.write_bytes(b"%PDF-1.8")
    ran = airworthy("verify", "next", "--key", "operator.pub")
    assert ran.out == "NOT VERIFIED  next\n  report.pdf: the file was changed after it was signed\n"


def test_encrypted_key_needs_its_passphrase(airworthy: Command, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AIRWORTHY_KEY_PASSPHRASE", PASSPHRASE)
    assert "encrypted" not in airworthy("keys", "new", "locked").out
    outcomes = []
    for value in ("canary-wrong", "", None):
        if value is None:
            monkeypatch.delenv("AIRWORTHY_KEY_PASSPHRASE")
        else:
            monkeypatch.setenv("AIRWORTHY_KEY_PASSPHRASE", value)
        outcomes.append(airworthy("sign", "run", "--key", "locked.key"))
    monkeypatch.setenv("AIRWORTHY_KEY_PASSPHRASE", PASSPHRASE)
    assert airworthy("sign", "run", "--key", "locked.key").code == 0

    assert [each.code for each in outcomes] == [2, 2, 2]
    wrong, empty, missing = (each.err for each in outcomes)
    assert wrong == (
        "airworthy: locked.key: cannot read the private key: the passphrase is wrong, or the file is damaged\n"
    )
    assert "AIRWORTHY_KEY_PASSPHRASE is empty" in empty
    assert "the key is encrypted; set the environment variable AIRWORTHY_KEY_PASSPHRASE" in missing
    everything = "".join(path.read_text(errors="replace") for path in folder.rglob("*") if path.is_file())
    assert "canary-correct" not in everything + "".join(each.err + each.out for each in outcomes)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("verify missing", "missing: No such file or directory"),
        ("verify missing --key operator.pub", "missing: No such file or directory"),
        ("verify run/evidence.jsonl empty", "empty: the folder contains no evidence"),
        ("verify run --later-start", "--later-start has no effect on the folder of a run"),
        ("verify run run/evidence.jsonl", "run: a run cannot be verified together with something else; verify"),
        ("verify run --key missing.pub", "missing.pub: No such file or directory"),
        ("verify run --key run/results.json", "run/results.json: not a public key in PEM format"),
        ("verify run/evidence.jsonl --key operator.pub", "--key requires the folder of a run"),
        ("verify empty", "empty: the folder contains no evidence, and no results.json of a run"),
        ("sign empty --key operator.key", "empty/results.json: No such file or directory"),
        ("sign run --key operator.pub", "operator.pub: not a private key in PEM format"),
        ("sign run --key operator.key --supersedes run", "--supersedes run: the run is not signed"),
        ("sign run --key operator.key --issuer a\x1b[1m", "--issuer: expected a name of 1 to 100"),
        ("keys new operator", "operator.key: exists and is never overwritten"),
        ("certify service --valid-days 7", "--supersedes, --valid-days and --issuer require --sign"),
        ("certify service --sign missing.key", "missing.key: No such file or directory"),
        (
            "certify service --sign operator.key --profile profile.toml",
            "profile.toml:3: [certificate] valid_days must be a number of days from 1 to 3650, got 0",
        ),
        ("certify service --from-evidence run --target https://a", "--from-evidence sends no requests"),
        ("certify service --from-evidence empty", "empty/results.json: No such file or directory"),
        (
            "certify service --from-evidence partner",
            "partner: the run judged a partner; judge its evidence again with airworthy certify partner",
        ),
        ("certify service --from-evidence explored", "explored: the run only explored, which certifies nothing"),
        ("compare partner run", "partner is a run of a partner and run is a run of a service: choose two of"),
        ("sign linked --key operator.key", "linked/more: this is not a regular file; remove it"),
    ],
)
def test_mistake_is_one_line_and_exit_code_2(airworthy: Command, folder: Path, arguments: str, message: str) -> None:
    (folder / "empty").mkdir()
    write_reports(partner(), folder / "partner")
    alone = replace(sample(), rules=(), waivers=(), ledger=(), integrity=Integrity())
    write_reports(replace(alone, explored=(Explored("v4", 7, 1.0, 9, 9),)), folder / "explored")
    write_run(folder / "linked")
    (folder / "linked" / "more").symlink_to("/nowhere")
    (folder / "profile.toml").write_text('base_url = "https://a.example"\n[certificate]\nvalid_days = 0\n')

    ran = airworthy(*arguments.split(" "))

    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_hostile_text_in_a_run_does_not_change_the_terminal(airworthy: Command, folder: Path) -> None:
    write_run(folder / "hostile", text="\x1b[31m\u202e")

    ran = airworthy("verify", "hostile")

    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert "\u202e" not in ran.out


def test_compare_fails_on_new_failures_only(airworthy: Command, folder: Path) -> None:
    results = json.loads((folder / "run" / "results.json").read_text())
    for rule in results["results"]["rules"]:
        if rule["id"] == "V4-CURRENCY":
            rule["verdict"] = "passed"
    committed = folder / "accepted.json"
    committed.write_text(json.dumps(results))
    new_failures = ("--fail-on", "new-failures")

    assert airworthy("compare", "accepted.json", "run", *new_failures).code == 1
    assert airworthy("compare", "run", "run", *new_failures).code == 0
    assert airworthy("compare", "run", "accepted.json", *new_failures).code == 0

    ran = airworthy("compare", "run/evidence.jsonl", "run/evidence.jsonl", *new_failures)
    assert (ran.code, "requires two runs" in ran.err) == (2, True)


@pytest.fixture
def writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the writer of three files in the folder ``evidence``."""
    monkeypatch.chdir(tmp_path)
    files = RotatedFiles(Path("evidence"), SMALL)
    record(files, "x1", "x2", "x3")
    files.close()
    return files.writer


def test_chain_of_a_folder_is_verified(airworthy: Command, writer: str) -> None:
    (Path("evidence") / f"{writer}-00000004.jsonl.open").touch()

    ran = airworthy("verify", "evidence")
    assert (ran.code, ran.err) == (0, "")
    first, chain, being_written, _ = ran.out.splitlines()
    assert first == "CONSISTENT, NOT SIGNED  evidence"
    assert chain.startswith(f"  evidence      {writer}, files 1 to 3, 3 lines, last hash ")
    assert being_written == f"  not verified  evidence/{writer}-00000004.jsonl.open, which is being written"

    document = json.loads(airworthy("verify", "evidence", "--json").out)
    assert [(each["name"], each["files"], each["lines"]) for each in document["evidence"]] == [(writer, 3, 3)]
    assert document["being_written"] == [f"evidence/{writer}-00000004.jsonl.open"]


def test_missing_file_is_named(airworthy: Command, writer: str) -> None:
    names = [f"evidence/{writer}-{number:08d}.jsonl.zst" for number in (1, 2, 3)]
    Path(names[0]).unlink()

    ran = airworthy("verify", names[2], names[1])
    assert ran.code == 1
    assert ran.out == f"NOT VERIFIED  {names[2]} and 1 more\n  {names[0]}: the file is missing\n"
    assert airworthy("verify", *names[1:], "--later-start").code == 0


@pytest.mark.parametrize("deleted", [(3,), (2, 3), (1, 2, 3)])
def test_missing_end_is_found_by_the_hidden_file(
    airworthy: Command, writer: str, tmp_path: Path, deleted: tuple[int, ...]
) -> None:
    record_to = tmp_path / "evidence" / "other.jsonl"
    write_run(tmp_path / "run")
    (tmp_path / "run" / "evidence.jsonl").rename(record_to)
    for number in deleted:
        Path(f"evidence/{writer}-{number:08d}.jsonl.zst").unlink()

    ran = airworthy("verify", "evidence")

    assert ran.code == 1
    assert f"  evidence/{writer}-{deleted[0]:08d}.jsonl.zst: " in ran.out
    # Where files are archived, the folder of the proxy keeps only the last ones, or none.
    assert airworthy("verify", "evidence", "--later-start").code == int(len(deleted) < 3)
