"""The careful demo partner is certified in every version; a careless one is refused at the item of its defect."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from airworthy.evidence.har import write_har
from airworthy.evidence.recorder import read
from airworthy.report.decision import decide
from airworthy.report.document import load_results
from airworthy.report.results import Results
from airworthy.sandbox import SandboxServer, SandboxSettings
from airworthy.target.profile import Profile
from airworthy.target.profile_file import profile_from
from command_line import run
from partner.careless import DEFECTS

from .conftest import Certify, RecordPartner, record_partner

DEMO = Path(__file__).parents[3] / "examples" / "demo.py"
VERSIONS = ("v4", "v3", "v2")
# The version in which each defect is tried, and the verdicts of the items that refuse it.
REFUSED = {
    "double-confirmation": ("v4", {"GOLIVE-BOOK-ONCE": "failed"}),
    "no-polling": ("v3", {"GOLIVE-RETRIEVAL": "untested", "GOLIVE-LOCATOR": "untested"}),
    "card-data": ("v4", {"GOLIVE-NO-CARD-DATA": "failed"}),
    "expired-offer": ("v4", {"GOLIVE-EXPIRY": "failed"}),
    "wrong-infant-count": ("v4", {"GOLIVE-REQUESTS": "failed"}),
    "deprecated-verify": ("v3", {"GOLIVE-NO-DEPRECATED": "failed"}),
    "stale-version": ("v2", {"GOLIVE-ONE-VERSION": "failed"}),
    "no-customer-code": ("v4", {"GOLIVE-CUSTOMER-CODE": "failed"}),
    "no-3d-secure": ("v3", {"GOLIVE-3DS": "untested"}),
    "retry-books-twice": ("v3", {"GOLIVE-SAFE-RETRY": "failed"}),
}
# What differs in other versions. v2 has no verification, and repeats the passengers in the booking.
ELSEWHERE = {
    ("no-polling", "v4"): {"GOLIVE-LOCATOR": "untested"},
    ("wrong-infant-count", "v3"): {"GOLIVE-INFANTS": "untested"},
    ("wrong-infant-count", "v2"): {"GOLIVE-INFANTS": "untested"},
    ("stale-version", "v4"): {"GOLIVE-NO-DRIFT": "failed"},
}
OTHERS = [
    (defect, version)
    for defect, clients in DEFECTS.items()
    for version in VERSIONS
    if clients[version != "v4"] and version != REFUSED[defect][0] and (defect, version) != ("deprecated-verify", "v2")
]


def test_every_defect_is_tried() -> None:
    assert REFUSED.keys() == DEFECTS.keys()


@pytest.mark.parametrize("version", VERSIONS)
def test_careful_partner_is_certified_from_evidence_and_har(
    partner: RecordPartner, certify: Certify, tmp_path: Path, version: str
) -> None:
    har = tmp_path / "traffic.har"
    write_har(read(partner(version)), har)

    of_har, of_evidence = certify(har), certify(partner(version))

    assert decide(of_evidence).outcome == decide(of_har).outcome == "CERTIFIED"
    assert of_evidence.integration
    assert of_evidence.integration.version == version
    assert all(rule.scenarios[0].exchanges for rule in of_evidence.rules if rule.verdict == "passed")
    assert [(rule.id, rule.verdict) for rule in of_har.rules] == [(rule.id, rule.verdict) for rule in of_evidence.rules]
    assert of_har.rules[0].scenarios[0].exchanges[0].startswith("traffic.har:")


@pytest.mark.parametrize("dialect", ["strict", "normalizing"])
def test_careful_partner_is_certified_where_the_documents_are_silent(
    certify: Certify, tmp_path: Path, dialect: str
) -> None:
    with SandboxServer(SandboxSettings(dialect)) as other:
        profile = profile_from(other.profile(), "sandbox", {})
        record_partner(other, profile, tmp_path / "evidence.jsonl", "v3")

    assert decide(certify(tmp_path / "evidence.jsonl", profile=profile)).outcome == "CERTIFIED"


@pytest.mark.parametrize("defect", DEFECTS)
def test_careless_partner_is_refused_at_the_item_of_its_defect(
    partner: RecordPartner, certify: Certify, defect: str
) -> None:
    version, verdicts = REFUSED[defect]

    assert refused(certify(partner(version, defect))) == verdicts


@pytest.mark.exhaustive
@pytest.mark.parametrize(("defect", "version"), OTHERS)
def test_careless_partner_is_refused_in_other_versions(
    partner: RecordPartner, certify: Certify, defect: str, version: str
) -> None:
    expected = ELSEWHERE.get((defect, version), REFUSED[defect][1])

    assert refused(certify(partner(version, defect))) == expected


def refused(results: Results) -> Mapping[str, str]:
    """Return the verdicts of the items at which a partner is refused."""
    decision = decide(results)
    items = {item for block in decision.blocks for item in block.rules}
    blocking = [rule for rule in results.rules if rule.id in items]
    verdicts = {rule.id: rule.verdict for rule in blocking}
    assert decision.exit_code == (1 if "failed" in verdicts.values() else 3)
    assert all(bool(rule.scenarios[0].failure) == (rule.verdict == "failed") for rule in blocking)
    return verdicts


def test_several_versions_need_a_choice(partner: RecordPartner, certify: Certify) -> None:
    recordings = (partner("v4"), partner("v3"))

    with pytest.raises(Exception, match=r"the recordings contain v3 and v4: name the version .* --version v4"):
        certify(*recordings)
    assert decide(certify(*recordings, version="v3")).outcome == "CERTIFIED"


def test_evidence_shows_no_credential_of_a_partner_without_profile(
    partner: RecordPartner, certify: Certify, profile: Profile
) -> None:
    results = certify(partner("v2"), profile=None)

    assert decide(results).outcome == "INCOMPLETE"
    assert [rule.id for rule in results.rules if rule.verdict == "untested"] == ["GOLIVE-TEST-CREDENTIALS"]
    other = replace(profile.organisation, v2=None, v3=None)
    without = replace(profile, organisation=other, second_organisation=None)
    unknown = next(rule for rule in certify(partner("v2"), profile=without).rules if "CREDENTIALS" in rule.id)
    assert unknown.verdict == "untested"
    assert unknown.reason.endswith("does not name the test credential of the service: [v2] token")


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "version"), [("careful", "v4"), ("careful-v3", "v3"), ("careful-v2", "v2")])
def test_careful_partner_is_certified_through_the_proxy(tmp_path: Path, name: str, version: str) -> None:
    ended = run(sys.executable, DEMO, name, folder=tmp_path)

    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert f"CERTIFIED: {version} integration of the {name} partner" in ended.stdout
    report = tmp_path / ended.stdout.splitlines()[-1].partition(": ")[2]
    results = load_results(report.with_name("results.json"))
    assert decide(results).outcome == "CERTIFIED"
    assert results.integration
    assert results.integration.version == version
