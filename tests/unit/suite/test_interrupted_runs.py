"""Runs that end early, by a signal or an option, still have results."""

import hashlib
import signal
import sys

import pytest

from .material import FEATURES_OF_THE_FOLDER, MiniSuite, rule, verdicts


@pytest.mark.parametrize(
    ("step", "stop"),
    [
        ("it is an internal error", (["-x"], "stopping after 1 failures")),
        ("it is interrupted", ([], "the run was interrupted")),
        ("it is interrupted", (["-k", "alpha or beta"], "the run was interrupted")),
    ],
)
def test_stopped_run_has_results(mini: MiniSuite, step: str, stop: tuple[list[str], str]) -> None:
    arguments, reason = stop
    mini.use(
        rule("V4-ALPHA", "Given nothing"),
        rule("V4-BETA", "Given nothing", f"Then {step}"),
        rule("V4-GAMMA", "Given nothing"),
    )
    outcome = mini.run(*arguments)
    found = mini.results()
    assert outcome.ret != 0
    assert found["decision"] == "INCOMPLETE"
    assert verdicts(found)["V4-ALPHA"] == "passed"
    assert verdicts(found)["V4-GAMMA"] == "untested"
    assert found["rules"]["V4-GAMMA"]["reason"] == reason
    assert found["scope"]["filtered"] is ("-k" in arguments)


@pytest.mark.usefixtures("ctrl_c")
def test_signal_ends_a_run_with_a_report(mini: MiniSuite) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"), rule("V4-GAMMA", "Given nothing"))
    before = signal.getsignal(signal.SIGTERM)
    # The second signal must not prevent the report.
    mini.pytester.makeconftest(
        """
        import os, signal

        def pytest_runtest_setup(item):
            if "beta" in item.name:
                os.kill(os.getpid(), signal.SIGTERM)

        def pytest_keyboard_interrupt():
            os.kill(os.getpid(), signal.SIGINT)
        """
    )
    outcome = mini.run()
    assert outcome.ret == 3
    assert verdicts(mini.results()) == {"V4-ALPHA": "passed", "V4-BETA": "untested", "V4-GAMMA": "untested"}
    assert mini.results()["rules"]["V4-GAMMA"]["reason"] == "the run was ended by SIGTERM"
    outcome.stdout.fnmatch_lines(["*untested: the run was ended by SIGTERM (V4-BETA, V4-GAMMA)"])
    assert signal.getsignal(signal.SIGTERM) == before


def test_signal_while_the_report_is_written_is_ignored(mini: MiniSuite) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"))
    mini.pytester.makeconftest(
        """
        import os, signal

        def pytest_sessionfinish():
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(os.getpid(), number)
        """
    )
    assert mini.run().ret == 0
    assert mini.results()["decision"] == "CERTIFIED"


# A terminal sends Ctrl-C to all processes. A worker that starts lets it wait until it can end without a traceback.
@pytest.mark.exhaustive
@pytest.mark.parametrize("hook", ["pytest_xdist_newgateway(gateway)", "pytest_testnodeready(node)"])
def test_interrupted_start_of_workers_leaves_results(mini: MiniSuite, hook: str) -> None:
    mini.use(rule("V4-ALPHA", "Given nothing"), rule("V4-BETA", "Given nothing"))
    path = mini.pytester.makeconftest(
        f"""
        import os, signal

        def {hook}:
            os.kill(0, signal.SIGTERM)
        """
    )
    path.write_text(path.read_text() + FEATURES_OF_THE_FOLDER)
    outcome = _with_workers(mini.pytester)
    assert outcome.ret == 3, outcome
    assert verdicts(mini.results()) == {"V4-ALPHA": "untested", "V4-BETA": "untested"}
    assert {each["reason"] for each in mini.results()["rules"].values()} == {"the run was ended by SIGTERM"}
    outcome.stdout.fnmatch_lines(["*untested: the run was ended by SIGTERM (V4-ALPHA, V4-BETA)"])
    assert "Traceback" not in outcome.stdout.str() + outcome.stderr.str()
    assert "crashed" not in outcome.stdout.str()


def _with_workers(pytester: pytest.Pytester) -> pytest.RunResult:
    """Run the features in two workers of xdist, in a process group of their own."""
    options = ("-p", "airworthy.suite.plugin", "-p", "no:cacheprovider", "-n2", "--run-id=run")
    return pytester.run("setsid", "--wait", sys.executable, "-m", "pytest", *options)


def test_interrupted_run_keeps_the_results_of_its_workers(mini: MiniSuite) -> None:
    mini.use(*(rule(f"V4-{name}", "When offers are searched") for name in ("ALPHA", "BETA", "GAMMA", "DELTA")))
    path = mini.pytester.makeconftest(
        """
        import os, signal, pytest

        class Interruption:
            # The signal reaches the controller as soon as it has the first result.
            @pytest.hookimpl(trylast=True)
            def pytest_runtest_logreport(self, report):
                if report.when == "call":
                    os.kill(os.getpid(), signal.SIGTERM)

        def pytest_configure(config):
            if not hasattr(config, "workerinput"):
                config.pluginmanager.register(Interruption())
        """
    )
    # The processes find the features of this test in their conftest only.
    path.write_text(path.read_text() + FEATURES_OF_THE_FOLDER)
    assert _with_workers(mini.pytester).ret == 3
    found = mini.results()
    assert len(verdicts(found)) == 4
    assert "passed" in verdicts(found).values()
    # The workers have ended before the digest of the evidence is taken.
    evidence = mini.pytester.path / "reports" / "run" / "evidence.jsonl"
    assert hashlib.sha256(evidence.read_bytes()).hexdigest() == found["integrity"]["sha256"]
