"""The verdicts of rules, from runs of the plugin with small features against the embedded sandbox."""

import re

import pytest

from airworthy.sandbox.faults import faults

from .material import MiniSuite, rule, verdicts


def test_each_outcome_has_its_verdict(mini: MiniSuite) -> None:
    mini.use(
        rule("V4-PASSED", "When offers are searched", "Then something is observed"),
        rule("V4-FAILED", "When offers are searched", "Then it fails"),
        rule("V4-UNTESTED", "Given nothing", "Then it is untested"),
        rule("V4-NOT-APPLICABLE", "Given nothing", "Then it is not applicable"),
        rule("V4-WARNED", "Given nothing", "Then a soft check fails"),
        rule("V4-ERROR", "Given nothing", "Then it is an internal error"),
        rule("V4-UNDEFINED", "Given a step that is not defined"),
        "  @V4-EXCLUDED @excluded\n  Rule: It is not observable\n    Excluded: not visible.\n    Source: v4, there\n",
    )
    outcome = mini.run()

    found = mini.results()
    assert verdicts(found) == {
        "V4-PASSED": "passed",
        "V4-FAILED": "failed",
        "V4-UNTESTED": "untested",
        "V4-NOT-APPLICABLE": "not_applicable",
        "V4-WARNED": "warning",
        "V4-ERROR": "error",
        "V4-UNDEFINED": "error",
        "V4-EXCLUDED": "not_applicable",
    }
    outcome.assert_outcomes(passed=2, failed=3, skipped=2)
    assert outcome.ret == 1
    assert found["decision"] == "NOT CERTIFIED"
    assert not found["scope"]["filtered"]
    assert [(each["open_id"], each["value"]) for each in found["observations"]] == [("OPEN-31", "200")]
    assert found["timing"]["exchanges"] == 2
    assert found["integrity"]["lines"] == 2


def test_seats_that_are_gone_are_explained_in_the_words_of_the_service(mini: MiniSuite) -> None:
    wrong = "Given a violation of V4-SEARCH-ADULTS is announced", "When offers are searched for 0 adults"
    mini.use(rule("V4-ALPHA", *wrong, "Then its seats are gone"))
    mini.run()

    assert re.fullmatch(
        'no seats; the service responds "[^"]*adults[^"]*"', mini.results()["rules"]["V4-ALPHA"]["reason"]
    )


def test_rule_that_was_never_applied_is_untested_unless_optional(mini: MiniSuite) -> None:
    optional = rule("V4-BETA", "Given nothing", "Then nothing is compared")
    mini.use(
        rule("V4-ALPHA", "Given nothing", "Then nothing is compared"),
        optional.replace("    Source:", "    Optional: nobody must have it (OPEN-48).\n    Source:"),
        rule("V4-GAMMA", "Given nothing"),
        rule("V4-DELTA", "Given nothing", "Then the contract judges the responses"),
        rule("V4-SEARCH-OFFERS", "When offers are searched", "Then the contract judges the responses"),
    )
    mini.run()

    found = mini.results()["rules"]
    assert {each: (of["verdict"], of["reason"]) for each, of in found.items()} == {
        "V4-ALPHA": ("untested", "no response of this run contains what the rule is about"),
        "V4-BETA": ("passed", "nothing to examine: nobody must have it (OPEN-48)."),
        "V4-GAMMA": ("passed", ""),
        "V4-DELTA": ("untested", "no response of this run contains what the rule is about"),
        "V4-SEARCH-OFFERS": ("passed", ""),
    }
    assert [found[each]["applied"] for each in ("V4-ALPHA", "V4-BETA", "V4-GAMMA")] == [0, 0, 1]


def test_failure_names_rule_source_step_values_and_command(mini: MiniSuite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    mini.use(rule("V4-FAILED", "When offers are searched", "Then it fails"))
    outcome = mini.run("-v")
    outcome.stdout.fnmatch_lines(
        [
            "V4-FAILED: The statement of V4-FAILED",
            "*Source*v4, somewhere",
            "*When offers are searched",
            "*> Then it fails",
            "*Why*it must fail",
            "*Expected*status 400",
            "*Actual*status 200",
            "*Where*response status, exchange x0001: POST https://*/v4/search, status 200",
            "*curl *",
        ]
    )
    outcome.stdout.no_fnmatch_line("*Error*")
    outcome.stdout.no_fnmatch_line("*test_mini.py:[0-9]*")


def test_run_ends_with_one_block_for_each_cause(mini: MiniSuite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    fails = ("When offers are searched", "Then it fails")
    mini.use(rule("V4-FAILED", *fails), rule("V4-FAILED-TOO", *fails), rule("V4-WARNED", "Then a soft check fails"))
    outcome = mini.run()
    outcome.stdout.fnmatch_lines(
        [
            "1. POST /v4/search: it must fail: expected status 400, actual status 200 (fails 1 rule)",
            "  V4-FAILED: The statement of V4-FAILED (v4, somewhere)",
            "  Step      When offers are searched",
            "  curl *",
            "2. POST /v4/search: it must fail: expected status 400, actual status 200 (fails 1 rule)",
            "*NOT CERTIFIED*",
            "  rules     2 failed, 1 warning of the 3 that bind the service",
            "  v4 Mini *1/2/0",
            "  warning   V4-WARNED: *",
            "*report*",
        ]
    )
    outcome.stdout.no_fnmatch_line("*FAILURES*")
    outcome.stdout.no_fnmatch_line("*FAILED*test_mini*")


def test_failed_prerequisite_fails_its_rule(mini: MiniSuite) -> None:
    steps = ("Given an offer that could not be stored", "Then it fails")
    mini.use(rule("V4-ALPHA", *steps), rule("V4-BETA", "Given nothing"), rule("V4-GAMMA", *steps))
    outcome = mini.run()

    found = mini.results()
    assert verdicts(found) == {"V4-ALPHA": "untested", "V4-BETA": "failed", "V4-GAMMA": "untested"}
    assert [(each["finding"]["rule"], each["count"]) for each in found["findings"]] == [("V4-BETA", 2)]
    assert outcome.ret == 1
    assert "(fails 1 rule, blocks 2, 2 similar) V4-BETA: " in " ".join(outcome.stdout.str().split())


def test_finding_fails_its_rule_in_any_scenario_of_the_run_although_deselected(mini: MiniSuite) -> None:
    mini.use(rule("V4-ALPHA", "When offers are searched"), rule("V4-SEARCH-FARE", "Given nothing"))
    fault = next(name for name, each in faults().items() if each.rule == "V4-SEARCH-FARE")
    outcome = mini.run("--fault", fault, "--fault", "fares-cut-off", "-k", "alpha")

    outcome.assert_outcomes(passed=1, deselected=1)
    assert outcome.ret == 1
    assert verdicts(mini.results()) == {"V4-ALPHA": "passed", "V4-SEARCH-FARE": "failed"}
    outcome.stdout.fnmatch_lines(["  V4-SEARCH-FARE: *", "*NOT CERTIFIED*"])


def test_violation_by_the_suite_is_an_error_unless_announced(mini: MiniSuite) -> None:
    mini.use(
        rule("V4-ALPHA", "When offers are searched for 10 adults"),
        rule("V4-BETA", "Given a violation of V4-SEARCH-ADULTS is announced", "When offers are searched for 10 adults"),
        rule("V4-SEARCH-ADULTS", "When offers are searched for 10 adults"),
    )
    outcome = mini.run()
    assert verdicts(mini.results()) == {"V4-ALPHA": "error", "V4-BETA": "passed", "V4-SEARCH-ADULTS": "passed"}
    assert outcome.ret == 4
    outcome.stdout.fnmatch_lines(["*the suite sent a request that violates V4-SEARCH-ADULTS*"])


def test_plugin_ignores_other_tests(mini: MiniSuite) -> None:
    mini.pytester.makepyfile("def test_one(): pass\ndef test_two(): assert 1 == 2")
    outcome = mini.run()
    outcome.assert_outcomes(passed=1, failed=1)
    assert not (mini.pytester.path / "reports").exists()
    outcome.stdout.no_fnmatch_line("*CERTIFIED*")
