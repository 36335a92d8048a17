"""The plugin with small features, against the embedded sandbox."""

import contextlib
import hashlib
import re
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

from airworthy.sandbox.faults import faults

from .material import Features, Read, Run, outline, rule, verdicts

pytest_plugins = ["pytester"]

CANARY = "canary-5d0b"


def test_each_outcome_has_its_verdict(features: Features, run: Run, results: Read) -> None:
    features(
        rule("V4-PASSED", "When offers are searched", "Then something is observed"),
        rule("V4-FAILED", "When offers are searched", "Then it fails"),
        rule("V4-UNTESTED", "Given nothing", "Then it is untested"),
        rule("V4-NOT-APPLICABLE", "Given nothing", "Then it is not applicable"),
        rule("V4-WARNED", "Given nothing", "Then a soft check ends it"),
        rule("V4-WARNED-TOO", "Given nothing", "Then a soft check fails"),
        rule("V4-ERROR", "Given nothing", "Then it is an internal error"),
        rule("V4-UNDEFINED", "Given a step that is not defined"),
        "  @V4-EXCLUDED @excluded\n  Rule: It is not observable\n    Excluded: not visible.\n    Source: v4, there\n",
    )
    outcome = run()

    found = results()
    assert verdicts(found) == {
        "V4-PASSED": "passed",
        "V4-FAILED": "failed",
        "V4-UNTESTED": "untested",
        "V4-NOT-APPLICABLE": "not_applicable",
        "V4-WARNED": "warning",
        "V4-WARNED-TOO": "warning",
        "V4-ERROR": "error",
        "V4-UNDEFINED": "error",
        "V4-EXCLUDED": "not_applicable",
    }
    outcome.assert_outcomes(passed=3, failed=3, skipped=2)
    assert outcome.ret == 1
    assert found["decision"] == "NOT CERTIFIED"
    assert not found["scope"]["filtered"]
    assert [(each["open_id"], each["value"]) for each in found["observations"]] == [("OPEN-31", "200")]
    assert found["timing"]["exchanges"] == 2
    assert found["integrity"]["lines"] == 2


def test_rule_that_was_never_applied_is_untested_unless_optional(features: Features, run: Run, results: Read) -> None:
    optional = rule("V4-BETA", "Given nothing", "Then nothing is compared")
    features(
        rule("V4-ALPHA", "Given nothing", "Then nothing is compared"),
        optional.replace("    Source:", "    Optional: nobody must have it (OPEN-48).\n    Source:"),
        rule("V4-GAMMA", "Given nothing"),
        rule("V4-DELTA", "Given nothing", "Then the contract judges the responses"),
        rule("V4-SEARCH-OFFERS", "When offers are searched", "Then the contract judges the responses"),
    )
    run()

    found = results()["rules"]
    assert {each: (of["verdict"], of["reason"]) for each, of in found.items()} == {
        "V4-ALPHA": ("untested", "no response of this run contains what the rule is about"),
        "V4-BETA": ("passed", "nothing to examine: nobody must have it (OPEN-48)."),
        "V4-GAMMA": ("passed", ""),
        "V4-DELTA": ("untested", "no response of this run contains what the rule is about"),
        "V4-SEARCH-OFFERS": ("passed", ""),
    }
    assert [found[each]["applied"] for each in ("V4-ALPHA", "V4-BETA", "V4-GAMMA")] == [0, 0, 1]


def test_failure_names_rule_source_step_values_and_command(features: Features, run: Run) -> None:
    features(rule("V4-FAILED", "When offers are searched", "Then it fails"))
    outcome = run()
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
            "*NOT CERTIFIED*",
            "*report*",
        ]
    )
    outcome.stdout.no_fnmatch_line("*Error*")
    outcome.stdout.no_fnmatch_line("*test_mini.py:[0-9]*")


def test_failed_prerequisite_fails_its_rule(features: Features, run: Run, results: Read) -> None:
    steps = ("Given an offer that could not be stored", "Then it fails")
    features(rule("V4-ALPHA", *steps), rule("V4-BETA", "Given nothing"), rule("V4-GAMMA", *steps))
    outcome = run()

    found = results()
    assert verdicts(found) == {"V4-ALPHA": "untested", "V4-BETA": "failed", "V4-GAMMA": "untested"}
    assert [(each["finding"]["rule"], each["count"]) for each in found["findings"]] == [("V4-BETA", 2)]
    assert outcome.ret == 1
    outcome.stdout.fnmatch_lines(
        ["*violations found in the exchanges of other scenarios*", "V4-BETA: no offer*(2 times)"]
    )


def test_finding_fails_its_rule_in_any_scenario(features: Features, run: Run, results: Read) -> None:
    features(
        rule("V4-ALPHA", "When offers are searched"),
        rule("V4-SEARCH-OFFERS", "Given nothing"),
        rule("V4-SEARCH-FARE", "When offers are searched"),
        rule("V4-JSON-ANSWERS", "Given nothing"),
    )
    outcome = run("--fault", "fares-cut-off", "--fault", _fault_of("V4-SEARCH-FARE"))

    assert verdicts(results())["V4-SEARCH-FARE"] == "failed"
    assert verdicts(results())["V4-ALPHA"] == "passed"
    outcome.assert_outcomes(passed=3, failed=1)


def _fault_of(identifier: str) -> str:
    return next(name for name, fault in faults().items() if fault.rule == identifier)


def test_finding_of_a_deselected_rule_fails_the_run(features: Features, run: Run, results: Read) -> None:
    features(rule("V4-ALPHA", "When offers are searched"), rule("V4-SEARCH-FARE", "Given nothing"))
    outcome = run("--fault", _fault_of("V4-SEARCH-FARE"), "-k", "alpha")

    outcome.assert_outcomes(passed=1, deselected=1)
    assert outcome.ret == 1
    assert verdicts(results())["V4-SEARCH-FARE"] == "failed"
    outcome.stdout.fnmatch_lines(["V4-SEARCH-FARE: *", "*NOT CERTIFIED*"])


def test_violation_by_the_suite_is_an_error_unless_announced(features: Features, run: Run, results: Read) -> None:
    features(
        rule("V4-ALPHA", "When offers are searched for 10 adults"),
        rule("V4-BETA", "Given a violation of V4-SEARCH-ADULTS is announced", "When offers are searched for 10 adults"),
        rule("V4-SEARCH-ADULTS", "When offers are searched for 10 adults"),
    )
    outcome = run()
    assert verdicts(results()) == {"V4-ALPHA": "error", "V4-BETA": "passed", "V4-SEARCH-ADULTS": "passed"}
    assert outcome.ret == 4
    outcome.stdout.fnmatch_lines(["*the suite sent a request that violates V4-SEARCH-ADULTS*"])


@pytest.mark.parametrize("arguments", [("-k", "alpha"), ("-m", "V4-ALPHA"), ("test_mini.py::test_v4alpha",)])
def test_filtered_run_is_incomplete(features: Features, run: Run, results: Read, arguments: tuple[str, ...]) -> None:
    features(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"))
    outcome = run(*arguments)
    found = results()
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
    outline("V23-DELTA", "Given flights of <interface>", "v2", "v3"),
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
    features: Features, run: Run, results: Read, versions: str, examined: str
) -> None:
    features(*SHARED)
    outcome = run("--versions", versions)
    assert outcome.ret == 0
    found = results()
    assert verdicts(found) == dict.fromkeys(examined.split(), "passed")
    outcome.stdout.fnmatch_lines(["CERTIFIED", f"  versions  {versions.replace(',', ', ')}"])
    assert (found["decision"], found["scope"]["filtered"]) == ("CERTIFIED", False)
    assert found["scope"]["versions"] == versions.split(",")
    rows = [each["name"] for each in found["rules"].get("V23-DELTA", {}).get("scenarios", ())]
    assert rows == [f"v23-delta ({each})" for each in ("v2", "v3") if each in versions and rows]


def test_filter_within_an_interface_is_reported(features: Features, run: Run, results: Read) -> None:
    features(*SHARED)
    run("--versions", "v2", "-k", "gamma")
    found = results()
    assert found["scope"]["filtered_why"].replace("'", "") == "-k gamma"
    assert verdicts(found)["V23-DELTA"] == "untested"
    assert "V3-BETA" not in found["rules"]


def test_rules_are_sorted_by_interface(features: Features, run: Run, results: Read) -> None:
    features(*SHARED)
    run()
    found = results()["rules"].values()
    assert [each["version"] for each in found] == ["export", "payment", "v2", "v2+v3", "v2+v3", "v2+v3", "v3", "v4"]


def test_full_run_is_certified(features: Features, run: Run, results: Read) -> None:
    features(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "When offers are searched"))
    assert run().ret == 0
    assert results()["decision"] == "CERTIFIED"


@pytest.mark.parametrize(("step", "arguments"), [("it is an internal error", ["-x"]), ("it is interrupted", [])])
def test_stopped_run_has_results(features: Features, run: Run, results: Read, step: str, arguments: list[str]) -> None:
    features(
        rule("V4-ALPHA", "Given nothing"),
        rule("V4-BETA", "Given nothing", f"Then {step}"),
        rule("V4-GAMMA", "Given nothing"),
    )
    outcome = run(*arguments)
    found = results()
    assert outcome.ret != 0
    assert found["decision"] == "INCOMPLETE"
    assert verdicts(found)["V4-ALPHA"] == "passed"
    assert verdicts(found)["V4-GAMMA"] == "untested"
    assert found["rules"]["V4-GAMMA"]["reason"] in ("stopping after 1 failures", "the run was interrupted")


@pytest.mark.parametrize("hook", ["pytest_collection_modifyitems", "pytest_runtestloop", "pytest_pycollect_makemodule"])
def test_internal_error_outside_a_scenario_is_the_verdict_on_every_rule(
    features: Features, run: Run, results: Read, pytester: pytest.Pytester, hook: str
) -> None:
    features(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"))
    pytester.makeconftest(f"def {hook}(): raise RuntimeError('{CANARY}')")
    outcome = run()
    assert outcome.ret == 4
    found = results()
    assert found["decision"] == "INCOMPLETE"
    assert verdicts(found) == {"V4-ALPHA": "error", "V4-BETA": "error"}
    assert CANARY not in str(found)
    outcome.stdout.fnmatch_lines(["*airworthy*", "INCOMPLETE", "*error: the suite failed with an internal error*"])


@pytest.mark.parametrize(
    "interruption",
    [
        ("SIGINT", "the run was interrupted"),
        ("SIGTERM", "the run was ended by SIGTERM"),
        ("SIGHUP", "the run was ended by SIGHUP"),
    ],
)
@pytest.mark.usefixtures("ctrl_c")
def test_signal_ends_a_run_with_a_report(
    features: Features, run: Run, results: Read, pytester: pytest.Pytester, interruption: tuple[str, str]
) -> None:
    name, reason = interruption
    features(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"), rule("V4-GAMMA", "Given nothing"))
    before = signal.getsignal(getattr(signal, name))
    # The second signal must not prevent the report.
    pytester.makeconftest(
        f"""
        import os, signal

        def pytest_runtest_setup(item):
            if "beta" in item.name:
                os.kill(os.getpid(), signal.{name})

        def pytest_keyboard_interrupt():
            os.kill(os.getpid(), signal.{name})
        """
    )
    outcome = run()
    assert outcome.ret == 3
    assert verdicts(results()) == {"V4-ALPHA": "passed", "V4-BETA": "untested", "V4-GAMMA": "untested"}
    assert results()["rules"]["V4-GAMMA"]["reason"] == reason
    outcome.stdout.fnmatch_lines([f"*untested: {reason} (V4-BETA, V4-GAMMA)"])
    assert signal.getsignal(getattr(signal, name)) == before


def test_interrupted_run_of_some_rules_names_the_interruption(features: Features, run: Run, results: Read) -> None:
    features(rule("V4-ALPHA", "Given nothing", "Then it is interrupted"), rule("V4-BETA", "Given nothing"))
    outcome = run("-k", "alpha")
    assert results()["scope"]["filtered"]
    outcome.stdout.fnmatch_lines(["*untested: the run was interrupted (V4-ALPHA)", "*filtered: only some*"])


def test_signal_while_the_report_is_written_is_ignored(
    features: Features, run: Run, results: Read, pytester: pytest.Pytester
) -> None:
    features(rule("V4-ALPHA", "Given nothing"))
    pytester.makeconftest(
        """
        import os, signal

        def pytest_sessionfinish():
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(os.getpid(), number)
        """
    )
    assert run().ret == 0
    assert results()["decision"] == "CERTIFIED"


# A terminal sends Ctrl-C to all processes. A worker that starts lets it wait until it can end without a traceback.
@pytest.mark.exhaustive
@pytest.mark.parametrize("hook", ["pytest_xdist_newgateway(gateway)", "pytest_testnodeready(node)"])
def test_interrupted_start_of_workers_leaves_results(
    features: Features, results: Read, pytester: pytest.Pytester, hook: str
) -> None:
    features(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"))
    path = pytester.makeconftest(
        f"""
        import os, signal

        def {hook}:
            os.kill(0, signal.SIGTERM)
        """
    )
    path.write_text(path.read_text() + _FEATURES_OF_THE_FOLDER)
    outcome = _with_workers(pytester)
    assert outcome.ret == 3, outcome
    assert verdicts(results()) == {"V4-ALPHA": "untested", "V4-BETA": "untested"}
    assert {each["reason"] for each in results()["rules"].values()} == {"the run was ended by SIGTERM"}
    outcome.stdout.fnmatch_lines(["*untested: the run was ended by SIGTERM (V4-ALPHA, V4-BETA)"])
    assert "Traceback" not in outcome.stdout.str() + outcome.stderr.str()
    assert "crashed" not in outcome.stdout.str()


def _with_workers(pytester: pytest.Pytester) -> pytest.RunResult:
    """Run the features in two workers of xdist, in a process group of their own."""
    options = ("-p", "airworthy.suite.plugin", "-p", "no:cacheprovider", "-n2", "--run-id=run")
    return pytester.run("setsid", "--wait", sys.executable, "-m", "pytest", *options)


def test_interrupted_run_keeps_the_results_of_its_workers(
    features: Features, results: Read, pytester: pytest.Pytester
) -> None:
    features(*(rule(f"V4-{name}", "When offers are searched") for name in ("ALPHA", "BETA", "GAMMA", "DELTA")))
    path = pytester.makeconftest(
        """
        import os, signal, pytest

        class Interruption:
            def __init__(self, plugins):
                self.plugins = plugins

            # The signal reaches the controller when it has the first result, and the second one is on its way.
            @pytest.hookimpl(trylast=True)
            def pytest_runtest_logreport(self, report):
                if report.when == "call":
                    queue = self.plugins.getplugin("dsession").queue
                    events = [queue.get()]
                    while events[-1][0] != "testreport" or events[-1][1]["rep"].when != "call":
                        events.append(queue.get())
                    for each in events:
                        queue.put(each)
                    os.kill(os.getpid(), signal.SIGTERM)

        def pytest_configure(config):
            if not hasattr(config, "workerinput"):
                config.pluginmanager.register(Interruption(config.pluginmanager))
        """
    )
    # The processes find the features of this test in their conftest only.
    path.write_text(path.read_text() + _FEATURES_OF_THE_FOLDER)
    outcome = _with_workers(pytester)
    found = results()
    counts = Counter(verdicts(found).values())
    assert counts["passed"] >= 2
    # The workers may have sent every result before they ended.
    assert outcome.ret == (0 if counts == {"passed": 4} else 3)
    # The workers have ended before the digest of the evidence is taken.
    evidence = pytester.path / "reports" / "run" / "evidence.jsonl"
    assert hashlib.sha256(evidence.read_bytes()).hexdigest() == found["integrity"]["sha256"]


_FEATURES_OF_THE_FOLDER = """
from pathlib import Path
from airworthy import register
from airworthy.resources import resource
from airworthy.suite import aggregate, selection

for module in (register, aggregate, selection):
    module.resource = lambda name: Path(__file__).parent / "features" if name == "features" else resource(name)
"""


def test_report_that_cannot_be_written_is_one_line(features: Features, run: Run, pytester: pytest.Pytester) -> None:
    features(rule("V4-ALPHA", "Given nothing"))
    pytester.makeconftest(
        """
        from pathlib import Path

        def pytest_runtest_teardown():
            Path("reports/run/report.html").mkdir(parents=True)
        """
    )
    outcome = run()
    assert outcome.ret == 3
    outcome.stdout.fnmatch_lines(["*/reports/run: cannot write the report: Is a directory"])
    outcome.stdout.no_fnmatch_line("*CERTIFIED*")
    assert "Traceback" not in outcome.stdout.str() + outcome.stderr.str()


@contextlib.contextmanager
def _largest_file(size: int) -> Iterator[None]:
    """Limit the size of each file of this process, which simulates a full disk."""
    previous = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, previous[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, previous)


@pytest.mark.parametrize("room", ["no report", "report"])
def test_full_disk_stops_the_run_with_one_line(
    features: Features, run: Run, results: Read, pytester: pytest.Pytester, room: str
) -> None:
    searches = 1 if room == "no report" else 40
    features(
        rule("V4-ALPHA", "When offers are searched"),
        rule("V4-BETA", *(["When offers are searched"] * searches)),
        rule("V4-GAMMA", "When offers are searched"),
    )
    with _largest_file(2_000 if room == "no report" else 150_000):
        outcome = run()
    assert outcome.ret == 3
    message = [line for line in outcome.outlines if "Interrupted" in line]
    assert len(message) == 1
    assert re.fullmatch(r"!+ Interrupted: .*/reports/run/evidence.jsonl: File too large !+", message[0])
    assert "Traceback" not in outcome.stdout.str() + outcome.stderr.str()
    folder = pytester.path / "reports" / "run"
    if room == "no report":
        assert not (folder / "results.json").exists()
    else:
        assert verdicts(results()) == {"V4-ALPHA": "passed", "V4-BETA": "untested", "V4-GAMMA": "untested"}
        assert results()["integrity"]["lines"] == len((folder / "evidence.jsonl").read_bytes().splitlines()) - 1


def test_scenario_that_was_not_collected_is_reported(features: Features, run: Run, results: Read) -> None:
    # pytest-bdd keeps one scenario of a name in a feature: the other is silently lost.
    features(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing").replace(": v4-beta", ": v4-alpha"))
    assert run().ret == 3
    found = results()
    assert found["decision"] == "INCOMPLETE"
    assert "1 scenarios were not collected, such as V4-ALPHA: v4-alpha" in found["scope"]["filtered_why"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--profile", "none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["--target", "ftp://x.example"], "--target: base_url must be an absolute https:// URL*"),
        (["--target", "http://x.example"], "*set allow_plain_http = true (or --allow-plain-http)"),
        (["--target", "https://x.example", "--ca-bundle", "none.pem"], "--ca-bundle none.pem: cannot be read*"),
        (["--target", "https://x.example", "--key-env", "UNSET_KEY"], "*the environment variable UNSET_KEY is not set"),
        (["--target", "https://x.example", "--max-rps", "0"], "--max-rps 0: expected a number above 0"),
        (["--target", "https://x.example", "--versions", "v9"], "--versions v9: expected v2, v3, v4"),
        (["--reports", "test_mini.py"], "--reports *test_mini.py: Not a directory"),
        (
            ["--profile", "none.toml", "--fault", "nope"],
            "--fault: is only for the embedded sandbox; remove it or --target and --profile",
        ),
        (["--ca-bundle", "none.pem"], "--ca-bundle: requires --target or --profile"),
        (["--key-env", "MY_KEY"], "--key-env: requires --target without --profile; a profile names its own variables"),
        (["--fault", "nope"], "unknown fault 'nope'*"),
        (["--fault", "wrong-key-serve"], "unknown fault 'wrong-key-serve'; did you mean wrong-key-served or *"),
        (["--dialect", "documentd"], "unknown dialect 'documentd'; did you mean documented?"),
        (["-m", "V4-ALFA or v4"], "-m 'V4-ALFA or v4': unknown rule V4-ALFA; did you mean V4-ALPHA?"),
        (["-m", "not v9-nowhere"], "-m 'not v9-nowhere': unknown rule v9-nowhere; `airworthy rules` lists all rules"),
        (["--lifetimes", "offer"], "--lifetimes offer: expected NAME=SECONDS*"),
    ],
)
def test_invalid_option_is_one_line(features: Features, run: Run, arguments: list[str], message: str) -> None:
    features(rule("V4-ALPHA", "Given nothing"))
    outcome = run(*arguments)
    assert outcome.ret == 2
    outcome.stderr.fnmatch_lines([f"ERROR: {message}"])
    assert not outcome.outlines
    assert len(outcome.errlines) == 1


def test_unknown_marker_leaves_no_report(features: Features, run: Run, pytester: pytest.Pytester) -> None:
    features(rule("V4-ALPHA", "Given nothing"))
    outcome = run("-q", "-m", "nowhere")
    assert outcome.ret == pytest.ExitCode.USAGE_ERROR
    outcome.stderr.fnmatch_lines(["ERROR: Unknown marker(s) in '-m' expression: nowhere*"])
    outcome.stdout.no_fnmatch_line("*no tests ran*")
    assert not (pytester.path / "reports").exists()


def test_plugin_ignores_other_tests(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile("def test_one(): pass\ndef test_two(): assert 1 == 2")
    outcome = run()
    outcome.assert_outcomes(passed=1, failed=1)
    assert not (pytester.path / "reports").exists()
    outcome.stdout.no_fnmatch_line("*CERTIFIED*")
