"""Runs of some scenarios: filters, interfaces that are not examined, and scenarios that were lost."""

import pytest

from .material import MiniSuite, outline, rule, verdicts


@pytest.mark.parametrize("arguments", [("-k", "alpha"), ("-m", "V4-ALPHA"), ("test_mini.py::test_v4alpha",)])
def test_filtered_run_is_incomplete(mini: MiniSuite, arguments: tuple[str, ...]) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"))
    outcome = mini.run(*arguments)
    found = mini.results()
    assert outcome.ret == 0
    assert found["decision"] == "INCOMPLETE"
    assert found["scope"]["filtered"]
    assert found["scope"]["filtered_why"].replace("'", "") == " ".join(arguments)
    assert verdicts(found) == {"V4-ALPHA": "passed", "V4-BETA": "untested"}
    assert found["rules"]["V4-BETA"]["reason"] == "none of its scenarios was selected"


SHARED = (
    rule("V4-ALPHA", "Given nothing"),
    rule("V3-BETA", "Given flights of v3"),
    rule("V2-GAMMA", "Given flights of v2"),
    rule("V23-DELTA", "Given flights of <interface>", tags="@v2 @v3"),
    outline("V23-ELDER", "Given flights of <interface>", "v2"),
    rule("V23-EPSILON", "Given nothing"),
    rule("PAYMENT-ZETA", "Given nothing"),
    outline("EXPORT-ETA", "Given flights of <interface>", "v2", "v3"),
)


@pytest.mark.parametrize(
    ("versions", "examined"),
    [
        ("v2,v3,v4", "EXPORT-ETA PAYMENT-ZETA V2-GAMMA V23-DELTA V23-ELDER V23-EPSILON V3-BETA V4-ALPHA"),
        ("v4", "PAYMENT-ZETA V4-ALPHA"),
        ("v2", "EXPORT-ETA PAYMENT-ZETA V2-GAMMA V23-DELTA V23-ELDER V23-EPSILON"),
    ],
)
def test_interfaces_that_are_not_examined_do_not_prevent_a_certificate(
    mini: MiniSuite, versions: str, examined: str
) -> None:
    mini.use(*SHARED)
    outcome = mini.run("--versions", versions)
    assert outcome.ret == 0
    found = mini.results()
    # The rules are sorted by interface.
    assert list(verdicts(found).items()) == [(each, "passed") for each in examined.split()]
    outcome.stdout.fnmatch_lines(["CERTIFIED", f"  versions  {versions.replace(',', ', ')}"])
    assert (found["decision"], found["scope"]["filtered"]) == ("CERTIFIED", False)
    assert found["scope"]["versions"] == versions.split(",")
    rows = [each["name"] for each in found["rules"].get("V23-DELTA", {}).get("scenarios", ())]
    assert rows == [f"v23-delta ({each})" for each in ("v2", "v3") if each in versions and rows]


def test_filter_within_an_interface_is_reported(mini: MiniSuite) -> None:
    mini.use(*SHARED)
    mini.run("--versions", "v2", "-k", "gamma")
    found = mini.results()
    assert found["scope"]["filtered_why"].replace("'", "") == "-k gamma"
    assert verdicts(found)["V23-DELTA"] == "untested"
    assert "V3-BETA" not in found["rules"]


def test_scenario_that_was_not_collected_is_reported(mini: MiniSuite) -> None:
    # pytest-bdd keeps one scenario of a name in a feature: the other is silently lost.
    mini.use(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing").replace(": v4-beta", ": v4-alpha"))
    assert mini.run().ret == 3
    found = mini.results()
    assert found["decision"] == "INCOMPLETE"
    assert "1 scenarios were not collected, such as V4-ALPHA: v4-alpha" in found["scope"]["filtered_why"]
